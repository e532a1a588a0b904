package hosting

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/mapping"
)

// A server is how a host serves files where none of its rules decides.
type server struct {
	style      mapping.Style
	handling   handling
	respell    respelling
	moveStatus int // the status of a redirect to another spelling
}

// A handling says which file a host serves for a request with status 200 and
// no redirect. It does not look at the host's rules.
type handling func(request) (file string, ok bool)

// A respelling says to which URL path a host redirects one that it does not
// serve itself, "" when it does not. It does not look at the host's rules.
type respelling func(request) string

// Serves returns the file of the publish directory that the host answers a URL
// path below the base with, when it does so with status 200 and without a
// redirect.
func (s *Site) Serves(urlPath string, exists func(file string) bool) (file string, ok bool) {
	if !strings.HasPrefix(urlPath, "/") {
		return "", false
	}
	r := newRequest(urlPath, s.deployed(exists))
	if s.rewriter != nil {
		a := s.answer(r)
		return a.File, a.File != ""
	}
	if file, ok = s.handling(r); !ok {
		return "", false
	}
	if _, leads := s.redirect(r); leads {
		return "", false
	}
	return file, true
}

// Endings returns how the addresses end at which the host answers with a file a.html
// that nothing lies beside, of which the site may use any, and with a/index.html, but for
// its file name, which no site means to use. A host that is not known is taken to answer
// /a too; every server leads /a to /a/, so that it is taken to answer one of these.
func (s *Site) Endings() (file, folder []mapping.Ending) {
	if !s.IsKnown() {
		return []mapping.Ending{mapping.FileName, mapping.Bare}, nil
	}
	return s.endings("a.html", mapping.FileName, mapping.Bare, mapping.Slashed), s.endings("a/index.html", mapping.Slashed, mapping.Bare)
}

// endings returns those of the endings with which the host answers a file.
func (s *Site) endings(file string, among ...mapping.Ending) []mapping.Ending {
	only := func(other string) bool { return other == file }
	return slices.DeleteFunc(among, func(e mapping.Ending) bool {
		r := newRequest(e.Style().URLPath(file), only)
		if s.rewriter != nil {
			return s.answer(r).File != file
		}
		_, ok := s.handling(r)
		return !ok
	})
}

// Ruled reports whether rules of the host decide over addresses.
func (s *Site) Ruled() bool {
	return len(s.redirects.rules)+len(s.headers.rules) > 0
}

// A request is a URL path as the handlings look at it.
type request struct {
	urlPath string
	path    string                 // without the slash at the beginning, and without one at the end
	dir     bool                   // there was a slash at the end, or it is the home page
	exists  func(file string) bool // nil: every file is there

	hops  int    // times that the server has asked itself since
	asked string // the path that was asked for then
	ended bool   // no more rules of mod_rewrite
	tried *int   // expressions of these
}

func newRequest(urlPath string, exists func(string) bool) request {
	path, dir := strings.CutSuffix(strings.TrimPrefix(urlPath, "/"), "/")
	return request{urlPath: urlPath, path: path, dir: dir || path == "", exists: exists}
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

// first serves the first file that one of the ways leads to.
func first(ways ...handling) handling {
	return func(r request) (string, bool) {
		for _, way := range ways {
			if file, ok := way(r); ok {
				return file, true
			}
		}
		return "", false
	}
}

// slashed serves in one way where there is a slash at the end, and in another elsewhere.
func slashed(with, without handling) handling {
	return func(r request) (string, bool) {
		if r.dir {
			return with(r)
		}
		return without(r)
	}
}

var (
	// plainFiles: nginx, S3 websites and plain file servers.
	plainFiles = slashed(request.index, request.exact)

	// githubFiles: GitHub Pages and Surge.
	githubFiles = slashed(request.index, first(request.exact, request.html))

	// anyFile: Netlify without Pretty URLs, which serves a page at every spelling.
	anyFile = slashed(first(request.index, request.html), first(request.exact, request.html, request.index))

	// anySpelling: Azure without trailingSlash, which serves a page at every spelling
	// but one: a file with a slash behind it.
	anySpelling = slashed(request.index, anyFile)
)

// prettyURLs: Netlify by default.
func prettyURLs(r request) (string, bool) {
	if noSlash(r) != "" {
		return "", false
	}
	return githubFiles(r)
}

// autoSlash: Cloudflare Pages, workers-sdk
// packages/pages-shared/asset-server/handler.ts, and Workers by default.
func autoSlash(r request) (string, bool) {
	if r.dir {
		return r.index()
	}
	if file, ok := r.exact(); ok {
		name, isHTML := strings.CutSuffix(file, ".html")
		return file, !isHTML || name == "" || r.exists(name) && !isIndex(name)
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
func forceSlash(r request) (string, bool) {
	if r.dir {
		return anyFile(r)
	}
	file, ok := r.exact()
	name, isHTML := strings.CutSuffix(file, ".html")
	return file, ok && (!isHTML || !isIndex(name) && r.exists(name+"/index.html"))
}

// dropSlash: the same with drop-trailing-slash.
func dropSlash(r request) (string, bool) {
	if r.path == "" {
		return r.index()
	}
	if file, ok := r.exact(); ok {
		dir, isIndex := strings.CutSuffix(file, "/index.html")
		return file, !strings.HasSuffix(file, ".html") || isIndex && r.exists(dir+".html")
	}
	if r.dir || isIndex(r.path) {
		return "", false
	}
	return anyFile(r)
}

// A vercelServer is Vercel with the settings of vercel.json. The redirects are
// those of @vercel/routing-utils, convertCleanUrls and convertTrailingSlash.
type vercelServer struct{ clean, slash, noSlash bool }

func (v vercelServer) serve(r request) (string, bool) {
	switch {
	case v.respell(r) != "":
		return "", false
	case v.clean:
		return anyFile(r)
	}
	if file, ok := r.exact(); ok {
		return file, true
	}
	return r.index()
}

// respell is what the settings lead to, without regard to files and rules.
func (v vercelServer) respell(r request) string {
	slash := ""
	if v.slash {
		slash = "/"
	}
	if v.clean {
		bare, isHTML := strings.CutSuffix(r.path, ".html")
		if dir, ok := strings.CutSuffix("/"+bare, "/index"); ok {
			return cmp.Or(dir+slash, "/")
		}
		if isHTML {
			return "/" + bare + slash
		}
	}
	name := r.path[strings.LastIndexByte(r.path, '/')+1:]
	switch {
	case r.path == "":
	case v.noSlash && r.dir:
		return "/" + r.path
	case !v.slash || r.path == ".well-known" || strings.HasPrefix(r.path, ".well-known/"):
	case r.dir && mapping.HasExtension(name):
		return "/" + r.path
	case !r.dir && !strings.Contains(name, "."):
		return "/" + r.path + "/"
	}
	return ""
}

// Undeployed returns the rule by which a file of the publish directory is not
// deployed.
func (s *Site) Undeployed(file string) (Verdict, bool) {
	if len(s.ignores.rules) == 0 {
		return Verdict{}, false
	}
	for match := range s.ignores.matching("/" + file) {
		return match.rule, true
	}
	return Verdict{}, false
}

// deployed is exists for the files that are deployed.
func (s *Site) deployed(exists func(file string) bool) func(string) bool {
	if len(s.ignores.rules) == 0 {
		return exists
	}
	return func(file string) bool {
		_, out := s.Undeployed(file)
		return !out && exists(file)
	}
}
