package hosting

import (
	"cmp"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
)

// code reports code of the site's own that the host runs before it looks for a
// file. It may answer with anything, so it decides nothing here.
func (l *loader) code(pos diag.Pos, what, where string) {
	l.diags.Notef(pos, "undecidable-code", "exclude the pages by a rule of sitemap.yaml if no crawler can reach them",
		"%s may answer for %s in place of the files, which only a request can tell; the pages stay in", what, where)
}

// netlifyCode reports edge functions: those that netlify.toml declares, else
// the folder that has some.
// https://docs.netlify.com/build/edge-functions/declarations/
func (l *loader) netlifyCode(f file, c *netlifyConfig) {
	for _, e := range c.EdgeFunctions {
		l.code(place(f, e.Function.Pos, e.Path.Pos), "edge function "+e.Function.V, cmp.Or(e.Path.V, "the paths of its pattern"))
	}
	if len(c.EdgeFunctions) == 0 {
		l.codeFolder(cmp.Or(c.Build.EdgeFunctions.V, "netlify/edge-functions"), "an edge function of this folder")
	}
}

// cloudflareCode reports the functions of a Pages project, of which _worker.js
// is an advanced form, and a worker that runs before the assets.
// https://developers.cloudflare.com/pages/functions/routing/
// https://developers.cloudflare.com/workers/static-assets/routing/worker-script/
func (l *loader) cloudflareCode(w wrangler) {
	if w.Main.IsSet() && w.runsFirst() {
		l.code(place(w.file, w.Main.Pos), "worker "+w.Main.V, "the addresses of run_worker_first")
	}
	if w.workers() {
		return
	}
	const name = "_worker.js"
	if _, err := fs.Stat(l.Publish, name); err == nil {
		l.code(diag.Pos{File: path.Join(l.PublishName, name)}, name, "every address that _routes.json does not exclude")
		return
	}
	l.codeFolder("functions", "a function of this folder")
}

// vercelCode reports middleware, which runs before the files are looked for.
// https://vercel.com/docs/routing-middleware
func (l *loader) vercelCode() {
	for _, name := range []string{"middleware.ts", "middleware.js", "middleware.mjs", "src/middleware.ts", "src/middleware.js"} {
		if isFile(l.Root, name) {
			l.code(diag.Pos{File: path.Join(l.RootName, name)}, name, "every address that its matcher names")
			return
		}
	}
}

// codeFolder reports a folder of the root that holds any file.
func (l *loader) codeFolder(dir, what string) {
	dir = path.Clean(strings.Trim(dir, "/"))
	entries, _ := fs.ReadDir(l.Root, dir)
	if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return !strings.HasPrefix(e.Name(), ".") }) {
		l.code(diag.Pos{File: path.Join(l.RootName, dir)}, what, "addresses of its own")
	}
}

// environment settles which of wrangler's environments counts: the one that
// CLOUDFLARE_ENV names. Without that, environments that serve files otherwise
// than the top of the file are reported.
// https://developers.cloudflare.com/workers/wrangler/environments/
func (l *loader) environment(w *wrangler) {
	if env, ok := w.Env[l.Getenv("CLOUDFLARE_ENV")]; ok {
		if env.Assets != (wranglerAssets{}) {
			w.Assets.wranglerAssets = env.Assets
		}
		return
	}
	for _, name := range slices.Sorted(maps.Keys(w.Env)) {
		html := w.Env[name].Assets.HTML
		if html.V == "" || html.V == w.Assets.HTML.V {
			continue
		}
		l.diags.Notef(place(w.file, html.Pos), "undecidable-rule", "set CLOUDFLARE_ENV in the build, or give the top of the file the same html_handling",
			"html_handling %q of the environment %s holds only when that is deployed; the top of the file is used", html.V, name)
	}
}
