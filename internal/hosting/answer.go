package hosting

import (
	"net/http"
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
	if len(s.redirects.rules) > 0 {
		if v, answers := s.byRule(urlPath, exists); answers {
			return ruled(v)
		}
	}
	if file, ok := s.handling(s, urlPath, exists); ok {
		return Answer{Status: http.StatusOK, File: file}
	}
	if to := s.respell(s, urlPath, exists); to != "" {
		return Answer{Verdict: Verdict{To: to, Text: s.Name() + " serves the page there"}, Status: s.moved}
	}
	return Answer{Status: http.StatusNotFound}
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

// respelled returns the spelling of a path that the handling serves, of those
// without .html, without index, and with and without a slash. It is how
// Cloudflare and Vercel lead from all of them to one.
func respelled(s *Site, urlPath string, exists func(string) bool) string {
	r := newRequest(urlPath, exists)
	bare := strings.TrimSuffix(r.path, ".html")
	if dir, ok := strings.CutSuffix(bare, "index"); ok && (dir == "" || strings.HasSuffix(dir, "/")) {
		bare = strings.TrimSuffix(dir, "/")
	}
	ways := []string{"/" + bare + "/", "/" + bare}
	if bare == "" {
		ways = ways[:1]
		ways[0] = "/"
	}
	for _, to := range ways {
		if to == urlPath {
			continue
		}
		if _, ok := s.handling(s, to, exists); ok {
			return to
		}
	}
	return ""
}
