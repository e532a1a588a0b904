package hosting

import (
	"bytes"
	"cmp"
	"path"
	"regexp"

	"gopkg.in/yaml.v3"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/strict"
	"github.com/sitewalk/sitewalk/mapping"
)

// wrangler contains some settings of wrangler.toml or wrangler.json, the configuration file of
// Cloudflare. These settings change URLs or name folders.
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

// wranglerPublishDir returns the publish directory in wrangler.toml or wrangler.json. It returns
// the zero Value if the file does not set the directory.
func (l *loader) wranglerPublishDir() strict.Value[string] {
	w := l.readWrangler()
	return cmp.Or(w.Assets.Directory, w.Pages)
}

// readCloudflare reads wrangler.toml or wrangler.json, _redirects and _headers.
//
// See https://developers.cloudflare.com/pages/configuration/redirects/
// See https://developers.cloudflare.com/workers/static-assets/
func (l *loader) readCloudflare() {
	s := l.site
	w := l.readWrangler()
	s.handling = s.serveCloudflare
	if w.isWorker() {
		s.moveStatus, s.handling = 307, firstOf(s.serveCloudflare, s.serveWorkers)
		s.encodesPunctuation = true // encodePath in packages/workers-shared/asset-worker/src/handler.ts
	}
	switch w.Assets.HTML.V {
	case "", "auto-trailing-slash":
	case "force-trailing-slash":
		s.style.Slash = mapping.AddSlash
	case "drop-trailing-slash":
		s.style.Slash = mapping.RemoveSlash
	case "none":
		s.style, s.handling = mapping.Style{HTML: mapping.ExactHTML}, request.serveExact
	default:
		l.diags.Warnf(w.Assets.HTML.Pos, "bad-host-setting",
			"write auto-trailing-slash, force-trailing-slash, drop-trailing-slash or none",
			"html_handling %q is unknown to Cloudflare; auto-trailing-slash is used", w.Assets.HTML.V)
	}
	l.reportCloudflareCode(&w)
	l.readRedirectsFile(cloudflareRedirects)
	l.readHeadersFile(cloudflareHeaderLines)
	if !w.isWorker() && l.Getenv("WORKERS_CI") == "" && !isFile(l.Publish, "404.html") && isFile(l.Publish, "index.html") {
		l.diags.Warnf(diag.Pos{File: l.PublishName}, "no-404-page", "add a 404.html at the top of the publish directory",
			"without a 404.html Cloudflare Pages answers every address that does not exist with index.html and status 200")
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

// jsonComments matches comments in JSON, and jsonCommas matches commas before a closing bracket.
// The two expressions also match whole strings, so that they do not find a "//" or a comma inside a
// string.
var (
	jsonComments = regexp.MustCompile(`"(?:\\.|[^"\\\n])*"?|//[^\n]*|(?s:/\*.*?(?:\*/|$))`)
	jsonCommas   = regexp.MustCompile(`"(?:\\.|[^"\\\n])*"?|,\s*[\]}]`)
)

// blankJSONComments returns a copy of src in which spaces replace the comments, and also the commas
// before closing brackets. All values keep their line and column.
func blankJSONComments(src []byte) []byte {
	out := bytes.Clone(src)
	for _, m := range jsonComments.FindAll(out, -1) {
		if m[0] == '"' {
			continue
		}
		for i := range m {
			if m[i] != '\n' {
				m[i] = ' '
			}
		}
	}
	for _, m := range jsonCommas.FindAll(out, -1) {
		if m[0] == ',' {
			m[0] = ' '
		}
	}
	return out
}
