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
	"strconv"
	"strings"

	"github.com/sitewalk/sitewalk/internal/strict"
)

// The limits of GitLab's own parser.
// https://docs.gitlab.com/user/project/pages/redirects/
const (
	gitlabSize     = 64 << 10
	gitlabRules    = 1000
	gitlabSegments = 25
)

// A gitlabJob is what a job of .gitlab-ci.yml says of GitLab Pages.
// https://docs.gitlab.com/ci/yaml/#pages
type gitlabJob struct {
	Publish strict.Value[string]                          `yaml:"publish"` // of a job called pages, before GitLab 17.9
	Pages   strict.Value[map[string]strict.Value[string]] `yaml:"pages"`
}

// A gitlabPages is the shorter form: pages: true.
type gitlabPages struct {
	Pages bool `yaml:"pages"`
}

// gitlabJobs returns the jobs of .gitlab-ci.yml that publish to GitLab Pages.
func (l *loader) gitlabJobs() (f file, jobs []gitlabJob) {
	f, ok := l.fromRoot(".gitlab-ci.yml")
	if !ok || !bytes.Contains(f.src, []byte("pages")) {
		return f, nil
	}
	var all map[string]gitlabJob
	var short map[string]gitlabPages
	new(loader).decode(f, &all) // one of the two is of the wrong type, and of no interest to other hosts
	new(loader).decode(f, &short)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if job := all[name]; name == "pages" || job.Pages.IsSet() || short[name].Pages {
			jobs = append(jobs, job)
		}
	}
	return f, jobs
}

// gitlabPublish: the folder that a job names.
func (l *loader) gitlabPublish() (none strict.Value[string]) {
	_, jobs := l.gitlabJobs()
	for _, job := range jobs {
		for _, dir := range []strict.Value[string]{job.Pages.V["publish"], job.Publish} {
			if dir.V != "" && !strings.Contains(dir.V, "$") {
				return dir
			}
		}
	}
	return none
}

// gitlab reads _redirects, whose paths begin with that of the base URL, and
// whose rules come after the files. One line that cannot be read takes all rules
// away.
func (l *loader) gitlab() {
	s := l.site
	s.filesFirst = true
	s.redirects.below = strings.TrimSuffix(l.Base.Prefix(), "/")
	f, ok := l.fromPublish("_redirects")
	if !ok {
		return
	}
	if len(f.src) > gitlabSize {
		l.diags.Warnf(f.pos(0), "oversized", "let it be shorter", "it has %d bytes, and GitLab takes none of its rules when there are more than %d", len(f.src), gitlabSize)
		return
	}
	count := 0
	for pos, line := range l.rules(f) {
		rule, err := l.gitlabLine(line)
		rule.pos = pos
		switch count++; {
		case rule.spoils:
			s.redirects = redirects{}
			l.diags.Warnf(rule.pos, "bad-host-rule", "correct the line, or remove it",
				"rule %q cannot be read, and GitLab takes no rule of the file then: %v", clip(line), err).Subject = line
			return
		case count > gitlabRules:
			l.badRule(rule.pos, line, fmt.Sprintf("only the first %d rules count", gitlabRules))
			return
		case err != nil:
			l.badRule(rule.pos, line, err)
		case rule.host == "" || l.applies(rule.scheme, rule.host):
			l.gitlabRule(rule)
		}
	}
}

// A gitlabRule is a line of _redirects.
type gitlabRule struct {
	redirect
	scheme, host, from string
	spoils             bool // the whole file, by its mistake
}

// gitlabLine reads "from to [status]", in the grammar of tj/go-redirects and with
// what GitLab's internal/redirects/validations.go refuses.
func (l *loader) gitlabLine(line string) (r gitlabRule, err error) {
	words := strings.Fields(line)
	r.text, r.status = line, http.StatusMovedPermanently
	switch {
	case len(words) < 2:
		r.spoils = true
		return r, errors.New("it has no target; write the path, then a path or a URL")
	case len(words) > 2:
		code, force := strings.CutSuffix(words[2], "!")
		if r.status, err = strconv.Atoi(strings.ReplaceAll(code, "!", "")); err != nil {
			r.spoils = true
			return r, fmt.Errorf("the status must be 200, 301 or 302, not %q", words[2])
		}
		if force {
			return r, errors.New("GitLab knows no !; its rules hold where there is no file")
		}
	}
	if r.scheme, r.host, r.from, err = splitFrom(words[0]); err != nil {
		return r, err
	}
	r.to = words[1]
	_, host, to, err := splitFrom(r.to)
	switch {
	case err != nil || host == "" && !strings.HasPrefix(to, "/") || !strings.HasPrefix(r.from, "/"):
		return r, errors.New("both paths must begin with / or https://")
	case strings.Count(r.from, "/") > gitlabSegments || strings.Count(to, "/") > gitlabSegments:
		return r, fmt.Errorf("a path may have no more than %d segments", gitlabSegments)
	case len(words) > 3:
		return r, errors.New("GitLab knows no conditions, and no comments behind a rule")
	case !slices.Contains([]int{200, 301, 302}, r.status):
		return r, fmt.Errorf("the status must be 200, 301 or 302, not %d", r.status)
	case host != "" && r.status == 200:
		return r, errors.New("a 200 rule can only lead to a path of the site")
	}
	return r, nil
}

var (
	gitlabName = regexp.MustCompile(`^:[A-Za-z]+$`)
	gitlabUse  = regexp.MustCompile(`:[A-Za-z]+`)
)

// gitlabRule compiles a rule: whole segments are names or a *, slashes and case
// make no difference, and no segment is decoded. A name that the path does not have stands for nothing.
func (l *loader) gitlabRule(r gitlabRule) {
	expr, names := "(?i)^", []string(nil)
	for segment := range strings.SplitSeq(r.from, "/") {
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
	p, err := compile(expr+"/*$", names)
	if err == nil {
		err = l.belowBase(r.from)
	}
	p.squeezes = true
	r.to = gitlabUse.ReplaceAllStringFunc(r.to, func(use string) string {
		if slices.Contains(names, use[1:]) {
			return use
		}
		return ""
	})
	if below := l.site.redirects.below; r.to[0] == '/' && !strings.HasPrefix(r.to+"/", below+"/") {
		r.to = strings.TrimSuffix(l.site.origin.String(), "/") + r.to // out of the project
	}
	l.addRedirect(r.redirect, p, err)
}

// belowBase reports a rule that can match no page of the site, because GitLab
// compares the whole path of a URL.
func (l *loader) belowBase(from string) error {
	below := l.site.redirects.below
	first, _, _ := strings.Cut(strings.TrimLeft(from, "/"), "/")
	if below == "" || first == "*" || gitlabName.MatchString("/"+first) || strings.HasPrefix(strings.ToLower(path.Clean(from))+"/", strings.ToLower(below)+"/") {
		return nil
	}
	return fmt.Errorf("the site lies below %s/, and GitLab compares the whole path; write %s%s", below, below, from)
}
