package hosting

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
)

// The values of rule.group for rules in .htaccess files. Apache applies the groups in this order.
const (
	accessGroup = iota
	rewriteGroup
	redirectGroup
	fallbackGroup
)

// An apacheSite collects the rules of all .htaccess files of a site.
//
// See https://httpd.apache.org/docs/2.4/mod/directives.html
type apacheSite struct {
	*loader
	files   []*htaccess // files that were read, outer folders first
	skipped []directive // directives that may change the answers, but are not evaluated
}

// A directive is a line of a .htaccess file, such as "Require all denied".
type directive struct {
	pos  diag.Pos
	text string
}

// An htaccess parses one .htaccess file and collects its rules.
type htaccess struct {
	*apacheSite
	file     file
	folder   string    // URL path of the folder of the file, with the path of the base URL: "/docs/blog"; "" for the publish directory
	sections []section // open sections, outer sections first

	access      *rule     // the Require, Allow or Deny directive that decides about the folder, or nil; if endsGroup is set, it allows access
	fileAccess  []rule    // Require, Allow and Deny directives in <Files> sections
	redirects   []rule    // Redirect and RedirectMatch directives
	fallback    *rule     // FallbackResource, or nil; if endsGroup is set, "FallbackResource disabled"
	fileHeaders []rule    // Header directives in <Files> sections
	rewrites    *rewrites // directives of mod_rewrite; nil if there are none
}

// A section is a block of lines in a .htaccess file, such as the lines from <Files "a.html"> to
// </Files>.
type section struct {
	files *pattern // names of the files in a <Files> or <FilesMatch> section; nil for other sections
	skip  bool     // ignore the directives in the section
}

// readApache reads redirects, headers and access rules from the .htaccess files in the folders that
// htaccessFolders returns. A .htaccess file applies to its folder and to all folders below.
func (l *loader) readApache() {
	host := l.host
	host.redirects.basePath = strings.TrimSuffix(l.Base.Prefix(), "/")
	host.headers.basePath, host.scripts.basePath = host.redirects.basePath, host.redirects.basePath
	host.appliesRulesToIndex, host.ownRedirectsFirst = true, true
	a := &apacheSite{loader: l}
	for _, dir := range l.htaccessFolders() {
		f, ok := l.openInPublish(path.Join(dir, ".htaccess"))
		if !ok {
			continue
		}
		h := &htaccess{apacheSite: a, file: f}
		if dir != "." {
			h.folder = host.redirects.basePath + "/" + dir
		}
		h.readDirectives()
		a.files = append(a.files, h)
	}
	a.addRules()
	a.reportSkippedDirectives()
}

// addRules adds the rules of all .htaccess files to a.host, in the order in which Apache applies
// them. In each group, a rule of an inner folder takes precedence over a rule of an outer folder.
// However, an access rule in a <Files> section takes precedence over all access rules for folders.
// addRules also adds the headers in <Files> sections; addHeaderDirective adds all other headers.
func (a *apacheSite) addRules() {
	inner := slices.Clone(a.files)
	slices.Reverse(inner)
	add := func(group int, rules ...rule) {
		for _, r := range rules {
			r.group = group
			a.host.redirects.add(r.pattern, r)
		}
	}
	for _, h := range inner {
		slices.Reverse(h.fileAccess) // the last section decides
		add(accessGroup, h.fileAccess...)
	}
	for _, h := range inner {
		if h.access != nil {
			add(accessGroup, *h.access)
		}
	}
	for i, h := range inner {
		if h.rewrites != nil { // for this folder, Apache then ignores the rewrite rules of outer folders
			add(rewriteGroup, a.collectRewriteRules(h, inner[i+1:])...)
			add(rewriteGroup, rule{pattern: folderPattern(h.folder), endsGroup: true})
		}
	}
	for _, h := range inner {
		add(redirectGroup, h.redirects...)
	}
	for _, h := range inner {
		if h.fallback != nil {
			add(fallbackGroup, *h.fallback)
		}
	}
	for _, h := range a.files {
		for _, r := range h.fileHeaders {
			a.host.headers.add(r.pattern, r)
		}
	}
}

// reportSkippedDirectives adds one finding for all directives in a.skipped. The finding has the
// position and the text of the directive that comes first by file name and line, and the number of
// the others. If a.skipped is empty, reportSkippedDirectives does nothing.
func (a *apacheSite) reportSkippedDirectives() {
	if len(a.skipped) == 0 {
		return
	}
	slices.SortFunc(a.skipped, func(a, b directive) int {
		return cmp.Or(cmp.Compare(a.pos.File, b.pos.File), cmp.Compare(a.pos.Line, b.pos.Line))
	})
	first, others := truncate(a.skipped[0].text), ""
	if len(a.skipped) > 1 {
		others = fmt.Sprintf(" (and %d more such lines)", len(a.skipped)-1)
	}
	a.diags.Notef(a.skipped[0].pos, "undecidable-rule",
		"exclude the pages by a rule of sitemap.yaml if no crawler can reach them; urls: sets how addresses end",
		"%s is not evaluated%s: only the server knows what it answers; the pages stay listed", first, others).Subject = first
}

// htaccessFolders returns the folders that contain a .htaccess file, as paths relative to the
// publish directory. Outer folders come before inner folders. The publish directory itself is ".".
// htaccessFolders leaves out unreadable folders, node_modules, and hidden folders other than
// .well-known.
func (l *loader) htaccessFolders() (dirs []string) {
	fs.WalkDir(l.Publish, ".", func(name string, d fs.DirEntry, err error) error {
		base := path.Base(name)
		switch {
		case err != nil:
			return fs.SkipDir // the walker of the pages reports unreadable folders
		case !d.IsDir() && base == ".htaccess":
			dirs = append(dirs, path.Dir(name))
		case d.IsDir() && name != "." && isSkippedByWalker(base):
			return fs.SkipDir
		}
		return nil
	})
	slices.SortFunc(dirs, func(a, b string) int { // "+a" sorts before ".", but "/+a" sorts after "/"
		return strings.Compare(path.Join("/", a), path.Join("/", b))
	})
	return dirs
}

// findInnerHTAccess returns the path of the first .htaccess file in a top-level folder of the
// publish directory, as the user would type it. It returns "" if there is none. It skips the
// folders for which isSkippedByWalker returns true. It checks only the first 1,000 entries of the
// publish directory and no deeper folders, because a watch checks all these files repeatedly.
func (l *loader) findInnerHTAccess() string {
	entries, _ := fs.ReadDir(l.Publish, ".")
	for _, e := range entries[:min(len(entries), 1000)] {
		if name := e.Name() + "/.htaccess"; !isSkippedByWalker(e.Name()) && isFile(l.Publish, name) {
			return path.Join(l.PublishName, name)
		}
	}
	return ""
}

// isSkippedByWalker reports whether the walker of the pages leaves out folders called folder, such
// as ".git" and "node_modules".
func isSkippedByWalker(folder string) bool {
	return folder[0] == '.' && folder != ".well-known" || folder == "node_modules"
}

// addSkippedDirective records a directive that may change the answers, but is not evaluated.
// reportSkippedDirectives reports it.
func (a *apacheSite) addSkippedDirective(pos diag.Pos, text string) {
	a.skipped = append(a.skipped, directive{pos, text})
}

// readDirectives evaluates the directives of the file, and ignores comments. A line that ends in a
// backslash continues on the next line.
func (h *htaccess) readDirectives() {
	n, from, whole := 0, 0, ""
	for line := range strings.Lines(string(h.file.src) + "\n\n") { // the empty line ends a last line with a backslash
		if n++; whole == "" {
			from = n
		}
		line = strings.TrimSpace(line)
		if part, more := strings.CutSuffix(line, `\`); more {
			whole += part
			continue
		}
		text := whole + line
		whole = ""
		if text == "" || text[0] == '#' {
			continue
		}
		h.readDirective(h.file.pos(from), text)
	}
}

// apacheWord matches one word of a directive. The text of the word is in group 1 if the word has
// double quotes, in group 2 if it has single quotes, and in group 3 if it has no quotes.
var apacheWord = regexp.MustCompile(`"((?s:\\.|[^"\\])*\\?)"?|'((?s:\\.|[^'\\])*\\?)'?|([^ \t]+)`)

// apacheWords splits a directive into words, and removes quotes around words. The words of
// `Redirect "/a b" /c` are "Redirect", "/a b" and "/c". A backslash escapes another backslash. In a
// quoted word, it also escapes the quote.
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

// readDirective evaluates one directive or the tag of a section, and reports a directive with a
// mistake. For a directive that may change the answers, but cannot be evaluated, it calls
// addSkippedDirective. It ignores unknown directives, and all directives in a section whose field
// skip is true.
func (h *htaccess) readDirective(pos diag.Pos, text string) {
	line := text
	if text[0] == '<' {
		line = strings.TrimSuffix(text, ">")
	}
	words := apacheWords(line)
	if words[0] == "" {
		return
	}
	name, args := strings.ToLower(words[0]), words[1:]
	if name[0] == '<' {
		h.handleSectionTag(pos, name, args, text)
		return
	}
	if slices.ContainsFunc(h.sections, func(s section) bool { return s.skip }) {
		return
	}
	var err error
	switch name {
	case "redirect", "redirectmatch", "redirectpermanent", "redirecttemp":
		err = h.addRedirectDirective(pos, name, args, text)
	case "header":
		err = h.addHeaderDirective(pos, args, text)
	case "fallbackresource":
		if len(args) > 0 {
			h.fallback = &rule{pattern: folderPattern(h.folder), pos: pos, text: text, status: http.StatusOK, endsGroup: strings.EqualFold(args[0], "disabled")}
		}
	case "directoryindex":
		if !slices.Contains(args, "index.html") {
			h.addSkippedDirective(pos, text)
		}
	case "directoryslash":
		if len(args) > 0 && strings.EqualFold(args[0], "off") {
			h.addSkippedDirective(pos, text)
		}
	case "options":
		if slices.ContainsFunc(args, func(a string) bool { return strings.EqualFold(strings.TrimPrefix(a, "+"), "multiviews") }) {
			h.addSkippedDirective(pos, text)
		}
	case "require", "deny", "allow":
		h.addAccessDirective(pos, name, args, text)
	case "rewriteengine", "rewritebase", "rewritecond", "rewriterule", "rewriteoptions", "rewritemap":
		err = h.addRewriteDirective(pos, name, args, text)
	}
	if err != nil {
		h.reportBadRule(pos, text, err)
	}
}

// handleSectionTag evaluates a tag that opens or closes a section, such as <Files "a.html"> or
// </Files>. It ignores the directives in <IfModule !name>, because the server probably has the
// module. It reports a <Files> or <FilesMatch> tag with a mistake, and ignores the directives in
// the section. For any other section, it calls addSkippedDirective and ignores the directives in
// the section.
func (h *htaccess) handleSectionTag(pos diag.Pos, name string, args []string, text string) {
	if strings.HasPrefix(name, "</") {
		h.sections = h.sections[:max(len(h.sections)-1, 0)]
		return
	}
	var s section
	var err error
	switch name {
	case "<ifmodule":
		s.skip = len(args) > 0 && strings.HasPrefix(args[0], "!")
	case "<files", "<filesmatch":
		s.files, err = h.compileFileNames(name == "<filesmatch", args)
		s.skip = err != nil
	default:
		h.addSkippedDirective(pos, text)
		s.skip = true
	}
	if err != nil {
		h.reportBadRule(pos, text, err)
	}
	h.sections = append(h.sections, s)
}

// compileFileNames compiles args, the arguments of <Files> or <FilesMatch>, such as "*.pdf". The
// argument is a regular expression if isRegex is true, or if "~" precedes the argument. It returns
// an error if the regular expression is invalid, or if args does not contain exactly one name.
func (h *htaccess) compileFileNames(isRegex bool, args []string) (*pattern, error) {
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
	p, err := compileRegexp(expr, nil)
	p.matchesFileName, p.folder = true, h.folder
	return &p, err
}

// filesSectionPattern returns the file name pattern of the outermost open <Files> or <FilesMatch>
// section. It returns nil if no such section is open.
func (h *htaccess) filesSectionPattern() *pattern {
	for _, s := range h.sections {
		if s.files != nil {
			return s.files
		}
	}
	return nil
}

// addAccessDirective evaluates a Require, Allow or Deny directive, such as "Require all denied". It
// reports and ignores a directive that denies access to the whole site, because the sitemap would
// be empty otherwise. It also ignores a directive about some visitors only, such as "Allow from
// 192.0.2.1". It calls addSkippedDirective if only the server knows whether the directive denies
// access.
func (h *htaccess) addAccessDirective(pos diag.Pos, name string, args []string, text string) {
	r := rule{pattern: folderPattern(h.folder), pos: pos, text: text, force: true}
	who := strings.ToLower(strings.Join(args, " "))
	switch first, _, _ := strings.Cut(who, " "); {
	case who == "all granted", name == "allow" && who == "from all":
		r.endsGroup = true
	case who == "all denied", name == "deny" && who == "from all":
		r.status = http.StatusForbidden
	case name == "require" && slices.Contains([]string{"valid-user", "user", "group"}, first):
		r.status = http.StatusUnauthorized
	case name == "allow", name == "deny", first == "not":
		return // the directive is about some visitors only; another directive decides about the others
	default:
		h.addSkippedDirective(pos, text)
		return
	}
	switch files := h.filesSectionPattern(); {
	case files != nil:
		r.pattern = *files
		h.fileAccess = append(h.fileAccess, r)
	case !r.endsGroup && h.folder == "":
		h.diags.Notef(pos, "undecidable-rule", "remove it from the built site if crawlers may read the pages",
			"%s is not followed, because it closes the whole site and the list would be empty; the pages stay listed", truncate(text)).Subject = truncate(text)
	case h.access == nil || r.endsGroup:
		h.access = &r
	}
}

var apacheStatus = map[string]int{"permanent": 301, "temp": 302, "seeother": 303, "gone": 410}

// addRedirectDirective adds the rule of a Redirect, RedirectPermanent, RedirectTemp or
// RedirectMatch directive. RedirectMatch applies to the paths that match a regular expression. The
// other directives apply to a path and all paths below. In a <Files> section, addRedirectDirective
// calls addSkippedDirective instead. It returns an error if the directive is invalid.
//
// See https://httpd.apache.org/docs/2.4/mod/mod_alias.html#redirect
func (h *htaccess) addRedirectDirective(pos diag.Pos, name string, args []string, text string) error {
	r := rule{pos: pos, text: text, force: true}
	r.status, args = parseRedirectArgs(name, args)
	isRedirect := r.status >= 300 && r.status < 400
	switch {
	case h.filesSectionPattern() != nil:
		h.addSkippedDirective(pos, text)
		return nil
	case r.status < 300 || r.status > 599:
		return fmt.Errorf("%d is not a status of a redirect or an error", r.status)
	case isRedirect && len(args) != 2:
		return errors.New("it needs a path and a URL")
	case !isRedirect && len(args) != 1:
		return fmt.Errorf("with status %d, it needs a path and no URL", r.status)
	}
	if isRedirect {
		r.to = args[1]
	}
	var err error
	if name == "redirectmatch" {
		r.pattern, err = compileRegexp(args[0], nil)
		r.dropsUnknownGroups = true
	} else {
		r.pattern, err = compilePrefix(args[0])
		r.to = strings.ReplaceAll(r.to, "$", "%24") + "$1"
	}
	if err != nil {
		return err
	}
	r.folder = h.folder
	h.redirects = append(h.redirects, r)
	return nil
}

// parseRedirectArgs returns the HTTP status of a Redirect directive, and the arguments after the
// status. name is the directive in lower case, such as "redirectpermanent". The default status is
// 302.
func parseRedirectArgs(name string, args []string) (status int, rest []string) {
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

// compilePrefix returns a pattern that matches path and all paths below it. Group 1 of the pattern
// is the rest of the matched path: "/b" if path is "/a" and the matched path is "/a/b". It returns
// an error if path does not begin with a slash.
func compilePrefix(path string) (pattern, error) {
	if !strings.HasPrefix(path, "/") {
		return pattern{}, errors.New("the path must begin with a slash")
	}
	return pattern{literal: path, matchesBelow: true}, nil
}

// addHeaderDirective evaluates a directive such as "Header always set X-Robots-Tag noindex". It
// ignores headers other than X-Robots-Tag. If the directive edits the header, or removes it on a
// condition, addHeaderDirective calls addSkippedDirective, and adds a rule that removes the header,
// so that the pages stay listed. If the directive sets the header on a condition,
// addHeaderDirective calls reportUndecidableHeader and adds no rule. It returns an error if the
// directive is invalid.
//
// See https://httpd.apache.org/docs/2.4/mod/mod_headers.html#header
func (h *htaccess) addHeaderDirective(pos diag.Pos, args []string, text string) error {
	always := len(args) > 0 && strings.EqualFold(args[0], "always")
	if always || len(args) > 0 && strings.EqualFold(args[0], "onsuccess") {
		args = args[1:]
	}
	if len(args) < 2 || !strings.EqualFold(strings.TrimSuffix(args[1], ":"), robotsHeader) {
		return nil
	}
	r := rule{pattern: folderPattern(h.folder), pos: pos, inAlwaysTable: always}
	action := strings.ToLower(args[0])
	switch {
	case action == "echo", action == "note": // neither changes a header of the answer
		return nil
	case action == "edit", action == "edit*", action == "unset" && len(args) > 2:
		h.addSkippedDirective(pos, text)
		r.removesEarlier = true
	case action == "unset":
		r.removesEarlier = true
	case !slices.Contains([]string{"set", "append", "add", "merge", "setifempty"}, action):
		return fmt.Errorf("%q is not an action of Header", args[0])
	case len(args) < 3:
		return errors.New("it has no value")
	case len(args) > 3:
		h.reportUndecidableHeader(pos, args[2], args[3])
		return nil
	default:
		r.tag, r.replacesEarlier, r.yieldsToEarlier = args[2], action == "set", action == "setifempty"
	}
	if files := h.filesSectionPattern(); files != nil {
		r.pattern = *files
		h.fileHeaders = append(h.fileHeaders, r)
	} else {
		h.host.headers.add(r.pattern, r)
	}
	return nil
}
