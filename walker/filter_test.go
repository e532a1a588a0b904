package walker

import (
	"io/fs"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/sitewalk/sitewalk/internal/glob"
	"github.com/sitewalk/sitewalk/internal/testsite"
)

func TestRestrictToExtensions(t *testing.T) {
	kinds := []string{"**/*.[hH]", "**/*.x"}
	for glob, want := range map[string]string{
		"latest/**":   "latest/**/*.[hH] latest/**/*.x",
		"**":          "**/*.[hH] **/*.x",
		"a/*":         "a/*.[hH] a/*.x",
		"a/b*":        "a/b*.[hH] a/b*.x",
		"{a,b}/**":    "{a,b}/**/*.[hH] {a,b}/**/*.x",
		"**/*.pdf":    "**/*.pdf",
		"a/CNAME":     "a/CNAME",
		"{a/**,b/**}": "{a/**,b/**}",
		"a.b/*":       "a.b/*.[hH] a.b/*.x",
	} {
		if got := strings.Join(RestrictToExtensions([]string{glob}, kinds), " "); got != want {
			t.Errorf("%s: got %s, want %s", glob, got, want)
		}
	}
}

func TestFilterDecides(t *testing.T) {
	for name, c := range map[string]struct {
		include, exclude []string
		path             string
		in               bool
		glob             string
	}{
		"default":                   {nil, nil, "a/b.html", true, HTMLFiles[0]},
		"upper case":                {nil, nil, "A/B.XHTML", true, HTMLFiles[2]},
		"mixed case":                {nil, nil, "b.hTm", true, HTMLFiles[1]},
		"other extension":           {nil, nil, "b.css", false, ""},
		"extension without name":    {nil, nil, "html", false, ""},
		"markdown":                  {ContentFiles, nil, "posts/a.MD", true, ContentFiles[0]},
		"include is case-sensitive": {[]string{"**/*.html"}, nil, "a.HTML", false, ""},
		"alternatives":              {[]string{"**/*.{html,htm}"}, nil, "x/a.htm", true, "**/*.{html,htm}"},
		"include in folder":         {[]string{"blog/**/*.html"}, nil, "blog/a/b.html", true, "blog/**/*.html"},
		"include in other folder":   {[]string{"blog/**/*.html"}, nil, "docs/a.html", false, ""},
		"exclude wins":              {nil, []string{"drafts/**"}, "drafts/a/b.html", false, "drafts/**"},
		"exclude without wildcard":  {nil, []string{"drafts"}, "drafts/a.html", true, HTMLFiles[0]},
		"exclude one file":          {nil, []string{"**/old.html"}, "a/old.html", false, "**/old.html"},
		"dot folder":                {nil, nil, ".git/x.html", false, dotFolders},
		"dot folder, included":      {[]string{".git/**"}, nil, ".git/x.html", false, dotFolders},
		"deep dot folder":           {nil, nil, "a/.cache/b/x.html", false, dotFolders},
		"well-known":                {nil, nil, "a/.well-known/x.html", true, HTMLFiles[0]},
		"well-known file":           {[]string{"**"}, nil, ".well-known", false, dotFiles},
		"dot file":                  {nil, nil, "a/._b.html", false, dotFiles},
		"node_modules":              {nil, nil, "a/node_modules/b/x.html", false, nodeModules},
		"file named node_modules":   {[]string{"**"}, nil, "a/node_modules", true, "**"},
		"newline":                   {nil, nil, "a/new\nline.html", true, HTMLFiles[0]},
		"invalid UTF-8":             {[]string{"a/*.html"}, nil, "a/\xff.html", true, "a/*.html"},
		"class":                     {[]string{"20[0-9][0-9]/*"}, nil, "2024/x", true, "20[0-9][0-9]/*"},
		"escaped":                   {[]string{`\!a/\*`}, nil, "!a/*", true, `\!a/\*`},
		"second include matches":    {[]string{"a/**", "**"}, nil, "b", true, "**"},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := NewFilter(c.include, c.exclude)
			if err != nil {
				t.Fatal(err)
			}
			in, glob := f.Decide(c.path)
			if in != c.in || glob != c.glob || f.Match(c.path) != c.in {
				t.Errorf("%q: got %v, %q, Match %v; want %v, %q", c.path, in, glob, f.Match(c.path), c.in, c.glob)
			}
		})
	}
}

func TestNewFilterRejectsBadGlobs(t *testing.T) {
	for glob, want := range map[string]string{
		"":            `glob "" is empty`,
		"!a":          `glob "!a" begins with "!"`,
		"/a":          `glob "/a" begins with "/"`,
		"a/":          `glob "a/" ends in "/" and so matches no file; write "a/**"`,
		"./a":         `glob "./a" has an empty, "." or ".." part`,
		"a//b":        `glob "a//b" has an empty`,
		"a/../b":      `glob "a/../b" has an empty`,
		"**.html":     `glob "**.html" has "**" beside other characters, which matches like "*"; write "**/*.html"`,
		"a/b**":       `glob "a/b**" has "**" beside other characters`,
		"[a":          `glob "[a" has a "[" without "]"`,
		"{a,b":        `glob "{a,b" has a "{" without "}"`,
		"a}":          `glob "a}" has a "}" without "{"`,
		`a\`:          `glob "a\\" ends in "\"`,
		`a\\\`:        `glob "a\\\\\\" ends in "\"`,
		`[a\`:         `glob "[a\\" ends in "\"`,
		"[]":          `glob "[]" has`,
		"[z-a":        `glob "[z-a" has a "["`,
		"x/{a,[b}":    `glob "x/{a,[b}" has a`,
		"a\x1b[31m[b": `glob "a\x1b[31m[b" has a "["`,
	} {
		for _, f := range []func() (*Filter, error){
			func() (*Filter, error) { return NewFilter([]string{"ok", glob}, nil) },
			func() (*Filter, error) { return NewFilter(nil, []string{glob}) },
		} {
			if _, err := f(); err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("got %v, want %s", err, want)
			}
		}
	}
}

func TestMatchAllocatesNothing(t *testing.T) {
	f, err := NewFilter(nil, nil)
	must(t, err)
	if n := testing.AllocsPerRun(100, func() { f.Match("posts/2024/a/index.html") }); n > 0 {
		t.Errorf("Match: got %v allocations, want none", n)
	}
}

// matchesNaively reports whether a filter matches path. It applies the rules in the documentation
// of Filter without shortcuts.
func matchesNaively(include, exclude []string, path string) bool {
	names := strings.Split(path, "/")
	for i, name := range names {
		if i < len(names)-1 && name != ".well-known" && (strings.HasPrefix(name, ".") || name == "node_modules") {
			return false
		}
	}
	if strings.HasPrefix(names[len(names)-1], ".") {
		return false
	}
	matches := func(pattern string) bool {
		return slices.ContainsFunc(glob.ExpandBraces(pattern), func(choice string) bool { return doublestar.MatchUnvalidated(choice, path) })
	}
	return slices.ContainsFunc(include, matches) && !slices.ContainsFunc(exclude, matches)
}

// TestWalkVisitsMatchingFiles checks that a walk visits exactly the files that the filter matches,
// and that the filter matches like matchesNaively. Trees and globs are random.
func TestWalkVisitsMatchingFiles(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	pick := func(s []string) string { return s[r.IntN(len(s))] }
	names := []string{"a", "b", "ab", "a.html", "b.HTM", ".x", ".well-known", "node_modules", "x.md", "\u00e4.html"}
	parts := append([]string{"**", "**", "*", "?", "a*", "*.html", "*.[hH][tT][mM]", "{a,b}", "{a,b/*}", "{a,**}", "[ab]", "[^a]*", "*.{html,md}", "*{a,b.html}", `\a`}, names...)
	random := func(from []string, maxParts int) string {
		s := make([]string, 1+r.IntN(maxParts))
		for i := range s {
			s[i] = pick(from)
		}
		return strings.Join(s, "/")
	}
	globs := func(n int) []string {
		var all []string
		for len(all) < n {
			if glob := random(parts, 4); findGlobMistake(glob) == "" {
				all = append(all, glob)
			}
		}
		return all
	}
	for range testsite.Repeat(300, 2000) {
		include, exclude := globs(1+r.IntN(3)), globs(r.IntN(3))
		f, err := NewFilter(include, exclude)
		if err != nil {
			t.Fatal(err)
		}
		tree := fstest.MapFS{}
		var want []string
		for range 30 {
			path := random(names, 5)
			if tree[path] == nil && !conflicts(tree, path) {
				tree[path] = &fstest.MapFile{}
			}
		}
		for path := range tree {
			in := matchesNaively(include, exclude, path)
			if decided, _ := f.Decide(path); f.Match(path) != in || decided != in {
				t.Fatalf("include %q, exclude %q: Match(%q) = %v, Decide %v, want %v", include, exclude, path, f.Match(path), decided, in)
			}
			if in {
				want = append(want, path)
			}
		}
		slices.Sort(want)
		if got := walkedPaths(t, FS(tree), Options{Filter: f, Jobs: 2}); !slices.Equal(got, want) {
			t.Fatalf("include %q, exclude %q: the walk visits %q, want %q", include, exclude, got, want)
		}
	}
}

// conflicts reports whether path is a folder of the tree, or lies below a file of the tree.
func conflicts(tree fstest.MapFS, path string) bool {
	for other := range tree {
		if strings.HasPrefix(other, path+"/") || strings.HasPrefix(path, other+"/") {
			return true
		}
	}
	return false
}

// FuzzFilter checks that NewFilter returns an error that begins with the glob, or a filter that
// matches like matchesNaively. A walk must visit the same files.
func FuzzFilter(f *testing.F) {
	for _, glob := range []string{"**/*.html", HTMLFiles[0], "a/{b,c}/**", "[", `\`, "**.x", "{a/**,b}", "a/[^/]", `a\/**`, "**/*{a,b}", "*/**"} {
		f.Add(glob, "drafts/**", "a/b/c.html")
		f.Add("**", glob, "drafts/x.html")
	}
	f.Fuzz(func(t *testing.T, include, exclude, path string) {
		filter, err := NewFilter([]string{include}, []string{exclude})
		if err != nil {
			if !strings.HasPrefix(err.Error(), "glob \"") {
				t.Errorf("got error %q, want it to begin with the glob", err)
			}
			return
		}
		if len(path) > 200 || path == "." || !fs.ValidPath(path) {
			return
		}
		want := matchesNaively([]string{include}, []string{exclude}, path)
		if in, _ := filter.Decide(path); in != want || filter.Match(path) != want {
			t.Errorf("include %q, exclude %q: Match(%q) = %v, want %v", include, exclude, path, in, want)
		}
		got := walkedPaths(t, FS(fstest.MapFS{path: {}}), Options{Filter: filter, Jobs: 1})
		if (len(got) == 1) != want {
			t.Errorf("include %q, exclude %q: the walk of %q visits %q, want a visit: %v", include, exclude, path, got, want)
		}
	})
}

func TestFilterMatchesQuotedPath(t *testing.T) {
	for _, path := range []string{"a/b.html", "*.html", "[a]/{b,c}?.html", `a\b.html`, "**/x.html"} {
		f, err := NewFilter([]string{glob.Quote(path)}, nil)
		if err != nil || !f.Match(path) || f.Match("other.html") || f.Match(path+"x") {
			t.Errorf("the glob %s does not match only %s, error %v", glob.Quote(path), path, err)
		}
	}
}
