package hosting

import (
	"net/http"
	"slices"
	"strings"
)

// An Answer is what the host sends for a URL path.
type Answer struct {
	Verdict        // the rule that decided, if one did; To is where a redirect leads
	Status  int    // 200, 301, 404 …
	File    string // of the publish directory, with status 200; "" when a rule serves something else
}

// Answer returns what the host sends for a URL path below the base: what its
// rules say, else a file, else a redirect to the spelling at which it serves the
// file, else 404.
func (s *Site) Answer(urlPath string, exists func(file string) bool) Answer {
	if s == nil {
		s = unknownSite
	}
	if !strings.HasPrefix(urlPath, "/") {
		return Answer{Status: http.StatusNotFound}
	}
	exists = s.deployed(exists)
	if to := s.respell(s, urlPath, exists); to != "" && s.host.respellsFirst {
		return s.respelled(to)
	}
	if len(s.redirects.rules) > 0 {
		if v, answers := s.byRule(urlPath, exists); answers {
			return ruled(v)
		}
	}
	if file, ok := s.handling(s, urlPath, exists); ok {
		return Answer{Status: http.StatusOK, File: file}
	}
	if to := s.respell(s, urlPath, exists); to != "" {
		return s.respelled(to)
	}
	return Answer{Status: http.StatusNotFound}
}

// respelled is the answer of the host itself, without a rule.
func (s *Site) respelled(to string) Answer {
	return Answer{Verdict: Verdict{To: to, Text: s.Name() + " serves the page there", Status: s.moved}, Status: s.moved}
}

// ruled is the answer that a rule gives.
func ruled(v Verdict) Answer {
	switch {
	case v == Verdict{}:
		return Answer{Status: http.StatusOK}
	case v.Status == 0: // a rule that is no redirect and names no status is not known to be one
		v.Status = http.StatusNotFound
	}
	return Answer{Verdict: v, Status: v.Status}
}

// unknownSite is a plain server.
var unknownSite = &Site{host: hostByName("none"), handling: plainFiles, respell: addSlash, moved: 301}

// A respelling says to which URL path a host redirects one that it does not
// serve itself, "" when it does not. It does not look at the host's rules.
type respelling func(s *Site, urlPath string, exists func(string) bool) string

// addSlash: nginx, S3 websites, GitHub Pages.
func addSlash(_ *Site, urlPath string, exists func(string) bool) string {
	r := newRequest(urlPath, exists)
	if _, ok := r.index(); ok && !r.dir {
		return urlPath + "/"
	}
	return ""
}

// prettySlash: Netlify's Pretty URLs.
func prettySlash(s *Site, urlPath string, exists func(string) bool) string {
	if r := newRequest(urlPath, exists); r.dir {
		if _, ok := r.html(); ok {
			return "/" + r.path
		}
	}
	return addSlash(s, urlPath, exists)
}

// nowhere: a host that serves a page at each of its spellings, or at one alone.
func nowhere(*Site, string, func(string) bool) string { return "" }

// dropHTML: Cloudflare Pages, workers-sdk
// packages/pages-shared/asset-server/handler.ts, and Workers by default.
func dropHTML(s *Site, urlPath string, exists func(string) bool) string {
	r := newRequest(urlPath, exists)
	file, isFile := r.exact()
	name, isHTML := strings.CutSuffix(file, ".html")
	switch {
	case r.dir:
		return prettySlash(s, urlPath, exists)
	case isFile && isHTML, !isFile && isIndex(r.path):
		if dir, ok := strings.CutSuffix("/"+strings.TrimSuffix(r.path, ".html"), "/index"); ok {
			return dir + "/"
		}
		return "/" + name
	}
	return addSlash(s, urlPath, exists)
}

// workersSpelling: Cloudflare Workers, which redirect a path to the address of the
// file that it means under another of its names, where they serve the file there.
// packages/workers-shared/asset-worker/src/handler.ts, safeRedirect.
func workersSpelling(s *Site, urlPath string, exists func(string) bool) string {
	bare, ending := urlPath, ""
	for _, ending = range []string{"/index.html", "/index", ".html", "/"} {
		if cut, ok := strings.CutSuffix(urlPath, ending); ok {
			bare = cut
			break
		}
	}
	files := []string{bare + "/index.html", bare + ".html"}
	if ending == ".html" {
		slices.Reverse(files)
	}
	for _, file := range files {
		if file = file[1:]; file == ".html" || !exists(file) {
			continue
		}
		to := s.style.URLPath(file)
		if served, ok := s.handling(s, to, exists); ok && served == file && to != urlPath && !exists(to[1:]) {
			return to
		}
	}
	return ""
}

// respell is what the settings of vercel.json lead to, whatever files and rules
// there are; see redirects.
func (v vercelServer) respell(_ *Site, urlPath string, exists func(string) bool) string {
	r := newRequest(urlPath, exists)
	slash := func(path string) string {
		if v.slash && path != "" {
			path += "/"
		}
		return "/" + path
	}
	if v.clean {
		bare, isHTML := strings.CutSuffix(r.path, ".html")
		if dir, ok := strings.CutSuffix("/"+bare, "/index"); ok {
			return slash(strings.TrimPrefix(dir, "/"))
		}
		if isHTML {
			return slash(bare)
		}
	}
	switch {
	case !v.redirects(r):
		return ""
	case r.dir:
		return "/" + r.path
	}
	return "/" + r.path + "/"
}
