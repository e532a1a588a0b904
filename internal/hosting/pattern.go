package hosting

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"path"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sitewalk/sitewalk/internal/glob"
)

const (
	maxPattern = 4096 // bytes, the limit of Vercel
	maxGroups  = 64   // wildcards and placeholders; with more a pattern could cost a millisecond a page
)

// A pattern matches the decoded paths of a rule, in time linear in the path.
type pattern struct {
	literal  string         // the path, if re and glob are nil
	isPrefix bool           // literal matches all paths below it, too; the rest is the one group
	re       *regexp.Regexp // of the whole path
	needs    string         // a part of every path that re matches
	names    []string       // of the groups of re, from 1
	unless   *regexp.Regexp // excludes the paths that it matches
	glob     *glob.Glob
	below    bool // glob matches what is below a folder
	not      bool // matches the paths that glob does not match

	dropsEmpty bool // in a target, drops the slash before an empty value
	squeezes   bool // in a target, joins slashes that follow each other

	in       string // the folder that the pattern is limited to, "" for all
	relative bool   // matches the path below in, without its first slash
	fileName bool   // matches the file name alone, index.html for a folder
}

// matchAll returns the pattern of all paths in a folder.
func matchAll(in string) pattern { return pattern{re: anyPath, in: in} }

var anyPath = regexp.MustCompile("")

// hasWildcard reports whether the pattern has to be compared with each path.
func (p *pattern) hasWildcard() bool {
	return p.re != nil || p.glob != nil && strings.ContainsAny(p.glob.Pattern, "*?[{")
}

// match returns the values of the pattern's groups.
func (p *pattern) match(path string) (values []string, ok bool) {
	if p.in != "" && path != p.in && !strings.HasPrefix(path, p.in+"/") {
		return nil, false
	}
	switch {
	case p.fileName:
		path = cmp.Or(path[strings.LastIndexByte(path, '/')+1:], "index.html")
	case p.relative && len(path) == len(p.in):
		return nil, false // Apache adds the folder's slash first
	case p.relative:
		path = path[len(p.in)+1:]
	}
	switch {
	case p.glob != nil:
		return nil, p.matchGlob(path) != p.not
	case p.isPrefix:
		rest, ok := strings.CutPrefix(path, p.literal)
		if !ok || rest != "" && rest[0] != '/' && !strings.HasSuffix(p.literal, "/") {
			return nil, false
		}
		return []string{rest}, true
	case p.re == nil:
		return nil, path == p.literal
	case !strings.Contains(path, p.needs), p.unless != nil && p.unless.MatchString(path):
		return nil, false
	}
	values = p.re.FindStringSubmatch(path)
	if values == nil {
		return nil, false
	}
	return values[1:], true
}

// matchGlob reports whether the glob matches a path. A slash at the end of the path makes no
// difference, unless the glob has one, too, or a folder's own path is below the folder.
func (p *pattern) matchGlob(path string) bool {
	switch bare, isFolder := strings.CutSuffix(path, "/"); {
	case p.below && isFolder:
		path += "index.html"
	case bare == "":
		return p.glob.Pattern == "/"
	case !strings.HasSuffix(p.glob.Pattern, "/"):
		path = bare
	}
	return p.glob.Match(path)
}

// fill returns a target with the values of the pattern's groups in place of their names,
// ":name", and numbers, "$1".
func (p *pattern) fill(to string, values []string) string {
	to = targetName.ReplaceAllStringFunc(to, func(use string) string {
		m := targetName.FindStringSubmatch(use)
		slash, number := m[1], m[3]
		i, rest := slices.Index(p.names, m[2]+number), ""
		for end := len(number); end > 0 && i < 0; end-- { // $12 is $1 and a 2 if there are no twelve groups
			if n, err := strconv.Atoi(number[:end]); err == nil && n <= len(values) {
				i, rest = n-1, number[end:]
			}
		}
		switch {
		case i < 0 || i >= len(values):
			return use
		case values[i] == "" && p.dropsEmpty:
			return rest
		}
		return slash + values[i] + rest
	})
	if !p.squeezes {
		return to
	}
	scheme, rest, isURL := strings.Cut(to, "://")
	if !isURL {
		return slashes.ReplaceAllString(to, "/")
	}
	return scheme + "://" + slashes.ReplaceAllString(rest, "/")
}

var slashes = regexp.MustCompile("//+")

// targetName finds a name or a number in a target, with a slash before it, and with how often
// a name may be there.
var targetName = regexp.MustCompile(`(/?)(?::(\w+)[*+?]*|\$(\d+|\w+))`)

// compile returns the pattern of a regular expression.
func compile(expr string, names []string) (pattern, error) {
	parsed, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return pattern{}, fmt.Errorf("it cannot be matched in linear time: %w", err)
	}
	if n := parsed.MaxCap(); n > maxGroups {
		return pattern{}, fmt.Errorf("it has %d groups, wildcards and placeholders; more than %d are not followed", n, maxGroups)
	}
	re, err := regexp.Compile(expr)
	return pattern{re: re, names: names, needs: requiredText(parsed)}, err
}

// requiredText returns the longest text that every match of re contains.
func requiredText(re *syntax.Regexp) (longest string) {
	switch re.Op {
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase == 0 {
			return string(re.Rune)
		}
	case syntax.OpCapture, syntax.OpPlus:
		return requiredText(re.Sub[0])
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			if text := requiredText(sub); len(text) > len(longest) {
				longest = text
			}
		}
	}
	return longest
}

// compileWithin is compile for an expression that may match anywhere in a path. The whole
// match is its first group.
func compileWithin(expr string) (pattern, error) {
	if p, err := compile(expr, nil); err != nil { // reports parentheses of the user alone
		return p, err
	}
	return compile("("+expr+")", nil)
}

// checkLength returns an error for a pattern that no host accepts, or that is too expensive to
// match.
func checkLength(s string) error {
	if s == "" || len(s) > maxPattern {
		return fmt.Errorf("it must have 1 to %d characters", maxPattern)
	}
	if n := strings.Count(s, "*"); n > maxGroups {
		return fmt.Errorf("it has %d wildcards; more than %d are not followed", n, maxGroups)
	}
	return nil
}

// checkPath is checkLength for a path.
func checkPath(path string) error {
	if !strings.HasPrefix(path, "/") {
		return errors.New("it must be a path that begins with a slash")
	}
	return checkLength(path)
}

// A notation is how a host writes the paths of its rules.
type notation struct {
	token *regexp.Regexp    // wildcards and placeholders
	wild  map[string]string // the expression of each wildcard; a placeholder matches a segment
	end   string            // an expression of what may follow the path
	fold  bool              // ignores case
}

var (
	// netlifyPath: a wildcard at the end of a path also matches the folder itself. Placeholders
	// are whole segments.
	netlifyPath   = notation{token: regexp.MustCompile(`/\*$|\*|/:[^/]+`), wild: map[string]string{"/*": "(?:/(.*))?", "*": "(.*)"}, end: "/?"}
	netlifyHeader = notation{token: netlifyPath.token, wild: netlifyPath.wild, end: "/?", fold: true}

	cloudflarePath = notation{token: regexp.MustCompile(`\*|:[A-Za-z]\w*`), wild: map[string]string{"*": "(.*)"}}

	renderPath = notation{token: regexp.MustCompile(`\*|:[A-Za-z_]\w*`), wild: map[string]string{"*": "(.*)"}}
	// renderHeader: ** matches folders, and a * matches text without a slash, but for one at the
	// end.
	renderHeader = notation{token: regexp.MustCompile(`/\*$|\*\*|\*`), wild: map[string]string{"/*": "/.*", "**": "[^/]+(?:/[^/]+)*", "*": "[^/]*"}}

	amplifyPath = notation{token: regexp.MustCompile(`/\*\*/|\*\*|\*`), wild: map[string]string{"/**/": "/(?:.*/)?", "**": ".*", "*": "[^/]*"}}
)

// compile returns the pattern of a path. The groups of wildcards are called splat.
func (n *notation) compile(path string) (pattern, error) {
	if err := checkPath(path); err != nil {
		return pattern{}, err
	}
	tokens := n.token.FindAllStringIndex(path, -1)
	if tokens == nil && !n.fold {
		return pattern{literal: decodePath(path)}, nil
	}
	var expr strings.Builder
	var names []string
	from := 0
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
		return compile("(?i)^(?s:"+expr.String()+")"+n.end+"$", names)
	}
	return compile("^(?s:"+expr.String()+")"+n.end+"$", names)
}

// braceRange finds a range in braces, which minimatch expands and doublestar does not.
var braceRange = regexp.MustCompile(`\{[^{},]*\.\.`)

// extGlob matches an extended glob, such as @(a|b), that braces can replace.
var extGlob = regexp.MustCompile(`([@?])\(([^()/]*)\)`)

// otherExtGlob matches the start of an extended glob that braces cannot replace.
var otherExtGlob = regexp.MustCompile(`[!+*@?]\(`)

// globPattern compiles a glob of Firebase's rules, which minimatch 6 reads. A ! in front inverts
// the glob.
func globPattern(text string) (pattern, error) {
	text, not := strings.CutPrefix(text, "!")
	clean := cleanGlob(text)
	folder, below := strings.CutSuffix(clean, "/**")
	if below {
		clean = folder + "/**/*" // not the folder itself
	}
	p, err := compileGlob(text, clean)
	p.below, p.not = below, not
	return p, err
}

// filePattern compiles a glob for the path of a file as firebase-tools reads "ignore".
func filePattern(text string) (pattern, error) {
	if strings.HasPrefix(text, "/") {
		return pattern{}, errors.New("with a slash in front it names no file of the folder, and Firebase deploys them all")
	}
	return compileGlob(text, strings.TrimSuffix(cleanGlob(text), "/"))
}

var nestedStars = regexp.MustCompile(`(/\*\*)+(/|$)`)

// cleanGlob returns a glob without dot segments and needless stars.
func cleanGlob(text string) string {
	clean := path.Join("/", text)
	if strings.HasSuffix(text, "/") && clean != "/" {
		clean += "/"
	}
	return nestedStars.ReplaceAllString(clean, "/**$2")
}

// compileGlob compiles a glob whose path is cleaned.
func compileGlob(text, clean string) (pattern, error) {
	if err := checkLength(text); err != nil {
		return pattern{}, err
	}
	clean = extGlob.ReplaceAllStringFunc(clean, func(group string) string {
		choices := strings.ReplaceAll(group[2:len(group)-1], "|", ",")
		if group[0] == '?' {
			choices += ","
		}
		return "{" + choices + "}"
	})
	switch {
	case braceRange.MatchString(clean):
		return pattern{}, errors.New("a range in braces is not followed; write its members with commas")
	case otherExtGlob.MatchString(clean):
		return pattern{}, errors.New("!(…), +(…) and *(…) are not followed")
	}
	g, err := glob.New(clean)
	if err != nil {
		return pattern{}, err
	}
	return pattern{glob: &g}, nil
}

// decodePath returns a piece of a path without its percent-encodings. It returns s if they
// encode no text, or a slash.
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
