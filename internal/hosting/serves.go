package hosting

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/mapping"
)

// A server describes how a host serves files for URLs without a rule.
type server struct {
	style      mapping.Style // how the host forms the URL of a file
	handling   fileHandler   // which file the host sends for a URL
	moveStatus int           // HTTP status of a redirect to the URL that serves the file: 301
}

// A fileHandler predicts what a host does for a request to which no rule applies. It returns the
// file that the host sends with status 200, or the URL path to which the host redirects. Both are
// "" if the host has no file for the request.
type fileHandler func(request) (file, redirect string)

// Endings returns the endings of the URLs at which the host serves a.html, and of those at which it
// serves a/index.html. For example, mapping.Bare is the ending of /a. Only one of the two files is
// assumed to exist. If the host is unknown, the endings for a.html are mapping.FileName and
// mapping.Bare, and folder is nil.
func (s *Site) Endings() (file, folder []mapping.Ending) {
	if !s.IsKnown() {
		return []mapping.Ending{mapping.FileName, mapping.Bare}, nil
	}
	return s.servedEndings("a.html", mapping.FileName, mapping.Bare, mapping.Slashed), s.servedEndings("a/index.html", mapping.Slashed, mapping.Bare)
}

// servedEndings returns those of candidates that the URLs may have at which the host serves file.
func (s *Site) servedEndings(file string, candidates ...mapping.Ending) []mapping.Ending {
	only := func(other string) bool { return other == file }
	return slices.DeleteFunc(candidates, func(e mapping.Ending) bool {
		return !s.servesFile(s.newRequest(e.Style().URLPath(file), only))
	})
}

// servesFile reports whether the host sends a file for the request r if no rule applies.
func (s *Site) servesFile(r request) bool {
	file, _ := s.handling(r)
	return file != ""
}

// A request is what a host answers: a URL path relative to the base URL, and the files of the site.
type request struct {
	site    *Site
	urlPath string                 // decoded URL path: "/blog/"
	path    string                 // urlPath without leading and trailing slash: "blog"
	dir     bool                   // urlPath ends in a slash
	inTree  func(file string) bool // reports whether the publish directory contains a file
}

func (s *Site) newRequest(urlPath string, inTree func(string) bool) request {
	path, dir := strings.CutSuffix(strings.TrimPrefix(urlPath, "/"), "/")
	return request{site: s, urlPath: urlPath, path: path, dir: dir || path == "", inTree: inTree}
}

// exists reports whether the publish directory contains a file that is deployed.
func (r request) exists(file string) bool {
	_, ignored := r.site.IgnoreRule(file)
	return !ignored && r.inTree(file)
}

// ifExists returns file if the file exists, and "" otherwise. redirect is always "", so that a
// fileHandler can return both results.
func (r request) ifExists(file string) (found, redirect string) {
	if r.exists(file) {
		return file, ""
	}
	return "", ""
}

// serveIndex is a fileHandler that serves r.path/index.html.
func (r request) serveIndex() (file, redirect string) {
	return r.ifExists(strings.TrimPrefix(r.path+"/index.html", "/"))
}

// hasIndex reports whether r.path is a folder with an index.html.
func (r request) hasIndex() bool {
	file, _ := r.serveIndex()
	return file != ""
}

// serveExact is a fileHandler that serves the file r.path.
func (r request) serveExact() (file, redirect string) {
	if r.dir {
		return "", ""
	}
	return r.ifExists(r.path)
}

// serveHTML is a fileHandler that serves r.path.html.
func (r request) serveHTML() (file, redirect string) {
	if r.path == "" {
		return "", ""
	}
	return r.ifExists(r.path + ".html")
}

// redirectToFolder is a fileHandler that redirects /a to /a/ if a/index.html exists.
func (r request) redirectToFolder() (file, redirect string) {
	if r.hasIndex() && !r.dir {
		return "", r.urlPath + "/"
	}
	return "", ""
}

// removeSlash is a fileHandler that redirects /a/ to /a if a.html exists.
func (r request) removeSlash() (file, redirect string) {
	if file, _ = r.serveHTML(); file != "" && r.dir {
		return "", "/" + r.path
	}
	return "", ""
}

// firstOf returns a fileHandler that tries handlers in turn, and returns the first result that is
// not empty.
func firstOf(handlers ...fileHandler) fileHandler {
	return func(r request) (file, redirect string) {
		for _, handle := range handlers {
			if file, redirect = handle(r); file != "" || redirect != "" {
				break
			}
		}
		return file, redirect
	}
}

// bySlash returns a fileHandler that uses withSlash for URL paths with a trailing slash, and
// withoutSlash for all others.
func bySlash(withSlash, withoutSlash fileHandler) fileHandler {
	return func(r request) (file, redirect string) {
		if r.dir {
			return withSlash(r)
		}
		return withoutSlash(r)
	}
}

var (
	// plainFiles serves files like nginx and S3 websites: a.html at /a.html, and a/index.html at
	// /a/.
	plainFiles = bySlash(request.serveIndex, firstOf(request.serveExact, request.redirectToFolder))

	// githubFiles serves files like GitHub Pages and Surge: a.html at /a.html and /a, and
	// a/index.html at /a/.
	githubFiles = bySlash(request.serveIndex, firstOf(request.serveExact, request.serveHTML, request.redirectToFolder))

	// prettyURLs serves files like Netlify by default. It is like githubFiles, but redirects /a/ to
	// /a if a.html exists.
	prettyURLs = bySlash(firstOf(request.removeSlash, request.serveIndex), githubFiles)

	// gitlabFiles serves files like GitLab Pages. For /a, a/index.html takes precedence over
	// a.html.
	// See internal/serving/disk/reader.go of GitLab Pages.
	gitlabFiles = bySlash(anyFile, firstOf(request.serveExact, request.redirectToFolder, request.serveHTML))

	// anyFile serves files like Netlify without Pretty URLs: a.html at /a.html, /a and /a/.
	anyFile = bySlash(firstOf(request.serveIndex, request.serveHTML), firstOf(request.serveExact, request.serveHTML, request.serveIndex))

	// anySpelling serves files like Azure without trailingSlash: a.html at /a.html and /a, with a
	// redirect from /a/ to /a.
	anySpelling = bySlash(firstOf(request.serveIndex, request.removeSlash), anyFile)

	// exactOrIndex serves files like Vercel without cleanUrls: a.html at /a.html, and a/index.html
	// at /a and /a/.
	exactOrIndex = firstOf(request.serveExact, request.serveIndex)
)

// endsInIndex reports whether the last segment of a path is "index".
func endsInIndex(pathWithoutExt string) bool {
	return pathWithoutExt == "index" || strings.HasSuffix(pathWithoutExt, "/index")
}

// serveAzure is a fileHandler for Azure with the setting trailingSlash. It serves each page at the
// URL that s.style determines, and redirects all other URLs of the page to that URL.
func (s *Site) serveAzure(r request) (file, redirect string) {
	file, _ = anyFile(r)
	if redirect = s.style.URLPath(file); file == "" || redirect == r.urlPath {
		return file, ""
	}
	return "", redirect
}

// serveCloudflare is a fileHandler for Cloudflare. It is like serveAzure with one exception: if
// another file has the URL of a page, the page is served at the path of its own file.
// See handler.ts of workers-sdk in packages/pages-shared/asset-server and
// packages/workers-shared/asset-worker/src.
func (s *Site) serveCloudflare(r request) (file, redirect string) {
	file, redirect = s.serveAzure(r)
	if exact, _ := r.serveExact(); redirect != "" && exact != "" {
		if there, _ := s.serveCloudflare(s.newRequest(redirect, r.inTree)); there != exact {
			return exact, ""
		}
	}
	return file, redirect
}

// pageEnding matches the end of a URL path by which URLs of the same page may differ.
var pageEnding = regexp.MustCompile(`(/index\.html|/index|\.html|/)$`)

// serveWorkers is a fileHandler for Cloudflare Workers. It redirects URLs such as /a/index to the
// URL that serves the file.
// See safeRedirect in packages/workers-shared/asset-worker/src/handler.ts of workers-sdk.
func (s *Site) serveWorkers(r request) (file, redirect string) {
	bare := pageEnding.ReplaceAllString(r.urlPath, "")
	for _, file := range []string{bare + "/index.html", bare + ".html"} {
		redirect = s.style.URLPath(file[1:])
		if served, _ := s.serveCloudflare(s.newRequest(redirect, r.inTree)); "/"+served == file {
			return "", redirect
		}
	}
	return "", ""
}

// A vercelServer serves files like Vercel. clean is the setting cleanUrls of vercel.json. slash and
// noSlash mean that trailingSlash is true or false. export means that pages of a static export have
// URLs only without .html.
// See convertCleanUrls and convertTrailingSlash in @vercel/routing-utils.
type vercelServer struct{ clean, slash, noSlash, export bool }

// serve is a fileHandler.
func (v vercelServer) serve(r request) (file, redirect string) {
	switch redirect = v.redirectTarget(r); {
	case redirect != "":
		return "", redirect
	case v.export && strings.HasSuffix(r.path, ".html"):
		return "", ""
	case v.clean || v.export:
		return anyFile(r)
	}
	return exactOrIndex(r)
}

// redirectTarget returns the URL path to which cleanUrls and trailingSlash redirect r, or "". It
// does not consider files and rules.
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
