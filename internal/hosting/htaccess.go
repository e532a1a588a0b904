package hosting

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
)

// read carries out its lines.
func (h *htaccess) read() {
	n, from, whole := 0, 0, ""
	for line := range strings.Lines(string(h.file.src)) {
		if n++; whole == "" {
			from = n
		}
		line = strings.TrimSpace(line)
		if part, more := strings.CutSuffix(line, `\`); more {
			whole += part
			continue
		}
		whole += line
		text := whole
		if strings.HasPrefix(whole, "<") {
			whole = strings.TrimSuffix(whole, ">")
		}
		words := apacheWords(whole)
		whole = ""
		if len(words) > 0 && words[0] != "" && words[0][0] != '#' {
			if h.lines++; h.lines > maxRules {
				h.reportTooMany(h.file.pos(from), maxRules)
				return
			}
			h.line(h.file.pos(from), words, text)
		}
	}
}

// apacheWord is a word of a line, in quotes or not.
var apacheWord = regexp.MustCompile(`"((?s:\\.|[^"\\])*\\?)"?|'((?s:\\.|[^'\\])*\\?)'?|([^ \t]+)`)

// apacheWords splits a line into words.
func apacheWords(line string) (words []string) {
	for _, m := range apacheWord.FindAllStringSubmatch(line, -1) {
		unquoted := strings.NewReplacer(`\\`, `\`, `\`+m[0][:1], m[0][:1])
		if m[3] != "" {
			unquoted = strings.NewReplacer(`\\`, `\`)
		}
		words = append(words, unquoted.Replace(m[1]+m[2]+m[3]))
	}
	return words
}

// line carries out a directive as far as a file can tell.
func (h *htaccess) line(pos diag.Pos, words []string, text string) {
	name, args := strings.ToLower(words[0]), words[1:]
	if name[0] == '<' {
		h.section(pos, name, args, text)
		return
	}
	if slices.ContainsFunc(h.sections, func(s section) bool { return s.skip }) {
		return
	}
	var err error
	switch name {
	case "redirect", "redirectmatch", "redirectpermanent", "redirecttemp":
		err = h.redirect(pos, name, args, text)
	case "header":
		err = h.header(pos, args)
	case "directoryslash":
		if len(args) > 0 {
			h.slashes[h.in] = !strings.EqualFold(args[0], "off")
		}
	case "fallbackresource":
		switch all := everything(h.in); {
		case len(args) == 0:
		case strings.EqualFold(args[0], "disabled"):
			h.bare = append(h.bare, all)
		default:
			h.fallbacks = append(h.fallbacks, ruleOf[redirect]{all, redirect{pos: pos, text: text, status: http.StatusOK}})
		}
	case "directoryindex":
		if !slices.Contains(args, "index.html") {
			h.skip(pos, text)
		}
	case "options":
		if slices.ContainsFunc(args, func(a string) bool { return strings.EqualFold(strings.TrimPrefix(a, "+"), "multiviews") }) {
			h.skip(pos, text)
		}
	case "require", "deny", "allow":
		h.require(pos, name, args, text)
	case "rewriteengine", "rewritebase", "rewritecond", "rewriterule", "rewriteoptions", "rewritemap":
		err = h.parseRewriteDirective(pos, name, args, text)
	case "sethandler":
		h.skip(pos, text)
	}
	if err != nil {
		h.badRule(pos, text, err)
	}
}

// section opens or closes one. Modules are taken to be there.
func (h *htaccess) section(pos diag.Pos, name string, args []string, text string) {
	if name[1:] != "" && name[1] == '/' {
		h.sections = h.sections[:max(len(h.sections)-1, 0)]
		return
	}
	var s section
	var err error
	switch name[1:] {
	case "ifmodule":
		s.skip = len(args) > 0 && strings.HasPrefix(args[0], "!")
	case "files", "filesmatch":
		s.files, err = h.filesPattern(name == "<filesmatch", args)
		s.skip = err != nil
	default:
		h.skip(pos, text)
		s.skip = true
	}
	if err != nil {
		h.badRule(pos, text, err)
	}
	h.sections = append(h.sections, s)
}

// filesPattern compiles the names of <Files> and <FilesMatch>.
func (h *htaccess) filesPattern(isRegex bool, args []string) (*pattern, error) {
	if len(args) > 1 && args[0] == "~" {
		isRegex, args = true, args[1:]
	}
	if len(args) != 1 || args[0] == "" {
		return nil, errors.New("it needs the name of files")
	}
	expr := args[0]
	if !isRegex {
		expr = "^" + strings.NewReplacer(`\*`, ".*", `\?`, ".").Replace(regexp.QuoteMeta(expr)) + "$"
	}
	p, err := compile(expr, nil)
	p.base, p.in = true, h.in
	return &p, err
}

// files returns the names of files that the sections around a directive are for.
func (h *htaccess) files() *pattern {
	for _, s := range h.sections {
		if s.files != nil {
			return s.files
		}
	}
	return nil
}

// require is who is let in. What keeps all visitors from the whole site is not
// believed: then it would not be listed.
func (h *htaccess) require(pos diag.Pos, name string, args []string, text string) {
	who := strings.ToLower(strings.Join(args, " "))
	rule := redirect{pos: pos, text: text, force: true}
	switch first, _, _ := strings.Cut(who, " "); {
	case who == "all granted", name == "allow" && who == "from all":
	case who == "all denied", name == "deny" && who == "from all":
		rule.status = http.StatusForbidden
	case name == "require" && slices.Contains([]string{"valid-user", "user", "group"}, first):
		rule.status = http.StatusUnauthorized
	case name == "allow", name == "deny", first == "not":
		return // some visitors, which another line keeps out or lets in
	default:
		h.skip(pos, text)
		return
	}
	h.letIn(rule)
}

// letIn carries out who is let in: everybody if the rule has no status.
func (h *htaccess) letIn(rule redirect) {
	files := h.files()
	switch {
	case files != nil && rule.status == 0:
		p := *files
		p.but = []pattern{{expr: &expression{text: "/$"}}} // a folder is asked for before its index file
		h.grants = append(h.grants, p)
	case files != nil:
		rule.index = true
		h.denials = append(h.denials, ruleOf[redirect]{*files, rule})
	case rule.status != 0 && h.in == "":
		h.skip(rule.pos, rule.text)
	case h.access == nil || rule.status == 0:
		h.access = &rule
	}
}

var apacheStatus = map[string]int{"permanent": 301, "temp": 302, "seeother": 303, "gone": 410}

// redirect adds a rule for a path and all below it, or for all that an expression
// is found in.
// https://httpd.apache.org/docs/2.4/mod/mod_alias.html#redirect
func (h *htaccess) redirect(pos diag.Pos, name string, args []string, text string) error {
	rule := redirect{pos: pos, text: text, force: true}
	rule.status, args = movedStatus(name, args)
	leads := rule.status >= 300 && rule.status < 400
	switch {
	case h.files() != nil:
		h.skip(pos, text)
		return nil
	case rule.status < 300 || rule.status > 599:
		return fmt.Errorf("%d is not a status of a redirect or an error", rule.status)
	case leads && len(args) != 2:
		return errors.New("it needs a path and a URL")
	case !leads && len(args) != 1:
		return fmt.Errorf("with status %d it takes a path and no URL", rule.status)
	case leads:
		rule.to = args[1]
	}
	var p pattern
	var err error
	if name == "redirectmatch" {
		if p, err = searchPattern(args[0]); err == nil {
			rule.to = shiftGroups(rule.to, len(p.expr.names))
		}
	} else {
		if p, err = prefixPattern(args[0]); leads {
			rule.to = strings.ReplaceAll(rule.to, "$", "%24") + "$1"
		}
	}
	if err != nil {
		return err
	}
	p.in = h.in
	h.moves = append(h.moves, ruleOf[redirect]{p, rule})
	return nil
}

// movedStatus returns the status of a directive, and its arguments without it.
func movedStatus(name string, args []string) (int, []string) {
	switch {
	case name == "redirectpermanent":
		return http.StatusMovedPermanently, args
	case name == "redirecttemp" || len(args) == 0:
		return http.StatusFound, args
	}
	if code, ok := apacheStatus[strings.ToLower(args[0])]; ok {
		return code, args[1:]
	}
	if n, err := strconv.Atoi(args[0]); err == nil {
		return n, args[1:]
	}
	return http.StatusFound, args
}

// prefixPattern matches a path and all below it, which is its one group.
func prefixPattern(path string) (pattern, error) {
	if !strings.HasPrefix(path, "/") {
		return pattern{}, errors.New("the path must begin with a slash")
	}
	if strings.HasSuffix(path, "/") {
		return compile("^"+regexp.QuoteMeta(path)+"(.*)$", nil)
	}
	return compile("^"+regexp.QuoteMeta(path)+"(/.*)?$", nil)
}

var groupNumber = regexp.MustCompile(`\$(\d)`)

// shiftGroups counts the groups of a target from 1, of which the first is all that the
// expression matches; $0 in the file. Those that the expression does not have stand
// for nothing.
func shiftGroups(to string, groups int) string {
	return groupNumber.ReplaceAllStringFunc(to, func(use string) string {
		if n := int(use[1] - '0'); n < groups {
			return "$" + strconv.Itoa(n+1)
		}
		return ""
	})
}

// header carries out "Header [always] set X-Robots-Tag value".
// https://httpd.apache.org/docs/2.4/mod/mod_headers.html#header
func (h *htaccess) header(pos diag.Pos, args []string) error {
	always := len(args) > 0 && strings.EqualFold(args[0], "always")
	if always || len(args) > 0 && strings.EqualFold(args[0], "onsuccess") {
		args = args[1:]
	}
	if len(args) < 2 || !strings.EqualFold(strings.TrimSuffix(args[1], ":"), robotsTag) {
		return nil
	}
	var rules []header
	action := strings.ToLower(args[0])
	if action == "set" || action == "unset" {
		rules = append(rules, header{pos: pos, unset: true, always: always})
	}
	switch {
	case action == "unset":
	case !slices.Contains([]string{"set", "append", "add", "merge", "setifempty"}, action):
		return fmt.Errorf("what %q does is not known", args[0])
	case len(args) < 3:
		return errors.New("it has no value")
	case len(args) > 3:
		h.undecidableHeader(header{pos: pos, value: args[2]}, args[3])
		return nil
	default:
		rules = append(rules, header{pos: pos, value: args[2], always: always})
	}
	h.addHeaders(rules)
	return nil
}

// addHeaders adds rules for the files of the sections around them, else for the folder.
func (h *htaccess) addHeaders(rules []header) {
	files := h.files()
	for _, rule := range rules {
		if files != nil {
			h.inFiles = append(h.inFiles, ruleOf[header]{*files, rule})
		} else {
			h.site.headers.add(everything(h.in), rule)
		}
	}
}
