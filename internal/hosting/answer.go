package hosting

import (
	"net/http"
	"regexp"
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

var pageEnding = regexp.MustCompile(`(/index\.html|/index|\.html|/)$`)

// workersSpelling: Cloudflare Workers, which redirect a path to the address of the
// file that it means under another of its names, where they serve the file there.
// packages/workers-shared/asset-worker/src/handler.ts, safeRedirect.
func (s *Site) workersSpelling(r request) (file, to string) {
	bare := pageEnding.ReplaceAllString(r.urlPath, "")
	for _, file := range []string{bare + "/index.html", bare + ".html"} {
		to = s.style.URLPath(file[1:])
		if served, _ := s.cloudflareFiles(newRequest(to, r.exists)); "/"+served == file {
			return "", to
		}
	}
	return "", ""
}
