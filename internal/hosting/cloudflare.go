package hosting

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/mapping"
)

// The limits of Cloudflare's own parser, workers-sdk
// packages/workers-shared/utils/configuration/constants.ts.
const (
	cloudflareLine    = 2000
	cloudflareStatic  = 2000
	cloudflareDynamic = 100
	cloudflareHeaders = 100
)

// cloudflare reads wrangler's file, _redirects and _headers.
// https://developers.cloudflare.com/pages/configuration/redirects/
// https://developers.cloudflare.com/workers/static-assets/
func (l *loader) cloudflare() {
	s := l.site
	w, _ := l.wrangler()
	if w.workers() {
		s.moved, s.respell = 307, s.workersSpelling
	}
	switch w.Assets.HTML.V {
	case "", "auto-trailing-slash":
	case "force-trailing-slash":
		s.style, s.handling, s.respell = mapping.Style{HTML: mapping.StripHTML, Slash: mapping.AddSlash}, forceSlash, s.workersSpelling
	case "drop-trailing-slash":
		s.style, s.handling, s.respell = mapping.Style{HTML: mapping.StripHTML, Slash: mapping.RemoveSlash}, dropSlash, s.workersSpelling
	case "none":
		s.style, s.handling, s.respell = mapping.Style{HTML: mapping.ExactHTML}, exactFiles, nowhere
	default:
		l.diags.Warnf(w.Assets.HTML.Pos, "bad-host-setting",
			"write auto-trailing-slash, force-trailing-slash, drop-trailing-slash or none",
			"html_handling %q is none that Cloudflare knows; auto-trailing-slash is taken", w.Assets.HTML.V)
	}
	l.cloudflareCode(w)
	if f, ok := l.fromPublish("_redirects"); ok {
		l.cloudflareRedirects(f)
	}
	if f, ok := l.fromPublish("_headers"); ok {
		l.cloudflareHeaders(f)
	}
	if !w.workers() && l.Getenv("WORKERS_CI") == "" && !isFile(l.Publish, "404.html") && isFile(l.Publish, "index.html") {
		l.diags.Warnf(diag.Pos{File: l.PublishName}, "no-404-page", "add a 404.html at the top of the publish directory",
			"without a 404.html Cloudflare Pages answers every address that does not exist with index.html and status 200")
	}
}

// A cloudflareRule is a line of _redirects with all that decides when it is
// tried: all static rules that stand before the first dynamic one come first.
type cloudflareRule struct {
	from    string
	pattern pattern
	redirect
}

// cloudflareRedirects reads lines "source destination [code]".
func (l *loader) cloudflareRedirects(f file) {
	seen := map[string]bool{}
	static, dynamic := 0, 0
	for pos, line := range f.rules() {
		rule, err := parseCloudflare(line)
		rule.pos = pos
		switch {
		case err != nil:
		case seen[rule.from]:
			err = errors.New("an earlier rule has the same source")
		case dynamic == 0 && rule.pattern.re == nil:
			if static++; static > cloudflareStatic {
				err = fmt.Errorf("only the first %d static rules count", cloudflareStatic)
			}
		default:
			if dynamic++; dynamic > cloudflareDynamic {
				l.badRule(rule.pos, line, fmt.Sprintf("only the first %d dynamic rules count, and none after them", cloudflareDynamic))
				return
			}
		}
		if err != nil {
			l.badRule(rule.pos, line, err)
			continue
		}
		seen[rule.from] = true
		l.site.redirects.add(rule.pattern, rule.redirect)
	}
}

// appliesTo is applies for a host with placeholders. Cloudflare does not look
// at the scheme.
func (l *loader) appliesTo(host string) bool {
	if !strings.ContainsAny(host, ":*") {
		return l.applies("", host)
	}
	expr := placeholder.ReplaceAllString(regexp.QuoteMeta(host), "[^/.]+")
	re, err := regexp.Compile("^" + strings.ReplaceAll(expr, `\*`, ".*") + "$")
	return err == nil && (l.Base.Host() == "" || re.MatchString(l.Base.Host()))
}

// placeholder is a name that stands for a segment.
var placeholder = regexp.MustCompile(`:[A-Za-z]\w*`)

var indexTarget = regexp.MustCompile(`/index(\.html)?$`)

func parseCloudflare(line string) (r cloudflareRule, err error) {
	if len(line) > cloudflareLine {
		return r, fmt.Errorf("it is longer than %d characters", cloudflareLine)
	}
	words := strings.Fields(line)
	for i, w := range words {
		if i > 0 && w[0] == '#' {
			words = words[:i]
			break
		}
	}
	if len(words) < 2 || len(words) > 3 {
		return r, fmt.Errorf("it has %d words in place of 2 or 3: source, destination, code", len(words))
	}
	r.from, r.to, r.text, r.status, r.force = words[0], words[1], line, 302, true
	if strings.HasPrefix(r.from, "https://") {
		return r, errors.New("the source must be a path, not a URL")
	}
	if i := strings.IndexAny(r.from, "?#"); i >= 0 {
		r.from = r.from[:i] // the host looks at the path alone
	}
	r.from = "/" + strings.TrimPrefix(r.from, "/")
	if !strings.HasPrefix(r.to, "/") && (!strings.HasPrefix(r.to, "https://") || r.to == "https://") {
		return r, errors.New("the destination must begin with / or https://")
	}
	if len(words) == 3 {
		code, ok := cloudflareCodes[words[2]]
		if !ok {
			return r, fmt.Errorf("the code must be 200, 301, 302, 303, 307 or 308, not %q", words[2])
		}
		r.status = code
	}
	switch internal := r.to[0] == '/'; {
	case internal && indexTarget.MatchString(r.to) && (strings.HasSuffix(r.from, "/*") || strings.HasSuffix(r.from, "/")):
		return r, errors.New("it would lead back to itself without end, because Cloudflare strips index.html")
	case !internal && r.status == 200:
		return r, errors.New("a 200 rule can only lead to a path of the site")
	}
	r.pattern, err = cloudflarePattern(r.from)
	return r, err
}

var cloudflareCodes = map[string]int{"200": 200, "301": 301, "302": 302, "303": 303, "307": 307, "308": 308}

// cloudflarePattern compiles a path with at most one wildcard and with
// placeholders, as packages/workers-shared's rules engine does.
func cloudflarePattern(path string) (pattern, error) {
	switch n := strings.Count(path, "*"); {
	case n > 1:
		return pattern{}, errors.New("only one * is allowed; use placeholders such as :name")
	case n == 1 && splatName.MatchString(path):
		return pattern{}, errors.New("* and :splat cannot stand in one rule")
	}
	p, err := splatPattern(path, cloudflareMark)
	for i, name := range p.names {
		if slices.Contains(p.names[:i], name) {
			return pattern{}, fmt.Errorf("the placeholder :%s stands in it twice", name)
		}
	}
	return p, err
}

var (
	cloudflareMark = regexp.MustCompile(`\*|:[A-Za-z]\w*`)
	splatName      = regexp.MustCompile(`:splat\b`)
)

// cloudflareHeaders reads blocks of a path or URL and headers; "! Name" takes
// away what earlier blocks set.
// https://developers.cloudflare.com/pages/configuration/headers/
func (l *loader) cloudflareHeaders(f file) {
	r := cloudflareReader{loader: l}
	for pos, line := range f.rules() {
		if err := r.line(pos, line); err != nil {
			l.badRule(pos, line, err)
		}
		if r.blocks > cloudflareHeaders {
			break
		}
	}
	r.close()
	for _, c := range r.closed {
		if c.unset != nil {
			l.site.headers.add(c.pattern, *c.unset)
		}
		l.site.headers.addBlock(c.pattern, c.rules)
	}
}

// A cloudflareReader is a _headers file under way. A block takes the place of an
// earlier one of the same path.
type cloudflareReader struct {
	*loader
	cloudflareBlock
	blocks int
	closed []cloudflareBlock
}

type cloudflareBlock struct {
	block
	line  string // that opens it
	unset *header
}

var pathLine = regexp.MustCompile(`^(\S+://|/)`)

func (r *cloudflareReader) line(pos diag.Pos, line string) error {
	if len(line) > cloudflareLine {
		return fmt.Errorf("it is longer than %d characters", cloudflareLine)
	}
	if pathLine.MatchString(line) {
		return r.path(line)
	}
	if name, ok := strings.CutPrefix(line, "! "); ok && !strings.Contains(line, ":") && r.begun {
		if strings.EqualFold(strings.TrimSpace(name), robotsTag) {
			r.unset = &header{pos: pos, unset: true}
		}
		return nil
	}
	name, value, err := splitHeader(line)
	switch {
	case err != nil:
		return err
	case strings.Contains(name, " "):
		return errors.New("a header's name has no spaces")
	case !r.begun:
		return errors.New("no path stands before it")
	case strings.EqualFold(name, robotsTag):
		r.rules = append(r.rules, header{pos: pos, value: value})
	}
	return nil
}

// path opens a block.
func (r *cloudflareReader) path(line string) error {
	r.close()
	if r.blocks++; r.blocks > cloudflareHeaders {
		return fmt.Errorf("only the first %d rules count", cloudflareHeaders)
	}
	r.cloudflareBlock = cloudflareBlock{block: block{begun: true}, line: line}
	scheme, host, path, err := splitFrom(line)
	if err != nil || scheme == "http" {
		return errors.New("a path must begin with / or https://")
	}
	if r.pattern, err = cloudflarePattern(path); err != nil {
		return err
	}
	r.ok = host == "" || r.appliesTo(host)
	return nil
}

// close keeps the block that was open.
func (r *cloudflareReader) close() {
	if !r.ok {
		return
	}
	same := func(c cloudflareBlock) bool { return c.line == r.cloudflareBlock.line }
	if i := slices.IndexFunc(r.closed, same); i >= 0 {
		r.closed[i] = r.cloudflareBlock
		return
	}
	r.closed = append(r.closed, r.cloudflareBlock)
}
