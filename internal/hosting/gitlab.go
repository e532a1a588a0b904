package hosting

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/strict"
)

// A gitlabJob contains the settings of a job in .gitlab-ci.yml that are about GitLab Pages.
//
// See https://docs.gitlab.com/ci/yaml/#pages
type gitlabJob struct {
	Publish strict.Value[string]                          `yaml:"publish"` // publish directory, as written before GitLab 17.9
	Pages   strict.Value[map[string]strict.Value[string]] `yaml:"pages"`
}

// gitlabPagesJobs returns the jobs of .gitlab-ci.yml that publish to GitLab Pages, sorted by name.
func (l *loader) gitlabPagesJobs() (jobs []gitlabJob) {
	f, ok := l.openFirst(".gitlab-ci.yml")
	if !ok || !bytes.Contains(f.src, []byte("pages")) {
		return nil
	}
	var all map[string]gitlabJob
	var short map[string]struct {
		Pages bool `yaml:"pages"` // the shorter form: pages: true
	}
	// The key pages is a map or a boolean, so one of the two calls finds a wrong type. The loaders
	// that collect these findings are discarded.
	new(loader).decode(f, &all)
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
// a directory, the job whose name sorts first counts. gitlabPublishDir ignores a directory that
// contains a variable, such as "$DIR". If no job sets a directory, it returns the zero Value.
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
	l.host.ownRedirectsFirst = true
	l.host.redirects.basePath = strings.TrimSuffix(l.Base.Prefix(), "/")
	l.readRedirectsFile("_redirects", gitlabRedirects)
}

// gitlabRedirects is the format of _redirects on GitLab, which uses the parser tj/go-redirects.
//
// See https://docs.gitlab.com/user/project/pages/redirects/
var gitlabRedirects = redirectsFileFormat{
	status: 301, statuses: []int{200, 301, 302}, noQuery: true, rejectsFile: true, add: (*loader).addGitLabRule, maxBytes: 64 << 10, maxRules: 1000,
}

// gitlabName matches a path segment that is a placeholder, such as ":name". gitlabUse matches a
// placeholder anywhere in the target of a rule.
var (
	gitlabName = regexp.MustCompile(`^:[A-Za-z]+$`)
	gitlabUse  = regexp.MustCompile(`:[A-Za-z]+`)
)

// addGitLabRule adds a redirect on GitLab to l.host. It returns an error if GitLab rejects the
// redirect, or if the redirect cannot match a page of the site. It ignores a redirect for another
// host.
// See internal/redirects/validations.go of GitLab Pages.
func (l *loader) addGitLabRule(r *lineRule) error {
	scheme, host, from, err := splitRuleAddress(r.from)
	if err != nil {
		return err
	}
	_, toHost, _, err := splitRuleAddress(r.to)
	switch {
	case err != nil:
		return err
	case r.force:
		return errors.New("GitLab does not know !; its rules apply only where there is no file")
	case r.hasQuery || len(r.conditions) > 0:
		return errors.New("GitLab does not know conditions, or comments after a rule")
	case toHost != "" && r.status == http.StatusOK:
		return errors.New("a 200 rule can only serve a path of the site")
	case !l.isForSite(scheme, host):
		return nil
	}
	p, err := compileGitLabPath(from)
	if err != nil {
		return err
	}
	if err := l.checkBelowBase(from); err != nil {
		return err
	}
	r.to = gitlabUse.ReplaceAllStringFunc(r.to, func(use string) string {
		if slices.Contains(p.names, use[1:]) {
			return use
		}
		return "" // from has no such placeholder
	})
	if below := l.host.redirects.basePath; r.to[0] == '/' && !strings.HasPrefix(r.to+"/", below+"/") {
		r.to = strings.TrimSuffix(l.host.origin.String(), "/") + r.to // the target is outside of the project
	}
	l.host.redirects.add(p, r.rule)
	return nil
}

// compileGitLabPath compiles rulePath, the path of a rule on GitLab. A whole segment of the path
// may be a placeholder or "*". The pattern ignores case, repeated slashes and trailing slashes.
// compileGitLabPath does not decode percent-encodings.
func compileGitLabPath(rulePath string) (pattern, error) {
	expr, names := "(?i)^", []string{""}
	for segment := range strings.SplitSeq(rulePath, "/") {
		switch {
		case segment == "":
		case segment == "*":
			expr, names = expr+"/*(.*)/*", append(names, "splat")
		case gitlabName.MatchString(segment):
			expr, names = expr+"/+([^/]+)", append(names, segment[1:])
		default:
			expr += "/+" + regexp.QuoteMeta(segment)
		}
	}
	p, err := compileRegexp(expr+"/*$", names)
	p.joinsSlashes = true
	return p, err
}

// checkBelowBase returns an error if rulePath, the path of a rule, cannot match a page of the
// site. GitLab compares rulePath with the whole path of a URL. Therefore, rulePath must begin with
// the path of the base URL, or with a wildcard or placeholder.
func (l *loader) checkBelowBase(rulePath string) error {
	below := l.host.redirects.basePath
	first, _, _ := strings.Cut(strings.TrimLeft(rulePath, "/"), "/")
	if below == "" || first == "*" || gitlabName.MatchString(first) || strings.HasPrefix(strings.ToLower(path.Clean(rulePath))+"/", strings.ToLower(below)+"/") {
		return nil
	}
	return fmt.Errorf("the site lies below %s/, and GitLab compares the whole path; write %s%s", below, below, rulePath)
}
