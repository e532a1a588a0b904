package hosting

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	maxPattern = 4096 // maximum length of a pattern in bytes, as on Vercel
	maxGroups  = 64   // maximum number of groups, wildcards and placeholders; more would make matching slow
)

// A pattern is a condition on decoded URL paths. It is a literal path or a regular expression.
type pattern struct {
	literal       string         // the path to match if re is nil
	matchesBelow  bool           // Apache's Redirect: literal also matches all paths below; group 1 is the rest of the path
	optionalSlash bool           // Firebase, Netlify: literal also matches the path with an additional slash at the end
	re            *regexp.Regexp // expression for the path; it may match only a part of the path
	names         []string       // names of the groups of re, beginning with group 0, the whole match; may be nil
	unless        *regexp.Regexp // the pattern does not match a path that unless matches; may be nil

	// The fields below change the result of fillTarget.

	dropsEmptyValues   bool // Firebase: remove the slash before an empty value
	joinsSlashes       bool // GitLab: replace several slashes by one slash
	dropsUnknownGroups bool // Apache: remove the number of a group that does not exist

	// The fields below are for rules in .htaccess files.

	folder              string // match only this folder and all paths below: "/blog"; "" for all paths
	matchesRelativePath bool   // RewriteRule: match the part of the path after the folder and its slash
	matchesFileName     bool   // <Files>: match only the last segment of the path, or "index.html" if the path ends in a slash
}

// folderPattern returns the pattern that matches folder and all paths below. If folder is "", the
// pattern matches all paths.
func folderPattern(folder string) pattern { return pattern{re: anyPath, folder: folder} }

var anyPath = regexp.MustCompile("")

// match reports whether p matches path, and returns the values of the groups in p. Group 0 is the
// whole match. values is nil for a literal path, unless matchesBelow is true.
func (p *pattern) match(path string) (values []string, ok bool) {
	if p.folder != "" && path != p.folder && !strings.HasPrefix(path, p.folder+"/") {
		return nil, false
	}
	switch {
	case p.matchesFileName:
		path = cmp.Or(path[strings.LastIndexByte(path, '/')+1:], "index.html")
	case p.matchesRelativePath && len(path) == len(p.folder):
		return nil, false // Apache adds the folder's slash first
	case p.matchesRelativePath:
		path = path[len(p.folder)+1:]
	}
	switch {
	case p.matchesBelow:
		rest, ok := strings.CutPrefix(path, p.literal)
		if !ok || rest != "" && rest[0] != '/' && !strings.HasSuffix(p.literal, "/") {
			return nil, false
		}
		return []string{path, rest}, true
	case p.re == nil:
		return nil, path == p.literal || p.optionalSlash && path == p.literal+"/"
	case p.unless != nil && p.unless.MatchString(path):
		return nil, false
	}
	values = p.re.FindStringSubmatch(path)
	return values, values != nil
}

// fillTarget replaces the placeholders in the target of a rule, and returns the result. For
// example, "/b/:name" becomes "/b/x" if the group "name" has the value "x". values is the result of
// match. In "$12", the placeholder is "$1", and "2" is text. A placeholder for an unknown group
// stays unchanged. However, if p.dropsUnknownGroups is true, fillTarget removes an unknown number
// such as "$5".
func (p *pattern) fillTarget(target string, values []string) string {
	target = targetName.ReplaceAllStringFunc(target, func(use string) string {
		m := targetName.FindStringSubmatch(use)
		slash, name, digit := m[1], m[2]+m[4], m[3]
		i := slices.Index(p.names, name)
		if digit != "" {
			i = int(digit[0] - '0')
		}
		switch {
		case digit != "" && i >= len(values) && p.dropsUnknownGroups:
			return slash
		case i < 0 || i >= len(values):
			return use
		case values[i] == "" && p.dropsEmptyValues:
			return ""
		}
		return slash + values[i]
	})
	if !p.joinsSlashes {
		return target
	}
	scheme, rest, isURL := strings.Cut(target, "://")
	if !isURL {
		return slashes.ReplaceAllString(target, "/")
	}
	return scheme + "://" + slashes.ReplaceAllString(rest, "/")
}

var slashes = regexp.MustCompile("//+")

// targetName matches a placeholder such as ":name", "$name" or "$1" in the target of a rule. The
// match includes a slash before the placeholder, and a modifier such as * after ":name". Groups 2
// and 4 are the name, and group 3 is the digit.
var targetName = regexp.MustCompile(`(/?)(?::(\w+)[*+?]*|\$(?:(\d)|(\w+)))`)

// compileRegexp returns a pattern for the regular expression expr. names contains the names of its
// groups, beginning with group 0; it is nil if no group has a name. compileRegexp returns an error
// if expr is invalid, has a lookaround, or has more than maxGroups groups.
func compileRegexp(expr string, names []string) (pattern, error) {
	re, err := regexp.Compile(expr)
	if err != nil {
		return pattern{}, fmt.Errorf("it cannot be matched in linear time: %w", err)
	}
	if n := re.NumSubexp(); n > maxGroups {
		return pattern{}, fmt.Errorf("it has %d groups, wildcards and placeholders; more than %d are not followed", n, maxGroups)
	}
	return pattern{re: re, names: names}, nil
}

// checkPatternLength returns an error if s, the text of a pattern, is empty, is longer than
// maxPattern, or has more than maxGroups characters "*".
func checkPatternLength(s string) error {
	if s == "" || len(s) > maxPattern {
		return fmt.Errorf("it must have 1 to %d characters", maxPattern)
	}
	if n := strings.Count(s, "*"); n > maxGroups {
		return fmt.Errorf("it has %d wildcards; more than %d are not followed", n, maxGroups)
	}
	return nil
}

// checkPathPattern is like checkPatternLength, but also returns an error if path does not begin
// with a slash.
func checkPathPattern(path string) error {
	if !strings.HasPrefix(path, "/") {
		return errors.New("it must be a path that begins with a slash")
	}
	return checkPatternLength(path)
}

// A notation is the syntax of URL paths with wildcards and placeholders in the rules of a host.
type notation struct {
	token *regexp.Regexp    // matches one wildcard or placeholder
	wild  map[string]string // regular expression of each wildcard; a placeholder matches text without a slash
	end   string            // regular expression of an optional end of a path: "/?"
	fold  bool              // ignore case
}

var (
	// netlifyPath is the syntax of paths on Netlify. "/blog/*" matches "/blog" and all paths below.
	// A placeholder such as :name is a whole segment. netlifyHeader is the same syntax, but ignores
	// case.
	netlifyPath   = notation{token: regexp.MustCompile(`/\*$|\*|/:[^/]+`), wild: map[string]string{"/*": "(?:/(.*))?", "*": "(.*)"}, end: "/?"}
	netlifyHeader = notation{token: netlifyPath.token, wild: netlifyPath.wild, end: "/?", fold: true}

	cloudflarePath = notation{token: regexp.MustCompile(`\*|:[A-Za-z]\w*`), wild: map[string]string{"*": "(.*)"}}

	renderPath = notation{token: regexp.MustCompile(`\*|:[A-Za-z_]\w*`), wild: map[string]string{"*": "(.*)"}}
	// renderHeader is the syntax of paths for headers on Render. "**" matches one or more segments.
	// "*" matches text without a slash. However, "/*" at the end of a path also matches slashes.
	renderHeader = notation{token: regexp.MustCompile(`/\*$|\*\*|\*`), wild: map[string]string{"/*": "/.*", "**": "[^/]+(?:/[^/]+)*", "*": "[^/]*"}}

	amplifyPath = notation{token: regexp.MustCompile(`/\*\*/|\*\*|\*`), wild: map[string]string{"/**/": "/(?:.*/)?", "**": ".*", "*": "[^/]*"}}
)

// compile returns the pattern of path in the syntax n. A placeholder such as :year becomes a group
// with the name "year". A wildcard becomes a group with the name "splat" if its regular expression
// in n.wild has a group. compile returns an error if path has no leading slash, or if path or its
// number of wildcards and placeholders exceeds a limit.
func (n *notation) compile(path string) (pattern, error) {
	if err := checkPathPattern(path); err != nil {
		return pattern{}, err
	}
	tokens := n.token.FindAllStringIndex(path, -1)
	if tokens == nil && !n.fold {
		return pattern{literal: decodePath(path), optionalSlash: n.end != ""}, nil
	}
	var expr strings.Builder
	names, from := []string{""}, 0
	for _, at := range tokens {
		expr.WriteString(regexp.QuoteMeta(decodePath(path[from:at[0]])))
		token := path[at[0]:at[1]]
		if wild, ok := n.wild[token]; ok {
			expr.WriteString(wild)
			names = append(names, "splat")
		} else {
			slash, name, _ := strings.Cut(token, ":")
			expr.WriteString(slash + "([^/]+)")
			names = append(names, name)
		}
		from = at[1]
	}
	expr.WriteString(regexp.QuoteMeta(decodePath(path[from:])))
	if n.fold {
		return compileRegexp("(?i)^(?s:"+expr.String()+")"+n.end+"$", names)
	}
	return compileRegexp("^(?s:"+expr.String()+")"+n.end+"$", names)
}

// decodePath decodes the percent-encodings in s, a part of a path: "a%20b" becomes "a b". It
// returns s unchanged if an encoding is invalid, or if the result would contain an additional
// slash, as for "a%2Fb", or would not be valid UTF-8.
func decodePath(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	t, err := url.PathUnescape(s)
	if err != nil || !utf8.ValidString(t) || strings.Count(t, "/") != strings.Count(s, "/") {
		return s
	}
	return t
}
