package hosting

import (
	"cmp"
	"fmt"
	"iter"
	"net/http"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/strict"
)

// A rule is a rule in a configuration file of a host. It applies to the URL paths that its pattern
// matches. It redirects, rewrites, answers with an error, or sends a header.
type rule struct {
	pattern
	pos   diag.Pos
	text  string // the rule as messages show it: "/a /b 301"
	group int    // of the matching rules in one group, only the first applies

	to     string // target of a redirect or rewrite
	status int    // HTTP status; not used if stops is set
	force  bool   // the rule takes precedence over files
	stops  bool   // the rule does not answer; it only keeps later rules of its group from applying

	notFile, notFolder bool // the rule does not apply if the path is a file, or a folder with an index file

	robots   string // value of X-Robots-Tag to send
	unset    bool   // remove the values of earlier rules
	replaces bool   // the value replaces the values of earlier rules
	ifEmpty  bool   // send the value only if no earlier rule sends one
	always   bool   // the header is in Apache's "always" table, which is sent in addition to the normal table
}

// A ruleList contains rules in order of precedence. To find the rules for a path, it looks up the
// literal paths in a map, and tries each regular expression.
type ruleList struct {
	below string // path of the base URL if the paths of rules begin with it: "/docs"; otherwise ""

	rules  []rule
	byPath map[string][]int // indexes of the rules with a literal path, by path
	wild   []int            // indexes of the rules with a regular expression

	firstBeyondLimit *rule // first rule that exceeds a limit, or nil
}

// The maximum numbers of rules in a ruleList: of all rules, and of rules with a wildcard. sitewalk
// compares each page and link with every rule with a wildcard. maxWildcards is the limit of Vercel,
// which is the highest limit of all hosts.
const (
	maxRules     = 10_000
	maxWildcards = 2_048
)

// add appends r with the pattern p to the list. If the list has reached one of its limits, add
// drops r, and stores the first dropped rule in firstBeyondLimit.
func (x *ruleList) add(p pattern, r rule) {
	isWild := p.re != nil
	if x.firstBeyondLimit != nil || len(x.rules) == maxRules || isWild && len(x.wild) == maxWildcards {
		x.firstBeyondLimit = cmp.Or(x.firstBeyondLimit, &r)
		return
	}
	i := len(x.rules)
	r.pattern = p
	x.rules = append(x.rules, r)
	if isWild {
		x.wild = append(x.wild, i)
		return
	}
	if x.byPath == nil {
		x.byPath = map[string][]int{}
	}
	x.byPath[p.literal] = append(x.byPath[p.literal], i)
}

// matching returns an iterator over the rules that match a URL path, in order of precedence. The
// second value of the iterator contains the values of the groups in the pattern of the rule.
func (x *ruleList) matching(path string) iter.Seq2[*rule, []string] {
	return func(yield func(*rule, []string) bool) {
		path := x.below + path
		for _, i := range x.candidates(path) {
			r := &x.rules[i]
			if values, ok := r.match(path); ok && !yield(r, values) {
				return
			}
		}
	}
}

// candidates returns the indexes of the rules that may match path, in order of precedence. For
// "/a/b", these are the rules for "/", "/a", "/a/" and "/a/b", and all regular expressions.
func (x *ruleList) candidates(path string) []int {
	if x.byPath == nil {
		return x.wild
	}
	all := slices.Clone(x.wild)
	for i := range len(path) {
		if path[i] == '/' {
			all = append(append(all, x.byPath[path[:i]]...), x.byPath[path[:i+1]]...)
		}
	}
	if !strings.HasSuffix(path, "/") {
		all = append(all, x.byPath[path]...)
	}
	slices.Sort(all)
	return all
}

// applyRules returns the answer of the first rule that applies to the request r. On Apache, a rule
// for /a/index.html also applies to /a/. ok is false if no rule applies.
func (h *Host) applyRules(r request) (v Answer, ok bool) {
	v, ok = h.applyRulesFor(r.urlPath, r)
	if !ok && h.indexRules && r.dir && r.hasIndex() {
		return h.applyRulesFor(strings.TrimSuffix(r.urlPath, "/")+"/index.html", r)
	}
	return v, ok
}

// applyRulesFor returns the answer of the first rule that matches path and applies to the request
// r. path is the URL path of r, or the URL path of its index.html. ok is false if no rule applies.
func (h *Host) applyRulesFor(path string, r request) (v Answer, ok bool) {
	ended := -1
	for rule, values := range h.redirects.matching(path) {
		if rule.group == ended || !h.matchesConditions(rule, path, r) {
			continue
		}
		if rule.stops || h.yieldsToFiles(rule, r) {
			ended = rule.group
			continue
		}
		if v, ok = h.applyRule(rule, values, r); ok {
			return v, true
		}
	}
	return Answer{}, false
}

// matchesConditions reports whether the request r meets the conditions of rule, such as notFile.
// path is the path that the pattern of the rule matches.
func (h *Host) matchesConditions(rule *rule, path string, r request) bool {
	switch {
	case rule.relative && path != r.urlPath: // mod_rewrite does not try the index file of a folder
		return false
	case rule.notFile && !r.dir && r.exists(r.path), rule.notFolder && r.hasIndex():
		return false
	case rule.fileName && rule.stops: // Apache checks a folder before its index file
		return !r.dir && r.exists(r.path)
	case rule.fileName && (r.dir || strings.HasSuffix(r.urlPath, "/index.html")):
		return h.servesFile(r)
	}
	return true
}

// yieldsToFiles reports whether a file takes precedence over the rule for the request r. If
// h.filesFirst is true, the host's own redirect to the URL of a file also takes precedence.
func (h *Host) yieldsToFiles(rule *rule, r request) bool {
	if rule.force {
		return false
	}
	file, to := firstOf(h.handling, request.redirectToFolder)(r)
	return file != "" || h.filesFirst && to != ""
}

// applyRule returns the answer of a rule that matches the request r. values contains the values of
// the groups in the pattern of the rule. ok is false if the rule redirects the URL of r to itself,
// unless h.followsLoops is true.
func (h *Host) applyRule(rule *rule, values []string, r request) (v Answer, ok bool) {
	if rule.status >= 200 && rule.status < 300 {
		return h.applyRewrite(rule, values, r), true
	}
	v = Answer{Pos: rule.pos, Text: rule.text, Status: rule.status}
	if rule.status >= 400 {
		return v, true
	}
	v.To = rule.fillTarget(rule.to, values)
	if !h.followsLoops && h.isSameURL(v.To, r.urlPath) {
		return Answer{}, false
	}
	return v, true
}

// applyRewrite returns the answer of a rule that serves the file of its target at the URL of r. If
// the host would serve a different file at this URL without the rule, the field File of the answer
// is the file of the target. Otherwise, File is "".
func (h *Host) applyRewrite(rule *rule, values []string, r request) Answer {
	v := Answer{Pos: rule.pos, Text: rule.text, Status: http.StatusOK}
	to := rule.fillTarget(rule.to, values)
	if i := strings.IndexAny(to, "?#"); i >= 0 {
		to = to[:i]
	}
	hidden, _ := h.handling(r)
	if hidden == "" || !strings.HasPrefix(to, "/") {
		return v
	}
	if file, _ := firstOf(request.serveExact, h.handling)(h.newRequest(decodePath(to), r.inTree)); file != hidden {
		v.File = file
	}
	return v
}

// isSameURL reports whether target, the target of a redirect, is the URL of the page at urlPath.
func (h *Host) isSameURL(target, urlPath string) bool {
	loc, err := h.origin.Loc(urlPath)
	if err != nil {
		return false
	}
	resolved, err := h.origin.Resolve(target, loc, "")
	if err != nil {
		return false
	}
	if resolved == loc || h.ignoresSlash && strings.TrimSuffix(resolved, "/") == strings.TrimSuffix(loc, "/") {
		return true
	}
	page, err := h.base.Loc(urlPath)
	return err == nil && resolved == page
}

// Answer predicts the host's answer to a request for a URL path, which is relative to the base URL.
// The host applies a rule, sends a file, redirects to the URL that serves the file, or answers with
// status 404. exists reports whether the publish directory contains a file.
func (h *Host) Answer(urlPath string, exists func(file string) bool) Answer {
	if !strings.HasPrefix(urlPath, "/") {
		return Answer{Status: http.StatusNotFound}
	}
	r := h.newRequest(urlPath, exists)
	file, to := h.handling(r)
	if to != "" && h.platform.canonicalFirst {
		return h.newServerRedirect(to)
	}
	if v, ok := h.applyRules(r); ok {
		return v
	}
	switch {
	case file != "":
		return Answer{Status: http.StatusOK, File: file}
	case to != "":
		return h.newServerRedirect(to)
	}
	return Answer{Status: http.StatusNotFound}
}

// newServerRedirect returns the answer of a host that redirects without a rule, for example from
// /a to /a/. targetPath is the URL path of the target, such as "/a/".
func (h *Host) newServerRedirect(targetPath string) Answer {
	return Answer{To: targetPath, Text: h.Name() + " serves the page there", Status: h.moveStatus}
}

// OverridingRule returns the answer of the rule that prevents the host from serving the file of a
// URL path. Such a rule redirects to another URL, answers with an error, or serves another file.
// The redirect of Netlify's Pretty URLs from /a/ to /a also counts as a rule. urlPath is relative
// to the base URL. exists reports whether the publish directory contains a file. ok is false if
// there is no such rule.
func (h *Host) OverridingRule(urlPath string, exists func(file string) bool) (v Answer, ok bool) {
	r := h.newRequest(urlPath, exists)
	if v, ok := h.applyRules(r); ok {
		return v, v.Status != http.StatusOK || v.File != ""
	}
	if h.pretty {
		if _, to := r.removeSlash(); to != "" {
			return Answer{To: to, Text: "Netlify serves " + to[1:] + ".html in its place", Status: h.moveStatus}, true
		}
	}
	return Answer{}, false
}

// ServedFile returns the file in the publish directory that the host sends with status 200 for a
// URL path, which is relative to the base URL. ok is false if the host redirects, answers with an
// error, or sends other content.
func (h *Host) ServedFile(urlPath string, exists func(file string) bool) (file string, ok bool) {
	if !strings.HasPrefix(urlPath, "/") {
		return "", false
	}
	if file, _ = h.handling(h.newRequest(urlPath, exists)); file == "" {
		return "", false
	}
	if _, overridden := h.OverridingRule(urlPath, exists); overridden {
		return "", false
	}
	return file, true
}

// HasRules reports whether the configuration files of the host contain rules that redirect,
// rewrite, answer with an error, or send X-Robots-Tag.
func (h *Host) HasRules() bool { return len(h.redirects.rules)+len(h.headers.rules) > 0 }

// IgnoreRule returns the rule that excludes a file in the publish directory from deployment, such
// as an item of "ignore" in firebase.json. ok is false if there is no such rule.
func (h *Host) IgnoreRule(file string) (v Answer, ok bool) {
	if len(h.ignores.rules) == 0 {
		return Answer{}, false
	}
	for r := range h.ignores.matching("/" + file) {
		return Answer{Pos: r.pos, Text: r.text}, true
	}
	return Answer{}, false
}

// isForSite reports whether a rule for URLs with the given scheme and host applies to the site. A
// scheme or host of "" matches any. If the base URL is unknown, every rule applies.
func (l *loader) isForSite(scheme, host string) bool {
	if l.Base.Host() == "" || host == "" {
		return true
	}
	own, _, _ := strings.Cut(l.Base.String(), "://")
	return strings.EqualFold(host, l.Base.Host()) && (scheme == "" || scheme == own)
}

// addRedirectRule adds r with the pattern p to l.host.redirects. err is the error of
// compiling p. If err is not nil, addRedirectRule reports the rule instead.
func (l *loader) addRedirectRule(r rule, p pattern, err error) {
	if err != nil {
		l.reportBadRule(r.pos, r.text, err)
		return
	}
	l.host.redirects.add(p, r)
}

// addHeaderRule adds a rule that sends tag for the paths that p matches. It does nothing if tag is
// not set. err is the error of compiling p from source. If err is not nil, addHeaderRule reports
// the rule instead.
func (l *loader) addHeaderRule(f file, tag robotsTag, source strict.Value[string], p pattern, err error) {
	switch {
	case !tag.IsSet():
	case err != nil:
		l.reportBadRule(firstPos(f, source.Pos), source.V, err)
	default:
		l.host.headers.add(p, rule{pos: firstPos(f, tag.Pos), robots: tag.V})
	}
}

// ruleText returns a rule in the format of a line of _redirects: "/a /b 301!". It leaves out an
// empty target, and the status if it is 0.
func ruleText(from, to string, status int, force bool) string {
	text := strings.TrimSpace(from + " " + to)
	if status != 0 {
		text += fmt.Sprintf(" %d", status)
	}
	if force {
		text += "!"
	}
	return text
}
