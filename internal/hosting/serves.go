package hosting

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/mapping"
)

// A server describes how a host serves files for URLs to which no rule applies.
type server struct {
	style      mapping.Style // how the host forms the URL of a file
	handling   fileHandler   // which file the host sends for a URL
	moveStatus int           // HTTP status of a redirect to the URL that serves the file: 301
}

// A fileHandler returns the file that a host sends with status 200 for a request, or the URL path
// that the host redirects to. Both are "" if there is no file. A fileHandler ignores the rules of
// the host.
type fileHandler func(request) (file, to string)

// Endings returns the endings of the URLs at which the host serves a.html, and at which it serves
// a/index.html, such as mapping.Bare for /a. It assumes that the other of these files does not
// exist. An unknown host counts as a host that serves a.html at /a and /a.html.
func (s *Site) Endings() (file, folder []mapping.Ending) {
	if !s.IsKnown() {
		return []mapping.Ending{mapping.FileName, mapping.Bare}, nil
	}
	return s.endings("a.html", mapping.FileName, mapping.Bare, mapping.Slashed), s.endings("a/index.html", mapping.Slashed, mapping.Bare)
}

// endings returns the endings in among of the URLs at which the host serves file.
func (s *Site) endings(file string, among ...mapping.Ending) []mapping.Ending {
	only := func(other string) bool { return other == file }
	return slices.DeleteFunc(among, func(e mapping.Ending) bool {
		return !s.hasFile(newRequest(e.Style().URLPath(file), only))
	})
}

// hasFile reports whether the host sends a file for the request r, without regard to rules.
func (s *Site) hasFile(r request) bool {
	file, _ := s.handling(r)
	return file != ""
}

// A request is a request for a URL path, relative to the base URL.
type request struct {
	urlPath string                 // decoded URL path: "/blog/"
	path    string                 // urlPath without leading and trailing slash: "blog"
	dir     bool                   // urlPath ends in a slash
	exists  func(file string) bool // reports whether the publish directory contains a file
}

func newRequest(urlPath string, exists func(string) bool) request {
	path, dir := strings.CutSuffix(strings.TrimPrefix(urlPath, "/"), "/")
	return request{urlPath: urlPath, path: path, dir: dir || path == "", exists: exists}
}

// ifExists returns file if the file exists, and "" otherwise. to is always "".
func (r request) ifExists(file string) (found, to string) {
	if r.exists(file) {
		return file, ""
	}
	return "", ""
}

// serveIndex is a fileHandler that serves path/index.html.
func (r request) serveIndex() (file, to string) {
	return r.ifExists(strings.TrimPrefix(r.path+"/index.html", "/"))
}

// hasIndex reports whether r.path is a folder with an index.html.
func (r request) hasIndex() bool {
	file, _ := r.serveIndex()
	return file != ""
}

// serveExact is a fileHandler that serves the file r.path.
func (r request) serveExact() (file, to string) {
	if r.dir {
		return "", ""
	}
	return r.ifExists(r.path)
}

// serveHTML is a fileHandler that serves path.html.
func (r request) serveHTML() (file, to string) {
	if r.path == "" {
		return "", ""
	}
	return r.ifExists(r.path + ".html")
}

// redirectToFolder is a fileHandler that redirects /a to /a/ if a/index.html exists.
func (r request) redirectToFolder() (file, to string) {
	if r.hasIndex() && !r.dir {
		return "", r.urlPath + "/"
	}
	return "", ""
}

// removeSlash is a fileHandler that redirects /a/ to /a if a.html exists.
func (r request) removeSlash() (file, to string) {
	if file, _ = r.serveHTML(); file != "" && r.dir {
		return "", "/" + r.path
	}
	return "", ""
}

// firstOf returns a fileHandler that calls handlers in turn, and returns the first result that is
// not empty.
func firstOf(handlers ...fileHandler) fileHandler {
	return func(r request) (file, to string) {
		for _, handle := range handlers {
			if file, to = handle(r); file != "" || to != "" {
				break
			}
		}
		return file, to
	}
}

// bySlash returns a fileHandler that calls with for URL paths with a trailing slash, and without
// for all other URL paths.
func bySlash(with, without fileHandler) fileHandler {
	return func(r request) (file, to string) {
		if r.dir {
			return with(r)
		}
		return without(r)
	}
}

var (
	// plainFiles serves files like nginx, S3 websites and plain file servers.
	plainFiles = bySlash(request.serveIndex, firstOf(request.serveExact, request.redirectToFolder))

	// githubFiles serves files like GitHub Pages and Surge.
	githubFiles = bySlash(request.serveIndex, firstOf(request.serveExact, request.serveHTML, request.redirectToFolder))

	// prettyURLs serves files like Netlify by default.
	prettyURLs = bySlash(firstOf(request.removeSlash, request.serveIndex), githubFiles)

	// gitlabFiles serves files like GitLab Pages; see internal/serving/disk/reader.go there. For
	// /a, a/index.html takes precedence over a.html.
	gitlabFiles = bySlash(anyFile, firstOf(request.serveExact, request.redirectToFolder, request.serveHTML))

	// anyFile serves files like Netlify without Pretty URLs: a.html at /a.html, /a and /a/.
	anyFile = bySlash(firstOf(request.serveIndex, request.serveHTML), firstOf(request.serveExact, request.serveHTML, request.serveIndex))

	// anySpelling serves files like Azure without trailingSlash: a.html at /a.html and /a, with a
	// redirect from /a/ to /a.
	anySpelling = bySlash(firstOf(request.serveIndex, request.removeSlash), anyFile)

	// exactOrIndex serves files like Vercel without cleanUrls.
	exactOrIndex = firstOf(request.serveExact, request.serveIndex)
)

// isIndex reports whether the last segment of path, which has no extension, is "index".
func isIndex(path string) bool { return path == "index" || strings.HasSuffix(path, "/index") }

// serveAzure is a fileHandler for Azure with the setting trailingSlash. It serves each page at the
// URL that s.style determines, and redirects other URLs of the page to that URL.
func (s *Site) serveAzure(r request) (file, to string) {
	file, _ = anyFile(r)
	if to = s.style.URLPath(file); file == "" || to == r.urlPath {
		return file, ""
	}
	return "", to
}

// serveCloudflare is a fileHandler for Cloudflare. It is like serveAzure, but serves a page at the
// path of its file if another file is served at the URL of the page. See handler.ts of workers-sdk
// in packages/pages-shared/asset-server and packages/workers-shared/asset-worker/src.
func (s *Site) serveCloudflare(r request) (file, to string) {
	file, to = s.serveAzure(r)
	if exact, _ := r.serveExact(); to != "" && exact != "" {
		if there, _ := s.serveCloudflare(newRequest(to, r.exists)); there != exact {
			return exact, ""
		}
	}
	return file, to
}

// pageEnding matches the end of a URL path in which the URLs of one page may differ.
var pageEnding = regexp.MustCompile(`(/index\.html|/index|\.html|/)$`)

// serveWorkers is a fileHandler for Cloudflare Workers. It redirects URLs such as /a/index to the
// URL that serves the file. See safeRedirect in packages/workers-shared/asset-worker/src/handler.ts
// of workers-sdk.
func (s *Site) serveWorkers(r request) (file, to string) {
	bare := pageEnding.ReplaceAllString(r.urlPath, "")
	for _, file := range []string{bare + "/index.html", bare + ".html"} {
		to = s.style.URLPath(file[1:])
		if served, _ := s.serveCloudflare(newRequest(to, r.exists)); "/"+served == file {
			return "", to
		}
	}
	return "", ""
}

// A vercelServer serves files like Vercel: clean is the setting cleanUrls of vercel.json, slash is
// trailingSlash true, and noSlash is trailingSlash false. export means that pages exist only under
// their names without .html. See convertCleanUrls and convertTrailingSlash in @vercel/routing-utils.
type vercelServer struct{ clean, slash, noSlash, export bool }

// serve is a fileHandler.
func (v vercelServer) serve(r request) (file, to string) {
	switch to = v.redirectTarget(r); {
	case to != "":
		return "", to
	case v.export && strings.HasSuffix(r.path, ".html"):
		return "", ""
	case v.clean || v.export:
		return anyFile(r)
	}
	return exactOrIndex(r)
}

// redirectTarget returns the URL path that the settings redirect r to, or "". It ignores files and
// rules.
func (v vercelServer) redirectTarget(r request) string {
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
