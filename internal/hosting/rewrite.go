package hosting

import (
	"cmp"
	"errors"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
)

// A rewriteFile is the part of one .htaccess that mod_rewrite reads. Redirects by
// one regular expression are evaluated; any other rule is reported.
// https://httpd.apache.org/docs/2.4/mod/mod_rewrite.html
type rewriteFile struct {
	in     string // the path of its folder on the server
	engine string // "on", "off"; "" if it does not say
	base   string // RewriteBase

	conds   rewriteConds // for the next rule
	rules   []ruleOf[redirect]
	skipped []directive // rules that are not evaluated

	servesOthers bool // a rule that is not evaluated may serve another file
}

// rewriteConds are the RewriteCond lines of a rule.
type rewriteConds struct{ notFile, notFolder, others bool }

// parseRewriteDirective reads a directive of mod_rewrite.
func (h *htaccess) parseRewriteDirective(pos diag.Pos, name string, args []string, text string) error {
	if h.rewrites == nil {
		h.rewrites = &rewriteFile{in: cmp.Or(h.in, h.site.redirects.below)}
	}
	f := h.rewrites
	if name == "rewriterule" || name == "rewritecond" {
		args = rewriteWords(text)
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
		p, rule, ok := f.parseRule(args, conds)
		if !ok || h.files() != nil {
			f.skip(args, conds, directive{pos, text})
			return nil
		}
		rule.pos, rule.text = pos, clip(text)
		f.rules = append(f.rules, ruleOf[redirect]{p, rule})
	default: // RewriteOptions, RewriteMap
		f.skipped = append(f.skipped, directive{pos, text})
	}
	return nil
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

// add reads "%{REQUEST_FILENAME} !-f", or -d for folders. Other conditions are not evaluated.
func (c *rewriteConds) add(args []string) {
	switch strings.Join(args, " ") {
	case "%{REQUEST_FILENAME} !-f", "%{SCRIPT_FILENAME} !-f":
		c.notFile = true
	case "%{REQUEST_FILENAME} !-d", "%{SCRIPT_FILENAME} !-d":
		c.notFolder = true
	default:
		c.others = true
	}
}

// parseRule reads "pattern target [R=301,L,NC]". It returns false for a rule that is not
// evaluated.
func (f *rewriteFile) parseRule(args []string, conds rewriteConds) (p pattern, rule redirect, ok bool) {
	flags, ok := rewriteFlags(args[2:])
	expr, to := args[0], args[1]
	if f.base != "" && !strings.HasPrefix(to, "/") && !strings.Contains(to, "://") {
		to = strings.TrimSuffix(f.base, "/") + "/" + to
	}
	evaluated := ok && flags.status != 0 && !conds.others && args[1] != "-" && !strings.HasPrefix(expr, "!") &&
		(strings.HasPrefix(to, "/") || strings.Contains(to, "://")) && !strings.ContainsAny(to, "%\\")
	if !evaluated {
		return p, rule, false
	}
	if flags.ignoresCase {
		expr = "(?i)" + expr
	}
	p, err := searchPattern(expr)
	if err != nil {
		return p, rule, false
	}
	p.in, p.relative = f.in, true
	rule = redirect{to: shiftGroups(to, len(p.expr.names)), status: flags.status, force: true, requestOnly: true}
	rule.notFile, rule.notFolder = conds.notFile, conds.notFolder
	return p, rule, true
}

// flagSet holds the flags of a RewriteRule that redirects.
type flagSet struct {
	status      int // 0 without R
	ignoresCase bool
}

// rewriteFlags reads "[R=301,L,NC]". It returns false if a flag is not evaluated. QSA changes
// nothing for a URL without a query.
func rewriteFlags(args []string) (flags flagSet, ok bool) {
	if len(args) != 1 {
		return flags, false
	}
	list := strings.TrimSuffix(strings.TrimPrefix(args[0], "["), "]")
	for flag := range strings.SplitSeq(strings.ToLower(list), ",") {
		switch name, value, _ := strings.Cut(strings.TrimSpace(flag), "="); name {
		case "r", "redirect":
			if flags.status = redirectStatus(value); flags.status == 0 {
				return flags, false
			}
		case "nc", "nocase":
			flags.ignoresCase = true
		case "l", "last", "qsa", "qsappend":
		default:
			return flags, false
		}
	}
	return flags, true
}

// redirectStatus returns the status of the flag R, 0 if it is none of a redirect.
func redirectStatus(value string) int {
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

// skip notes a rule that is not evaluated. A rule that rewrites may serve a file at another
// address than its own, unless it is for missing files and folders alone.
func (f *rewriteFile) skip(args []string, conds rewriteConds, d directive) {
	f.skipped = append(f.skipped, d)
	redirects := len(args) > 2 && strings.HasPrefix(strings.ToUpper(args[2]), "[R")
	if args[1] != "-" && !redirects && (!conds.notFile || !conds.notFolder) {
		f.servesOthers = true
	}
}

// addRewrites adds the rules of mod_rewrite before all redirects. A folder's file takes the
// place of the files above it. Where a rule that is not evaluated may serve the same page at
// another address, redirects hold only for missing files.
func (a *apacheSite) addRewrites(all []*htaccess) {
	engines := map[string]string{}
	var files []*rewriteFile
	for _, h := range all { // outer folders first
		f := h.rewrites
		if f == nil {
			continue
		}
		for _, outer := range files {
			if strings.HasPrefix(f.in+"/", outer.in+"/") {
				f.engine = cmp.Or(f.engine, engines[outer.in])
			}
		}
		engines[f.in] = f.engine
		files = append(files, f)
	}
	for i, f := range slices.Backward(files) {
		if f.engine != "on" {
			continue
		}
		a.skipped = append(a.skipped, f.skipped...)
		for _, r := range f.rules {
			for _, inner := range files[i+1:] {
				if strings.HasPrefix(inner.in, f.in+"/") {
					r.but = append(r.but, everything(inner.in))
				}
			}
			r.rule.force = !f.servesOthers
			a.denials = append(a.denials, r)
		}
	}
}
