package hosting

import (
	"errors"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
)

// longestRewrite is how long an expression may be.
const longestRewrite = 512

// mostRewriteRules are as many as are tried on each URL of the site.
const mostRewriteRules = 1000

// rewrite reads a directive of mod_rewrite.
func (h *htaccess) rewrite(pos diag.Pos, name string, args []string, text string) error {
	if h.rewrites == nil {
		h.rewrites = &rewrites{in: h.in}
		if h.in == "" {
			h.rewrites.in = h.site.redirects.below
		}
	}
	f := h.rewrites
	if name == "rewriterule" || name == "rewritecond" {
		args = rewriteWords(text)
	}
	switch name {
	case "rewriteengine":
		if len(args) == 1 {
			f.engine = strings.ToLower(args[0])
		}
	case "rewritebase":
		if len(args) != 1 || !strings.HasPrefix(args[0], "/") {
			return errors.New("it needs a path that begins with a slash")
		}
		f.base = args[0]
	case "rewritecond":
		c, err := newRewriteCond(args)
		f.pending = append(f.pending, c)
		return err
	case "rewriterule":
		return h.rewriteRule(pos, args, text)
	default: // RewriteOptions, RewriteMap
		h.ask(pos, text)
	}
	return nil
}

// rewriteRule adds a rule with the conditions that were read before it.
func (h *htaccess) rewriteRule(pos diag.Pos, args []string, text string) error {
	f := h.rewrites
	conds := f.pending
	f.pending = nil
	rule, err := newRewriteRule(args)
	if err != nil {
		return err
	}
	h.rewriteRules++
	rule.pos, rule.text, rule.conds = pos, clip(text), conds
	rule.unknown = rule.unknown || h.files() != nil || h.rewriteRules > mostRewriteRules
	if rule.unknown || slices.ContainsFunc(conds, func(c rewriteCond) bool { return !c.known() }) {
		h.unsure = append(h.unsure, unsure{f, pos, text})
	}
	f.rules = append(f.rules, rule)
	return nil
}

// An unsure line is one that only the server can carry out.
type unsure struct {
	f    *rewrites // where the engine is on; nil where it always counts
	pos  diag.Pos
	text string
}

// rewriteWord is a word of a line of mod_rewrite, in quotes or with blanks behind backslashes.
var rewriteWord = regexp.MustCompile(`"((?s:\\.?|[^"\\])*)"?|'((?s:\\.?|[^'\\])*)'?|((?s:\\.?|[^ \t\\])+)`)

// rewriteWords returns the words behind the directive's name, with their backslashes.
func rewriteWords(line string) (words []string) {
	for _, m := range rewriteWord.FindAllStringSubmatch(line, -1) {
		words = append(words, m[1]+m[2]+m[3])
	}
	return words[min(1, len(words)):]
}

// rewriteFlags splits "[R=301,L]".
func rewriteFlags(args []string) (flags [][2]string, err error) {
	if len(args) == 0 {
		return nil, nil
	}
	text := args[0]
	if len(args) > 1 || len(text) < 2 || text[0] != '[' || text[len(text)-1] != ']' {
		return nil, errors.New("its flags must stand in brackets, without blanks")
	}
	for flag := range strings.SplitSeq(text[1:len(text)-1], ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(flag), "=")
		flags = append(flags, [2]string{strings.ToLower(name), value})
	}
	return flags, nil
}

func newRewriteRule(args []string) (rule rewriteRule, err error) {
	if len(args) < 2 {
		return rule, errors.New("it needs a pattern and a target")
	}
	flags, err := rewriteFlags(args[2:])
	fold := false
	for _, f := range flags {
		switch name, value := f[0], f[1]; name {
		case "nc", "nocase":
			fold = true
		case "r", "redirect":
			if rule.status, err = redirectStatus(value); err != nil {
				return rule, err
			}
		default:
			rule.flag(name)
		}
	}
	rule.to = args[1]
	rule.pattern = rewritePattern(args[0], fold)
	rule.unknown = rule.unknown || rule.pattern.expr == nil || strings.Contains(rule.to, "${")
	if rule.pattern.expr == nil {
		rule.pattern = everything("")
	}
	return rule, err
}

// redirectStatus is that of the flag R.
func redirectStatus(value string) (int, error) {
	if code, ok := apacheStatus[strings.ToLower(value)]; ok {
		return code, nil
	}
	if n, err := strconv.Atoi(value); err == nil && n >= 300 && n < 600 {
		return n, nil
	}
	if value != "" {
		return 0, errors.New(value + " is not a status of a redirect")
	}
	return http.StatusFound, nil
}

// flag is what a flag without a value says.
func (r *rewriteRule) flag(name string) {
	switch name {
	case "f", "forbidden":
		r.status, r.last = http.StatusForbidden, true
	case "g", "gone":
		r.status, r.last = http.StatusGone, true
	case "l", "last", "pt", "passthrough":
		r.last = true
	case "end":
		r.last, r.end = true, true
	case "ne", "noescape":
		r.raw = true
	case "dpi", "discardpath":
		r.discards = true
	case "ns", "nosubreq":
		r.whole = true
	case "", "e", "env", "co", "cookie", "qsa", "qsappend", "qsd", "qsdiscard": // which change nothing for who asks without a query
	default:
		r.unknown = true
	}
}

// rewritePattern compiles an expression with all that it matches as its first group; it is
// empty for one that cannot be matched in linear time.
func rewritePattern(expr string, fold bool) pattern {
	expr, not := strings.CutPrefix(expr, "!")
	if len(expr) > longestRewrite {
		return pattern{}
	}
	if fold {
		expr = "(?i)" + expr
	}
	p, err := searchPattern(expr)
	if err != nil {
		return pattern{}
	}
	p.not = not
	return p
}

func newRewriteCond(args []string) (c rewriteCond, err error) {
	if len(args) < 2 {
		return c, errors.New("it needs what is looked at and a pattern")
	}
	flags, err := rewriteFlags(args[2:])
	fold := false
	for _, f := range flags {
		switch f[0] {
		case "nc", "nocase":
			fold = true
		case "or", "ornext":
			c.or = true
		}
	}
	c.test, c.text = args[0], args[1]
	c.text, c.not = strings.CutPrefix(c.text, "!")
	switch {
	case strings.EqualFold(c.test, "expr"):
	case c.text == "-f", c.text == "-s":
		c.kind = 'f'
	case c.text == "-d":
		c.kind = 'd'
	case strings.HasPrefix(c.text, "="):
		c.kind, c.text = '=', strings.Trim(c.text[1:], `"`)
	case strings.HasPrefix(c.text, "-"), strings.HasPrefix(c.text, "<"), strings.HasPrefix(c.text, ">"):
	default:
		anchored := strings.HasPrefix(c.text, "^") && (strings.Contains(c.test, "FILENAME") || strings.Contains(c.test, "DOCUMENT_ROOT"))
		if c.pattern = rewritePattern(c.text, fold); c.pattern.expr != nil && !anchored {
			c.kind = 'r'
		}
	}
	return c, err
}

// visitors are the variables by which visitors differ who ask for the same URL.
var visitors = []string{"%{HTTP_USER_AGENT", "%{HTTP_REFERER", "%{HTTP_COOKIE", "%{REMOTE_", "%{TIME", "%{HTTP_ACCEPT", "%{LA-", "%{SSL:", "%{ENV:", "%{HTTP:"}

// known reports whether the URL alone decides a condition.
func (c *rewriteCond) known() bool {
	return c.kind != 0 && (strings.Contains(c.test, "%{ENV:REDIRECT_STATUS}") || !slices.ContainsFunc(visitors, func(v string) bool { return strings.Contains(c.test, v) }))
}
