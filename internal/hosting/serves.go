package hosting

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/mapping"
)

// A server describes how a host serves files if no rule applies.
type server struct {
	style          mapping.Style // how the host forms the URL of a file
	handler        fileHandler   // which file the host sends for a URL
	redirectStatus int           // HTTP status of a redirect by handler: 301
}

// A fileHandler predicts what a host does for a request to which no rule applies. It returns the
// file that the host sends with status 200, or the URL path to which the host redirects. Both
// results are "" if the host does neither.
type fileHandler func(request) (file, redirect string)

// Endings returns the endings of the URLs at which the host serves a page. file contains the
// endings for a.html, such as mapping.Bare if the host serves a.html at /a. folder contains the
// endings for a/index.html. If the host is unknown, file contains mapping.FileName and
// mapping.Bare, and folder is nil.
func (h *Host) Endings() (file, folder []mapping.Ending) {
	if !h.IsKnown() {
		return []mapping.Ending{mapping.FileName, mapping.Bare}, nil
	}
	return h.servedEndings("a.html", mapping.FileName, mapping.Bare, mapping.Slashed), h.servedEndings("a/index.html", mapping.Slashed, mapping.Bare)
}

// servedEndings returns the endings in candidates at which the host serves file, if the site has no
// other files. For "a.html", the ending mapping.Bare means the URL /a.
func (h *Host) servedEndings(file string, candidates ...mapping.Ending) []mapping.Ending {
	only := func(other string) bool { return other == file }
	return slices.DeleteFunc(candidates, func(e mapping.Ending) bool {
		return !h.servesFile(h.newRequest(e.Style().URLPath(file), only))
	})
}

// servesFile reports whether the host sends a file for the request r if no rule applies.
func (h *Host) servesFile(r request) bool {
	file, _ := h.handler(r)
	return file != ""
}

// A request contains the URL path of a request to the host, and a function that reports which files
// the site has.
type request struct {
	host    *Host
	urlPath string                 // decoded URL path: "/blog/"
	path    string                 // urlPath without leading and trailing slash: "blog"
	dir     bool                   // urlPath is "" or ends in a slash
	inTree  func(file string) bool // reports whether the publish directory contains a file
}

func (h *Host) newRequest(urlPath string, inTree func(string) bool) request {
	path, dir := strings.CutSuffix(strings.TrimPrefix(urlPath, "/"), "/")
	return request{host: h, urlPath: urlPath, path: path, dir: dir || path == "", inTree: inTree}
}

// exists reports whether the publish directory contains file, and the host deploys it.
func (r request) exists(file string) bool {
	_, ignored := r.host.IgnoreRule(file)
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

// serveIndex is a fileHandler that serves r.path/index.html if the file exists.
func (r request) serveIndex() (file, redirect string) {
	return r.ifExists(strings.TrimPrefix(r.path+"/index.html", "/"))
}

// hasIndex reports whether r.path is a folder with an index.html.
func (r request) hasIndex() bool {
	file, _ := r.serveIndex()
	return file != ""
}

// serveExact is a fileHandler that serves the file r.path if it exists. It serves no file for a URL
// path with a trailing slash.
func (r request) serveExact() (file, redirect string) {
	if r.dir {
		return "", ""
	}
	return r.ifExists(r.path)
}

// serveHome is a fileHandler that serves the index.html at the top of the site at "/".
func (r request) serveHome() (file, redirect string) {
	if r.path != "" {
		return "", ""
	}
	return r.serveIndex()
}

// serveHTML is a fileHandler that serves r.path.html if the file exists, also for a URL path with a
// trailing slash.
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

// redirectWithoutSlash is a fileHandler that redirects /a/ to /a if a.html exists.
func (r request) redirectWithoutSlash() (file, redirect string) {
	if file, _ = r.serveHTML(); file != "" && r.dir {
		return "", "/" + r.path
	}
	return "", ""
}

// firstOf returns a fileHandler that tries handlers in turn until one of them returns a file or a
// redirect.
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
	// /a/. It redirects /a to /a/ if a/index.html exists.
	plainFiles = bySlash(request.serveIndex, firstOf(request.serveExact, request.redirectToFolder))

	// githubFiles serves files like GitHub Pages and Surge: a.html at /a.html and /a, and
	// a/index.html at /a/. It redirects /a to /a/ if only a/index.html exists.
	githubFiles = bySlash(request.serveIndex, firstOf(request.serveExact, request.serveHTML, request.redirectToFolder))

	// prettyURLs serves files like Netlify with "Pretty URLs", the default. It is like githubFiles,
	// but redirects /a/ to /a if a.html exists, even if a/index.html exists too.
	prettyURLs = bySlash(firstOf(request.redirectWithoutSlash, request.serveIndex), githubFiles)

	// gitlabFiles serves files like GitLab Pages: a.html at /a.html, /a and /a/. If a/index.html
	// exists, it serves this file at /a/, and redirects /a to /a/.
	// See internal/serving/disk/reader.go of GitLab Pages.
	gitlabFiles = bySlash(anyFile, firstOf(request.serveExact, request.redirectToFolder, request.serveHTML))

	// anyFile serves files like Netlify without Pretty URLs: a.html at /a.html, /a and /a/, and
	// a/index.html at /a and /a/.
	anyFile = bySlash(firstOf(request.serveIndex, request.serveHTML), firstOf(request.serveExact, request.serveHTML, request.serveIndex))

	// azureFiles serves files like Azure without trailingSlash. It is like anyFile, but redirects
	// /a/ to /a if only a.html exists.
	azureFiles = bySlash(firstOf(request.serveIndex, request.redirectWithoutSlash), anyFile)

	// exactOrIndex serves files like Vercel without cleanUrls: a.html at /a.html, and a/index.html
	// at /a and /a/.
	exactOrIndex = firstOf(request.serveExact, request.serveIndex)
)

// endsInIndex reports whether the last segment of a path is "index".
func endsInIndex(pathWithoutExt string) bool {
	return pathWithoutExt == "index" || strings.HasSuffix(pathWithoutExt, "/index")
}

// serveAzure is a fileHandler for Azure with the setting trailingSlash. It serves each page at the
// URL that h.style determines, and redirects all other URLs of the page to that URL.
func (h *Host) serveAzure(r request) (file, redirect string) {
	file, _ = anyFile(r)
	if redirect = h.style.URLPath(file); file == "" || redirect == r.urlPath {
		return file, ""
	}
	return "", redirect
}

// serveCloudflare is a fileHandler for Cloudflare. It is like serveAzure, except for a page whose
// URL belongs to another file. For example, if there is also a file called a, it serves a.html at
// /a.html instead of /a.
// See handler.ts of workers-sdk in packages/pages-shared/asset-server and
// packages/workers-shared/asset-worker/src.
func (h *Host) serveCloudflare(r request) (file, redirect string) {
	file, redirect = h.serveAzure(r)
	if exact, _ := r.serveExact(); redirect != "" && exact != "" {
		if there, _ := h.serveCloudflare(h.newRequest(redirect, r.inTree)); there != exact {
			return exact, ""
		}
	}
	return file, redirect
}

// pageEnding matches the endings that URLs of the same page may have: /a/index.html, /a/index,
// /a.html and /a/ are URLs of one page.
var pageEnding = regexp.MustCompile(`(/index\.html|/index|\.html|/)$`)

// serveWorkers is a fileHandler for Cloudflare Workers. It redirects URLs such as /a/index to the
// URL that serves a/index.html or a.html.
// See safeRedirect in packages/workers-shared/asset-worker/src/handler.ts of workers-sdk.
func (h *Host) serveWorkers(r request) (file, redirect string) {
	bare := pageEnding.ReplaceAllString(r.urlPath, "")
	for _, file := range []string{bare + "/index.html", bare + ".html"} {
		redirect = h.style.URLPath(file[1:])
		if served, _ := h.serveCloudflare(h.newRequest(redirect, r.inTree)); "/"+served == file {
			return "", redirect
		}
	}
	return "", ""
}

// A vercelServer serves files like Vercel. Its fields depend on vercel.json and Next.js.
// See convertCleanUrls and convertTrailingSlash in @vercel/routing-utils.
type vercelServer struct {
	clean   bool // cleanUrls is true
	slash   bool // redirect to URLs with a trailing slash: trailingSlash is true, or Next.js exports such URLs
	noSlash bool // redirect to URLs without a trailing slash: trailingSlash is false, or Next.js exports such URLs
	export  bool // the site is a static export of Next.js and cleanUrls is not set: no page has a URL with .html
}

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

// redirectTarget returns the URL path to which cleanUrls and trailingSlash redirect r, or "" for no
// redirect. Vercel redirects even if no file exists, so redirectTarget does not look for files.
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
