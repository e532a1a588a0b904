package hosting

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/mapping"
)

// A server is how a host serves files where none of its rules decides.
type server struct {
	style      mapping.Style
	handling   fileHandler
	moveStatus int // the status of a redirect to another spelling
}

// A fileHandler returns the file that a host serves with status 200 without its rules, or the URL
// path that it redirects to. Both are empty if the host does neither.
type fileHandler func(request) (file, to string)

// Endings returns the endings of the addresses that serve a file a.html without a namesake, of
// which the site may use any, and a/index.html. A host that is not known is taken to answer /a
// too; every server leads /a to /a/.
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
		return !s.hasFile(newRequest(e.Style().URLPath(file), only))
	})
}

func (s *Site) hasFile(r request) bool {
	file, _ := s.handling(r)
	return file != ""
}

// A request is a URL path as the handlings read it.
type request struct {
	urlPath string
	path    string // without the slash at the beginning, and without one at the end
	dir     bool   // there was a slash at the end, or it is the home page
	exists  func(file string) bool
}

func newRequest(urlPath string, exists func(string) bool) request {
	path, dir := strings.CutSuffix(strings.TrimPrefix(urlPath, "/"), "/")
	return request{urlPath: urlPath, path: path, dir: dir || path == "", exists: exists}
}

// ifExists returns a file if it exists.
func (r request) ifExists(file string) (found, to string) {
	if r.exists(file) {
		return file, ""
	}
	return "", ""
}

// serveIndex serves the index file of the path as a folder.
func (r request) serveIndex() (file, to string) {
	return r.ifExists(strings.TrimPrefix(r.path+"/index.html", "/"))
}

// hasIndex reports whether the path is a folder with an index file.
func (r request) hasIndex() bool {
	file, _ := r.serveIndex()
	return file != ""
}

// serveExact serves the path as a file.
func (r request) serveExact() (file, to string) {
	if r.dir {
		return "", ""
	}
	return r.ifExists(r.path)
}

// serveHTML serves the path as a file without its .html.
func (r request) serveHTML() (file, to string) {
	if r.path == "" {
		return "", ""
	}
	return r.ifExists(r.path + ".html")
}

// redirectToFolder leads to the path as a folder.
func (r request) redirectToFolder() (file, to string) {
	if r.hasIndex() && !r.dir {
		return "", r.urlPath + "/"
	}
	return "", ""
}

// redirectToFile leads to the path as a file without its .html.
func (r request) redirectToFile() (file, to string) {
	if file, _ = r.serveHTML(); file != "" && r.dir {
		return "", "/" + r.path
	}
	return "", ""
}

// firstOf returns the handling that does the first possible of several things.
func firstOf(ways ...fileHandler) fileHandler {
	return func(r request) (file, to string) {
		for _, way := range ways {
			if file, to = way(r); file != "" || to != "" {
				break
			}
		}
		return file, to
	}
}

// bySlash returns the handling that handles paths with and without a slash at the end in two
// ways.
func bySlash(with, without fileHandler) fileHandler {
	return func(r request) (file, to string) {
		if r.dir {
			return with(r)
		}
		return without(r)
	}
}

var (
	// plainFiles: nginx, S3 websites and plain file servers.
	plainFiles = bySlash(request.serveIndex, firstOf(request.serveExact, request.redirectToFolder))

	// githubFiles: GitHub Pages and Surge.
	githubFiles = bySlash(request.serveIndex, firstOf(request.serveExact, request.serveHTML, request.redirectToFolder))

	// prettyURLs: Netlify by default.
	prettyURLs = bySlash(firstOf(request.redirectToFile, request.serveIndex), githubFiles)

	// gitlabFiles: GitLab Pages, internal/serving/disk/reader.go. A folder comes before
	// the page of its name.
	gitlabFiles = bySlash(anyFile, firstOf(request.serveExact, request.redirectToFolder, request.serveHTML))

	// anyFile: Netlify without Pretty URLs, which serves a page at every spelling.
	anyFile = bySlash(firstOf(request.serveIndex, request.serveHTML), firstOf(request.serveExact, request.serveHTML, request.serveIndex))

	// anySpelling: Azure without trailingSlash, which serves a page at every spelling
	// but one: a file with a slash behind it.
	anySpelling = bySlash(firstOf(request.serveIndex, request.redirectToFile), anyFile)

	// exactOrIndex: Vercel without cleanUrls.
	exactOrIndex = firstOf(request.serveExact, request.serveIndex)
)

// isIndex reports whether a path without .html is that of an index file.
func isIndex(path string) bool { return path == "index" || strings.HasSuffix(path, "/index") }

// serveAzure serves files as Azure does with trailingSlash: each page has one address, which the
// style determines.
func (s *Site) serveAzure(r request) (file, to string) {
	file, _ = anyFile(r)
	if to = s.style.URLPath(file); file == "" || to == r.urlPath {
		return file, ""
	}
	return "", to
}

// serveCloudflare serves files as Cloudflare does. It works like serveAzure, but serves a page
// under the name of its file if another file has the address of the page. Pages: workers-sdk
// packages/pages-shared/asset-server/handler.ts, Workers:
// packages/workers-shared/asset-worker/src/handler.ts.
func (s *Site) serveCloudflare(r request) (file, to string) {
	file, to = s.serveAzure(r)
	if exact, _ := r.serveExact(); to != "" && exact != "" {
		if there, _ := s.serveCloudflare(newRequest(to, r.exists)); there != exact {
			return exact, ""
		}
	}
	return file, to
}

// pageEnding matches the end of a path that differs between the addresses of one page.
var pageEnding = regexp.MustCompile(`(/index\.html|/index|\.html|/)$`)

// serveWorkers serves files as Cloudflare Workers do. It redirects other names of a file to the
// address that serves the file. See safeRedirect in
// packages/workers-shared/asset-worker/src/handler.ts.
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

// A vercelServer is Vercel with the settings of vercel.json. The redirects are
// those of @vercel/routing-utils, convertCleanUrls and convertTrailingSlash.
type vercelServer struct{ clean, slash, noSlash bool }

func (v vercelServer) serve(r request) (file, to string) {
	switch to = v.respell(r); {
	case to != "":
		return "", to
	case v.clean:
		return anyFile(r)
	}
	return exactOrIndex(r)
}

// respell returns the path that the settings redirect to, without regard to files and rules.
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
