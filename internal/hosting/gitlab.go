package hosting

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/strict"
)

// A gitlabJob is a job of .gitlab-ci.yml.
//
// See https://docs.gitlab.com/ci/yaml/#pages
type gitlabJob struct {
	Publish strict.Value[string]                          `yaml:"publish"` // of a job called pages, before GitLab 17.9
	Pages   strict.Value[map[string]strict.Value[string]] `yaml:"pages"`
}

// gitlabPagesJobs returns the jobs of .gitlab-ci.yml that publish to GitLab Pages.
func (l *loader) gitlabPagesJobs() (jobs []gitlabJob) {
	f, ok := l.openFirst(".gitlab-ci.yml")
	if !ok || !bytes.Contains(f.src, []byte("pages")) {
		return nil
	}
	var all map[string]gitlabJob
	var short map[string]struct {
		Pages bool `yaml:"pages"` // the shorter form: pages: true
	}
	new(loader).decode(f, &all) // one of the two is of the wrong type, and of no interest to other hosts
	new(loader).decode(f, &short)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if job := all[name]; name == "pages" || job.Pages.IsSet() || short[name].Pages {
			jobs = append(jobs, job)
		}
	}
	return jobs
}

func hasGitLabPagesJob(l *loader) bool { return len(l.gitlabPagesJobs()) > 0 }

// gitlabPublishDir returns the publish directory that a GitLab Pages job sets. If several jobs set
// one, the job whose name sorts first counts. gitlabPublishDir ignores a directory that contains a
// variable, such as "$DIR". If no job sets a directory, it returns the zero Value.
func (l *loader) gitlabPublishDir() (dir strict.Value[string]) {
	for _, job := range l.gitlabPagesJobs() {
		for _, publish := range []strict.Value[string]{job.Pages.V["publish"], job.Publish} {
			if publish.V != "" && !strings.Contains(publish.V, "$") {
				return publish
			}
		}
	}
	return dir
}

// readGitLab reads _redirects. The paths in this file begin with the path of the base URL, such as
// /project. Files of the site take precedence over the rules.
func (l *loader) readGitLab() {
	l.site.filesFirst = true
	l.site.redirects.below = strings.TrimSuffix(l.Base.Prefix(), "/")
	l.readRedirectsFile(gitlabRedirects)
}
