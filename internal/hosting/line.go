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
	if s == nil || s.host == nil {
		return "", ""
	}
	if strings.HasPrefix(to, "/") {
		to = s.encoded(to)
	}
	switch {
	case s.host.redirectLine != nil:
		return s.host.redirectLine(s, from, to), s.host.redirectFile
	case s.htaccess:
		return apacheLine(from, to), ".htaccess"
	}
	return "", ""
}

// encoded returns a URL path percent-encoded.
func (s *Site) encoded(urlPath string) string {
	loc, err := s.origin.Loc(urlPath)
	if err != nil {
		return urlPath
	}
	return loc[len(s.origin.String())-1:]
}

// underscoreLine is a line of _redirects, in which : and * are no characters.
func underscoreLine(s *Site, from, to string) string {
	return strings.NewReplacer(":", "%3A", "*", "%2A").Replace(s.encoded(from)) + " " + to + " 301"
}

// vercelLine is an element of "redirects", whose source is a pattern.
func vercelLine(s *Site, from, to string) string {
	quoted := regexp.MustCompile(`[(){}:*+?\\]`).ReplaceAllString(s.encoded(from), `\$0`)
	source, _ := json.Marshal(quoted)
	destination, _ := json.Marshal(strings.ReplaceAll(to, ":", "%3A"))
	if !strings.HasPrefix(to, "/") {
		destination, _ = json.Marshal(to)
	}
	return fmt.Sprintf(`{"source": %s, "destination": %s, "permanent": true}`, source, destination)
}

// nginxLine is a location, which is compared with the decoded path.
func nginxLine(_ *Site, from, to string) string {
	return fmt.Sprintf("location = %s { return 301 %s; }", quotedWord(from), quotedWord(strings.ReplaceAll(to, "$", "%24")))
}

// apacheLine is a directive for exactly one path; Redirect alone would take all
// below it, too. The server encodes the target itself, but for what it takes for
// a query or a fragment: then there is no such line.
func apacheLine(from, to string) string {
	plain, err := url.PathUnescape(to)
	if err != nil || strings.ContainsAny(plain, "?#") {
		return ""
	}
	target := strings.NewReplacer(`\`, `\\`, "$", `\$`, "{", `\{`).Replace(plain)
	return fmt.Sprintf("RedirectMatch 301 %s %s", quotedWord("^"+regexp.QuoteMeta(from)+"$"), quotedWord(target))
}

// quotedWord puts a word in quotes where a server's configuration needs them.
func quotedWord(s string) string {
	if !strings.ContainsAny(s, " \"';{}#$\\\t") {
		return s
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}
