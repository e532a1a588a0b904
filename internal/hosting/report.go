package hosting

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
)

// reportBadRule adds a warning that a rule is ignored. text is the rule as messages show it. reason
// is an error or a string.
func (l *loader) reportBadRule(pos diag.Pos, text string, reason any) {
	l.diags.Warnf(pos, "bad-host-rule", "correct the line, or remove it", "rule %q is ignored: %v", truncate(text), reason).Subject = text
}

// truncate returns s unchanged if it has at most 100 bytes. Otherwise, it returns the first 100
// bytes and "…".
func truncate(s string) string {
	if len(s) > 100 {
		return s[:100] + "…"
	}
	return s
}

// reportUndecidableRule adds a finding for a rule that depends on the request. condition names what
// the rule depends on, such as "Country". reportUndecidableRule does nothing if files take
// precedence over the rule, or if the rule is a rewrite, with a status from 200 to 299.
func (l *loader) reportUndecidableRule(r rule, condition string) {
	if r.force && (r.status < 200 || r.status >= 300) {
		l.diags.Notef(r.pos, "undecidable-rule", "exclude the pages by a rule of sitemap.yaml if no crawler can reach them",
			"rule %q depends on %s, which is known only at the request; the pages stay listed", r.text, condition).Subject = r.text
	}
}

// reportUndecidableHeader adds a finding for an X-Robots-Tag header that depends on the request.
// value is the value of the header. condition names what the header depends on, such as "cookie
// session". reportUndecidableHeader does nothing if value does not contain noindex.
func (l *loader) reportUndecidableHeader(pos diag.Pos, value, condition string) {
	if hasNoIndex(value) {
		l.diags.Notef(pos, "undecidable-rule", "exclude the pages by a rule of sitemap.yaml if no crawler may index them",
			"header %q depends on %s, which is known only at the request; the pages stay listed", robotsHeader+": "+value, condition)
	}
}

// reportServerCode adds a finding for code of the site that the host may run before it serves
// files. program describes the code, such as "edge function geo". urls describes the URLs for which
// the code runs, such as "/shop/*".
func (l *loader) reportServerCode(pos diag.Pos, program, urls string) {
	l.diags.Notef(pos, "undecidable-code", "exclude the pages by a rule of sitemap.yaml if no crawler can reach them",
		"%s may answer for %s in place of the files, which only a request can show; the pages stay listed", program, urls)
}

// reportServerCodeFolder adds a finding if dir, a folder of the project for server code, contains
// any file or folder that is not hidden. program describes a file in dir, such as "a function of
// this folder".
func (l *loader) reportServerCodeFolder(dir, program string) {
	dir = path.Clean(strings.Trim(dir, "/"))
	entries, _ := fs.ReadDir(l.Root, dir)
	if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return !strings.HasPrefix(e.Name(), ".") }) {
		l.reportServerCode(diag.Pos{File: path.Join(l.RootName, dir)}, program, "addresses of its own")
	}
}
