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
// matches. It redirects, rewrites, answers with an error, sends or removes a header, or excludes a
// file from deployment.
type rule struct {
	pattern
	pos  diag.Pos
	text string // the rule as messages show it: "/a /b 301"; "" for a rule that sends or removes a header

	// The fields below are for rules in Host.redirects.

	to        string // target of a redirect or rewrite
	status    int    // HTTP status; not used if endsGroup is set
	force     bool   // the rule takes precedence over files
	group     int    // number of the group; Apache and Azure have several groups
	endsGroup bool   // Apache, Azure: the rule does not answer, and later rules of its group do not apply
	notFile   bool   // Apache, RewriteCond !-f: the rule does not apply if the path is a file
	notFolder bool   // Apache, RewriteCond !-d: the rule does not apply if the path is a folder with an index.html

	// The fields below are for rules in Host.headers. "Earlier" rules are matching rules before
	// this rule. On Apache, they are only those with the same value of inAlwaysTable.

	tag             string // value of X-Robots-Tag to send
	removesEarlier  bool   // Apache, Azure, Cloudflare: remove the values of earlier rules, and send none
	replacesEarlier bool   // Apache, Header set: replace the values of earlier rules
	yieldsToEarlier bool   // Apache, Header setifempty: send the value only if no earlier rule sends one
	inAlwaysTable   bool   // Apache, Header always: the header is in a second table, which Apache sends in addition to the first table
}

// A ruleList contains rules in order of precedence. To find the rules for a path, it looks up the
// literal paths in a map, and tries each regular expression.
type ruleList struct {
	basePath string // Apache, GitLab: path of the base URL, with which the paths of rules begin: "/docs"; "" for other hosts

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
// drops r and stores it in firstBeyondLimit. It then drops all later rules too.
func (l *ruleList) add(p pattern, r rule) {
	isWild := p.re != nil
	if l.firstBeyondLimit != nil || len(l.rules) == maxRules || isWild && len(l.wild) == maxWildcards {
		l.firstBeyondLimit = cmp.Or(l.firstBeyondLimit, &r)
		return
	}
	i := len(l.rules)
	r.pattern = p
	l.rules = append(l.rules, r)
	if isWild {
		l.wild = append(l.wild, i)
		return
	}
	if l.byPath == nil {
		l.byPath = map[string][]int{}
	}
	l.byPath[p.literal] = append(l.byPath[p.literal], i)
}

// matching returns an iterator over the rules that match a URL path, in order of precedence. The
// path is relative to the base URL. The second value of the iterator contains the values of the
// groups in the pattern of the rule.
func (l *ruleList) matching(path string) iter.Seq2[*rule, []string] {
	return func(yield func(*rule, []string) bool) {
		path := l.basePath + path
		for _, i := range l.candidates(path) {
			r := &l.rules[i]
			if values, ok := r.match(path); ok && !yield(r, values) {
				return
			}
		}
	}
}

// candidates returns the indexes of the rules that may match path, in order of precedence. For
// "/a/b", these are the rules for "/", "/a", "/a/" and "/a/b", and all regular expressions.
func (l *ruleList) candidates(path string) []int {
	if l.byPath == nil {
		return l.wild
	}
	all := slices.Clone(l.wild)
	for i := range len(path) {
		if path[i] == '/' {
			all = append(append(all, l.byPath[path[:i]]...), l.byPath[path[:i+1]]...)
		}
	}
	if !strings.HasSuffix(path, "/") {
		all = append(all, l.byPath[path]...)
	}
	slices.Sort(all)
	return all
}

// applyRules returns the answer of the first rule that applies to the request r. On Apache, if no
// rule applies to /a/, a rule for /a/index.html also applies to /a/. ok is false if no rule
// applies.
func (h *Host) applyRules(r request) (a Answer, ok bool) {
	a, ok = h.applyRulesFor(r.urlPath, r)
	if !ok && h.appliesRulesToIndex && r.dir && r.hasIndex() {
		return h.applyRulesFor(strings.TrimSuffix(r.urlPath, "/")+"/index.html", r)
	}
	return a, ok
}

// applyRulesFor returns the answer of the first rule that matches path and applies to the request
// r. If a rule has endsGroup set or yields to a file, no later rule of its group applies. path is
// the URL path of r, or the URL path of its index.html. ok is false if no rule applies.
func (h *Host) applyRulesFor(path string, r request) (a Answer, ok bool) {
	endedGroup := -1
	for rule, values := range h.redirects.matching(path) {
		if rule.group == endedGroup || !h.matchesConditions(rule, path, r) {
			continue
		}
		if rule.endsGroup || h.yieldsToFiles(rule, r) {
			endedGroup = rule.group
			continue
		}
		if a, ok = h.applyRule(rule, values, r); ok {
			return a, true
		}
	}
	return Answer{}, false
}

// matchesConditions reports whether the request r meets the conditions of rule, such as notFile.
// path is the path that the pattern of the rule matches.
func (h *Host) matchesConditions(rule *rule, path string, r request) bool {
	switch {
	case rule.matchesRelativePath && path != r.urlPath: // mod_rewrite does not try the index file of a folder
		return false
	case rule.notFile && !r.dir && r.exists(r.path), rule.notFolder && r.hasIndex():
		return false
	case rule.matchesFileName && rule.endsGroup: // Apache checks a folder before its index file
		return !r.dir && r.exists(r.path)
	case rule.matchesFileName && (r.dir || strings.HasSuffix(r.urlPath, "/index.html")):
		return h.servesFile(r)
	}
	return true
}

// yieldsToFiles reports whether a file takes precedence over the rule for the request r. If
// h.ownRedirectsFirst is true, the host's own redirect to the URL of a file also takes precedence.
// The result is false if the rule has force set.
func (h *Host) yieldsToFiles(rule *rule, r request) bool {
	if rule.force {
		return false
	}
	file, to := firstOf(h.handler, request.redirectToFolder)(r)
	return file != "" || h.ownRedirectsFirst && to != ""
}

// applyRule returns the answer of a rule that matches the request r. values contains the values of
// the groups in the pattern of the rule. ok is false if the rule redirects the URL of r to itself,
// unless h.appliesSelfRedirects is true.
func (h *Host) applyRule(rule *rule, values []string, r request) (a Answer, ok bool) {
	if rule.status >= 200 && rule.status < 300 {
		return h.applyRewrite(rule, values, r), true
	}
	a = Answer{Pos: rule.pos, Text: rule.text, Status: rule.status}
	if rule.status >= 400 {
		return a, true
	}
	a.To = rule.fillTarget(rule.to, values)
	if !h.appliesSelfRedirects && h.isSameURL(a.To, r.urlPath) {
		return Answer{}, false
	}
	return a, true
}

// applyRewrite returns the answer of a rule that serves the file of its target at the URL of r. If
// the host would serve a different file at this URL without the rule, the field File of the answer
// is the file of the target. Otherwise, File is "".
func (h *Host) applyRewrite(rule *rule, values []string, r request) Answer {
	a := Answer{Pos: rule.pos, Text: rule.text, Status: http.StatusOK}
	to := rule.fillTarget(rule.to, values)
	if i := strings.IndexAny(to, "?#"); i >= 0 {
		to = to[:i]
	}
	hidden, _ := h.handler(r)
	if hidden == "" || !strings.HasPrefix(to, "/") {
		return a
	}
	if file, _ := firstOf(request.serveExact, h.handler)(h.newRequest(decodePath(to), r.inTree)); file != hidden {
		a.File = file
	}
	return a
}

// isSameURL reports whether target, the target of a redirect, is the URL of the page at urlPath. If
// h.ignoresTrailingSlash is true, the URLs may differ in a trailing slash.
func (h *Host) isSameURL(target, urlPath string) bool {
	loc, err := h.origin.Loc(urlPath)
	if err != nil {
		return false
	}
	resolved, err := h.origin.Resolve(target, loc, "")
	if err != nil {
		return false
	}
	if resolved == loc || h.ignoresTrailingSlash && strings.TrimSuffix(resolved, "/") == strings.TrimSuffix(loc, "/") {
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
	file, to := h.handler(r)
	if to != "" && h.platform.ownRedirectsBeforeRules {
		return h.newServerRedirect(to)
	}
	if a, ok := h.applyRules(r); ok {
		return a
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
	return Answer{To: targetPath, Text: h.Name() + " serves the page there", Status: h.redirectStatus}
}

// OverridingRule returns the answer of the rule that prevents the host from serving the file of a
// URL path. Such a rule redirects to another URL, answers with an error, or serves another file.
// The redirect of Netlify's Pretty URLs from /a/ to /a also counts as a rule. urlPath is relative
// to the base URL. exists reports whether the publish directory contains a file. ok is false if
// there is no such rule.
func (h *Host) OverridingRule(urlPath string, exists func(file string) bool) (a Answer, ok bool) {
	r := h.newRequest(urlPath, exists)
	if a, ok := h.applyRules(r); ok {
		return a, a.Status != http.StatusOK || a.File != ""
	}
	if h.hasPrettyURLs {
		if _, to := r.redirectWithoutSlash(); to != "" {
			return Answer{To: to, Text: "Netlify serves " + to[1:] + ".html in its place", Status: h.redirectStatus}, true
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
	if file, _ = h.handler(h.newRequest(urlPath, exists)); file == "" {
		return "", false
	}
	if _, overridden := h.OverridingRule(urlPath, exists); overridden {
		return "", false
	}
	return file, true
}

// HasRules reports whether the configuration files of the host contain rules that redirect,
// rewrite, answer with an error, or send or remove X-Robots-Tag.
func (h *Host) HasRules() bool { return len(h.redirects.rules)+len(h.headers.rules) > 0 }

// IgnoreRule returns the rule that excludes a file in the publish directory from deployment, such
// as an item of "ignore" in firebase.json. ok is false if there is no such rule.
func (h *Host) IgnoreRule(file string) (a Answer, ok bool) {
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
		l.host.headers.add(p, rule{pos: firstPos(f, tag.Pos), tag: tag.V})
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
