package lint

import (
	"fmt"
	"net/url"
	"path"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/mapping"
)

// manyUnused is how many rules that match nothing are compared with all pages to
// find out what was meant.
const manyUnused = 10

// unusedRules reports the rules that match no page.
func (l *linter) unusedRules() {
	compared := 0
	for i, n := range l.Hits {
		if n > 0 {
			continue
		}
		rule := l.o.Rules.At(i)
		hint := "urls is matched against the path of the URL below the base URL, files against that of the built file or of its content file"
		if compared++; compared <= manyUnused {
			if meant, n, of := l.likeliestPattern(rule.Match); n > 0 {
				hint = fmt.Sprintf("%s would match %d of the site's %d pages", asSetting(meant), n, of)
			}
		}
		l.findings.Add(diag.Warnf(rule.Pos, "unused-rule", hint, "rule %q matches no page", rule.Match).About(rule.Match))
	}
}

// asSetting returns a pattern as sitemap.yaml takes it in a rule.
func asSetting(pattern string) string {
	if strings.HasPrefix(pattern, "/") {
		return fmt.Sprintf("urls: %q", pattern)
	}
	return fmt.Sprintf("files: %q", pattern)
}

// likeliestPattern returns the likeliest of the patterns that a person may mean by one that
// matches nothing, and how many of the site's pages it matches.
func (l *linter) likeliestPattern(pattern string) (likely string, matches, of int) {
	for _, p := range l.readings(pattern) {
		rules, err := mapping.NewRules([]mapping.Rule{{Match: p}})
		if p == pattern || err != nil {
			continue
		}
		matches, of = 0, 0
		for r := range l.Files() {
			of++
			for range rules.Matching(r.File(), r.ContentName(), l.World.Path(r)) {
				matches++
			}
		}
		if matches > 0 {
			return p, matches, of
		}
	}
	return "", 0, 0
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
