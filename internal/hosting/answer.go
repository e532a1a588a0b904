package hosting

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
)

// Answer returns what the host sends for a URL path below the base: what its
// rules say, else a file, else a redirect to the spelling at which it serves the
// file, else 404.
func (s *Site) Answer(urlPath string, exists func(file string) bool) Verdict {
	if !strings.HasPrefix(urlPath, "/") {
		return Verdict{Status: http.StatusNotFound}
	}
	return s.answer(newRequest(urlPath, s.deployed(exists)))
}

func (s *Site) answer(r request) Verdict {
	to := s.respell(r)
	if to != "" && s.host.respellsFirst {
		return s.redirectTo(to)
	}
	if v := s.byRule(r); v.Status != 0 {
		return v
	}
	if file, ok := s.handling(r); ok {
		return Verdict{Status: http.StatusOK, File: file}
	}
	if to != "" {
		return s.redirectTo(to)
	}
	return Verdict{Status: http.StatusNotFound}
}

// redirectTo is the answer of the host itself, without a rule.
func (s *Site) redirectTo(to string) Verdict {
	return Verdict{To: to, Text: s.Name() + " serves the page there", Status: s.moveStatus}
}

// Unknown is a plain server of which nothing is known.
var Unknown = &Site{host: hostByName("none"), server: hostByName("none").server}

// addSlash: nginx, S3 websites, GitHub Pages.
func addSlash(r request) string {
	if r.dir {
		return ""
	}
	if _, ok := r.index(); ok {
		return r.urlPath + "/"
	}
	return ""
}

// noSlash: what Azure redirects without trailingSlash.
func noSlash(r request) string {
	if !r.dir {
		return ""
	}
	if _, ok := r.html(); ok {
		return "/" + r.path
	}
	return ""
}

// prettySlash: Netlify's Pretty URLs.
func prettySlash(r request) string { return cmp.Or(noSlash(r), addSlash(r)) }

// nowhere: a host that serves a page at each of its spellings, or at one alone.
func nowhere(request) string { return "" }

// dropHTML: Cloudflare Pages, workers-sdk
// packages/pages-shared/asset-server/handler.ts, and Workers by default.
func dropHTML(r request) string {
	file, isFile := r.exact()
	name, isHTML := strings.CutSuffix(file, ".html")
	switch {
	case r.dir:
	case isFile && isHTML, !isFile && isIndex(r.path):
		if dir, ok := strings.CutSuffix("/"+strings.TrimSuffix(r.path, ".html"), "/index"); ok {
			return dir + "/"
		}
		return "/" + name
	}
	return prettySlash(r)
}

// workersSpelling: Cloudflare Workers, which redirect a path to the address of the
// file that it means under another of its names, where they serve the file there.
// packages/workers-shared/asset-worker/src/handler.ts, safeRedirect.
func (s *Site) workersSpelling(r request) string {
	bare, ending := r.urlPath, ""
	for _, ending = range []string{"/index.html", "/index", ".html", "/"} {
		if cut, ok := strings.CutSuffix(r.urlPath, ending); ok {
			bare = cut
			break
		}
	}
	files := []string{bare + "/index.html", bare + ".html"}
	if ending == ".html" {
		slices.Reverse(files)
	}
	for _, file := range files {
		if file = file[1:]; file == ".html" || !r.exists(file) {
			continue
		}
		to := s.style.URLPath(file)
		if served, ok := s.handling(newRequest(to, r.exists)); ok && served == file && to != r.urlPath && !r.exists(to[1:]) {
			return to
		}
	}
	return ""
}
