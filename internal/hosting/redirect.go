package hosting

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
)

// A redirect is one rule that answers for a URL in place of its file.
type redirect struct {
	pos    diag.Pos
	text   string // as written
	to     string
	status int
	force  bool // also where a file would be served
	passes bool // answers nothing, and no other rule with force does after it
	index  bool // for an index file only where one is

	requestOnly        bool // is not tried on the index file behind a folder
	notFile, notFolder bool // does not hold if the path is a file, or a folder with an index file
}

// redirects are a host's rules, in the order in which they are tried.
type redirects struct {
	index[redirect]
	force   bool // some rules hold where a file is
	loops   bool // rules hold where they lead to the URL itself, too
	folders bool // rules for a folder's index.html hold for the folder, too
}

func (r *redirects) add(p pattern, rule redirect) {
	r.index.add(p, rule)
	r.force = r.force || rule.force
}

// Redirect returns the first of the host's rules that answers for a URL path
// below the base with a redirect to another URL, or with an error. A rule that
// serves other content at the URL leaves the page where it is; so does one
// that leads back to the page, such as one from another of the site's domains.
func (s *Site) Redirect(urlPath string, exists func(file string) bool) (Verdict, bool) {
	return s.redirect(newRequest(urlPath, s.deployed(exists)))
}

func (s *Site) redirect(r request) (Verdict, bool) {
	if v := s.byRule(r); v.Status != 0 {
		return v, v.Status != http.StatusOK
	}
	if s.pretty {
		if _, to := r.toFile(); to != "" {
			return Verdict{To: to, Text: "Netlify serves " + to[1:] + ".html in its place", Status: s.moveStatus}, true
		}
	}
	return Verdict{}, false
}

// servesOther is the verdict of a rule that serves other content at the URL.
var servesOther = Verdict{Status: http.StatusOK}

// byRule returns what the first rule that answers for the URL does, without a status
// where none does.
func (s *Site) byRule(r request) Verdict {
	if len(s.redirects.rules) == 0 || !s.redirects.force && s.hasFile(r) {
		return Verdict{}
	}
	v := s.firstRule(r.urlPath, r)
	if s.redirects.folders && v.Status == 0 && strings.HasSuffix(r.urlPath, "/") && r.exists(r.urlPath[1:]+"index.html") {
		return s.firstRule(r.urlPath+"index.html", r)
	}
	return v
}

// yields reports whether a rule leaves a request to the files of the site.
func (s *Site) yields(rule *redirect, r request) bool {
	if rule.index && isIndexPath(r.urlPath) && !s.hasFile(r) {
		return true
	}
	if rule.notFile && !r.dir && r.exists(r.path) || rule.notFolder && r.hasIndex() {
		return true
	}
	if rule.force {
		return false
	}
	file, to := first(s.handling, request.toFolder)(r)
	return file != "" || s.filesFirst && to != ""
}

// carryOut is what a rule does with a request that it matches: nothing where it leads to
// no other address.
func (s *Site) carryOut(match *ruleOf[redirect], values []string, r request) Verdict {
	rule := &match.rule
	if rule.status >= 200 && rule.status < 300 {
		return servesOther
	}
	v := Verdict{Pos: rule.pos, Text: rule.text, Status: rule.status}
	if rule.status >= 400 {
		return v
	}
	if v.To = match.fill(rule.to, values); !s.redirects.loops && s.isSelf(v.To, r.urlPath) {
		return Verdict{}
	}
	return v
}

// firstRule is byRule for the path under which the rules know a URL.
func (s *Site) firstRule(path string, r request) Verdict {
	pass := false
	for match, values := range s.redirects.matching(path) {
		rule := &match.rule
		pass = pass || rule.passes
		if pass && rule.force || rule.requestOnly && path != r.urlPath || s.yields(rule, r) {
			continue
		}
		if v := s.carryOut(match, values, r); v.Status != 0 {
			return v
		}
	}
	return Verdict{}
}

// isIndexPath reports whether a path is that of a folder or of its index file.
func isIndexPath(urlPath string) bool {
	return strings.HasSuffix(urlPath, "/") || strings.HasSuffix(urlPath, "/index.html")
}

func (s *Site) hasFile(r request) bool {
	file, _ := s.handling(r)
	return file != ""
}

// isSelf reports whether the target of a redirect is the URL itself.
func (s *Site) isSelf(to, urlPath string) bool {
	loc, err := s.origin.Loc(urlPath)
	if err != nil {
		return false
	}
	target, err := s.origin.Resolve(to, loc, "")
	if err != nil {
		return false
	}
	if s.redirects.slash {
		target, loc = strings.TrimSuffix(target, "/"), strings.TrimSuffix(loc, "/")
	}
	if target == loc {
		return true
	}
	page, err := s.base.Loc(urlPath)
	return err == nil && target == page
}

// applies reports whether a rule for one host applies to the site's own. An
// unknown host is taken to be the site's; a scheme other than the site's makes
// the rule one for other URLs.
func (l *loader) applies(scheme, host string) bool {
	if l.Base.Host() == "" {
		return true
	}
	own, _, _ := strings.Cut(l.Base.String(), "://")
	return strings.EqualFold(host, l.Base.Host()) && (scheme == "" || scheme == own)
}

// undecidable reports a rule that only a request can decide. Rules that do not
// take a page's place are not worth a word.
func (l *loader) undecidable(rule redirect, on string) {
	if rule.force && (rule.status < 200 || rule.status >= 300) {
		l.diags.Notef(rule.pos, "undecidable-rule", "exclude the pages by a rule of sitemap.yaml if no crawler can reach them",
			"redirect %q depends on %s, which is known only at the request; the pages stay in", rule.text, on).Subject = rule.text
	}
}

// addRedirect adds a rule if its pattern is understood.
func (l *loader) addRedirect(rule redirect, p pattern, err error) {
	if err != nil {
		l.badRule(rule.pos, rule.text, err)
		return
	}
	l.site.redirects.add(p, rule)
}

// badRule reports a rule that is not understood; the others still count.
func (l *loader) badRule(pos diag.Pos, text string, why any) {
	l.diags.Warnf(pos, "bad-host-rule", "correct the line, or remove it", "rule %q is ignored: %v", clip(text), why).Subject = text
}

func clip(s string) string {
	if len(s) > 100 {
		return s[:100] + "…"
	}
	return s
}

// ruleText returns a rule as one line of a _redirects file.
func ruleText(from, to string, status int, force bool) string {
	text := from + " " + to
	if status != 0 {
		text += fmt.Sprintf(" %d", status)
	}
	if force {
		text += "!"
	}
	return text
}
