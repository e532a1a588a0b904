package hosting

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"strings"
)

// maxAlternatives is how many globs the braces of one may stand for.
const maxAlternatives = 256

// globPattern compiles a glob as minimatch 6 reads it, which Firebase's rules
// are matched with: * and ? within a segment, ** for segments, classes, braces,
// and the groups @(), ?(), *() and +(). A segment that begins with a dot is
// matched by a dot only, a slash at the end of the path is forgiven, and a ! in
// front turns the whole around. !() cannot be matched in linear time.
func globPattern(glob string) (pattern, error) {
	glob, not := strings.CutPrefix(glob, "!")
	if err := checkLength(glob); err != nil {
		return pattern{}, err
	}
	clean := path.Join("/", glob)
	if strings.HasSuffix(glob, "/") && clean != "/" {
		clean += "/"
	}
	out, err := globber{}.pattern(clean)
	if not {
		out.not = true
	}
	return out, err
}

// filePattern compiles a glob for the path of a file as glob 10 reads it, whose
// "ignore" firebase-tools finds the files with that are not deployed: as
// globPattern, but a dot is a character as any other, a ! in front too, and a/** is
// the file a as well.
func filePattern(glob string) (pattern, error) {
	if err := checkLength(glob); err != nil {
		return pattern{}, err
	}
	if glob[0] == '/' {
		return pattern{}, errors.New("with a slash in front it names no file of the folder, and Firebase deploys them all")
	}
	return globber{dots: true}.pattern(path.Join("/", glob))
}

// pattern compiles a glob that begins with a slash.
func (g globber) pattern(glob string) (pattern, error) {
	all, err := braces(glob)
	if err != nil {
		return pattern{}, err
	}
	for i, one := range all {
		if all[i], err = g.path(one); err != nil {
			return pattern{}, err
		}
	}
	return compile("^(?s:"+strings.Join(all, "|")+")$", nil)
}

// braces returns the globs that one with braces stands for: a{b,c} is ab and ac.
func braces(glob string) ([]string, error) {
	from := -1
	depth, commas := 0, []int(nil)
	for i := 0; i < len(glob); i++ {
		switch c := glob[i]; {
		case c == '\\':
			i++
		case c == '{':
			if depth++; depth == 1 {
				from, commas = i, []int{i}
			}
		case c == ',' && depth == 1:
			commas = append(commas, i)
		case c == '}' && depth > 0:
			if depth--; depth > 0 {
				break
			}
			if len(commas) > 1 {
				return alternatives(glob, append(commas, i))
			}
			if strings.Contains(glob[from:i], "..") {
				return nil, errors.New("a range in braces is not followed; write its members with commas")
			}
		}
	}
	return []string{glob}, nil
}

// alternatives puts each part between the marks into the place of them all.
func alternatives(glob string, marks []int) (all []string, err error) {
	for i, m := range marks[:len(marks)-1] {
		more, err := braces(glob[:marks[0]] + glob[m+1:marks[i+1]] + glob[marks[len(marks)-1]+1:])
		if err != nil {
			return nil, err
		}
		if all = append(all, more...); len(all) > maxAlternatives {
			return nil, fmt.Errorf("its braces stand for more than %d patterns", maxAlternatives)
		}
	}
	return all, nil
}

// A globber turns a glob without braces into a regular expression.
type globber struct {
	rest string
	dots bool // wildcards stand for a dot that a segment begins with, too
}

// first is what a wildcard stands for where a segment begins.
func (g *globber) first() string {
	if g.dots {
		return "[^/]"
	}
	return "[^/.]"
}

// path is the expression of a whole glob.
func (g *globber) path(glob string) (string, error) {
	name := g.first() + `[^/]*`
	var out strings.Builder
	segments := strings.Split(glob[1:], "/")
	for i, s := range segments {
		last := i == len(segments)-1
		switch {
		case s == "**" && last && !g.dots: // with dots, a file a is one of a/**, too
			out.WriteString("/(?:" + name + "/)*(?:" + name + ")?")
			continue
		case s == "**":
			out.WriteString("(?:/" + name + ")*")
			continue
		}
		g.rest = s
		expr, err := g.segment(true, "")
		if err != nil {
			return "", err
		}
		out.WriteString("/" + expr)
		if last && s != "" {
			out.WriteString("/?")
		}
	}
	return out.String(), nil
}

// segment is the expression of what is left of a segment, up to one of the
// characters of end. At its start a wildcard stands for no dot.
func (g *globber) segment(start bool, end string) (string, error) {
	var out strings.Builder
	for g.rest != "" && !strings.ContainsRune(end, rune(g.rest[0])) {
		c := g.rest[0]
		if len(g.rest) > 1 && g.rest[1] == '(' && strings.IndexByte("!@?*+", c) >= 0 {
			expr, err := g.group(c)
			if err != nil {
				return "", err
			}
			out.WriteString(expr)
			start = false
			continue
		}
		switch c {
		case '*':
			g.rest = strings.TrimLeft(g.rest, "*")
			if !start {
				out.WriteString("[^/]*")
				continue
			}
			return g.star(out.String(), end)
		case '?':
			g.rest = g.rest[1:]
			out.WriteString(map[bool]string{true: g.first(), false: "[^/]"}[start])
		case '[':
			out.WriteString(g.class())
		case '\\':
			g.rest = g.rest[1:]
			fallthrough
		default:
			out.WriteString(regexp.QuoteMeta(g.rest[:min(1, len(g.rest))]))
			g.rest = g.rest[min(1, len(g.rest)):]
		}
		start = false
	}
	return out.String(), nil
}

// star is the expression of a segment that begins with a *, which may be empty
// when something else follows that is no dot.
func (g *globber) star(before, end string) (string, error) {
	rest := g.rest
	with, err := g.segment(false, end)
	if err != nil {
		return "", err
	}
	with = before + g.first() + "[^/]*" + with
	if rest == "" || !g.dots && (rest[0] == '.' || strings.HasPrefix(rest, `\.`)) || end != "" && strings.ContainsRune(end, rune(rest[0])) {
		return with, nil
	}
	after := g.rest
	g.rest = rest
	without, err := g.segment(true, end)
	g.rest = after
	return "(?:" + with + "|" + before + without + ")", err
}

// group is the expression of @(a|b) and its like.
func (g *globber) group(kind byte) (string, error) {
	if kind == '!' {
		return "", errors.New("!(…) cannot be matched in linear time")
	}
	g.rest = g.rest[2:]
	var parts []string
	for {
		part, err := g.segment(false, "|)")
		if err != nil {
			return "", err
		}
		parts = append(parts, part)
		if g.rest == "" {
			return "", errors.New("a ( is not closed in its segment")
		}
		ends := g.rest[0] == ')'
		g.rest = g.rest[1:]
		if ends {
			break
		}
	}
	return "(?:" + strings.Join(parts, "|") + ")" + strings.TrimPrefix(string(kind), "@"), nil
}

// class is the expression of [a-z] or [!a-z]; a bracket that is not closed stands
// for itself.
func (g *globber) class() string {
	end := strings.IndexByte(g.rest[min(2, len(g.rest)):], ']')
	if end < 0 {
		g.rest = g.rest[1:]
		return `\[`
	}
	body := g.rest[1 : end+2]
	g.rest = g.rest[end+3:]
	not := ""
	if body[0] == '!' || body[0] == '^' {
		not, body = "^/", body[1:]
	}
	return "[" + not + strings.NewReplacer(`[`, `\[`, `^`, `\^`, `&`, `\&`).Replace(body) + "]"
}
