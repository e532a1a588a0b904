package hosting

import (
	"cmp"
	"errors"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
)

// rewrites contains the directives of mod_rewrite in one .htaccess file. sitewalk evaluates only a
// RewriteRule that redirects. It skips all other rules.
//
// See https://httpd.apache.org/docs/2.4/mod/mod_rewrite.html
type rewrites struct {
	engine string // value of RewriteEngine: "on", "off"; "" if it is not set
	base   string // value of RewriteBase, or ""

	conds   rewriteConds // conditions for the next RewriteRule
	rules   []rule       // evaluated rules
	skipped []directive  // skipped rules

	servesOthers bool // a skipped rule may serve an existing file at another URL
}

// rewriteConds describes the RewriteCond lines before a RewriteRule. notFile and notFolder mean
// that the path must not be an existing file or folder. others means that there are other
// conditions.
type rewriteConds struct{ notFile, notFolder, others bool }

// rewriteRules returns the rewrite rules of h, or nil if mod_rewrite is off. outer contains the
// .htaccess files of the outer folders, innermost first. If a skipped rule may serve a page at
// another URL, files take precedence over the redirects.
func (a *apacheSite) rewriteRules(h *htaccess, outer []*htaccess) []rule {
	engine := h.rewrites.engine
	for _, o := range outer {
		if o.rewrites != nil && strings.HasPrefix(h.in+"/", o.in+"/") {
			engine = cmp.Or(engine, o.rewrites.engine)
		}
	}
	if engine != "on" {
		return nil
	}
	a.skipped = append(a.skipped, h.rewrites.skipped...)
	for i := range h.rewrites.rules {
		h.rewrites.rules[i].force = !h.rewrites.servesOthers
	}
	return h.rewrites.rules
}

// addRewriteDirective evaluates a directive of mod_rewrite. name is the directive in lower case:
// "rewriterule".
func (h *htaccess) addRewriteDirective(pos diag.Pos, name string, args []string, text string) error {
	if h.rewrites == nil {
		h.rewrites = new(rewrites)
	}
	f := h.rewrites
	if name == "rewriterule" || name == "rewritecond" {
		args = rewriteArgs(text)
		if len(args) < 2 {
			return errors.New("it needs two arguments")
		}
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
		f.conds.add(args)
	case "rewriterule":
		conds := f.conds
		f.conds = rewriteConds{}
		r, ok := f.parseRewriteRule(args, conds)
		if !ok || h.enclosingFiles() != nil {
			f.addSkipped(args, conds, directive{pos, text})
			return nil
		}
		r.pos, r.text = pos, truncate(text)
		r.in, r.relative = cmp.Or(h.in, h.site.redirects.below), true
		f.rules = append(f.rules, r)
	default: // RewriteOptions, RewriteMap
		f.skipped = append(f.skipped, directive{pos, text})
	}
	return nil
}

// rewriteWord matches one word of a mod_rewrite directive. A space in a word needs quotes or a
// backslash. Groups 1 and 2 are the text of a quoted word, and group 3 is a word without quotes.
var rewriteWord = regexp.MustCompile(`"((?s:\\.?|[^"\\])*)"?|'((?s:\\.?|[^'\\])*)'?|((?s:\\.?|[^ \t\\])+)`)

// rewriteArgs returns the arguments of a mod_rewrite directive without quotes. It keeps
// backslashes.
func rewriteArgs(line string) (words []string) {
	for _, m := range rewriteWord.FindAllStringSubmatch(line, -1) {
		words = append(words, m[1]+m[2]+m[3])
	}
	return words[min(1, len(words)):]
}

// add adds the condition of a RewriteCond directive. It recognizes only the conditions
// "%{REQUEST_FILENAME} !-f" and "!-d".
func (r *rewriteConds) add(args []string) {
	switch strings.Join(args, " ") {
	case "%{REQUEST_FILENAME} !-f", "%{SCRIPT_FILENAME} !-f":
		r.notFile = true
	case "%{REQUEST_FILENAME} !-d", "%{SCRIPT_FILENAME} !-d":
		r.notFolder = true
	default:
		r.others = true
	}
}

// parseRewriteRule converts the arguments of a RewriteRule, "pattern target [R=301,L,NC]", into a
// rule. ok is false if sitewalk cannot evaluate the rule.
func (f *rewrites) parseRewriteRule(args []string, conds rewriteConds) (r rule, ok bool) {
	status, ignoresCase := parseRewriteFlags(args[2:])
	expr, to := args[0], args[1]
	if f.base != "" && !strings.HasPrefix(to, "/") && !strings.Contains(to, "://") {
		to = strings.TrimSuffix(f.base, "/") + "/" + to
	}
	if status == 0 || conds.others || args[1] == "-" || strings.HasPrefix(expr, "!") || strings.ContainsAny(to, "%\\") ||
		!strings.HasPrefix(to, "/") && !strings.Contains(to, "://") {
		return r, false
	}
	if ignoresCase {
		expr = "(?i)" + expr
	}
	p, err := compileUnanchored(expr)
	if err != nil {
		return r, false
	}
	return rule{pattern: p, to: shiftGroupNumbers(to, p.re.NumSubexp()), status: status, notFile: conds.notFile, notFolder: conds.notFolder}, true
}

// parseRewriteFlags parses args, the flags of a RewriteRule: "[R=301,L,NC]". status is 0 if the
// rule does not redirect, or has an unknown flag. The flag QSA is ignored, because URLs of pages
// have no query.
func parseRewriteFlags(args []string) (status int, ignoresCase bool) {
	if len(args) != 1 {
		return 0, false
	}
	list := strings.TrimSuffix(strings.TrimPrefix(args[0], "["), "]")
	for flag := range strings.SplitSeq(strings.ToLower(list), ",") {
		switch name, value, _ := strings.Cut(strings.TrimSpace(flag), "="); name {
		case "r", "redirect":
			status = parseRewriteStatus(value)
		case "nc", "nocase":
			ignoresCase = true
		case "l", "last", "qsa", "qsappend":
		default:
			return 0, false
		}
	}
	return status, ignoresCase
}

// parseRewriteStatus parses the value of the flag R, a number or a word such as "permanent". The
// default is 302. It returns 0 if the status is not between 300 and 399.
func parseRewriteStatus(value string) int {
	if value == "" {
		return http.StatusFound
	}
	n, err := strconv.Atoi(value)
	if err != nil {
		n = apacheStatus[value]
	}
	if n < 300 || n > 399 {
		return 0
	}
	return n
}

// addSkipped records a rule that sitewalk does not evaluate. It sets servesOthers if the rule may
// serve an existing file at another URL. A rule whose conditions exclude existing files and folders
// cannot do so.
func (f *rewrites) addSkipped(args []string, conds rewriteConds, d directive) {
	f.skipped = append(f.skipped, d)
	redirects := len(args) > 2 && strings.HasPrefix(strings.ToUpper(args[2]), "[R")
	if args[1] != "-" && !redirects && (!conds.notFile || !conds.notFolder) {
		f.servesOthers = true
	}
}
