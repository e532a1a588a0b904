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

// A redirectsFileFormat describes how a host parses the file _redirects. A line of the file is "from
// [query] [to] [status[!]] [conditions]".
type redirectsFileFormat struct {
	status   int   // default status: 301
	statuses []int // allowed statuses; nil allows all
	force    bool  // every rule takes precedence over files
	comments bool  // a "#" begins a comment after a rule
	strict   bool  // a line is "from to [status]", and an invalid line disables all rules
	add      func(*loader, *lineRule) error
	maxBytes int // maximum size of the file; 0 means no limit of the host
	maxRules int
}

var (
	// netlifyRedirects is the format of _redirects on Netlify.
	//
	// See https://docs.netlify.com/manage/routing/redirects/overview/
	netlifyRedirects = redirectsFileFormat{status: 301, comments: true, add: (*loader).addNetlifyRule, maxRules: maxRules}

	// cloudflareRedirects is the format of _redirects on Cloudflare.
	//
	// See https://developers.cloudflare.com/pages/configuration/redirects/
	// See packages/workers-shared/utils/configuration/constants.ts of workers-sdk for its limits.
	cloudflareRedirects = redirectsFileFormat{
		status: 302, statuses: []int{200, 301, 302, 303, 307, 308}, force: true, comments: true, add: (*loader).addCloudflareRule, maxRules: maxRules,
	}

	// gitlabRedirects is the format of _redirects on GitLab, which uses the parser tj/go-redirects.
	//
	// See https://docs.gitlab.com/user/project/pages/redirects/
	gitlabRedirects = redirectsFileFormat{status: 301, statuses: []int{200, 301, 302}, strict: true, add: (*loader).addGitLabRule, maxBytes: 64 << 10, maxRules: 1000}
)

// A lineRule is a line of _redirects, or an item of "redirects" in netlify.toml.
type lineRule struct {
	rule
	from       string   // path or URL that the rule is for
	hasQuery   bool     // the rule applies only to URLs with a query, which pages do not have
	conditions []string // names of other conditions: "Country"
}

// readRedirectsFile reads _redirects in the publish directory, and adds its rules to the site. If
// format.strict is true, one unreadable line removes all rules of the file.
func (l *loader) readRedirectsFile(format redirectsFileFormat) {
	f, ok := l.openInPublish("_redirects")
	if !ok {
		return
	}
	if format.maxBytes > 0 && len(f.src) > format.maxBytes {
		l.diags.Warnf(f.pos(0), "oversized", "shorten the file", "it has %d bytes; the host ignores a file of more than %d", len(f.src), format.maxBytes)
		return
	}
	for pos, line := range l.ruleLines(f, format.maxRules) {
		r, readable, err := format.parseLine(line)
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

// parseLine parses a line of _redirects. readable is false if the line is a single word, or if its
// status is not a number; err then describes this. If readable is true and err is not nil, the host
// ignores only this line.
func (format *redirectsFileFormat) parseLine(line string) (r lineRule, readable bool, err error) {
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

// isTarget reports whether w begins like a path or like an http or https URL.
func isTarget(w string) bool {
	return w[0] == '/' || strings.HasPrefix(w, "http:") || strings.HasPrefix(w, "https:")
}

// parseStatus parses a status such as "301" or "301!". force reports whether w ends in "!". Like
// the hosts, parseStatus ignores other text after the digits. ok is false if w does not begin with
// a digit.
func parseStatus(w string) (code int, force, ok bool) {
	code, err := strconv.Atoi(w[:len(w)-len(strings.TrimLeft(w, "0123456789"))])
	return code, strings.HasSuffix(w, "!"), err == nil
}

// splitRuleSource splits s, the path or URL to which a rule applies, into scheme, host and path.
// For a path, scheme and host are "". Any other text is an error.
func splitRuleSource(s string) (scheme, host, path string, err error) {
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

// addNetlifyRule adds a rule of Netlify to the site. It returns an error if Netlify rejects the
// rule. It calls reportUndecidableRule instead if the rule has conditions. It ignores a rule for
// URLs with a query or on another host.
func (l *loader) addNetlifyRule(r *lineRule) error {
	if r.from == "" {
		return errors.New("it has no \"from\"")
	}
	scheme, host, path, err := splitRuleSource(r.from)
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
	p, err := compileNetlifyPath(&netlifyPath, path)
	switch {
	case err != nil:
		return err
	case r.hasQuery || !l.isForSite(scheme, host):
	case len(r.conditions) > 0:
		l.reportUndecidableRule(r.rule, strings.Join(r.conditions, ", "))
	default:
		l.site.redirects.add(p, r.rule)
	}
	return nil
}

// compileNetlifyPath compiles a path of a rule on Netlify. n is the syntax of the path. Repeated
// slashes count as one, and a trailing slash is ignored.
func compileNetlifyPath(n *notation, path string) (pattern, error) {
	return n.compile(slashes.ReplaceAllString("/"+strings.Trim(path, "/"), "/"))
}

// The limits of Cloudflare for the files _redirects and _headers.
const (
	cloudflareLine    = 2000 // characters in a line
	cloudflareStatic  = 2000 // redirects without a wildcard
	cloudflareDynamic = 100  // redirects with a wildcard
	cloudflareHeaders = 100  // paths in _headers
)

// indexTarget matches "/index" or "/index.html" at the end of a path, because Cloudflare removes
// this ending from URLs.
var indexTarget = regexp.MustCompile(`/index(\.html)?$`)

// addCloudflareRule adds a rule of Cloudflare to the site. It returns an error if Cloudflare
// rejects the rule. Cloudflare has a limit for static rules and a limit for dynamic rules. A rule
// with a wildcard or placeholder, and every rule after it, counts as dynamic.
func (l *loader) addCloudflareRule(r *lineRule) error {
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
	p, err := compileCloudflarePath(from)
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

// hasSameExpr reports whether p and other have the same regular expression.
func (p *pattern) hasSameExpr(other pattern) bool {
	return p.re != nil && other.re != nil && p.re.String() == other.re.String()
}

var splatName = regexp.MustCompile(`:splat\b`)

// compileCloudflarePath compiles a path with placeholders and at most one wildcard.
// See the rules engine in packages/workers-shared of workers-sdk.
func compileCloudflarePath(path string) (pattern, error) {
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

// gitlabSegments is the maximum number of segments that GitLab allows in a path in _redirects.
const gitlabSegments = 25

// addGitLabRule adds a rule of GitLab to the site. It returns an error if GitLab rejects the rule.
// It ignores a rule for another host.
// See internal/redirects/validations.go of GitLab Pages.
func (l *loader) addGitLabRule(r *lineRule) error {
	scheme, host, from, err := splitRuleSource(r.from)
	if err != nil {
		return err
	}
	_, toHost, to, err := splitRuleSource(r.to)
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
		return "" // a name that the path does not have
	})
	if below := l.site.redirects.below; r.to[0] == '/' && !strings.HasPrefix(r.to+"/", below+"/") {
		r.to = strings.TrimSuffix(l.site.origin.String(), "/") + r.to // out of the project
	}
	l.site.redirects.add(p, r.rule)
	return nil
}

// compileGitLabPath compiles rulePath, the path of a rule on GitLab. A whole segment of the path
// may be a placeholder or "*". The pattern ignores case and repeated slashes. It does not decode
// percent-encodings.
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
	p.squeezes = true
	return p, err
}

// checkBelowBase returns an error if rulePath, the path of a rule, begins neither with the path of
// the base URL nor with a wildcard or placeholder. Such a rule matches no page of the site, because
// GitLab compares rulePath with the whole path of a URL.
func (l *loader) checkBelowBase(rulePath string) error {
	below := l.site.redirects.below
	first, _, _ := strings.Cut(strings.TrimLeft(rulePath, "/"), "/")
	if below == "" || first == "*" || gitlabName.MatchString(first) || strings.HasPrefix(strings.ToLower(path.Clean(rulePath))+"/", strings.ToLower(below)+"/") {
		return nil
	}
	return fmt.Errorf("the site lies below %s/, and GitLab compares the whole path; write %s%s", below, below, rulePath)
}

// A headersFormat describes how a host parses the file _headers. The file is a list of paths. The
// headers for a path are on the lines below the path.
type headersFormat struct {
	compile  func(*loader, string) (p pattern, applies bool, err error) // compiles a path
	unsets   bool                                                       // "! Name" removes the header that earlier paths set
	replaces bool                                                       // a repeated path replaces the earlier path
	maxPaths int
	maxLine  int // maximum length of a line in bytes
}

var (
	// netlifyHeaders is the format of _headers on Netlify.
	//
	// See https://docs.netlify.com/manage/routing/headers/
	netlifyHeaders = headersFormat{compile: (*loader).compileNetlifyHeaderPath, maxPaths: maxRules, maxLine: maxFile}

	// cloudflareHeaderLines is the format of _headers on Cloudflare.
	//
	// See https://developers.cloudflare.com/pages/configuration/headers/
	cloudflareHeaderLines = headersFormat{compile: (*loader).compileCloudflareHeaderPath, unsets: true, replaces: true, maxPaths: cloudflareHeaders, maxLine: cloudflareLine}
)

var headerPath = regexp.MustCompile(`^(\S+://|/)`)

// A headerBlock is a path in _headers, with the values of X-Robots-Tag on the lines below the path.
type headerBlock struct {
	path    string
	pattern pattern
	applies bool     // the path is valid and for the host of the site
	pos     diag.Pos // position of the first value with noindex, or else of the first value or the path
	unset   bool     // remove the X-Robots-Tag that earlier paths set
	values  []string // values of X-Robots-Tag
}

// readHeadersFile reads _headers in the publish directory, and adds a rule for each path with an
// X-Robots-Tag. It joins several values for one path: "noindex, nofollow".
func (l *loader) readHeadersFile(format headersFormat) {
	f, _ := l.openInPublish("_headers")
	var all []headerBlock
	paths := 0
	for pos, line := range l.ruleLines(f, maxRules) {
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
			err = format.addHeaderLine(all, pos, line)
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

// addHeaderLine adds line to the last element of all. The line is "Name: value", or "! Name" to
// remove a header of earlier paths. addHeaderLine ignores headers other than X-Robots-Tag. It
// returns an error if the line is not valid.
func (format *headersFormat) addHeaderLine(all []headerBlock, pos diag.Pos, line string) error {
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
		if b.values == nil || hasNoIndex(value) {
			b.pos = pos
		}
		b.values = append(b.values, value)
	}
	return nil
}

// compileNetlifyHeaderPath compiles line, a path in _headers on Netlify. Such a path is valid for
// every host, so applies is false only if there is an error.
func (l *loader) compileNetlifyHeaderPath(line string) (p pattern, applies bool, err error) {
	p, err = compileNetlifyPath(&netlifyHeader, line)
	return p, err == nil, err
}

// compileCloudflareHeaderPath compiles line, a path or URL in _headers on Cloudflare. applies is
// false if the URL is for another host, or if there is an error.
func (l *loader) compileCloudflareHeaderPath(line string) (p pattern, applies bool, err error) {
	scheme, host, path, err := splitRuleSource(line)
	switch {
	case err != nil || scheme == "http":
		return p, false, errors.New("a path must begin with / or https://")
	case len(line) > cloudflareLine:
		return p, false, fmt.Errorf("it is longer than %d characters", cloudflareLine)
	}
	p, err = compileCloudflarePath(path)
	return p, err == nil && l.isForSiteHost(host), err
}

// isForSiteHost is like isForSite, but ignores the scheme, as Cloudflare does. host may contain
// placeholders, such as ":sub.example.com". A placeholder matches one label of the host name.
func (l *loader) isForSiteHost(host string) bool {
	if !strings.ContainsAny(host, ":*") || l.Base.Host() == "" {
		return l.isForSite("", host)
	}
	p, err := cloudflarePath.compile("/" + strings.ReplaceAll(host, ".", "/"))
	_, ok := p.match("/" + strings.ReplaceAll(l.Base.Host(), ".", "/"))
	return err == nil && ok
}
