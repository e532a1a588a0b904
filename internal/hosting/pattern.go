package hosting

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"net/url"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

const (
	maxPattern = 4096 // bytes, as Vercel has it
	maxExpr    = 4 * maxPattern
	maxWild    = 64 // wildcards and placeholders; with more a pattern could cost a millisecond a page
)

// A pattern is a rule's path pattern in one of the hosts' notations. It matches
// decoded paths, in time linear in the path.
type pattern struct {
	literal  string         // the whole path, if expr is nil
	expr     *expression    // nil: literal is the whole path
	names    []string       // of the groups of expr, from 1; "" for a group without a name
	unless   *regexp.Regexp // excludes the paths that it matches
	not      bool           // matches the paths that expr does not match
	fold     bool           // ignores case
	drops    bool           // in a target, drops a slash before an empty value
	squeezes bool           // in a target, joins slashes that follow each other

	in       string    // the folder that the pattern is limited to, "" for all
	relative bool      // matches the path below in, without its first slash
	base     bool      // matches the file name alone, index.html for a folder
	but      []pattern // exceptions
}

// isWithin reports whether the pattern's folder contains path.
func (p *pattern) isWithin(path string) bool {
	rest, in := strings.CutPrefix(path, p.in)
	return in && (p.in == "" || rest == "" || rest[0] == '/') && !slices.ContainsFunc(p.but, func(but pattern) bool {
		_, is := but.match(path)
		return is
	})
}

// match returns the values of the pattern's groups.
func (p *pattern) match(path string) (values []string, ok bool) {
	if !p.isWithin(path) {
		return nil, false
	}
	switch {
	case p.base:
		path = cmp.Or(path[strings.LastIndexByte(path, '/')+1:], "index.html")
	case p.relative:
		if path = path[len(p.in):]; path == "" {
			return nil, false // Apache adds the folder's slash first
		}
		path = path[1:]
	}
	switch {
	case p.expr == nil:
		return nil, path == p.literal
	case p.not:
		return nil, !p.expr.re().MatchString(path)
	case !p.expr.mayMatch(path, p.fold), p.unless != nil && p.unless.MatchString(path):
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
	return pattern{expr: new(expression), in: in}
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
	e := &expression{text: expr, names: parsed.CapNames()[1:]}
	e.prefix, e.part = literals(parsed)
	return pattern{expr: e, names: names}, nil
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

// An expression is a valid regular expression. It is compiled when it is first
// needed: most rules match no path, and a compiled expression takes kilobytes.
type expression struct {
	text   string
	names  []string // of its groups, from 1
	prefix string   // the beginning of every match
	part   string   // a text that every match contains

	once     sync.Once
	compiled *regexp.Regexp
}

func (e *expression) re() *regexp.Regexp {
	e.once.Do(func() { e.compiled = regexp.MustCompile(e.text) })
	return e.compiled
}

// mayMatch reports false if path lacks a text that every match has.
func (e *expression) mayMatch(path string, fold bool) bool {
	if fold {
		path = strings.ToLower(path)
	}
	return strings.HasPrefix(path, e.prefix) && strings.Contains(path, e.part)
}

// literals returns the text that every match of an expression begins with, and
// the longest text that every match contains.
func literals(re *syntax.Regexp) (prefix, part string) {
	anchored, first := false, true
	var visit func(*syntax.Regexp)
	visit = func(re *syntax.Regexp) {
		switch re.Op {
		case syntax.OpConcat, syntax.OpCapture:
			for _, sub := range re.Sub {
				visit(sub)
			}
			return
		case syntax.OpBeginText:
			anchored = anchored || first
		case syntax.OpLiteral:
			if text := string(re.Rune); re.Flags&syntax.FoldCase == 0 {
				if first && anchored {
					prefix = text
				}
				if len(text) > len(part) {
					part = text
				}
			}
			first = false
		case syntax.OpEmptyMatch:
		default:
			first = false
		}
	}
	visit(re)
	return prefix, part
}

// A ruleOf is a rule and its pattern.
type ruleOf[R any] struct {
	pattern
	rule R
}

// An index holds rules in the order in which they count. It finds rules without
// wildcards by their path, and tries all others.
type index[R any] struct {
	below string // precedes each URL path in the paths of the rules
	slash bool   // ignores a slash at the end
	fold  bool   // ignores case

	rules []ruleOf[R]
	exact map[string][]int // the rules without an expression, by path
	wild  []int            // the others
}

// add appends a rule.
func (x *index[R]) add(p pattern, rule R) {
	i := len(x.rules)
	if p.expr == nil {
		if x.exact == nil {
			x.exact = map[string][]int{}
		}
		key := x.key(p.literal)
		x.exact[key] = append(x.exact[key], i)
	} else {
		x.wild = append(x.wild, i)
	}
	if p.fold = x.fold; x.fold && p.expr != nil {
		e := p.expr
		p.expr = &expression{text: "(?i)" + e.text, names: e.names, prefix: strings.ToLower(e.prefix), part: strings.ToLower(e.part)}
	}
	x.rules = append(x.rules, ruleOf[R]{p, rule})
}

// matching returns the rules that match a URL path, in order, and the values of
// their patterns' groups.
func (x *index[R]) matching(path string) iter.Seq2[*ruleOf[R], []string] {
	return func(yield func(*ruleOf[R], []string) bool) {
		path := x.below + path
		exact, wild := x.exact[x.key(path)], x.wild
		for len(exact)+len(wild) > 0 {
			if len(wild) == 0 || len(exact) > 0 && exact[0] < wild[0] {
				if !yield(&x.rules[exact[0]], nil) {
					return
				}
				exact = exact[1:]
				continue
			}
			rule := &x.rules[wild[0]]
			wild = wild[1:]
			if values, ok := rule.match(path); ok && !yield(rule, values) {
				return
			}
		}
	}
}

// key returns a path as exact has it.
func (x *index[R]) key(path string) string {
	if x.slash && len(path) > 1 {
		path = strings.TrimSuffix(path, "/")
	}
	if x.fold {
		return strings.ToLower(path)
	}
	return path
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
