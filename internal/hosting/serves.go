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
	moveStatus int // the status of a redirect to another spelling
}

// A handling says what a host does with a request, without its rules: which file it
// serves with status 200, or to which URL path it redirects. Both are empty where it does
// neither.
type handling func(request) (file, to string)

// Serves returns the file of the publish directory that the host answers a URL
// path below the base with, when it does so with status 200 and without a
// redirect.
func (s *Site) Serves(urlPath string, exists func(file string) bool) (file string, ok bool) {
	if !strings.HasPrefix(urlPath, "/") {
		return "", false
	}
	r := newRequest(urlPath, s.deployed(exists))
	if file, _ = s.handling(r); file == "" {
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
		served, _ := s.handling(r)
		return served == ""
	})
}

// Ruled reports whether rules of the host decide over addresses.
func (s *Site) Ruled() bool {
	return len(s.redirects.rules)+len(s.headers.rules) > 0
}

// A request is a URL path as the handlings look at it.
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

// found returns a file if it is there.
func (r request) found(file string) (found, to string) {
	if r.exists(file) {
		return file, ""
	}
	return "", ""
}

// index serves the index file of the path as a folder.
func (r request) index() (file, to string) {
	if r.path == "" {
		return r.found("index.html")
	}
	return r.found(r.path + "/index.html")
}

// hasIndex reports whether the path is a folder with an index file.
func (r request) hasIndex() bool {
	file, _ := r.index()
	return file != ""
}

// exact serves the path as a file.
func (r request) exact() (file, to string) {
	if r.dir {
		return "", ""
	}
	return r.found(r.path)
}

// html serves the path as a file without its .html.
func (r request) html() (file, to string) {
	if r.path == "" {
		return "", ""
	}
	return r.found(r.path + ".html")
}

// toFolder leads to the path as a folder.
func (r request) toFolder() (file, to string) {
	if file, _ = r.index(); file != "" && !r.dir {
		return "", r.urlPath + "/"
	}
	return "", ""
}

// toFile leads to the path as a file without its .html.
func (r request) toFile() (file, to string) {
	if file, _ = r.html(); file != "" && r.dir {
		return "", "/" + r.path
	}
	return "", ""
}

// first does the first of several things that the host can do.
func first(ways ...handling) handling {
	return func(r request) (file, to string) {
		for _, way := range ways {
			if file, to = way(r); file != "" || to != "" {
				break
			}
		}
		return file, to
	}
}

// slashed handles a request in one way where there is a slash at the end, and in another
// elsewhere.
func slashed(with, without handling) handling {
	return func(r request) (file, to string) {
		if r.dir {
			return with(r)
		}
		return without(r)
	}
}

var (
	// plainFiles: nginx, S3 websites and plain file servers.
	plainFiles = slashed(request.index, first(request.exact, request.toFolder))

	// githubFiles: GitHub Pages and Surge.
	githubFiles = slashed(request.index, first(request.exact, request.html, request.toFolder))

	// prettyURLs: Netlify by default.
	prettyURLs = slashed(first(request.toFile, request.index), githubFiles)

	// gitlabFiles: GitLab Pages, internal/serving/disk/reader.go. A folder comes before
	// the page of its name.
	gitlabFiles = slashed(anyFile, first(request.exact, request.toFolder, request.html))

	// anyFile: Netlify without Pretty URLs, which serves a page at every spelling.
	anyFile = slashed(first(request.index, request.html), first(request.exact, request.html, request.index))

	// anySpelling: Azure without trailingSlash, which serves a page at every spelling
	// but one: a file with a slash behind it.
	anySpelling = slashed(first(request.index, request.toFile), anyFile)
)

// isIndex reports whether a path without .html is that of an index file.
func isIndex(path string) bool { return path == "index" || strings.HasSuffix(path, "/index") }

// ownAddress: Azure with trailingSlash, which serves a page at the one address that the
// style gives it.
func (s *Site) ownAddress(r request) (file, to string) {
	file, _ = anyFile(r)
	if to = s.style.URLPath(file); file == "" || to == r.urlPath {
		return file, ""
	}
	return "", to
}

// cloudflareFiles: Cloudflare, which does the same, but serves a page under the name of its
// file where another file has that address. Pages: workers-sdk
// packages/pages-shared/asset-server/handler.ts, Workers:
// packages/workers-shared/asset-worker/src/handler.ts.
func (s *Site) cloudflareFiles(r request) (file, to string) {
	file, to = s.ownAddress(r)
	if exact, _ := r.exact(); to != "" && exact != "" {
		if there, _ := s.cloudflareFiles(newRequest(to, r.exists)); there != exact {
			return exact, ""
		}
	}
	return file, to
}

// A vercelServer is Vercel with the settings of vercel.json. The redirects are
// those of @vercel/routing-utils, convertCleanUrls and convertTrailingSlash.
type vercelServer struct{ clean, slash, noSlash bool }

func (v vercelServer) serve(r request) (file, to string) {
	if to = v.respell(r); to != "" {
		return "", to
	}
	if v.clean {
		return anyFile(r)
	}
	return first(request.exact, request.index)(r)
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
