package hosting

import (
	"errors"
	"path"
	"regexp"
	"strings"

	"github.com/sitewalk/sitewalk/internal/glob"
)

// globPattern compiles a glob as minimatch 6 reads it, which Firebase's rules
// are matched with: * and ? within a segment, ** for segments, classes, braces,
// and the groups @(), ?(), *() and +(). A slash at the end of the path is
// forgiven, and a ! in front turns the whole around. !() cannot be matched in
// linear time. A wildcard stands for a dot in front of a name, too, which
// minimatch refuses: no page has such a name.
func globPattern(glob string) (pattern, error) {
	glob, not := strings.CutPrefix(glob, "!")
	clean := path.Join("/", glob)
	if strings.HasSuffix(glob, "/") && clean != "/" {
		clean += "/"
	}
	p, err := compileGlob(glob, clean, "/.*")
	p.not = not
	return p, err
}

// filePattern compiles a glob for the path of a file as glob 10 reads it, whose
// "ignore" firebase-tools finds the files with that are not deployed: as
// globPattern, but a ! in front is a character as any other, and a/** is the file a
// as well.
func filePattern(glob string) (pattern, error) {
	if strings.HasPrefix(glob, "/") {
		return pattern{}, errors.New("with a slash in front it names no file of the folder, and Firebase deploys them all")
	}
	return compileGlob(glob, path.Join("/", glob), "(?:/.*)?")
}

// compileGlob compiles a glob whose path is cleaned; below is what /** at its end stands
// for.
func compileGlob(text, clean, below string) (pattern, error) {
	if err := checkLength(text); err != nil {
		return pattern{}, err
	}
	all := glob.Choices(clean)
	switch {
	case all == nil:
		return pattern{}, errors.New("its braces are not closed, or stand for too many patterns")
	case braceRange.MatchString(clean):
		return pattern{}, errors.New("a range in braces is not followed; write its members with commas")
	case strings.Contains(clean, "!("):
		return pattern{}, errors.New("!(…) cannot be matched in linear time")
	}
	for i, one := range all {
		var err error
		if all[i], err = pathExpr(one, below); err != nil {
			return pattern{}, err
		}
	}
	return compile("^(?s:"+strings.Join(all, "|")+")$", nil)
}

var braceRange = regexp.MustCompile(`\{[^{},]*\.\.`)

// pathExpr is the expression of a glob without braces.
func pathExpr(glob, below string) (string, error) {
	path, isFolder := strings.CutSuffix(glob, "/**")
	out := ""
	for _, segment := range strings.Split(path, "/")[1:] {
		switch {
		case segment == "**":
			out += "(?:/[^/]+)*"
		case segment != "" && strings.Trim(segment, "*") == "":
			out += "/[^/]+"
		default:
			expr, err := segmentExpr(segment)
			if err != nil {
				return "", err
			}
			out += "/" + expr
		}
	}
	switch {
	case isFolder:
		return out + below, nil
	case strings.HasSuffix(path, "/"):
		return out, nil
	}
	return out + "/?", nil
}

// globToken is what means something in a segment of a glob, or a character.
var globToken = regexp.MustCompile(`[@?*+]\(|\*+|\[.[^\]]*\]|\\?(?s:.)`)

// segmentExpr is the expression of a segment that has more than stars.
func segmentExpr(segment string) (string, error) {
	var open []string // how often each of the groups may be there that are open
	expr := globToken.ReplaceAllStringFunc(segment, func(token string) string {
		inner := len(open) - 1
		switch {
		case len(token) > 1 && token[1] == '(' && token[0] != '\\':
			open = append(open, strings.TrimPrefix(token[:1], "@"))
			return "(?:"
		case token == "|" && inner >= 0:
			return token
		case token == ")" && inner >= 0:
			times := open[inner]
			open = open[:inner]
			return token + times
		case token[0] == '*':
			return "[^/]*"
		case token == "?":
			return "[^/]"
		case token[0] == '[' && len(token) > 1:
			return classExpr(token[1 : len(token)-1])
		}
		return regexp.QuoteMeta(strings.TrimPrefix(token, `\`))
	})
	if len(open) > 0 {
		return "", errors.New("a ( is not closed in its segment")
	}
	return expr, nil
}

// classExpr is the expression of [a-z] or [!a-z].
func classExpr(body string) string {
	not := ""
	if body[0] == '!' || body[0] == '^' {
		not, body = "^/", body[1:]
	}
	return "[" + not + strings.NewReplacer(`[`, `\[`, `^`, `\^`, `&`, `\&`).Replace(body) + "]"
}
