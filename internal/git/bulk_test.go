package git_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/internal/git"
)

// TestReadDatesSkipsBulkCommits checks the dates of files after commits with many files. Files with
// the extension .html count as built pages.
func TestReadDatesSkipsBulkCommits(t *testing.T) {
	t.Parallel()
	const (
		deploys = "its commits are deploys"
		added   = git.Imported
	)
	list := func(n int, format string) (names []string) {
		for i := range n {
			names = append(names, fmt.Sprintf(format, i))
		}
		return names
	}
	type commit struct {
		day   string
		files []string
	}
	html, md, many, later := list(8, "%d.html"), list(8, "%d.md"), list(300, "%d.html"), list(8, "later-%d.md")
	for name, c := range map[string]struct {
		commits   []commit
		generated bool
		want      map[string]string
		finding   string
	}{
		"pages edited by hand": {
			[]commit{{"01-01", html}, {"01-02", html[:1]}, {"01-03", html[1:5]}},
			false,
			map[string]string{"0.html": "2024-01-02", "1.html": "2024-01-03", "7.html": added},
			"",
		},
		"most pages changed at once": {
			[]commit{{"01-01", html[:4]}, {"01-02", html[4:]}, {"01-03", html[:5]}, {"01-04", html[:1]}},
			false,
			map[string]string{"0.html": deploys, "1.html": deploys, "7.html": deploys},
			"changed 5 of 8",
		},
		"more pages changed at once than by hand": {
			[]commit{{"01-01", many[:150]}, {"01-02", many[150:]}, {"01-03", many[:101]}, {"01-04", many[:1]}},
			false,
			map[string]string{"0.html": deploys, "299.html": deploys},
			"changed 101 of 300",
		},
		"as many pages changed at once as by hand": {
			[]commit{{"01-01", many[:150]}, {"01-02", many[150:]}, {"01-03", many[:100]}},
			false,
			map[string]string{"0.html": "2024-01-03", "299.html": "2024-01-02"},
			"",
		},
		"pages with a generator's mark": {
			[]commit{{"01-01", html[:4]}, {"01-02", html[4:]}, {"01-02", md[:1]}},
			true,
			map[string]string{"0.html": deploys, "7.html": deploys, "0.md": "2024-01-02"},
			"generator's mark",
		},
		"import of content": {
			[]commit{{"01-01", md[:5]}, {"01-02", md[5:7]}, {"01-03", md[:1]}, {"01-04", md[7:]}},
			false,
			map[string]string{"0.md": "2024-01-03", "1.md": added, "5.md": "2024-01-02", "7.md": "2024-01-04"},
			"",
		},
		"import into a growing site": {
			[]commit{{"01-01", md[:1]}, {"01-02", md[1:6]}, {"01-03", md[6:7]}, {"01-05", md[7:]}, {"01-06", later[:4]}, {"01-07", later[4:]}},
			false,
			map[string]string{"0.md": "2024-01-01", "1.md": added, "6.md": "2024-01-03", "later-0.md": "2024-01-06"},
			"",
		},
		"few content files": {
			[]commit{{"01-01", md[:4]}, {"01-02", md[4:]}},
			false,
			map[string]string{"0.md": "2024-01-01", "7.md": "2024-01-02"},
			"",
		},
		"all content changed at once": {
			[]commit{{"01-01", md[:4]}, {"01-02", md[4:]}, {"01-03", md}},
			false,
			map[string]string{"0.md": "2024-01-03", "7.md": "2024-01-03"},
			"",
		},
		"content and build in one commit": {
			[]commit{{"01-01", append(md[:4:4], html...)}, {"01-02", md[4:]}, {"01-03", html}},
			false,
			map[string]string{"0.md": "2024-01-01", "7.md": "2024-01-02", "0.html": deploys},
			"changed 8 of 8",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRepository(t)
			files := map[string]bool{}
			for _, commit := range c.commits {
				for _, name := range commit.files {
					r.write(name, commit.day)
					files[filepath.Join(r.dir, name)] = true
				}
				r.commitOn(commit.day)
			}
			var names []string
			for name := range files {
				names = append(names, name)
			}
			o := git.Options{IsBuilt: func(file string) bool { return strings.HasSuffix(file, ".html") }, HasGeneratorMark: c.generated}
			answers := new(git.Dates).Query(t.Context(), names, o)
			again := answers.WithoutFiles([]string{names[0]}).Query(t.Context(), names, o)
			for _, a := range []*git.Dates{answers, again} {
				for name, want := range c.want {
					got := a.Results[filepath.Join(r.dir, name)]
					if text := got.Date.String() + got.Why; !strings.HasPrefix(text, want) {
						t.Errorf("%s: got %s, want %s", name, text, want)
					}
				}
				if c.finding == "" {
					requireNoFindings(t, a.Trouble)
				} else if requireFinding(t, a.Trouble, "git-deploys", "ledger"); !strings.Contains(a.Trouble[0].Message, c.finding) {
					t.Errorf("got finding %s, want a message with %q", a.Trouble[0], c.finding)
				}
			}
		})
	}
}

// TestReadDatesFindsImportsPerSite adds two small sites in one commit. The commit must count as an
// import only if Options.Folders contains both sites.
func TestReadDatesFindsImportsPerSite(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	var names []string
	for i := range 4 {
		for _, site := range []string{"blog", "docs"} {
			name := fmt.Sprintf("%s/%d.md", site, i)
			r.write(name, "text")
			names = append(names, filepath.Join(r.dir, name))
		}
	}
	r.commitOn("01-01")
	for _, c := range []struct {
		folders []string
		want    string
	}{
		{nil, git.Imported},
		{[]string{filepath.Join(r.dir, "blog")}, "2024-01-01"},
		{[]string{r.dir}, git.Imported},
		{[]string{filepath.Dir(r.dir)}, git.Imported},
	} {
		got := new(git.Dates).Query(t.Context(), names[:1], git.Options{Folders: c.folders}).Results[names[0]]
		if text := got.Date.String() + got.Why; !strings.HasPrefix(text, c.want) {
			t.Errorf("folders %q: got %s, want %s", c.folders, text, c.want)
		}
	}
}
