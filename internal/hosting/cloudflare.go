package hosting

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/strict"
	"github.com/sitewalk/sitewalk/mapping"
)

// wrangler contains the settings that change URLs or name folders in wrangler.toml or
// wrangler.json, the configuration file of Cloudflare's tool Wrangler.
//
// See https://developers.cloudflare.com/workers/wrangler/configuration/
type wrangler struct {
	file   file
	Pages  strict.Value[string] `yaml:"pages_build_output_dir"`
	Main   strict.Value[string] `yaml:"main"`
	Assets struct {
		Directory strict.Value[string] `yaml:"directory"`
		HTML      strict.Value[string] `yaml:"html_handling"`
		NotFound  strict.Value[string] `yaml:"not_found_handling"`
		First     yaml.Node            `yaml:"run_worker_first"` // true, or a list of paths
	} `yaml:"assets"`
}

// isWorker reports whether the project is a Cloudflare Worker with static assets. All other
// projects are treated as Cloudflare Pages projects.
func (w *wrangler) isWorker() bool {
	return w.Assets.Directory.IsSet() || w.Assets.HTML.IsSet() || w.Assets.NotFound.IsSet()
}

// readWrangler reads wrangler.json, wrangler.jsonc or wrangler.toml. If several of them exist, it
// reads the first one in this order. If none exists, w is empty.
func (l *loader) readWrangler() (w wrangler) {
	w.file = l.decodeFirst(&w, "wrangler.json", "wrangler.jsonc", "wrangler.toml")
	return w
}

// hasWranglerSite reports whether the wrangler file configures static files, and not only code.
func hasWranglerSite(l *loader) bool {
	w := l.readWrangler()
	return w.isWorker() || w.Pages.IsSet()
}

// wranglerPublishDir returns the publish directory in the configuration file of Wrangler, such as
// wrangler.toml. The setting for Workers takes precedence over the setting for Pages. If the file
// sets neither, wranglerPublishDir returns the zero Value.
func (l *loader) wranglerPublishDir() strict.Value[string] {
	w := l.readWrangler()
	return cmp.Or(w.Assets.Directory, w.Pages)
}

// readCloudflare reads the configuration file of Wrangler, such as wrangler.toml. It then reads
// _redirects and _headers. It adds a finding if a Pages project has an index.html and no 404.html.
//
// See https://developers.cloudflare.com/pages/configuration/redirects/
// See https://developers.cloudflare.com/workers/static-assets/
func (l *loader) readCloudflare() {
	h := l.host
	w := l.readWrangler()
	h.handler = h.serveCloudflare
	if w.isWorker() {
		h.redirectStatus, h.handler = 307, firstOf(h.serveCloudflare, h.serveWorkers)
		h.encodesPunctuation = true // encodePath in packages/workers-shared/asset-worker/src/handler.ts
	}
	switch w.Assets.HTML.V {
	case "", "auto-trailing-slash":
	case "force-trailing-slash":
		h.style.Slash = mapping.AddSlash
	case "drop-trailing-slash":
		h.style.Slash = mapping.RemoveSlash
	case "none":
		h.style, h.handler = mapping.Style{HTML: mapping.ExactHTML}, request.serveExact
	default:
		l.diags.Warnf(w.Assets.HTML.Pos, "bad-host-setting",
			"write auto-trailing-slash, force-trailing-slash, drop-trailing-slash or none",
			"html_handling %q is unknown to Cloudflare; auto-trailing-slash is used", w.Assets.HTML.V)
	}
	l.reportCloudflareCode(&w)
	l.readRedirectsFile("_redirects", cloudflareRedirects)
	l.readHeadersFile(cloudflareHeaders)
	if !w.isWorker() && l.Getenv("WORKERS_CI") == "" && !isFile(l.Publish, "404.html") && isFile(l.Publish, "index.html") {
		l.diags.Warnf(diag.Pos{File: l.PublishName}, "no-404-page", "add a 404.html at the top of the publish directory",
			"without a 404.html, Cloudflare Pages serves index.html with status 200 at every address that does not exist")
	}
}

// reportCloudflareCode adds a finding for code that Cloudflare runs before it serves static files.
// A Worker runs before the files only with the setting run_worker_first. The code of a Pages
// project is _worker.js or the folder functions.
//
// See https://developers.cloudflare.com/pages/functions/routing/
// See https://developers.cloudflare.com/workers/static-assets/routing/worker-script/
func (l *loader) reportCloudflareCode(w *wrangler) {
	const name = "_worker.js"
	runsFirst := w.Assets.First.Value == "true" || len(w.Assets.First.Content) > 0
	if w.Main.IsSet() && runsFirst {
		l.reportServerCode(firstPos(w.file, w.Main.Pos), "worker "+w.Main.V, "the addresses of run_worker_first")
	}
	switch {
	case w.isWorker():
	case exists(l.Publish, name):
		l.reportServerCode(diag.Pos{File: path.Join(l.PublishName, name)}, name, "every address that _routes.json does not exclude")
	default:
		l.reportServerCodeFolder("functions", "a function of this folder")
	}
}

// cloudflareRedirects is the format of _redirects on Cloudflare.
//
// See https://developers.cloudflare.com/pages/configuration/redirects/
// For the limits, see packages/workers-shared/utils/configuration/constants.ts of workers-sdk.
var cloudflareRedirects = redirectsFileFormat{
	status: 302, statuses: []int{200, 301, 302, 303, 307, 308}, force: true, comments: true, add: (*loader).addCloudflareRule, maxRules: maxRules,
}

// The limits of Cloudflare for the files _redirects and _headers.
const (
	maxCloudflareLine        = 2000 // characters in a redirect; sitewalk counts bytes
	maxCloudflareStatic      = 2000 // static redirects; see addCloudflareRule
	maxCloudflareDynamic     = 100  // dynamic redirects; see addCloudflareRule
	maxCloudflareHeaderPaths = 100  // paths in _headers
)

// indexTarget matches "/index" or "/index.html" at the end of a path, because Cloudflare removes
// this ending from URLs.
var indexTarget = regexp.MustCompile(`/index(\.html)?$`)

// addCloudflareRule adds a redirect on Cloudflare to l.host. It returns an error if Cloudflare
// rejects the redirect, or if the path of the redirect cannot be compiled. Cloudflare has one limit
// for static redirects and another for dynamic redirects. The first redirect with a wildcard or
// placeholder and all redirects after it count as dynamic.
func (l *loader) addCloudflareRule(r *lineRule) error {
	from, _, _ := strings.Cut(r.from, "?")
	from = "/" + strings.TrimPrefix(from, "/")
	url, isURL := strings.CutPrefix(r.to, "https://")
	switch {
	case len(r.text) > maxCloudflareLine:
		return fmt.Errorf("it is longer than %d characters", maxCloudflareLine)
	case strings.HasPrefix(r.from, "https://"):
		return errors.New("the source must be a path, not a URL")
	case r.hasQuery || len(r.conditions) > 0:
		return errors.New("it has more than source, destination and code")
	case !strings.HasPrefix(r.to, "/") && (!isURL || url == ""):
		return errors.New("the destination must begin with / or https://")
	case isURL && r.status == http.StatusOK:
		return errors.New("a 200 rule can only serve a path of the site")
	case indexTarget.MatchString(r.to) && (strings.HasSuffix(from, "/*") || strings.HasSuffix(from, "/")) && !isURL:
		return errors.New("it would redirect to itself forever, because Cloudflare strips index.html")
	}
	p, err := compileCloudflarePath(from)
	if err != nil {
		return err
	}
	rules := &l.host.redirects
	dynamic := 0
	if len(rules.wild) > 0 {
		dynamic = len(rules.rules) - rules.wild[0]
	}
	switch {
	case dynamic == 0 && p.re == nil && len(rules.rules) == maxCloudflareStatic:
		return fmt.Errorf("only the first %d static rules count", maxCloudflareStatic)
	case dynamic == maxCloudflareDynamic:
		return fmt.Errorf("only the first %d dynamic rules count; later rules do not", maxCloudflareDynamic)
	}
	rules.add(p, r.rule)
	return nil
}

// splatName matches the placeholder ":splat".
var splatName = regexp.MustCompile(`:splat\b`)

// compileCloudflarePath compiles a path with placeholders and at most one wildcard. It returns an
// error if a placeholder occurs twice, or if the path contains a second wildcard, or both a
// wildcard and ":splat".
// See the rules engine in packages/workers-shared of workers-sdk.
func compileCloudflarePath(path string) (pattern, error) {
	switch n := strings.Count(path, "*"); {
	case n > 1:
		return pattern{}, errors.New("only one * is allowed; use placeholders such as :name")
	case n == 1 && splatName.MatchString(path):
		return pattern{}, errors.New("one rule cannot contain both * and :splat")
	}
	p, err := cloudflarePath.compile(path)
	for i, name := range p.names {
		if slices.Contains(p.names[:i], name) {
			return pattern{}, fmt.Errorf("it contains the placeholder :%s twice", name)
		}
	}
	return p, err
}

// cloudflareHeaders is the format of _headers on Cloudflare.
//
// See https://developers.cloudflare.com/pages/configuration/headers/
var cloudflareHeaders = headersFileFormat{compile: (*loader).compileCloudflareHeaderPath, unsets: true, replaces: true, maxPaths: maxCloudflareHeaderPaths}

// compileCloudflareHeaderPath compiles line, a path or an https URL in _headers on Cloudflare.
// applies is false if the URL is for another host, or if there is an error.
func (l *loader) compileCloudflareHeaderPath(line string) (p pattern, applies bool, err error) {
	scheme, host, path, err := splitRuleAddress(line)
	if err != nil || scheme == "http" {
		return p, false, errors.New("a path must begin with / or https://")
	}
	p, err = compileCloudflarePath(path)
	return p, err == nil && l.isForSiteHost(host), err
}

// isForSiteHost reports whether a rule for URLs with the given host applies to the site. Like
// Cloudflare, it ignores the scheme. If host is "" or the base URL is unknown, the rule applies.
// host may contain placeholders and "*", as in ":sub.example.com". A placeholder matches text
// without a dot, and "*" matches any text.
func (l *loader) isForSiteHost(host string) bool {
	if !strings.ContainsAny(host, ":*") || l.Base.Host() == "" {
		return l.isForSite("", host)
	}
	p, err := cloudflarePath.compile("/" + strings.ReplaceAll(host, ".", "/"))
	_, ok := p.match("/" + strings.ReplaceAll(l.Base.Host(), ".", "/"))
	return err == nil && ok
}
