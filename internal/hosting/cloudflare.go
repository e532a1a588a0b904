package hosting

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/strict"
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
	w := l.readWrangler()
	s.handling = s.cloudflareFiles
	if w.workers() {
		s.moveStatus, s.handling = 307, first(s.cloudflareFiles, s.workersSpelling)
	}
	switch w.Assets.HTML.V {
	case "", "auto-trailing-slash":
	case "force-trailing-slash":
		s.style.Slash = mapping.AddSlash
	case "drop-trailing-slash":
		s.style.Slash = mapping.RemoveSlash
	case "none":
		s.style, s.handling = mapping.Style{HTML: mapping.ExactHTML}, request.exact
	default:
		l.diags.Warnf(w.Assets.HTML.Pos, "bad-host-setting",
			"write auto-trailing-slash, force-trailing-slash, drop-trailing-slash or none",
			"html_handling %q is unknown to Cloudflare; auto-trailing-slash is used", w.Assets.HTML.V)
	}
	l.cloudflareCode(w)
	if f, ok := l.fromPublish("_redirects"); ok {
		l.cloudflareRedirects(f)
	}
	if f, ok := l.fromPublish("_headers"); ok {
		s.headers.addBlocks(l.cloudflareBlocks(f))
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
	sources := map[string]bool{}
	static, dynamic := 0, 0
	for pos, line := range l.rules(f) {
		rule, err := parseCloudflare(line)
		rule.pos = pos
		switch {
		case err != nil:
		case sources[rule.from]:
			err = errors.New("an earlier rule has the same source")
		case dynamic == 0 && rule.pattern.expr == nil:
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
		sources[rule.from] = true
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
	words := ruleWords(line)
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
	if len(words) == 3 {
		var ok bool
		if r.status, ok = cloudflareCodes[words[2]]; !ok {
			return r, fmt.Errorf("the code must be 200, 301, 302, 303, 307 or 308, not %q", words[2])
		}
	}
	if err := r.checkTarget(); err != nil {
		return r, err
	}
	r.pattern, err = cloudflarePattern(r.from)
	return r, err
}

// checkTarget refuses a destination to which Cloudflare does not redirect.
func (r *cloudflareRule) checkTarget() error {
	url, isURL := strings.CutPrefix(r.to, "https://")
	switch {
	case !strings.HasPrefix(r.to, "/") && (!isURL || url == ""):
		return errors.New("the destination must begin with / or https://")
	case isURL && r.status == 200:
		return errors.New("a 200 rule can only lead to a path of the site")
	case indexTarget.MatchString(r.to) && (strings.HasSuffix(r.from, "/*") || strings.HasSuffix(r.from, "/")) && !isURL:
		return errors.New("it would lead back to itself without end, because Cloudflare strips index.html")
	}
	return nil
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

var pathLine = regexp.MustCompile(`^(\S+://|/)`)

// cloudflareBlocks reads blocks of a path or URL and headers; "! Name" takes
// away what earlier blocks set. A block takes the place of an earlier one of the
// same path.
// https://developers.cloudflare.com/pages/configuration/headers/
func (l *loader) cloudflareBlocks(f file) (all []*block) {
	var b *block
	count := 0
	for pos, line := range l.rules(f) {
		var err error
		unset, isUnset := strings.CutPrefix(line, "! ")
		switch {
		case len(line) > cloudflareLine:
			err = fmt.Errorf("it is longer than %d characters", cloudflareLine)
		case pathLine.MatchString(line):
			if count++; count > cloudflareHeaders {
				l.badRule(pos, line, fmt.Sprintf("only the first %d rules count", cloudflareHeaders))
				return all
			}
			b, err = l.cloudflareBlock(line)
			if i := slices.IndexFunc(all, func(other *block) bool { return other.line == line }); i >= 0 {
				all[i] = b
			} else {
				all = append(all, b)
			}
		case isUnset && b != nil && !strings.Contains(line, ":"):
			if strings.EqualFold(strings.TrimSpace(unset), robotsTag) {
				b.unset = &header{pos: pos, unset: true}
			}
		default:
			name, _, _ := strings.Cut(line, ":")
			if err = b.add(pos, line); err == nil && strings.Contains(strings.TrimSpace(name), " ") {
				err = errors.New("a header's name has no spaces")
			}
		}
		if err != nil {
			l.badRule(pos, line, err)
		}
	}
	return all
}

// cloudflareBlock opens a block.
func (l *loader) cloudflareBlock(line string) (*block, error) {
	b := &block{line: line}
	scheme, host, path, err := splitFrom(line)
	if err != nil || scheme == "http" {
		return b, errors.New("a path must begin with / or https://")
	}
	b.pattern, err = cloudflarePattern(path)
	b.ours = err == nil && (host == "" || l.appliesTo(host))
	return b, err
}

// A wrangler is what Cloudflare's configuration file says of URLs.
// https://developers.cloudflare.com/workers/wrangler/configuration/
type wrangler struct {
	file   file
	Pages  strict.Value[string] `yaml:"pages_build_output_dir"`
	Main   strict.Value[string] `yaml:"main"`
	Assets struct {
		wranglerAssets
		First yaml.Node `yaml:"run_worker_first"` // true, or a list of paths
	} `yaml:"assets"`
	Env map[string]struct {
		Assets wranglerAssets `yaml:"assets"`
	} `yaml:"env"`
}

type wranglerAssets struct {
	Directory strict.Value[string] `yaml:"directory"`
	HTML      strict.Value[string] `yaml:"html_handling"`
	NotFound  strict.Value[string] `yaml:"not_found_handling"`
}

// workers reports whether the project is a worker with assets and not a Pages
// project.
func (w wrangler) workers() bool {
	return w.Assets.Directory.IsSet() || w.Assets.HTML.IsSet() || w.Assets.NotFound.IsSet()
}

// static reports whether the project serves files at all.
func (w wrangler) static() bool { return w.workers() || w.Pages.IsSet() }

// readWrangler reads the first of the files that wrangler itself would take.
func (l *loader) readWrangler() (w wrangler) {
	w.file = l.read(&w, "wrangler.json", "wrangler.jsonc", "wrangler.toml")
	l.environment(&w)
	return w
}

// runsFirst reports whether code runs before the assets are looked for.
func (w wrangler) runsFirst() bool {
	first := w.Assets.First
	return first.Value == "true" || len(first.Content) > 0
}

// Texts are matched as well, so that nothing is looked for in them.
var (
	comments = regexp.MustCompile(`"(?:\\.|[^"\\\n])*"?|//[^\n]*|(?s:/\*.*?(?:\*/|$))`)
	commas   = regexp.MustCompile(`"(?:\\.|[^"\\\n])*"?|,\s*[\]}]`)
)

// plainJSON puts spaces in the place of comments and of commas before a closing
// bracket, so that every value stays where it was.
func plainJSON(src []byte) []byte {
	out := bytes.Clone(src)
	for _, m := range comments.FindAll(out, -1) {
		if m[0] == '"' {
			continue
		}
		for i := range m {
			if m[i] != '\n' {
				m[i] = ' '
			}
		}
	}
	for _, m := range commas.FindAll(out, -1) {
		if m[0] == ',' {
			m[0] = ' '
		}
	}
	return out
}
