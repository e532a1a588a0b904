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

// wrangler has the keys of Cloudflare's configuration file that decide about URLs.
// https://developers.cloudflare.com/workers/wrangler/configuration/
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

// isWorker reports whether the project is a worker with assets and not a Pages project.
func (w *wrangler) isWorker() bool {
	return w.Assets.Directory.IsSet() || w.Assets.HTML.IsSet() || w.Assets.NotFound.IsSet()
}

// readWrangler reads the first of the files that wrangler itself would take.
func (l *loader) readWrangler() (w wrangler) {
	w.file = l.readFirst(&w, "wrangler.json", "wrangler.jsonc", "wrangler.toml")
	return w
}

// hasWranglerSite reports whether the project of the wrangler file serves files.
func hasWranglerSite(l *loader) bool {
	w := l.readWrangler()
	return w.isWorker() || w.Pages.IsSet()
}

func (l *loader) wranglerPublish() strict.Value[string] {
	w := l.readWrangler()
	return cmp.Or(w.Assets.Directory, w.Pages)
}

// readCloudflare reads wrangler's file, _redirects and _headers.
// https://developers.cloudflare.com/pages/configuration/redirects/
// https://developers.cloudflare.com/workers/static-assets/
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
	l.readRedirects(cloudflareRedirects)
	l.readHeaders(cloudflareHeaderLines)
	if !w.isWorker() && l.Getenv("WORKERS_CI") == "" && !isFile(l.Publish, "404.html") && isFile(l.Publish, "index.html") {
		l.diags.Warnf(diag.Pos{File: l.PublishName}, "no-404-page", "add a 404.html at the top of the publish directory",
			"without a 404.html Cloudflare Pages answers every address that does not exist with index.html and status 200")
	}
}

// reportCloudflareCode reports a worker that runs before the assets, and the functions of a Pages
// project, of which _worker.js is an advanced form.
// https://developers.cloudflare.com/pages/functions/routing/
// https://developers.cloudflare.com/workers/static-assets/routing/worker-script/
func (l *loader) reportCloudflareCode(w *wrangler) {
	const name = "_worker.js"
	runsFirst := w.Assets.First.Value == "true" || len(w.Assets.First.Content) > 0
	if w.Main.IsSet() && runsFirst {
		l.reportCode(firstPlace(w.file, w.Main.Pos), "worker "+w.Main.V, "the addresses of run_worker_first")
	}
	switch {
	case w.isWorker():
	case exists(l.Publish, name):
		l.reportCode(diag.Pos{File: path.Join(l.PublishName, name)}, name, "every address that _routes.json does not exclude")
	default:
		l.reportCodeFolder("functions", "a function of this folder")
	}
}

// Strings are matched as well, so that nothing is looked for in them.
var (
	jsonComments = regexp.MustCompile(`"(?:\\.|[^"\\\n])*"?|//[^\n]*|(?s:/\*.*?(?:\*/|$))`)
	jsonCommas   = regexp.MustCompile(`"(?:\\.|[^"\\\n])*"?|,\s*[\]}]`)
)

// plainJSON replaces comments, and commas before a closing bracket, by spaces. Every value keeps
// its place.
func plainJSON(src []byte) []byte {
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
