package hosting

import (
	"errors"
	"fmt"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
)

// A redirectsFormat is how a host reads _redirects, in which each line is
// "from [query] [to] [status[!]] [conditions]".
type redirectsFormat struct {
	status   int   // of a rule without one
	statuses []int // that a rule may have; nil for all
	force    bool  // every rule holds where a file is
	comments bool  // a # begins a comment behind a rule
	strict   bool  // a line is "from to [status]", and one that cannot be read disables all rules
	add      func(*loader, *lineRule) error
	maxBytes int
	maxRules int
}

var (
	// netlifyRedirects: https://docs.netlify.com/manage/routing/redirects/overview/
	netlifyRedirects = redirectsFormat{status: 301, comments: true, add: (*loader).addNetlify, maxBytes: MaxFile, maxRules: maxRules}

	// cloudflareRedirects: https://developers.cloudflare.com/pages/configuration/redirects/, with the limits of
	// workers-sdk packages/workers-shared/utils/configuration/constants.ts
	cloudflareRedirects = redirectsFormat{
		status: 302, statuses: []int{200, 301, 302, 303, 307, 308}, force: true, comments: true, add: (*loader).addCloudflare, maxBytes: MaxFile, maxRules: maxRules,
	}

	// gitlabRedirects: https://docs.gitlab.com/user/project/pages/redirects/, in the grammar of tj/go-redirects
	gitlabRedirects = redirectsFormat{status: 301, statuses: []int{200, 301, 302}, strict: true, add: (*loader).addGitLab, maxBytes: 64 << 10, maxRules: 1000}
)

// A lineRule is a line of _redirects, or a table of netlify.toml.
type lineRule struct {
	rule
	from       string
	hasQuery   bool     // the rule needs a query, which no page's URL has
	conditions []string // what else it depends on
}

// readRedirects reads _redirects of the publish directory.
func (l *loader) readRedirects(format redirectsFormat) {
	f, ok := l.openInPublish("_redirects")
	if !ok {
		return
	}
	if len(f.src) > format.maxBytes {
		l.diags.Warnf(f.pos(0), "oversized", "let it be shorter", "it has %d bytes, and the host takes none of its rules when there are more than %d", len(f.src), format.maxBytes)
		return
	}
	for pos, line := range l.lines(f, format.maxRules) {
		r, readable, err := format.parse(line)
		r.pos, r.text = pos, line
		if format.strict && !readable {
			l.site.redirects = ruleList{}
			l.diags.Warnf(pos, "bad-host-rule", "correct the line, or remove it",
				"rule %q cannot be read, and the host takes no rule of the file then: %v", truncate(line), err).Subject = line
			return
		}
		if err == nil {
			err = format.add(l, &r)
		}
		if err != nil {
			l.reportBadRule(pos, line, err)
		}
	}
}

// parse reads a line. readable is false if it lacks a target or its status is no number.
func (format *redirectsFormat) parse(line string) (r lineRule, readable bool, err error) {
	words := strings.Fields(line)
	if i := slices.IndexFunc(words, func(w string) bool { return w[0] == '#' }); i >= 0 && format.comments {
		words = words[:i]
	}
	r.status, r.force = format.status, format.force
	if len(words) < 2 {
		return r, false, errors.New("it has no target; write the path, then a path or a URL")
	}
	r.from, words = words[0], words[1:]
	if _, _, ok := parseStatus(words[0]); !ok || format.strict {
		i := slices.IndexFunc(words, isTarget)
		if format.strict {
			i = 0
		}
		if i < 0 {
			return r, true, errors.New("the target must be a path, or a URL with http or https")
		}
		r.hasQuery, r.to, words = i > 0, words[i], words[i+1:]
	}
	if len(words) > 0 {
		code, force, ok := parseStatus(words[0])
		if !ok || format.strict && strings.Trim(words[0], "0123456789!") != "" {
			return r, false, fmt.Errorf("%q is not a status", words[0])
		}
		r.status, r.force, words = code, force || format.force, words[1:]
	}
	if format.statuses != nil && !slices.Contains(format.statuses, r.status) {
		statuses := strings.ReplaceAll(strings.Trim(fmt.Sprint(format.statuses), "[]"), " ", ", ")
		return r, true, fmt.Errorf("the status must be one of %s, not %d", statuses, r.status)
	}
	for _, w := range words {
		name, _, _ := strings.Cut(w, "=")
		r.conditions = append(r.conditions, name)
	}
	return r, true, nil
}

func isTarget(w string) bool {
	return w[0] == '/' || strings.HasPrefix(w, "http:") || strings.HasPrefix(w, "https:")
}

// parseStatus reads "301" and "301!", and as the hosts do with any text after the digits.
func parseStatus(w string) (code int, force, ok bool) {
	code, err := strconv.Atoi(w[:len(w)-len(strings.TrimLeft(w, "0123456789"))])
	return code, strings.HasSuffix(w, "!"), err == nil
}

// splitFrom splits the source of a rule, a path or a URL.
func splitFrom(s string) (scheme, host, path string, err error) {
	scheme, rest, ok := strings.Cut(s, "://")
	switch {
	case !ok && strings.HasPrefix(s, "/"):
		return "", "", s, nil
	case !ok || scheme != "http" && scheme != "https":
		return "", "", "", fmt.Errorf("%q is neither a path nor a URL; write a slash before it", s)
	}
	host, path, _ = strings.Cut(rest, "/")
	return scheme, host, "/" + path, nil
}

// addNetlify adds a rule of Netlify.
func (l *loader) addNetlify(r *lineRule) error {
	if r.from == "" {
		return errors.New("it has no \"from\"")
	}
	scheme, host, path, err := splitFrom(r.from)
	if err != nil {
		return err
	}
	switch {
	case strings.HasPrefix(path, "/.netlify"):
		return errors.New("the path must not begin with /.netlify")
	case r.to == "" && !(strings.HasSuffix(path, "/*") && r.status >= 200 && r.status < 300):
		return errors.New("it has no target")
	case r.status < 100 || r.status > 599:
		return fmt.Errorf("%d is no HTTP status", r.status)
	}
	p, err := compileNetlify(&netlifyPath, path)
	switch {
	case err != nil:
		return err
	case r.hasQuery || !l.applies(scheme, host):
	case len(r.conditions) > 0:
		l.reportUndecidable(r.rule, strings.Join(r.conditions, ", "))
	default:
		l.site.redirects.add(p, r.rule)
	}
	return nil
}

// compileNetlify compiles a path of Netlify, in which slashes that follow each other are one.
func compileNetlify(n *notation, path string) (pattern, error) {
	return n.compile(slashes.ReplaceAllString("/"+strings.Trim(path, "/"), "/"))
}

// The limits of Cloudflare.
const (
	cloudflareLine    = 2000
	cloudflareStatic  = 2000
	cloudflareDynamic = 100
	cloudflareHeaders = 100
)

var indexTarget = regexp.MustCompile(`/index(\.html)?$`)

// addCloudflare adds a rule of Cloudflare. The static rules before the first dynamic one are
// counted apart.
func (l *loader) addCloudflare(r *lineRule) error {
	from, _, _ := strings.Cut(r.from, "?")
	from = "/" + strings.TrimPrefix(from, "/")
	url, isURL := strings.CutPrefix(r.to, "https://")
	switch {
	case len(r.text) > cloudflareLine:
		return fmt.Errorf("it is longer than %d characters", cloudflareLine)
	case strings.HasPrefix(r.from, "https://"):
		return errors.New("the source must be a path, not a URL")
	case r.hasQuery || len(r.conditions) > 0:
		return errors.New("it has more than source, destination and code")
	case !strings.HasPrefix(r.to, "/") && (!isURL || url == ""):
		return errors.New("the destination must begin with / or https://")
	case isURL && r.status == http.StatusOK:
		return errors.New("a 200 rule can only lead to a path of the site")
	case indexTarget.MatchString(r.to) && (strings.HasSuffix(from, "/*") || strings.HasSuffix(from, "/")) && !isURL:
		return errors.New("it would lead back to itself without end, because Cloudflare strips index.html")
	}
	p, err := compileCloudflare(from)
	if err != nil {
		return err
	}
	rules := &l.site.redirects
	dynamic := 0
	if len(rules.wild) > 0 {
		dynamic = len(rules.rules) - rules.wild[0]
	}
	switch {
	case p.re == nil && rules.exact[p.literal] != nil, slices.ContainsFunc(rules.wild, func(i int) bool { return rules.rules[i].hasSameExpr(p) }):
		return errors.New("an earlier rule has the same source")
	case dynamic == 0 && p.re == nil && len(rules.rules) == cloudflareStatic:
		return fmt.Errorf("only the first %d static rules count", cloudflareStatic)
	case dynamic == cloudflareDynamic:
		return fmt.Errorf("only the first %d dynamic rules count, and none after them", cloudflareDynamic)
	}
	rules.add(p, r.rule)
	return nil
}

// hasSameExpr reports whether two patterns have the same expression.
func (p *pattern) hasSameExpr(other pattern) bool {
	return p.re != nil && other.re != nil && p.re.String() == other.re.String()
}

var splatName = regexp.MustCompile(`:splat\b`)

// compileCloudflare compiles a path with at most one wildcard and with placeholders, as
// packages/workers-shared's rules engine does.
func compileCloudflare(path string) (pattern, error) {
	switch n := strings.Count(path, "*"); {
	case n > 1:
		return pattern{}, errors.New("only one * is allowed; use placeholders such as :name")
	case n == 1 && splatName.MatchString(path):
		return pattern{}, errors.New("* and :splat cannot stand in one rule")
	}
	p, err := cloudflarePath.compile(path)
	for i, name := range p.names {
		if slices.Contains(p.names[:i], name) {
			return pattern{}, fmt.Errorf("the placeholder :%s stands in it twice", name)
		}
	}
	return p, err
}

var (
	gitlabName = regexp.MustCompile(`^:[A-Za-z]+$`)
	gitlabUse  = regexp.MustCompile(`:[A-Za-z]+`)
)

const gitlabSegments = 25

// addGitLab adds a rule of GitLab unless internal/redirects/validations.go refuses it.
func (l *loader) addGitLab(r *lineRule) error {
	scheme, host, from, err := splitFrom(r.from)
	if err != nil {
		return err
	}
	_, toHost, to, err := splitFrom(r.to)
	switch {
	case err != nil:
		return err
	case r.force:
		return errors.New("GitLab knows no !; its rules hold where there is no file")
	case strings.Count(from, "/") > gitlabSegments || strings.Count(to, "/") > gitlabSegments:
		return fmt.Errorf("a path may have no more than %d segments", gitlabSegments)
	case r.hasQuery || len(r.conditions) > 0:
		return errors.New("GitLab knows no conditions, and no comments behind a rule")
	case toHost != "" && r.status == http.StatusOK:
		return errors.New("a 200 rule can only lead to a path of the site")
	case !l.applies(scheme, host):
		return nil
	}
	p, err := compileGitLab(from)
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
		return "" // a name that the path does not have
	})
	if below := l.site.redirects.below; r.to[0] == '/' && !strings.HasPrefix(r.to+"/", below+"/") {
		r.to = strings.TrimSuffix(l.site.origin.String(), "/") + r.to // out of the project
	}
	l.site.redirects.add(p, r.rule)
	return nil
}

// compileGitLab compiles a path in which whole segments are names or a *. Slashes and case
// make no difference, and no segment is decoded.
func compileGitLab(from string) (pattern, error) {
	expr, names := "(?i)^", []string(nil)
	for segment := range strings.SplitSeq(from, "/") {
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
	p.squeezes = true
	return p, err
}

// checkBelowBase reports a rule that can match no page of the site, because GitLab
// compares the whole path of a URL.
func (l *loader) checkBelowBase(from string) error {
	below := l.site.redirects.below
	first, _, _ := strings.Cut(strings.TrimLeft(from, "/"), "/")
	if below == "" || first == "*" || gitlabName.MatchString(first) || strings.HasPrefix(strings.ToLower(path.Clean(from))+"/", strings.ToLower(below)+"/") {
		return nil
	}
	return fmt.Errorf("the site lies below %s/, and GitLab compares the whole path; write %s%s", below, below, from)
}

// A headersFormat is how a host reads _headers: paths, and below each its headers.
type headersFormat struct {
	compile  func(*loader, string) (p pattern, applies bool, err error)
	unsets   bool // "! Name" removes the header of earlier paths
	replaces bool // a path replaces an earlier one that is the same
	maxPaths int
	maxLine  int
}

var (
	// netlifyHeaders: https://docs.netlify.com/manage/routing/headers/
	netlifyHeaders = headersFormat{compile: (*loader).netlifyHeaderPath, maxPaths: maxRules, maxLine: MaxFile}

	// cloudflareHeaderLines: https://developers.cloudflare.com/pages/configuration/headers/
	cloudflareHeaderLines = headersFormat{compile: (*loader).cloudflareHeaderPath, unsets: true, replaces: true, maxPaths: cloudflareHeaders, maxLine: cloudflareLine}
)

var headerPath = regexp.MustCompile(`^(\S+://|/)`)

// A headerBlock is a path of _headers and what stands below it.
type headerBlock struct {
	path    string
	pattern pattern
	applies bool
	pos     diag.Pos // of the value that decides, or of the path
	unset   bool
	values  []string
}

// readHeaders reads _headers of the publish directory. The values of one path are sent as one
// header.
func (l *loader) readHeaders(format headersFormat) {
	f, _ := l.openInPublish("_headers")
	var all []headerBlock
	paths := 0
	for pos, line := range l.lines(f, maxRules) {
		var err error
		if headerPath.MatchString(line) {
			if paths++; paths > format.maxPaths {
				l.reportBadRule(pos, line, fmt.Sprintf("only the first %d rules count", format.maxPaths))
				break
			}
			b := headerBlock{path: line, pos: pos}
			b.pattern, b.applies, err = format.compile(l, line)
			if format.replaces {
				all = slices.DeleteFunc(all, func(other headerBlock) bool { return other.path == line })
			}
			all = append(all, b)
		} else {
			err = format.addHeader(all, pos, line)
		}
		if err != nil {
			l.reportBadRule(pos, line, err)
		}
	}
	for _, b := range all {
		if b.applies && b.unset {
			l.site.headers.add(b.pattern, rule{pos: b.pos, unset: true})
		}
		if b.applies && b.values != nil {
			l.site.headers.add(b.pattern, rule{pos: b.pos, robots: strings.Join(b.values, ", ")})
		}
	}
}

// addHeader adds a line to the last block: "Name: value", or "! Name" to remove the header.
func (format *headersFormat) addHeader(all []headerBlock, pos diag.Pos, line string) error {
	name, value, ok := strings.Cut(line, ":")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	unset, isUnset := strings.CutPrefix(name, "! ")
	isUnset = isUnset && format.unsets && !ok
	switch {
	case len(line) > format.maxLine:
		return fmt.Errorf("it is longer than %d characters", format.maxLine)
	case !ok && !isUnset:
		return errors.New("it is neither a path nor a header; write \"Name: value\"")
	case !isUnset && (name == "" || strings.Contains(name, " ")):
		return errors.New("a header needs a name without spaces")
	case !isUnset && value == "":
		return errors.New("it has no header value")
	case len(all) == 0:
		return errors.New("no path stands before it")
	}
	b := &all[len(all)-1]
	switch {
	case isUnset:
		b.unset = b.unset || strings.EqualFold(strings.TrimSpace(unset), robotsHeader)
	case strings.EqualFold(name, robotsHeader):
		if b.values == nil || noIndex(value) {
			b.pos = pos
		}
		b.values = append(b.values, value)
	}
	return nil
}

func (l *loader) netlifyHeaderPath(line string) (p pattern, applies bool, err error) {
	p, err = compileNetlify(&netlifyHeader, line)
	return p, err == nil, err
}

func (l *loader) cloudflareHeaderPath(line string) (p pattern, applies bool, err error) {
	scheme, host, path, err := splitFrom(line)
	switch {
	case err != nil || scheme == "http":
		return p, false, errors.New("a path must begin with / or https://")
	case len(line) > cloudflareLine:
		return p, false, fmt.Errorf("it is longer than %d characters", cloudflareLine)
	}
	p, err = compileCloudflare(path)
	return p, err == nil && l.appliesTo(host), err
}

// appliesTo is applies for a host with placeholders, which match a part between dots.
// Cloudflare does not look at the scheme.
func (l *loader) appliesTo(host string) bool {
	if !strings.ContainsAny(host, ":*") || l.Base.Host() == "" {
		return l.applies("", host)
	}
	p, err := cloudflarePath.compile("/" + strings.ReplaceAll(host, ".", "/"))
	_, ok := p.match("/" + strings.ReplaceAll(l.Base.Host(), ".", "/"))
	return err == nil && ok
}
