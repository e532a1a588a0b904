package hosting

import (
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
	file, to := s.handling(r)
	if to != "" && s.host.respellsFirst {
		return s.redirectTo(to)
	}
	if v := s.byRule(r); v.Status != 0 {
		return v
	}
	switch {
	case file != "":
		return Verdict{Status: http.StatusOK, File: file}
	case to != "":
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

// workers handles requests as Cloudflare Workers do, which serve files in one of several
// ways.
func (s *Site) workers(serve handling) handling {
	return func(r request) (file, to string) {
		if file, _ = serve(r); file != "" {
			return file, ""
		}
		return "", s.workersSpelling(r, serve)
	}
}

// workersSpelling: Cloudflare Workers, which redirect a path to the address of the
// file that it means under another of its names, where they serve the file there.
// packages/workers-shared/asset-worker/src/handler.ts, safeRedirect.
func (s *Site) workersSpelling(r request, serve handling) string {
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
		if served, _ := serve(newRequest(to, r.exists)); served == file && to != r.urlPath && !r.exists(to[1:]) {
			return to
		}
	}
	return ""
}
