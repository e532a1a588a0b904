package hosting

import (
	"errors"
	"fmt"
	"iter"
	"net/url"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sitewalk/sitewalk/internal/glob"
)

const (
	maxPattern = 4096 // bytes, as Vercel has it
	maxExpr    = 4 * maxPattern
	maxWild    = 64 // wildcards and placeholders; with more a pattern could cost a millisecond a page
)

// A pattern is a rule's path pattern in one of the hosts' notations. It is
// matched in time linear in the path, against decoded paths.
type pattern struct {
	literal string         // the whole path, when there is no expression
	expr    *expression    // nil: literal is the whole path
	texts   []string       // what every match begins with, with any bytes between them
	names   []string       // of the groups of expr, from 1; "" has none
	unless  *regexp.Regexp // what this matches, expr does not
	not     bool           // matches what expr does not
	drops   bool           // in a target, a slash before a name that stands for nothing

	squeezes bool // in a target, slashes that follow each other
	base     bool // is compared with the name of the file alone, index.html for a folder

	in  string    // the folder that it is for, "" for all
	but []pattern // what these match, it does not
}

// within reports whether a path is in the folder that the pattern is for.
func (p *pattern) within(path string) bool {
	rest, in := strings.CutPrefix(path, p.in)
	return in && (p.in == "" || rest == "" || rest[0] == '/') && !slices.ContainsFunc(p.but, func(but pattern) bool {
		_, is := but.match(path)
		return is
	})
}

// match returns the values of the pattern's groups.
func (p *pattern) match(path string) (values []string, ok bool) {
	if !p.within(path) {
		return nil, false
	}
	if p.base {
		if path = path[strings.LastIndexByte(path, '/')+1:]; path == "" {
			path = "index.html"
		}
	}
	switch {
	case p.expr == nil:
		return nil, path == p.literal
	case p.not:
		return nil, !p.expr.re().MatchString(path)
	}
	if p.unless != nil && p.unless.MatchString(path) {
		return nil, false
	}
	m := p.expr.re().FindStringSubmatch(path)
	if m == nil {
		return nil, false
	}
	return m[1:], true
}

// fill returns a target with the values of the pattern's groups in the place
// of their names, ":name", and numbers, "$1".
func (p *pattern) fill(to string, values []string) string {
	if p.squeezes {
		scheme, rest, whole := strings.Cut(p.withValues(to, values), "://")
		if !whole {
			return slashes.ReplaceAllString(scheme, "/")
		}
		return scheme + "://" + slashes.ReplaceAllString(rest, "/")
	}
	return p.withValues(to, values)
}

// everything returns the pattern of all paths in a folder.
func everything(in string) pattern {
	return pattern{expr: new(expression), texts: []string{""}, in: in}
}

var slashes = regexp.MustCompile("//+")

// targetName is a name or a number in a target, with a slash before it, and with how often
// a name may be there.
var targetName = regexp.MustCompile(`(/?)(?::(\w+)[*+?]*|\$(\d+|\w+))`)

func (p *pattern) withValues(to string, values []string) string {
	return targetName.ReplaceAllStringFunc(to, func(use string) string {
		m := targetName.FindStringSubmatch(use)
		slash, number := m[1], m[3]
		i, rest := slices.Index(p.names, m[2]+number), ""
		for end := len(number); end > 0 && i < 0; end-- { // $12 is $1 and a 2 where there are no twelve
			if n, err := strconv.Atoi(number[:end]); err == nil && n <= len(values) {
				i, rest = n-1, number[end:]
			}
		}
		switch {
		case i < 0 || i >= len(values):
			return use
		case values[i] == "" && p.drops:
			return rest
		}
		return slash + values[i] + rest
	})
}

const (
	digits = "0123456789"
	wordly = digits + "_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

// leading returns what s begins with of the characters.
func leading(s, chars string) string { return s[:len(s)-len(strings.TrimLeft(s, chars))] }

// compile makes a pattern of a regular expression.
func compile(expr string, names []string) (pattern, error) {
	if len(expr) > maxExpr {
		return pattern{}, fmt.Errorf("it stands for an expression of more than %d characters", maxExpr)
	}
	parsed, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return pattern{}, fmt.Errorf("it cannot be matched in linear time: %w", err)
	}
	if n := parsed.MaxCap(); n > maxWild {
		return pattern{}, fmt.Errorf("it has %d groups, wildcards and placeholders; more than %d are not followed", n, maxWild)
	}
	return pattern{expr: &expression{text: expr, names: parsed.CapNames()[1:]}, texts: textsOf(parsed), names: names}, nil
}

// checkLength refuses a pattern that no host takes, or that could cost too much.
func checkLength(s string) error {
	if s == "" || len(s) > maxPattern {
		return fmt.Errorf("it must have 1 to %d characters", maxPattern)
	}
	if n := strings.Count(s, "*"); n > maxWild {
		return fmt.Errorf("it has %d wildcards; more than %d are not followed", n, maxWild)
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

// splatPattern compiles a path with what splatExpr knows.
func splatPattern(path string, mark *regexp.Regexp) (pattern, error) {
	if !mark.MatchString(path) {
		return pattern{literal: decoded(path)}, nil
	}
	expr, names := splatExpr(path, mark)
	return compile("^(?s:"+expr+")$", names)
}

// splatExpr is the expression of a path in which a * stands for any text and is called
// splat, and what else mark finds is a name with one character before it and stands for
// a segment.
func splatExpr(path string, mark *regexp.Regexp) (expr string, names []string) {
	var out strings.Builder
	from := 0
	for _, at := range mark.FindAllStringIndex(path, -1) {
		out.WriteString(regexp.QuoteMeta(decoded(path[from:at[0]])))
		if name := path[at[0]:at[1]]; name == "*" {
			out.WriteString("(.*)")
			names = append(names, "splat")
		} else {
			out.WriteString("([^/]+)")
			names = append(names, name[1:])
		}
		from = at[1]
	}
	out.WriteString(regexp.QuoteMeta(decoded(path[from:])))
	return out.String(), names
}

// searchPattern compiles an expression that may match anywhere in a path, as a group.
func searchPattern(expr string) (pattern, error) {
	if p, err := compile(expr, nil); err != nil { // whose parentheses are not ours
		return p, err
	}
	return compile("("+expr+")", nil)
}

// A ruleOf is a rule and what it is for.
type ruleOf[R any] struct {
	pattern
	rule R
}

// An index holds rules in the order in which they count, and finds those that match
// a path without trying them all: by the whole path, or by the texts of their patterns.
type index[R any] struct {
	below string // what stands before a URL path in the paths of the rules
	slash bool   // a slash at the end makes no difference
	fold  bool   // neither does case

	rules []ruleOf[R]
	exact map[string][]int // by path, those without an expression
	tree  glob.Tree        // the texts of the others, in one case
}

// add takes a rule behind the others.
func (x *index[R]) add(p pattern, rule R) {
	if x.fold && p.expr != nil {
		p.expr = &expression{text: "(?i)" + p.expr.text, names: p.expr.names}
	}
	i, texts := len(x.rules), p.required()
	p.texts = nil
	x.rules = append(x.rules, ruleOf[R]{p, rule})
	if p.expr == nil {
		if x.exact == nil {
			x.exact = map[string][]int{}
		}
		key := x.key(p.literal)
		x.exact[key] = append(x.exact[key], i)
		return
	}
	x.tree.Add(i, texts...)
}

// matching returns the rules that match a URL path, in order, and the values of
// their patterns' groups.
func (x *index[R]) matching(path string) iter.Seq2[*ruleOf[R], []string] {
	return func(yield func(*ruleOf[R], []string) bool) {
		path := x.lower(x.below + path)
		for _, i := range x.candidates(path) {
			rule := &x.rules[i]
			values, ok := []string(nil), true
			if rule.expr != nil {
				values, ok = rule.match(path)
			}
			if ok && !yield(rule, values) {
				return
			}
		}
	}
}

// candidates returns the numbers of all rules that may match a path, in order.
func (x *index[R]) candidates(path string) []int {
	all := append(x.tree.Find(folded(withIndex(path))), x.exact[x.key(path)]...)
	slices.Sort(all)
	return all
}

// withIndex returns a path that patterns match which are compared with the name of a
// file.
func withIndex(path string) string {
	if strings.HasSuffix(path, "/") {
		return path + "index.html"
	}
	return path
}

// key returns a path as it stands in exact.
func (x *index[R]) key(path string) string {
	if x.slash && len(path) > 1 {
		path = strings.TrimSuffix(path, "/")
	}
	return x.lower(path)
}

func (x *index[R]) lower(s string) string {
	if x.fold {
		return strings.ToLower(s)
	}
	return s
}

// decoded returns a piece of a path without its percent-encodings, or as it is
// when they stand for no text or for a slash.
func decoded(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	t, err := url.PathUnescape(s)
	if err != nil || !utf8.ValidString(t) || strings.Count(t, "/") != strings.Count(s, "/") {
		return s
	}
	return t
}
