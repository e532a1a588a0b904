//go:build e2e

package e2e

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// A gitSite is a site in a git repository whose tests change it on several days. Each build runs at
// noon of the current day, so that an unexpected change of a date is visible.
type gitSite struct {
	t            *testing.T
	dir          string
	buildCommand []string // program and arguments
	publish      string
	source       string // folder for pages, such as "content/docs"
	layout       string // the template of all pages
	day          int
	otherZone    bool // author dates differ from committer dates and have another time zone
}

// The templates print values that change in each build: the time, a nonce, the name of a style
// sheet, and links to all pages.
const hugoLayout = `<!doctype html>
<html lang=en><head><title>{{ .Title }} | Site</title>
<link rel=canonical href="{{ .Permalink }}">
<link rel=stylesheet href="/style.{{ now.UnixNano }}.css">
<script nonce="{{ now.UnixNano }}">built = {{ now.Unix }}</script></head>
<body><header><nav>{{ range .Site.RegularPages }}<a href="{{ .RelPermalink }}">{{ .Title }}</a> {{ end }}</nav></header>
<main><h1>{{ .Title }}</h1>{{ .Content }}</main>
<footer>FOOTER, built {{ now }}</footer></body></html>
`

const jekyllLayout = `<!doctype html>
<html lang=en><head><title>{{ page.title }} | Site</title>
<link rel=canonical href="{{ page.url | absolute_url }}">
<link rel=stylesheet href="/style.{{ site.time | date: "%s%N" }}.css">
<script nonce="{{ site.time | date: "%s%N" }}">built = {{ site.time | date: "%s" }}</script></head>
<body><header><nav>{% for p in site.pages %}<a href="{{ p.url }}">{{ p.title }}</a> {% endfor %}</nav></header>
<main><h1>{{ page.title }}</h1>{{ content }}</main>
<footer>FOOTER, built {{ site.time }}</footer></body></html>
`

func newHugoGitSite(t *testing.T) *gitSite {
	s := &gitSite{
		t: t, dir: t.TempDir(), buildCommand: []string{toolPath(t, "hugo"), "--quiet"}, publish: "public",
		source: "content/docs", layout: "layouts/_default/single.html",
	}
	s.write("hugo.toml", "baseURL = 'https://example.internal/'\ntitle = 'Site'\ndisableKinds = ['taxonomy', 'term', 'section', 'RSS', 'sitemap']\n")
	s.write(s.layout, hugoLayout)
	s.write("layouts/index.html", hugoLayout)
	s.write("content/_index.md", "---\ntitle: Home\n---\nWelcome.\n")
	s.write(".gitignore", "public/\nresources/\n.hugo_build.lock\n")
	return s
}

func newJekyllGitSite(t *testing.T) *gitSite {
	s := &gitSite{
		t: t, dir: t.TempDir(), buildCommand: []string{toolPath(t, "jekyll"), "build", "--quiet"}, publish: "_site",
		source: "docs", layout: "_layouts/page.html",
	}
	s.write("_config.yml", "url: https://example.internal\npermalink: pretty\nexclude: [sitemap.yaml, sitemap.ledger]\ndefaults:\n  - scope: {path: \"\"}\n    values: {layout: page}\n")
	s.write(s.layout, jekyllLayout)
	s.write("index.md", "---\ntitle: Home\n---\nWelcome.\n")
	s.write(".gitignore", "_site/\n.jekyll-cache/\n")
	return s
}

func (s *gitSite) write(name, text string) {
	s.t.Helper()
	writeFile(s.t, s.dir, name, text)
}

// writePage writes a page with some words.
func (s *gitSite) writePage(name, words string) {
	s.t.Helper()
	s.write(s.source+"/"+name+".md", fmt.Sprintf("---\ntitle: About %s\n---\nThis article says %s.\n", string([]rune(name)[:1]), words))
}

// noon returns noon of the current day.
func (s *gitSite) noon() time.Time {
	return time.Date(2024, 3, 1+s.day, 12, 0, 0, 0, time.UTC)
}

// git runs git at noon of the current day.
func (s *gitSite) git(args ...string) {
	s.t.Helper()
	authorDate, committerDate := s.noon(), s.noon()
	if s.otherZone {
		authorDate = authorDate.Add(-90 * time.Minute).In(time.FixedZone("", 5*3600+45*60))
	}
	env := []string{"GIT_AUTHOR_DATE=" + authorDate.Format(time.RFC3339), "GIT_COMMITTER_DATE=" + committerDate.Format(time.RFC3339)}
	args = append([]string{"-c", "user.name=A", "-c", "user.email=a@example.internal", "-c", "init.defaultBranch=main"}, args...)
	if out, stderr, err := tryRun(s.t, s.dir, env, toolPath(s.t, "git"), args...); err != nil {
		s.t.Fatalf("git %v: %v\n%s%s", args, err, out, stderr)
	}
}

func (s *gitSite) commit() {
	s.t.Helper()
	s.git("add", "-A")
	s.git("commit", "-q", "--allow-empty", "-m", "a day's work")
}

// build removes the publish directory and builds the site and its sitemap. It returns the date of
// each page by URL, and the standard error of sitewalk.
func (s *gitSite) build() (dates map[string]string, stderr string) {
	s.t.Helper()
	if err := os.RemoveAll(filepath.Join(s.dir, s.publish)); err != nil {
		s.t.Fatal(err)
	}
	run(s.t, s.dir, s.buildCommand[0], s.buildCommand[1:]...)
	epoch := fmt.Sprintf("SOURCE_DATE_EPOCH=%d", s.noon().Unix())
	out, stderr, err := tryRun(s.t, s.dir, []string{epoch}, sitewalk)
	if err != nil {
		s.t.Fatalf("sitewalk: %v\n%s%s", err, out, stderr)
	}
	return datesByLoc(readEntries(s.t, filepath.Join(s.dir, s.publish, "sitemap.xml"))), stderr
}

// shallowClone returns a new clone of depth 1, in which all files have the current time.
func (s *gitSite) shallowClone() *gitSite {
	s.t.Helper()
	c := *s
	c.dir = filepath.Join(s.t.TempDir(), "clone")
	s.git("clone", "-q", "--depth=1", "file://"+filepath.ToSlash(s.dir), c.dir)
	return &c
}

// checkChanges checks the differences between the dates of two builds. A string in want is a changed
// date such as "/docs/a/ 2024-03-05", an added page such as "+/docs/b/ 2024-03-05", or a removed
// page such as "-/docs/c/".
func (s *gitSite) checkChanges(step string, before, after map[string]string, want ...string) {
	s.t.Helper()
	var got []string
	for loc, date := range after {
		path := strings.TrimPrefix(loc, "https://example.internal")
		old, ok := before[loc]
		switch {
		case !ok:
			got = append(got, strings.TrimSpace("+"+path+" "+date))
		case old != date:
			got = append(got, strings.TrimSpace(path+" "+date))
		}
	}
	for loc := range before {
		if _, ok := after[loc]; !ok {
			got = append(got, "-"+strings.TrimPrefix(loc, "https://example.internal"))
		}
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		s.t.Errorf("%s: changes %q, want %q", step, got, want)
	}
}

var gitSites = map[string]func(*testing.T) *gitSite{"hugo": newHugoGitSite, "jekyll": newJekyllGitSite}

// TestLedgerDates checks the dates of typical changes with the ledger as the only date source.
func TestLedgerDates(t *testing.T) {
	for name, newSite := range gitSites {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			s.write("sitemap.yaml", "lastmod: [ledger]\nledger: sitemap.ledger\n")
			s.git("init", "-q")
			s.writePage("a", "one thing")
			s.writePage("b", "another")
			first, _ := s.build()
			s.checkChanges("first build", nil, first, "+/", "+/docs/a/", "+/docs/b/")
			s.commit()

			for s.day = 1; s.day <= 2; s.day++ {
				s.writePage("cd"[s.day-1:s.day], fmt.Sprint("more, on day ", s.day))
				first, _ = s.build()
				s.commit()
			}
			s.checkChanges("two new pages", nil, first, "+/", "+/docs/a/", "+/docs/b/", "+/docs/c/ 2024-03-02", "+/docs/d/ 2024-03-03")

			s.day = 5
			again, _ := s.build()
			s.checkChanges("rebuild", first, again)

			s.commit()
			cloned, _ := s.shallowClone().build()
			s.checkChanges("clone of depth 1", first, cloned)

			s.writePage("a", "one thing, and one more")
			edited, _ := s.build()
			s.checkChanges("edited page", first, edited, "/docs/a/ 2024-03-06")

			s.day = 6
			s.changeFooter()
			footer, _ := s.build()
			s.checkChanges("new footer", edited, footer)

			s.day = 7
			s.movePage("c", "cc")
			renamed, _ := s.build()
			s.checkChanges("renamed page", footer, renamed, "+/docs/cc/ 2024-03-02", "-/docs/c/")

			s.day = 8
			s.movePage("d", "../../gone")
			without, _ := s.build()
			s.checkChanges("deleted page", renamed, without, "-/docs/d/")
			s.day = 9
			s.movePage("../../gone", "d")
			back, _ := s.build()
			s.checkChanges("restored page", renamed, back)
		})
	}
}

// changeFooter changes the footer in the templates.
func (s *gitSite) changeFooter() {
	s.t.Helper()
	for _, name := range []string{s.layout, "layouts/index.html"} {
		src, err := os.ReadFile(filepath.Join(s.dir, name))
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			s.t.Fatal(err)
		}
		s.write(name, strings.ReplaceAll(string(src), "FOOTER", "Another footer, © 2025"))
	}
}

// movePage renames a content file.
func (s *gitSite) movePage(from, to string) {
	s.t.Helper()
	path := func(name string) string { return filepath.Join(s.dir, s.source, name+".md") }
	if err := os.Rename(path(from), path(to)); err != nil {
		s.t.Fatal(err)
	}
}

// TestGitDates checks the dates of typical changes with git as the only date source.
func TestGitDates(t *testing.T) {
	for name, newSite := range gitSites {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			s.write("sitemap.yaml", "lastmod: [git]\n")
			s.git("init", "-q")
			for i, p := range []string{"a", "b", "c"} {
				s.day = i
				s.writePage(p, "something")
				s.commit()
			}
			first, _ := s.build()
			s.checkChanges("first build", nil, first, "+/ 2024-03-01T12:00:00Z", "+/docs/a/ 2024-03-01T12:00:00Z",
				"+/docs/b/ 2024-03-02T12:00:00Z", "+/docs/c/ 2024-03-03T12:00:00Z")

			s.day = 5
			again, _ := s.build()
			s.checkChanges("rebuild", first, again)

			s.touchFiles()
			touched, _ := s.build()
			s.checkChanges("new modification times", first, touched)
			cloned, stderr := s.shallowClone().build()
			s.checkChanges("clone of depth 1", first, cloned, "/", "/docs/a/", "/docs/b/", "/docs/c/")
			if !strings.Contains(stderr, "git-shallow") || !strings.Contains(stderr, "4 of 4 files") {
				t.Errorf("sitewalk in a shallow clone prints %s, want git-shallow for 4 of 4 files", stderr)
			}

			s.writePage("a", "something else")
			dirty, _ := s.build()
			s.checkChanges("edited page before the commit", first, dirty, "/docs/a/")
			s.commit()
			edited, _ := s.build()
			s.checkChanges("edited page", first, edited, "/docs/a/ 2024-03-06T12:00:00Z")

			s.day = 6
			s.changeFooter()
			s.commit()
			footer, _ := s.build()
			s.checkChanges("new footer", edited, footer)

			s.day = 7
			s.movePage("c", "cc")
			s.commit()
			renamed, _ := s.build()
			s.checkChanges("renamed page", footer, renamed, "+/docs/cc/ 2024-03-03T12:00:00Z", "-/docs/c/")

			s.movePage("b", "../../gone")
			without, _ := s.build()
			s.checkChanges("deleted page", renamed, without, "-/docs/b/")
			s.movePage("../../gone", "b")
			back, _ := s.build()
			s.checkChanges("restored page", renamed, back)
		})
	}
}

// touchFiles sets the modification times of all files to the current time.
func (s *gitSite) touchFiles() {
	s.t.Helper()
	now := time.Now()
	err := filepath.WalkDir(s.dir, func(path string, d os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == ".git":
			return filepath.SkipDir
		}
		return os.Chtimes(path, now, now)
	})
	if err != nil {
		s.t.Fatal(err)
	}
}

// TestDefaultSourcesInShallowClone builds a site with the default date sources and a ledger in a
// shallow clone. It checks that each page keeps its date or has none.
func TestDefaultSourcesInShallowClone(t *testing.T) {
	s := newHugoGitSite(t)
	s.write("sitemap.yaml", "ledger: sitemap.ledger\n")
	s.git("init", "-q")
	for i, p := range []string{"a", "b", "c"} {
		s.day = i
		s.writePage(p, "something")
		s.commit()
	}
	s.build()
	s.commit()
	before, _ := s.build()
	s.day = 9
	after, _ := s.shallowClone().build()
	for loc, date := range after {
		if date != "" && date != before[loc] {
			t.Errorf("%s: the date is %q, want %q or none", loc, date, before[loc])
		}
	}
}

// TestGitDatesLikeGenerators checks that git dates equal those in the sitemaps of generators: of Hugo
// with enableGitInfo, and of Jekyll with jekyll-last-modified-at, which uses committer dates.
func TestGitDatesLikeGenerators(t *testing.T) {
	for name, newSite := range gitSites {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			s.otherZone = true
			if name == "hugo" {
				s.write("sitemap.yaml", "lastmod: [git]\n")
				s.write("hugo.toml", "baseURL = 'https://example.internal/'\nenableGitInfo = true\ndisableKinds = ['taxonomy', 'term', 'section', 'RSS']\n")
			} else {
				s.write("sitemap.yaml", "lastmod: [git]\ngit_date: committer\n")
				s.write("_config.yml", "url: https://example.internal\npermalink: pretty\ntimezone: UTC\nexclude: [sitemap.yaml]\nplugins: [jekyll-sitemap, jekyll-last-modified-at]\ndefaults:\n  - scope: {path: \"\"}\n    values: {layout: page}\n")
			}
			s.git("init", "-q")
			for i := range 12 {
				s.day = i
				s.writePage(fmt.Sprintf("%c", 'a'+i%7), fmt.Sprint("version ", i))
				s.writePage("u b", fmt.Sprint("version ", i/5))
				s.commit()
			}
			s.git("checkout", "-q", "-b", "side", "HEAD~2")
			s.writePage("x", "something on the side")
			s.day = 13
			s.commit()
			s.git("checkout", "-q", "main")
			s.day = 14
			s.git("merge", "-q", "--no-edit", "side")

			run(t, s.dir, s.buildCommand[0], s.buildCommand[1:]...)
			file := filepath.Join(s.dir, s.publish, "sitemap.xml")
			theirs := datesByLoc(readEntries(t, file))
			ours, _ := s.build()
			if len(ours) != 10 || !slices.Equal(slices.Sorted(maps.Keys(ours)), slices.Sorted(maps.Keys(theirs))) {
				t.Fatalf("sitewalk lists %v, want the same 10 pages as the generator: %v", ours, theirs)
			}
			for loc := range ours {
				if !isSameTime(ours[loc], theirs[loc]) {
					t.Errorf("%s: the date is %s, want %s as in the sitemap of the generator", loc, ours[loc], theirs[loc])
				}
			}
		})
	}
}

// TestBuildTimeIsNoDate builds a site with jekyll-seo-tag, which prints the time of the build as the
// date of collection documents. It checks that sitewalk uses the git dates, and no dates in a
// shallow clone.
func TestBuildTimeIsNoDate(t *testing.T) {
	s := newJekyllGitSite(t)
	s.source = "_guides"
	s.write("_config.yml", "url: https://example.internal\nplugins: [jekyll-seo-tag]\ncollections: {guides: {output: true}}\ndefaults:\n  - scope: {path: \"\"}\n    values: {layout: page}\n")
	s.write(s.layout, "<html><head>{% seo %}</head><body>{{ content }}</body></html>\n")
	s.git("init", "-q")
	var want []string
	for i, name := range []string{"a", "b", "c", "d"} {
		s.day = i
		s.writePage(name, "something")
		s.commit()
		want = append(want, fmt.Sprintf("+/guides/%s.html %s", name, s.noon().Format(time.RFC3339)))
	}
	dates, stderr := s.build()
	page, err := os.ReadFile(filepath.Join(s.dir, "_site/guides/a.html"))
	if err != nil || !strings.Contains(string(page), `"dateModified":"2`) || strings.Contains(string(page), `"dateModified":"2024`) {
		t.Fatalf("the page does not contain the time of the build: %v\n%s", err, page)
	}
	s.checkChanges("build", nil, dates, append([]string{"+/ 2024-03-01T12:00:00Z"}, want...)...)
	if strings.Contains(stderr, "warning") {
		t.Errorf("sitewalk prints %s, want no warnings", stderr)
	}
	cloned, _ := s.shallowClone().build()
	for loc, date := range cloned {
		if date != "" {
			t.Errorf("%s: the date in a shallow clone is %s, want none", loc, date)
		}
	}
}

// TestHugoGitInfoInShallowClone checks that sitewalk does not use the dates that Hugo prints in a
// shallow clone, where Hugo prints the date of the last commit on every page.
func TestHugoGitInfoInShallowClone(t *testing.T) {
	s := newHugoGitSite(t)
	s.write("hugo.toml", "baseURL = 'https://example.internal/'\nenableGitInfo = true\ndisableKinds = ['taxonomy', 'term', 'section', 'RSS', 'sitemap']\n")
	meta := `<meta property="article:modified_time" content="{{ .Lastmod.Format "2006-01-02T15:04:05Z07:00" }}">`
	s.write(s.layout, strings.Replace(hugoLayout, "</head>", meta+"</head>", 1))
	s.git("init", "-q")
	for i, name := range []string{"a", "b"} {
		s.day = i
		s.writePage(name, "something")
		s.commit()
	}
	c := s.shallowClone()
	for _, config := range []string{"", "lastmod: [html]\n"} {
		c.write("sitemap.yaml", config)
		dates, _ := c.build()
		for loc, date := range dates {
			if date != "" {
				t.Errorf("%s: the date with the configuration %q is %s, want none", loc, config, date)
			}
		}
	}
	s.write("sitemap.yaml", "lastmod: [html]\n")
	dates, _ := s.build()
	s.checkChanges("full clone", nil, dates, "+/", "+/docs/a/ 2024-03-01T12:00:00Z", "+/docs/b/ 2024-03-02T12:00:00Z")
}

// isSameTime reports whether a and b are RFC 3339 times of the same instant.
func isSameTime(a, b string) bool {
	s, err := time.Parse(time.RFC3339, a)
	t, terr := time.Parse(time.RFC3339, b)
	return err == nil && terr == nil && s.Equal(t)
}
