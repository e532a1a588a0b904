package hosting

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strings"
)

// RedirectLine returns what to write into which of the host's files for one URL
// path below the base to lead to another for good; to may be a whole URL. It is
// "" for a host that has no such file.
func (s *Site) RedirectLine(from, to string) (line, file string) {
	if s.host.redirectLine == nil {
		return "", ""
	}
	if strings.HasPrefix(to, "/") {
		to = s.encoded(to)
	}
	return s.host.redirectLine(s, from, to), s.host.redirectFile
}

// encoded returns a URL path percent-encoded.
func (s *Site) encoded(urlPath string) string {
	loc, err := s.origin.Loc(urlPath)
	if err != nil {
		return urlPath
	}
	return loc[len(s.origin.String())-1:]
}

// plainly writes what would begin a name or be a wildcard as a character.
var plainly = strings.NewReplacer(":", "%3A", "*", "%2A")

// underscoreLine is a line of _redirects, in which : and * are no characters.
func underscoreLine(s *Site, from, to string) string {
	return plainly.Replace(s.encoded(from)) + " " + to + " 301"
}

// cloudflareRedirect is a line of _redirects, which Cloudflare compares with the path
// as it is asked for, so that there is none for a path with a wildcard or a name.
func cloudflareRedirect(s *Site, from, to string) string {
	if strings.Contains(from, "*") || cloudflareName.MatchString(from) {
		return ""
	}
	return s.encoded(from) + " " + to + " 301"
}

var cloudflareName = regexp.MustCompile(`:[A-Za-z]`)

// gitlabLine is a line of _redirects with whole paths. GitLab compares the path as
// it stands with the decoded one, and every :name in the target stands for something.
// There is no line for a path with spaces, or with a segment that means more.
func gitlabLine(s *Site, from, to string) string {
	below := s.redirects.below
	if strings.HasPrefix(to, "/") {
		to = below + strings.ReplaceAll(to, ":", "%3A")
	}
	for segment := range strings.SplitSeq(from, "/") {
		if segment == "*" || gitlabName.MatchString(segment) || strings.ContainsAny(segment, "% \t") {
			return ""
		}
	}
	return below + from + " " + to + " 301"
}

// vercelLine is an element of "redirects", whose source is a pattern.
func vercelLine(s *Site, from, to string) string {
	source := regexp.MustCompile(`[(){}:*+?\\]`).ReplaceAllString(s.encoded(from), `\$0`)
	if strings.HasPrefix(to, "/") {
		to = strings.ReplaceAll(to, ":", "%3A")
	}
	return withJSON(`{"source": %s, "destination": %s, "permanent": true}`, source, to)
}

// firebaseLine is an element of "redirects", whose source is a glob. The server encodes
// the target itself; there is no line for one in which a % stands, or what would be a
// name or a query.
func firebaseLine(_ *Site, from, to string) string {
	plain, err := url.PathUnescape(to)
	if err != nil || strings.ContainsAny(plain, "%?#") || hasNames.MatchString(plain) {
		return ""
	}
	source := regexp.MustCompile(`[\\*?{}()\[\]!@+|]`).ReplaceAllString(from, `\$0`)
	return withJSON(`{"source": %s, "destination": %s, "type": 301}`, source, plain)
}

// azureLine is an element of "routes", which are compared with the path as it is asked
// for; a * is always a wildcard.
func azureLine(s *Site, from, to string) string {
	if strings.Contains(from, "*") {
		return ""
	}
	return withJSON(`{"route": %s, "redirect": %s, "statusCode": 301}`, s.encoded(from), to)
}

// nginxLine is a location, which is compared with the decoded path.
func nginxLine(_ *Site, from, to string) string {
	return fmt.Sprintf("location = %s { return 301 %s; }", quotedWord(from), quotedWord(strings.ReplaceAll(to, "$", "%24")))
}

// apacheLine is a directive for exactly one path; Redirect alone would take all
// below it, too. The server encodes the target itself, but for what it takes for
// a query or a fragment: then there is no such line.
func apacheLine(s *Site, from, to string) string {
	below := s.redirects.below
	if strings.HasPrefix(to, "/") {
		to = below + to
	}
	plain, err := url.PathUnescape(to)
	if err != nil || strings.ContainsAny(plain, "?#") {
		return ""
	}
	target := strings.NewReplacer(`\`, `\\`, "$", `\$`, "{", `\{`).Replace(plain)
	return fmt.Sprintf("RedirectMatch 301 %s %s", quotedWord("^"+regexp.QuoteMeta(below+from)+"$"), quotedWord(target))
}

// caddyLine is a directive with a matcher of one path, in which * is a wildcard.
func caddyLine(_ *Site, from, to string) string {
	return fmt.Sprintf("redir %s %s permanent", quotedWord(strings.NewReplacer("*", "%2A", " ", "%20").Replace(from)), strings.NewReplacer("{", "%7B", "}", "%7D").Replace(to))
}

// renderLine is an element of a static site's "routes", in which : and * are no
// characters.
func renderLine(s *Site, from, to string) string {
	if strings.HasPrefix(to, "/") {
		to = plainly.Replace(to)
	}
	return withJSON("- {type: redirect, source: %s, destination: %s}", plainly.Replace(s.encoded(from)), to)
}

// amplifyLine is an element of the list that the console takes.
func amplifyLine(s *Site, from, to string) string {
	return withJSON(`{"source": %s, "target": %s, "status": "301"}`, s.encoded(from), to)
}

// surgeLine is a line of ROUTER, in which a : begins a name.
func surgeLine(s *Site, from, to string) string {
	return "301 " + plainly.Replace(s.encoded(from)) + " " + to
}

// withJSON puts two texts, each as a string of JSON, into a line.
func withJSON(format, a, b string) string {
	first, _ := json.Marshal(a)
	second, _ := json.Marshal(b)
	return fmt.Sprintf(format, first, second)
}

// quotedWord puts a word in quotes where a server's configuration needs them.
func quotedWord(s string) string {
	if !strings.ContainsAny(s, " \"';{}#$\\\t") {
		return s
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}
