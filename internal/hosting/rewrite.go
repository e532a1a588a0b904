package hosting

import (
	"cmp"
	"errors"
	"net/http"
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
)

// rewrites contains the directives of mod_rewrite in one .htaccess file. sitewalk evaluates a
// RewriteRule that redirects, or that only stops the rewriting, such as "RewriteRule ^img - [L]".
// It skips all other rules, and rules with a flag or condition that it cannot evaluate.
//
// See https://httpd.apache.org/docs/2.4/mod/mod_rewrite.html
type rewrites struct {
	engine string // value of RewriteEngine in lower case: "on", "off"; "" if it is not set
	base   string // value of RewriteBase, or ""

	conds   rewriteConds // conditions for the next RewriteRule
	rules   []rule       // evaluated rules
	skipped []directive  // skipped rules, RewriteOptions and RewriteMap
	scripts []rule       // skipped rules that rewrite to an existing file, such as index.php

	servesOthers bool // a skipped rule rewrites URLs, also those of existing files or folders
}

// rewriteConds describes the RewriteCond lines before a RewriteRule.
type rewriteConds struct {
	notFile   bool // the path must not be an existing file
	notFolder bool // the path must not be an existing folder
	origin    bool // there is a condition on the scheme, host or port of the request
	others    bool // there is a condition that sitewalk does not evaluate
}

// collectRewriteRules returns the rewrite rules of h. It adds the skipped directives of h to
// a.skipped, and the rules in h.rewrites.scripts to a.host.scripts. If mod_rewrite is off, it adds
// nothing and returns nil. If h does not set RewriteEngine, the setting of the nearest outer folder
// in others applies. others contains the .htaccess files of other folders, inner folders before
// outer folders. If h.rewrites.servesOthers is true, files take precedence over the returned rules.
func (a *apacheSite) collectRewriteRules(h *htaccess, others []*htaccess) []rule {
	engine := h.rewrites.engine
	for _, o := range others {
		if o.rewrites != nil && strings.HasPrefix(h.folder+"/", o.folder+"/") {
			engine = cmp.Or(engine, o.rewrites.engine)
		}
	}
	if engine != "on" {
		return nil
	}
	a.skipped = append(a.skipped, h.rewrites.skipped...)
	for _, r := range h.rewrites.scripts {
		a.host.scripts.add(r.pattern, r)
	}
	for i := range h.rewrites.rules {
		h.rewrites.rules[i].force = !h.rewrites.servesOthers
	}
	return h.rewrites.rules
}

// addRewriteDirective evaluates a directive of mod_rewrite. name is the directive in lower case,
// such as "rewriterule". A directive that cannot be evaluated is added to h.rewrites.skipped,
// unless it only redirects to the origin of the site. addRewriteDirective returns an error if the
// arguments of RewriteBase, RewriteCond or RewriteRule are invalid.
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
		flags := parseRewriteFlags(args[2:])
		r, ok := f.parseRewriteRule(args, flags, conds)
		if !ok || h.filesSectionPattern() != nil {
			if conds.others || !h.redirectsToOrigin(args[0], args[1]) {
				f.skipped = append(f.skipped, directive{pos, text})
				serves := args[1] != "-" && flags.status == 0
				f.servesOthers = f.servesOthers || serves && (!conds.notFile || !conds.notFolder)
				if serves && !conds.origin && h.rewritesToFile(args[1]) {
					f.addScriptRule(args[0], flags, cmp.Or(h.folder, h.host.redirects.basePath))
				}
			}
			return nil
		}
		r.pos, r.text = pos, truncate(text)
		r.folder, r.matchesRelativePath = cmp.Or(h.folder, h.host.redirects.basePath), true
		f.rules = append(f.rules, r)
	default: // RewriteOptions, RewriteMap
		f.skipped = append(f.skipped, directive{pos, text})
	}
	return nil
}

// rewriteWord matches one word of a mod_rewrite directive. The text of the word is in group 1 if
// the word has double quotes, in group 2 if it has single quotes, and in group 3 if it has no
// quotes. A backslash escapes the next character, such as a space.
var rewriteWord = regexp.MustCompile(`"((?s:\\.?|[^"\\])*)"?|'((?s:\\.?|[^'\\])*)'?|((?s:\\.?|[^ \t\\])+)`)

// rewriteArgs returns the arguments of a mod_rewrite directive without the quotes around them. It
// keeps backslashes.
func rewriteArgs(line string) (words []string) {
	for _, m := range rewriteWord.FindAllStringSubmatch(line, -1) {
		words = append(words, m[1]+m[2]+m[3])
	}
	return words[min(1, len(words)):]
}

// originVariable matches a variable of mod_rewrite for the scheme, host or port of the request.
var originVariable = regexp.MustCompile(`^%\{(HTTPS|HTTP_HOST|SERVER_NAME|SERVER_PORT|REQUEST_SCHEME|HTTP:X-Forwarded-Proto)\}$`)

// add records args, two or more arguments of a RewriteCond directive. It recognizes
// "%{REQUEST_FILENAME} !-f" and "%{REQUEST_FILENAME} !-d", also with SCRIPT_FILENAME. It also
// recognizes any condition on the scheme, host or port. For any other condition, it sets r.others.
func (r *rewriteConds) add(args []string) {
	switch cond := strings.Join(args, " "); {
	case cond == "%{REQUEST_FILENAME} !-f", cond == "%{SCRIPT_FILENAME} !-f":
		r.notFile = true
	case cond == "%{REQUEST_FILENAME} !-d", cond == "%{SCRIPT_FILENAME} !-d":
		r.notFolder = true
	case originVariable.MatchString(args[0]):
		r.origin = true
	default:
		r.others = true
	}
}

// redirectsToOrigin reports whether a RewriteRule redirects to the same path at the host of the base
// URL, for example from http to https. The host in target may also be a variable, such as
// %{HTTP_HOST}. The result is false if the scheme of the base URL is not https. expr is the pattern
// of the rule, and target is its target.
func (h *htaccess) redirectsToOrigin(expr, target string) bool {
	_, target, isURL := strings.Cut(target, "://")
	host, ok := strings.CutSuffix(target, "%{REQUEST_URI}")
	if !ok && (expr == "^(.*)$" || expr == "(.*)") {
		host, ok = strings.CutSuffix(target, "/$1")
	}
	return isURL && ok && strings.HasPrefix(h.Base.Origin(), "https:") && (host == h.Base.Host() || strings.HasPrefix(host, "%"))
}

// parseRewriteRule converts args, the pattern and target of a RewriteRule, into a rule without a
// position and text. ok is false if sitewalk cannot evaluate the rule.
func (f *rewrites) parseRewriteRule(args []string, flags rewriteFlags, conds rewriteConds) (r rule, ok bool) {
	expr, to := args[0], args[1]
	if f.base != "" && !strings.HasPrefix(to, "/") && !strings.Contains(to, "://") {
		to = strings.TrimSuffix(f.base, "/") + "/" + to
	}
	redirects := flags.status != 0 && args[1] != "-" && !strings.ContainsAny(to, "%\\") && (strings.HasPrefix(to, "/") || strings.Contains(to, "://"))
	stops := flags.status == 0 && args[1] == "-" && flags.last
	if flags.others || conds.origin || conds.others || strings.HasPrefix(expr, "!") || !redirects && !stops {
		return r, false
	}
	if flags.ignoresCase {
		expr = "(?i)" + expr
	}
	p, err := compileRegexp(expr, nil)
	if err != nil {
		return r, false
	}
	p.dropsUnknownGroups = true
	return rule{pattern: p, to: to, status: flags.status, endsGroup: stops, notFile: conds.notFile, notFolder: conds.notFolder}, true
}

// rewritesToFile reports whether target, the target of a RewriteRule, begins with the path of a file
// in the publish directory: "show.php/$1" or "/index.php?page=$1". The file is probably a script that
// answers many addresses.
func (h *htaccess) rewritesToFile(target string) bool {
	if !strings.HasPrefix(target, "/") {
		target = cmp.Or(h.rewrites.base, h.folder, h.host.redirects.basePath) + "/" + target
	}
	target, ok := strings.CutPrefix(path.Clean(target), h.host.redirects.basePath+"/")
	if i := strings.IndexAny(target, "?$%"); i >= 0 {
		target = target[:i]
	}
	for ; ok && target != "" && target != "."; target = path.Dir(target) {
		if isFile(h.Publish, target) {
			return true
		}
	}
	return false
}

// addScriptRule adds a rule to f.scripts for the paths below folder that expr matches. A "!" before
// expr inverts it. addScriptRule adds nothing if expr is invalid.
func (f *rewrites) addScriptRule(expr string, flags rewriteFlags, folder string) {
	expr, inverted := strings.CutPrefix(expr, "!")
	if flags.ignoresCase {
		expr = "(?i)" + expr
	}
	p, err := compileRegexp(expr, nil)
	if err != nil {
		return
	}
	if inverted {
		p = pattern{re: anyPath, unless: p.re}
	}
	p.folder, p.matchesRelativePath = folder, true
	f.scripts = append(f.scripts, rule{pattern: p})
}

// MayRunScript reports whether a skipped RewriteRule may rewrite a URL path to a script, such as
// index.php, which may answer it. urlPath is relative to the base URL.
func (h *Host) MayRunScript(urlPath string) bool {
	for range h.scripts.matching(urlPath) {
		return true
	}
	return false
}

// rewriteFlags describes the flags of a RewriteRule, such as "[R=301,L,NC]".
type rewriteFlags struct {
	status      int  // status of the redirect; 0 if the rule does not redirect
	last        bool // the rule ends the rewriting
	ignoresCase bool
	others      bool // there are flags that sitewalk does not evaluate
}

// parseRewriteFlags parses args, the arguments of a RewriteRule after the target, such as
// "[R=301,L]". It ignores QSA, because URLs of pages have no query, and NE, because it concerns
// only the encoding.
func parseRewriteFlags(args []string) (f rewriteFlags) {
	if len(args) != 1 {
		return rewriteFlags{others: len(args) > 0}
	}
	list := strings.TrimSuffix(strings.TrimPrefix(args[0], "["), "]")
	for flag := range strings.SplitSeq(strings.ToLower(list), ",") {
		switch name, value, _ := strings.Cut(strings.TrimSpace(flag), "="); name {
		case "r", "redirect":
			f.status = parseRewriteStatus(value)
		case "nc", "nocase":
			f.ignoresCase = true
		case "l", "last", "end":
			f.last = true
		case "qsa", "qsappend", "ne", "noescape":
		default:
			f.others = true
		}
	}
	return f
}

// parseRewriteStatus parses the value of the flag R, a number or a word such as "permanent". It
// returns 302 for "", and 0 if the status is not between 300 and 399.
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
