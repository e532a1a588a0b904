package site

import (
	"fmt"
	"net/url"
	"path"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/mapping"
)

// maxUnusedHints is how many rules that match nothing are compared with all pages to
// find out what was meant.
const maxUnusedHints = 10

// unusedRules reports the rules that match no page.
func (l *linter) unusedRules() {
	var unused []*mapping.Rule
	for i, n := range l.Hits {
		if n == 0 {
			unused = append(unused, l.o.Rules.At(i))
		}
	}
	hints := l.hintsFor(unused[:min(len(unused), maxUnusedHints)])
	for i, rule := range unused {
		hint := "urls is matched against the path of the URL below the base URL, files against that of the built file or of its content file"
		if i < len(hints) && hints[i] != "" {
			hint = hints[i]
		}
		l.findings.Add(diag.Warnf(rule.Pos, "unused-rule", hint, "rule %q matches no page", rule.Match).About(rule.Match))
	}
}

// hintsFor names for each rule the likeliest of the patterns that a person may mean by
// one that matches nothing, and how many pages it matches; "" where none does.
func (l *linter) hintsFor(rules []*mapping.Rule) []string {
	hints := make([]string, len(rules))
	var tried []mapping.Rule
	var about []int // the rule that each may mean
	for i, rule := range rules {
		for _, p := range l.readings(rule.Match) {
			one := []mapping.Rule{{Match: p}}
			if _, err := mapping.NewRules(one); err == nil && p != rule.Match {
				tried, about = append(tried, one...), append(about, i)
			}
		}
	}
	if len(tried) == 0 {
		return hints
	}
	all, _ := mapping.NewRules(tried) // each was tried
	matches, of := make([]int, len(tried)), 0
	for r := range l.Files() {
		of++
		for i := range all.Matching(r.File(), r.ContentName(), l.World.Path(r)) {
			matches[i]++
		}
	}
	for i, n := range matches {
		if n > 0 && hints[about[i]] == "" {
			hints[about[i]] = fmt.Sprintf("%s would match %d of the site's %d pages", asSetting(tried[i].Match), n, of)
		}
	}
	return hints
}

// asSetting returns a pattern as sitemap.yaml takes it in a rule.
func asSetting(pattern string) string {
	if strings.HasPrefix(pattern, "/") {
		return fmt.Sprintf("urls: %q", pattern)
	}
	return fmt.Sprintf("files: %q", pattern)
}

// readings returns what a pattern says without what its author had before his
// eyes and no path holds: the site's address, the folder of a tree, slashes that
// are too many, too few or missing at the end.
func (l *linter) readings(pattern string) []string {
	p := strings.ReplaceAll(strings.TrimPrefix(pattern, "./"), `\`, "/")
	base := l.o.Base.String()
	p = strings.Replace(p, strings.TrimSuffix(base, "/"), "", 1)
	for strings.Contains(p, "//") {
		p = strings.ReplaceAll(p, "//", "/")
	}
	bare := strings.TrimPrefix(p, "/")
	short := []string{p, bare, "/" + bare}
	for _, t := range l.folders(base) {
		if rest, ok := strings.CutPrefix(bare, t+"/"); ok {
			short = append(short, rest, "/"+rest)
		}
	}
	var out []string
	for _, s := range short {
		folder := strings.TrimSuffix(s, "/")
		out = append(out, s, folder, folder+"/**", folder+"/", folder+".html", strings.TrimSuffix(strings.TrimSuffix(folder, "*"), ".html"))
	}
	return out
}

// folders returns what may stand before a path of the site: the folders of its
// trees as the user would type them, their last names, and the path of the base
// URL.
func (l *linter) folders(base string) (all []string) {
	for _, t := range []*facts.Tree{l.o.Pages, l.o.Content} {
		if t != nil && t.Name != "" {
			all = append(all, t.Name, path.Base(t.Name))
		}
	}
	if u, err := url.Parse(base); err == nil && u.Path != "/" {
		all = append(all, strings.Trim(u.Path, "/"))
	}
	return all
}

// emptyLanguages reports configured folders that hold no page at all.
func (l *linter) emptyLanguages() {
	used := map[string]bool{}
	for r := range l.Files() {
		if lang, _, ok := l.World.Language(r.File()); ok {
			used[lang.Dir] = true
		}
	}
	for _, lang := range l.o.Languages {
		if used[lang.Dir] || lang.Pos.File == "" {
			continue
		}
		l.findings.Add(diag.Warnf(lang.Pos, "empty-language", "name the folder below the publish directory that holds the language's pages",
			"the folder %q of the language %s has no page", lang.Dir, lang.Code))
	}
}
