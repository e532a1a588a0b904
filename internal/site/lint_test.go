package site

import (
	"slices"
	"testing"
	"testing/fstest"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/walker"
)

// lint builds a site from files in memory. It returns the codes of all findings, and the causes
// that leave out most of the site.
func lint(t *testing.T, pages map[string]string, rules []mapping.Rule, most string) (codes []string, causes []MassProblem) {
	t.Helper()
	fsys := fstest.MapFS{}
	for file, text := range pages {
		fsys[file] = &fstest.MapFile{Data: []byte(text)}
	}
	var o Options
	var err error
	if o.Base, err = mapping.ParseBase("https://example.com/"); err != nil {
		t.Fatal(err)
	}
	html, err := walker.NewFilter(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if o.Rules, err = mapping.NewRules(rules); err != nil {
		t.Fatal(err)
	}
	o.Pages, o.Now = &facts.Tree{Files: walker.FS(fsys), Filter: html, Name: "public"}, noon
	set, err := facts.Learn(t.Context(), o.FactsOptions())
	if err != nil {
		t.Fatal(err)
	}
	world, err := Relate(t.Context(), set, o)
	if err != nil {
		t.Fatal(err)
	}
	limit, err := ParseMaxLoss(most)
	if err != nil {
		t.Fatal(err)
	}
	found, causes := Lint(ListPages(world, noon), limit)
	for _, k := range found.Kinds() {
		codes = append(codes, k.Code)
	}
	return codes, causes
}

func TestLint(t *testing.T) {
	const plain, hidden = "<!DOCTYPE html><title>t</title><p>text", "<!DOCTYPE html><title>t</title><meta name=robots content=noindex>"
	canonical := func(to string) string {
		return "<!DOCTYPE html><title>t</title><link rel=canonical href=" + to + "><p>text"
	}
	unused := []mapping.Rule{{Match: "nowhere/**", Pos: diag.Pos{File: "sitemap.yaml", Line: 1}}}
	tests := []struct {
		name   string
		pages  map[string]string
		rules  []mapping.Rule
		most   string
		codes  []string
		causes int
	}{
		{"healthy", map[string]string{"index.html": plain, "a.html": plain}, nil, "0", nil, 0},
		{"local server", map[string]string{"a.html": canonical("http://localhost:1313/a")}, nil, "0", []string{"local-address"}, 0},
		{"canonical to nothing", map[string]string{"a.html": canonical("/gone/")}, nil, "0", []string{"canonical-ignored"}, 0},
		{"part of a page", map[string]string{"index.html": plain, "part.html": "<p>text"}, nil, "0", []string{"page-fragment"}, 0},
		{"unused rule", map[string]string{"index.html": plain}, unused, "0", []string{"unused-rule"}, 0},
		{"most are hidden", map[string]string{"index.html": hidden, "a.html": hidden, "b.html": plain}, nil, "0", []string{"most-left-out"}, 1},
		{"most are hidden on purpose", map[string]string{"index.html": hidden, "a.html": hidden, "b.html": plain}, nil, "100%", nil, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			codes, causes := lint(t, tt.pages, tt.rules, tt.most)
			if !slices.Equal(codes, tt.codes) || len(causes) != tt.causes {
				t.Errorf("findings %q and %d causes, want %q and %d", codes, len(causes), tt.codes, tt.causes)
			}
		})
	}
}
