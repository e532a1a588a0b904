package hosting

import (
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/mapping"
)

// A handling says which file a host serves at a URL path with status 200 and
// no redirect. It does not look at the host's rules.
type handling func(s *Site, urlPath string, exists func(string) bool) (file string, ok bool)

// Serves returns the file of the publish directory that the host answers a URL
// path below the base with, when it does so with status 200 and without a
// redirect.
func (s *Site) Serves(urlPath string, exists func(file string) bool) (file string, ok bool) {
	if s == nil || !strings.HasPrefix(urlPath, "/") {
		return "", false
	}
	exists = s.deployed(exists)
	if file, ok = s.handling(s, urlPath, exists); !ok {
		return "", false
	}
	if _, leads := s.Redirect(urlPath, exists); leads {
		return "", false
	}
	return file, true
}

// FileEndings returns how the addresses end at which the host answers with a file
// a.html that nothing lies beside, of which the site may use any. A host that is
// not known is taken to answer /a too.
func (s *Site) FileEndings() []mapping.Ending {
	if !s.Known() {
		return []mapping.Ending{mapping.FileName, mapping.Bare}
	}
	return s.endings("a.html", mapping.FileName, mapping.Bare, mapping.Slashed)
}

// FolderEndings is FileEndings for a/index.html, but for its file name, which no
// site means to use. Every server leads /a to /a/, so that a host that is not known
// is taken to answer one of them.
func (s *Site) FolderEndings() []mapping.Ending {
	if !s.Known() {
		return nil
	}
	return s.endings("a/index.html", mapping.Slashed, mapping.Bare)
}

// endings returns those of the endings with which the host answers a file.
func (s *Site) endings(file string, among ...mapping.Ending) []mapping.Ending {
	only := func(other string) bool { return other == file }
	return slices.DeleteFunc(among, func(e mapping.Ending) bool {
		_, ok := s.handling(s, e.Style().URLPath(file), only)
		return !ok
	})
}

// Ruled reports whether rules of the host decide over addresses.
func (s *Site) Ruled() bool {
	return s != nil && len(s.redirects.rules)+len(s.headers.rules) > 0
}

// request is a URL path as the handlings look at it.
type request struct {
	path   string // without the slash at the beginning, and without one at the end
	dir    bool   // there was a slash at the end, or it is the home page
	exists func(string) bool
}

func newRequest(urlPath string, exists func(string) bool) request {
	path, dir := strings.CutSuffix(urlPath[1:], "/")
	return request{path, dir || path == "", exists}
}

// index returns the index file of the path as a folder.
func (r request) index() (string, bool) {
	file := "index.html"
	if r.path != "" {
		file = r.path + "/index.html"
	}
	return file, r.exists(file)
}

// exact returns the path as a file.
func (r request) exact() (string, bool) { return r.path, !r.dir && r.path != "" && r.exists(r.path) }

// html returns the path as a file without its .html.
func (r request) html() (string, bool) {
	return r.path + ".html", r.path != "" && r.exists(r.path+".html")
}

// first returns the first of the files that is there.
func first(ways ...func() (string, bool)) (string, bool) {
	for _, way := range ways {
		if file, ok := way(); ok {
			return file, true
		}
	}
	return "", false
}

// plainFiles: nginx, S3 websites and plain file servers.
func plainFiles(_ *Site, urlPath string, exists func(string) bool) (string, bool) {
	if r := newRequest(urlPath, exists); !r.dir {
		return r.exact()
	} else {
		return r.index()
	}
}

// exactFiles: every file under its own name.
func exactFiles(_ *Site, urlPath string, exists func(string) bool) (string, bool) {
	return newRequest(urlPath, exists).exact()
}

func githubFiles(_ *Site, urlPath string, exists func(string) bool) (string, bool) {
	r := newRequest(urlPath, exists)
	if r.dir {
		return r.index()
	}
	return first(r.exact, r.html)
}

// prettyURLs: Netlify by default.
func prettyURLs(_ *Site, urlPath string, exists func(string) bool) (string, bool) {
	r := newRequest(urlPath, exists)
	if !r.dir {
		return first(r.exact, r.html)
	}
	if _, file := r.html(); file {
		return "", false // redirected to the path without a slash
	}
	return r.index()
}

// anyFile: Netlify without Pretty URLs, which serves a page at every spelling.
func anyFile(_ *Site, urlPath string, exists func(string) bool) (string, bool) {
	r := newRequest(urlPath, exists)
	if r.dir {
		return first(r.index, r.html)
	}
	return first(r.exact, r.html, r.index)
}

// autoSlash: Cloudflare Pages, workers-sdk
// packages/pages-shared/asset-server/handler.ts, and Workers by default.
func autoSlash(_ *Site, urlPath string, exists func(string) bool) (string, bool) {
	r := newRequest(urlPath, exists)
	if r.dir {
		return r.index()
	}
	if file, ok := r.exact(); ok {
		name, isHTML := strings.CutSuffix(file, ".html")
		return file, !isHTML || name == "" || exists(name) && !isIndex(name)
	}
	if isIndex(r.path) {
		return "", false
	}
	return r.html()
}

// isIndex reports whether a path without .html is that of an index file.
func isIndex(path string) bool { return path == "index" || strings.HasSuffix(path, "/index") }

// forceSlash: Cloudflare Workers with html_handling force-trailing-slash,
// packages/workers-shared/asset-worker/src/handler.ts.
func forceSlash(_ *Site, urlPath string, exists func(string) bool) (string, bool) {
	r := newRequest(urlPath, exists)
	if r.dir {
		return first(r.index, r.html)
	}
	file, ok := r.exact()
	name, isHTML := strings.CutSuffix(file, ".html")
	return file, ok && (!isHTML || !isIndex(name) && exists(name+"/index.html"))
}

// dropSlash: the same with drop-trailing-slash.
func dropSlash(_ *Site, urlPath string, exists func(string) bool) (string, bool) {
	r := newRequest(urlPath, exists)
	if r.path == "" {
		return r.index()
	}
	if r.dir {
		return "", false
	}
	if file, ok := r.exact(); ok {
		dir, isIndex := strings.CutSuffix(file, "/index.html")
		return file, !strings.HasSuffix(file, ".html") || isIndex && exists(dir+".html")
	}
	if isIndex(r.path) {
		return "", false
	}
	return first(r.html, r.index)
}

// vercelFiles: Vercel without a vercel.json.
func vercelFiles(s *Site, urlPath string, exists func(string) bool) (string, bool) {
	return vercelServer{}.serve(s, urlPath, exists)
}

// A vercelServer is Vercel with the settings of vercel.json. The redirects are
// those of @vercel/routing-utils, convertCleanUrls and convertTrailingSlash.
type vercelServer struct{ clean, slash, noSlash bool }

func (v vercelServer) serve(_ *Site, urlPath string, exists func(string) bool) (string, bool) {
	r := newRequest(urlPath, exists)
	if v.clean && (isIndex(r.path) || strings.HasSuffix(r.path, ".html")) || v.redirects(r) {
		return "", false
	}
	switch {
	case !v.clean:
		return first(r.exact, r.index)
	case r.dir:
		return first(r.index, r.html)
	}
	return first(r.exact, r.html, r.index)
}

// redirects reports whether a slash is added or taken away.
func (v vercelServer) redirects(r request) bool {
	name := r.path[strings.LastIndexByte(r.path, '/')+1:]
	switch {
	case r.path == "":
		return false
	case v.noSlash:
		return r.dir
	case !v.slash || r.path == ".well-known" || strings.HasPrefix(r.path, ".well-known/"):
		return false
	case r.dir:
		return mapping.HasExtension(r.path)
	}
	return !strings.Contains(name, ".")
}
