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

// A rule is what a host does with matching URL paths: a redirect, a rewrite, an error or a header.
type rule struct {
	pattern
	pos   diag.Pos
	text  string // as written
	group int    // in each group, only the first rule that matches counts

	to     string
	status int  // 0 if the rule only ends its group
	force  bool // also where a file would be served

	notFile, notFolder bool // does not hold if the path is a file, or a folder with an index file

	robots   string // a value of X-Robots-Tag
	unset    bool   // removes the values of earlier rules
	replaces bool   // the value replaces those of earlier rules
	always   bool   // of Apache's second table of headers, which is sent beside the first
}

// A ruleList contains rules in order of precedence. It finds rules without wildcards by their
// path, and tries all other rules.
type ruleList struct {
	below string // precedes each URL path in the paths of the rules
	slash bool   // ignores a slash at the end

	rules    []rule
	exact    map[string][]int // the rules of one path, by path
	prefixes map[string][]int // the rules of a path and all below it, by path
	wild     []int            // the others

	numWildcards int
	unread       *rule // the first rule beyond a limit
}

// The maximum numbers of rules in a list. The host compares each page and each link with every
// rule with a wildcard. Vercel has the highest limit of the hosts with a limit.
const (
	maxRules     = 10_000
	maxWildcards = 2_048
)

// add adds a rule to the end of the list. A full list stays unchanged.
func (x *ruleList) add(p pattern, r rule) {
	if p.hasWildcard() {
		x.numWildcards++
	}
	if len(x.rules) == maxRules || x.numWildcards > maxWildcards {
		x.unread = cmp.Or(x.unread, &r)
		return
	}
	i := len(x.rules)
	r.pattern = p
	x.rules = append(x.rules, r)
	switch {
	case p.re != nil || p.glob != nil:
		x.wild = append(x.wild, i)
	case p.isPrefix:
		addTo(&x.prefixes, p.literal, i)
	default:
		addTo(&x.exact, x.key(p.literal), i)
	}
}

func addTo(index *map[string][]int, path string, i int) {
	if *index == nil {
		*index = map[string][]int{}
	}
	(*index)[path] = append((*index)[path], i)
}

// matching returns the rules that match a URL path, in order, and the values of their
// patterns' groups.
func (x *ruleList) matching(path string) iter.Seq2[*rule, []string] {
	return func(yield func(*rule, []string) bool) {
		path := x.below + path
		exact := x.exact[x.key(path)]
		order := x.wild
		if named := slices.Concat(exact, x.prefixesOf(path)); len(named) > 0 {
			order = slices.Concat(named, x.wild)
			slices.Sort(order)
		}
		for _, i := range order {
			r := &x.rules[i]
			values, ok := []string(nil), len(exact) > 0 && exact[0] == i
			if ok {
				exact = exact[1:]
			} else {
				values, ok = r.match(path)
			}
			if ok && !yield(r, values) {
				return
			}
		}
	}
}

// prefixesOf returns the rules for a path or a folder above it.
func (x *ruleList) prefixesOf(path string) (all []int) {
	if x.prefixes == nil {
		return nil
	}
	for i := range len(path) {
		if path[i] == '/' {
			all = append(append(all, x.prefixes[path[:i]]...), x.prefixes[path[:i+1]]...)
		}
	}
	if !strings.HasSuffix(path, "/") {
		all = append(all, x.prefixes[path]...)
	}
	return all
}

func (x *ruleList) key(path string) string {
	if x.slash && len(path) > 1 {
		return strings.TrimSuffix(path, "/")
	}
	return path
}

// findAnswer returns what the first rule that decides does with a request. ok is false if no rule
// decides.
func (s *Site) findAnswer(r request) (v Answer, ok bool) {
	v, ok = s.firstAnswer(r.urlPath, r)
	if !ok && s.indexRules && r.dir && r.hasIndex() {
		return s.firstAnswer(strings.TrimSuffix(r.urlPath, "/")+"/index.html", r)
	}
	return v, ok
}

// firstAnswer is findAnswer for the path that the rules are compared with.
func (s *Site) firstAnswer(path string, r request) (v Answer, ok bool) {
	ended := -1
	for rule, values := range s.redirects.matching(path) {
		if rule.group == ended || !s.matchesConditions(rule, path, r) {
			continue
		}
		if rule.status == 0 || s.yieldsToFiles(rule, r) {
			ended = rule.group
			continue
		}
		if v, ok = s.applyRule(rule, values, r); ok {
			return v, true
		}
	}
	return Answer{}, false
}

// matchesConditions reports whether a request satisfies the conditions of a rule.
func (s *Site) matchesConditions(rule *rule, path string, r request) bool {
	switch {
	case rule.relative && path != r.urlPath: // mod_rewrite does not try the index file of a folder
		return false
	case rule.notFile && !r.dir && r.exists(r.path), rule.notFolder && r.hasIndex():
		return false
	case rule.fileName && rule.status == 0: // Apache checks a folder before its index file
		return !r.dir && r.exists(r.path)
	case rule.fileName && (r.dir || strings.HasSuffix(r.urlPath, "/index.html")):
		return s.hasFile(r)
	}
	return true
}

// yieldsToFiles reports whether the files of the site take precedence over a rule.
func (s *Site) yieldsToFiles(rule *rule, r request) bool {
	if rule.force {
		return false
	}
	file, to := firstOf(s.handling, request.redirectToFolder)(r)
	return file != "" || s.filesFirst && to != ""
}

// applyRule returns the result of a rule for a request. ok is false if the rule leads to the same
// address.
func (s *Site) applyRule(rule *rule, values []string, r request) (v Answer, ok bool) {
	if rule.status >= 200 && rule.status < 300 {
		return s.rewrite(rule, values, r), true
	}
	v = Answer{Pos: rule.pos, Text: rule.text, Status: rule.status}
	if rule.status >= 400 {
		return v, true
	}
	v.To = rule.fill(rule.to, values)
	if !s.followsLoops && s.isSelf(v.To, r.urlPath) {
		return Answer{}, false
	}
	return v, true
}

// rewrite returns the result of a rule that serves its target at the URL. The result has a File only
// if the rule hides the file of the URL behind another one.
func (s *Site) rewrite(rule *rule, values []string, r request) Answer {
	v := Answer{Pos: rule.pos, Text: rule.text, Status: http.StatusOK}
	to := rule.fill(rule.to, values)
	if i := strings.IndexAny(to, "?#"); i >= 0 {
		to = to[:i]
	}
	hidden, _ := s.handling(r)
	if hidden == "" || !strings.HasPrefix(to, "/") {
		return v
	}
	if file, _ := firstOf(request.serveExact, s.handling)(newRequest(decodePath(to), r.exists)); file != hidden {
		v.File = file
	}
	return v
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
	if s.redirects.key(target) == s.redirects.key(loc) {
		return true
	}
	page, err := s.base.Loc(urlPath)
	return err == nil && target == page
}

// Answer returns what the host sends for a URL path below the base: the answer of its rules,
// else a file, else a redirect to the spelling that serves the file, else 404.
func (s *Site) Answer(urlPath string, exists func(file string) bool) Answer {
	if !strings.HasPrefix(urlPath, "/") {
		return Answer{Status: http.StatusNotFound}
	}
	return s.answer(newRequest(urlPath, s.onlyDeployed(exists)))
}

func (s *Site) answer(r request) Answer {
	file, to := s.handling(r)
	if to != "" && s.host.respellsFirst {
		return s.redirectTo(to)
	}
	if v, ok := s.findAnswer(r); ok {
		return v
	}
	switch {
	case file != "":
		return Answer{Status: http.StatusOK, File: file}
	case to != "":
		return s.redirectTo(to)
	}
	return Answer{Status: http.StatusNotFound}
}

// redirectTo returns the redirect of the host itself, without a rule.
func (s *Site) redirectTo(to string) Answer {
	return Answer{To: to, Text: s.Name() + " serves the page there", Status: s.moveStatus}
}

// RuleAnswer returns the first of the host's rules that answers for a URL path
// below the base with a redirect to another URL, with an error, or with another file in place of
// the URL's own. A rule that leads back to the page leaves the page where it is, such as one from
// another of the site's domains.
func (s *Site) RuleAnswer(urlPath string, exists func(file string) bool) (Answer, bool) {
	return s.ruleAnswer(newRequest(urlPath, s.onlyDeployed(exists)))
}

func (s *Site) ruleAnswer(r request) (Answer, bool) {
	if v, ok := s.findAnswer(r); ok {
		return v, v.Status != http.StatusOK || v.File != ""
	}
	if s.pretty {
		if _, to := r.redirectToFile(); to != "" {
			return Answer{To: to, Text: "Netlify serves " + to[1:] + ".html in its place", Status: s.moveStatus}, true
		}
	}
	return Answer{}, false
}

// Serves returns the file of the publish directory that the host answers a URL
// path below the base with, with status 200 and without a redirect.
func (s *Site) Serves(urlPath string, exists func(file string) bool) (file string, ok bool) {
	if !strings.HasPrefix(urlPath, "/") {
		return "", false
	}
	r := newRequest(urlPath, s.onlyDeployed(exists))
	if file, _ = s.handling(r); file == "" {
		return "", false
	}
	if _, leads := s.ruleAnswer(r); leads {
		return "", false
	}
	return file, true
}

// HasRules reports whether the host has rules.
func (s *Site) HasRules() bool { return len(s.redirects.rules)+len(s.headers.rules) > 0 }

// IgnoreRule returns the rule that keeps a file of the publish directory from being deployed.
func (s *Site) IgnoreRule(file string) (Answer, bool) {
	if len(s.ignores.rules) == 0 {
		return Answer{}, false
	}
	for r := range s.ignores.matching("/" + file) {
		return Answer{Pos: r.pos, Text: r.text}, true
	}
	return Answer{}, false
}

// onlyDeployed returns exists for the files that are deployed.
func (s *Site) onlyDeployed(exists func(file string) bool) func(string) bool {
	return func(file string) bool {
		_, left := s.IgnoreRule(file)
		return !left && exists(file)
	}
}

// reportUnread reports the first rule of a list that is not read.
func (l *loader) reportUnread(x *ruleList) {
	if x.unread != nil {
		l.reportTooMany(x.unread.pos, fmt.Sprintf("%d rules, and %d with wildcards,", maxRules, maxWildcards))
	}
}

// applies reports whether a rule for one host applies to the site's own host. Every host
// applies if the site's host is unknown. An empty scheme is any scheme.
func (l *loader) applies(scheme, host string) bool {
	if l.Base.Host() == "" || host == "" {
		return true
	}
	own, _, _ := strings.Cut(l.Base.String(), "://")
	return strings.EqualFold(host, l.Base.Host()) && (scheme == "" || scheme == own)
}

// addRedirect adds a redirect if its pattern is valid.
func (l *loader) addRedirect(r rule, p pattern, err error) {
	if err != nil {
		l.reportBadRule(r.pos, r.text, err)
		return
	}
	l.site.redirects.add(p, r)
}

// addHeader adds the X-Robots-Tag of a rule, if there is one and the pattern of source is valid.
func (l *loader) addHeader(f file, tag robotsTag, source strict.Value[string], p pattern, err error) {
	switch {
	case !tag.IsSet():
	case err != nil:
		l.reportBadRule(firstPlace(f, source.Pos), source.V, err)
	default:
		l.site.headers.add(p, rule{pos: firstPlace(f, tag.Pos), robots: tag.V})
	}
}

// reportUndecidable reports a redirect or an error that only a request can decide.
func (l *loader) reportUndecidable(r rule, on string) {
	if r.force && (r.status < 200 || r.status >= 300) {
		l.diags.Notef(r.pos, "undecidable-rule", "exclude the pages by a rule of sitemap.yaml if no crawler can reach them",
			"redirect %q depends on %s, which is known only at the request; the pages stay in", r.text, on).Subject = r.text
	}
}

// reportUndecidableHeader reports a noindex that only a request can decide.
func (l *loader) reportUndecidableHeader(pos diag.Pos, value, on string) {
	if noIndex(value) {
		l.diags.Notef(pos, "undecidable-rule", "exclude the pages by a rule of sitemap.yaml if no crawler may index them",
			"header %q depends on %s, which is known only at the request; the pages stay in", robotsHeader+": "+value, on)
	}
}

// reportBadRule reports a rule that is not understood; the others still count.
func (l *loader) reportBadRule(pos diag.Pos, text string, why any) {
	l.diags.Warnf(pos, "bad-host-rule", "correct the line, or remove it", "rule %q is ignored: %v", truncate(text), why).Subject = text
}

func truncate(s string) string {
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
