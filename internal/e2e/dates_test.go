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

// A story is a site under git that lives through some days. Each day's build
// says that it is noon of that day, so that a date that moves without cause is
// seen.
type story struct {
	t       *testing.T
	dir     string
	build   []string // program and arguments
	publish string
	source  string // where pages are written: "content/docs"
	layout  string // the template of all pages
	day     int
	abroad  bool // commits are written earlier than they are put in, in another zone
}

// The template carries what every build changes: the clock, a nonce, the hash
// of a style sheet, and a list of all pages.
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

func hugoStory(t *testing.T) *story {
	s := &story{
		t: t, dir: t.TempDir(), build: []string{tool(t, "hugo"), "--quiet"}, publish: "public",
		source: "content/docs", layout: "layouts/_default/single.html",
	}
	s.write("hugo.toml", "baseURL = 'https://example.internal/'\ntitle = 'Site'\ndisableKinds = ['taxonomy', 'term', 'section', 'RSS', 'sitemap']\n")
	s.write(s.layout, hugoLayout)
	s.write("layouts/index.html", hugoLayout)
	s.write("content/_index.md", "---\ntitle: Home\n---\nWelcome.\n")
	s.write(".gitignore", "public/\nresources/\n.hugo_build.lock\n")
	return s
}

func jekyllStory(t *testing.T) *story {
	s := &story{
		t: t, dir: t.TempDir(), build: []string{tool(t, "jekyll"), "build", "--quiet"}, publish: "_site",
		source: "docs", layout: "_layouts/page.html",
	}
	s.write("_config.yml", "url: https://example.internal\npermalink: pretty\nexclude: [sitemap.yaml, sitemap.ledger]\ndefaults:\n  - scope: {path: \"\"}\n    values: {layout: page}\n")
	s.write(s.layout, jekyllLayout)
	s.write("index.md", "---\ntitle: Home\n---\nWelcome.\n")
	s.write(".gitignore", "_site/\n.jekyll-cache/\n")
	return s
}

func (s *story) write(name, text string) {
	s.t.Helper()
	write(s.t, s.dir, name, text)
}

// page writes an article.
func (s *story) page(name, words string) {
	s.t.Helper()
	s.write(s.source+"/"+name+".md", fmt.Sprintf("---\ntitle: About %s\n---\nThis article says %s.\n", string([]rune(name)[:1]), words))
}

// noon is the time of the day that the story has come to.
func (s *story) noon() time.Time {
	return time.Date(2024, 3, 1+s.day, 12, 0, 0, 0, time.UTC)
}

func (s *story) git(args ...string) {
	s.t.Helper()
	written, put := s.noon(), s.noon()
	if s.abroad {
		written = written.Add(-90 * time.Minute).In(time.FixedZone("", 5*3600+45*60))
	}
	env := []string{"GIT_AUTHOR_DATE=" + written.Format(time.RFC3339), "GIT_COMMITTER_DATE=" + put.Format(time.RFC3339)}
	args = append([]string{"-c", "user.name=A", "-c", "user.email=a@example.internal", "-c", "init.defaultBranch=main"}, args...)
	if out, stderr, err := try(s.t, s.dir, env, tool(s.t, "git"), args...); err != nil {
		s.t.Fatalf("git %v: %v\n%s%s", args, err, out, stderr)
	}
}

func (s *story) commit() {
	s.t.Helper()
	s.git("add", "-A")
	s.git("commit", "-q", "--allow-empty", "-m", "a day's work")
}

// run builds the site anew and returns the date of each page, and what sitewalk
// said.
func (s *story) run() (map[string]string, string) {
	s.t.Helper()
	if err := os.RemoveAll(filepath.Join(s.dir, s.publish)); err != nil {
		s.t.Fatal(err)
	}
	do(s.t, s.dir, s.build[0], s.build[1:]...)
	epoch := fmt.Sprintf("SOURCE_DATE_EPOCH=%d", s.noon().Unix())
	out, stderr, err := try(s.t, s.dir, []string{epoch}, sitewalk)
	if err != nil {
		s.t.Fatalf("sitewalk: %v\n%s%s", err, out, stderr)
	}
	return dates(entries(s.t, filepath.Join(s.dir, s.publish, "sitemap.xml"))), stderr
}

// clone goes on with the story in a fresh shallow clone, in which every file is
// newer than the day.
func (s *story) clone() *story {
	s.t.Helper()
	c := *s
	c.dir = filepath.Join(s.t.TempDir(), "clone")
	s.git("clone", "-q", "--depth=1", "file://"+filepath.ToSlash(s.dir), c.dir)
	return &c
}

// same checks that exactly the URLs named changed, came or went: "/docs/a/
// 2024-03-05", "+/docs/b/ 2024-03-05", "-/docs/c/".
func (s *story) same(step string, before, after map[string]string, want ...string) {
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
		s.t.Errorf("%s: changed %q, want %q", step, got, want)
	}
}

var stories = map[string]func(*testing.T) *story{"hugo": hugoStory, "jekyll": jekyllStory}

// The seven steps with the ledger alone as the source of dates.
func TestLedgerDatesAreTrue(t *testing.T) {
	for name, begin := range stories {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := begin(t)
			s.write("sitemap.yaml", "lastmod: [ledger]\nledger: sitemap.ledger\n")
			s.git("init", "-q")
			s.page("a", "one thing")
			s.page("b", "another")
			first, _ := s.run()
			s.same("first run", nil, first, "+/", "+/docs/a/", "+/docs/b/")
			s.commit()

			// 1. Pages come, one a day.
			for s.day = 1; s.day <= 2; s.day++ {
				s.page("cd"[s.day-1:s.day], fmt.Sprint("more, on day ", s.day))
				first, _ = s.run()
				s.commit()
			}
			s.same("build", nil, first, "+/", "+/docs/a/", "+/docs/b/", "+/docs/c/ 2024-03-02", "+/docs/d/ 2024-03-03")

			s.day = 5
			again, _ := s.run()
			s.same("2, rebuild", first, again)

			s.commit()
			cloned, _ := s.clone().run()
			s.same("3, fresh clone of depth 1", first, cloned)

			s.page("a", "one thing, and one more")
			edited, _ := s.run()
			s.same("4, one article edited", first, edited, "/docs/a/ 2024-03-06")

			s.day = 6
			s.redesign()
			footer, _ := s.run()
			s.same("5, another footer", edited, footer)

			s.day = 7
			s.move("c", "cc")
			renamed, _ := s.run()
			s.same("6, a page renamed", footer, renamed, "+/docs/cc/ 2024-03-02", "-/docs/c/")

			s.day = 8
			s.move("d", "../../gone")
			without, _ := s.run()
			s.same("7, a page deleted", renamed, without, "-/docs/d/")
			s.day = 9
			s.move("../../gone", "d")
			back, _ := s.run()
			s.same("7, and restored", renamed, back)
		})
	}
}

// redesign changes the template of every page, not its content.
func (s *story) redesign() {
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

func (s *story) move(from, to string) {
	s.t.Helper()
	path := func(name string) string { return filepath.Join(s.dir, s.source, name+".md") }
	if err := os.Rename(path(from), path(to)); err != nil {
		s.t.Fatal(err)
	}
}

// The seven steps with git alone.
func TestGitDatesAreTrue(t *testing.T) {
	for name, begin := range stories {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := begin(t)
			s.write("sitemap.yaml", "lastmod: [git]\n")
			s.git("init", "-q")
			for i, p := range []string{"a", "b", "c"} {
				s.day = i
				s.page(p, "something")
				s.commit()
			}
			first, _ := s.run()
			s.same("1, build", nil, first, "+/ 2024-03-01T12:00:00Z", "+/docs/a/ 2024-03-01T12:00:00Z",
				"+/docs/b/ 2024-03-02T12:00:00Z", "+/docs/c/ 2024-03-03T12:00:00Z")

			s.day = 5
			again, _ := s.run()
			s.same("2, rebuild", first, again)

			s.touch()
			touched, _ := s.run()
			s.same("3, every file touched", first, touched)
			cloned, said := s.clone().run()
			s.same("3, fresh clone of depth 1", first, cloned, "/", "/docs/a/", "/docs/b/", "/docs/c/")
			if !strings.Contains(said, "git-shallow") || !strings.Contains(said, "4 of 4 files") {
				t.Errorf("no finding says that the clone is shallow: %s", said)
			}

			s.page("a", "something else")
			dirty, _ := s.run()
			s.same("an edit that is not committed", first, dirty, "/docs/a/")
			s.commit()
			edited, _ := s.run()
			s.same("4, one article edited", first, edited, "/docs/a/ 2024-03-06T12:00:00Z")

			s.day = 6
			s.redesign()
			s.commit()
			footer, _ := s.run()
			s.same("5, another footer", edited, footer)

			s.day = 7
			s.move("c", "cc")
			s.commit()
			renamed, _ := s.run()
			s.same("6, a page renamed", footer, renamed, "+/docs/cc/ 2024-03-03T12:00:00Z", "-/docs/c/")

			s.move("b", "../../gone")
			without, _ := s.run()
			s.same("7, a page deleted", renamed, without, "-/docs/b/")
			s.move("../../gone", "b")
			back, _ := s.run()
			s.same("7, and restored", renamed, back)
		})
	}
}

// touch gives every file the time of the build.
func (s *story) touch() {
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

// With both sources, as most will have it: nothing that a clone lacks is made
// up, and the two never take turns on one page.
func TestDefaultSourcesInAShallowClone(t *testing.T) {
	s := hugoStory(t)
	s.write("sitemap.yaml", "ledger: sitemap.ledger\n")
	s.git("init", "-q")
	for i, p := range []string{"a", "b", "c"} {
		s.day = i
		s.page(p, "something")
		s.commit()
	}
	s.run()
	s.commit()
	before, _ := s.run()
	s.day = 9
	after, _ := s.clone().run()
	for loc, date := range after {
		if date != "" && date != before[loc] {
			t.Errorf("%s had the date %q and has %q", loc, before[loc], date)
		}
	}
}

// Hugo's own sitemap with enableGitInfo, and that of Jekyll with the plugin that
// reads the committer's date, date every page that has a source as we do.
func TestSameGitDatesAsTheGenerators(t *testing.T) {
	for name, begin := range stories {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := begin(t)
			s.abroad = true
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
				s.page(fmt.Sprintf("%c", 'a'+i%7), fmt.Sprint("version ", i))
				s.page("u b", fmt.Sprint("version ", i/5))
				s.commit()
			}
			s.git("checkout", "-q", "-b", "side", "HEAD~2")
			s.page("x", "something on the side")
			s.day = 13
			s.commit()
			s.git("checkout", "-q", "main")
			s.day = 14
			s.git("merge", "-q", "--no-edit", "side")

			do(t, s.dir, s.build[0], s.build[1:]...)
			file := filepath.Join(s.dir, s.publish, "sitemap.xml")
			theirs := dates(entries(t, file))
			ours, _ := s.run()
			if len(ours) != 10 || !slices.Equal(slices.Sorted(maps.Keys(ours)), slices.Sorted(maps.Keys(theirs))) {
				t.Fatalf("we list %v, the generator %v", ours, theirs)
			}
			for loc := range ours {
				if !sameTime(ours[loc], theirs[loc]) {
					t.Errorf("%s: %s, the generator says %s", loc, ours[loc], theirs[loc])
				}
			}
		})
	}
}

// jekyll-seo-tag gives the documents of a collection the second of the build for
// their date. git dates them, where it can; where it cannot, nothing does.
func TestBuildTimesAreNotPrinted(t *testing.T) {
	s := jekyllStory(t)
	s.source = "_guides"
	s.write("_config.yml", "url: https://example.internal\nplugins: [jekyll-seo-tag]\ncollections: {guides: {output: true}}\ndefaults:\n  - scope: {path: \"\"}\n    values: {layout: page}\n")
	s.write(s.layout, "<html><head>{% seo %}</head><body>{{ content }}</body></html>\n")
	s.git("init", "-q")
	var want []string
	for i, name := range []string{"a", "b", "c", "d"} {
		s.day = i
		s.page(name, "something")
		s.commit()
		want = append(want, fmt.Sprintf("+/guides/%s.html %s", name, s.noon().Format(time.RFC3339)))
	}
	dates, said := s.run()
	page, err := os.ReadFile(filepath.Join(s.dir, "_site/guides/a.html"))
	if err != nil || !strings.Contains(string(page), `"dateModified":"2`) || strings.Contains(string(page), `"dateModified":"2024`) {
		t.Fatalf("the page does not name the time of the build: %v\n%s", err, page)
	}
	s.same("build", nil, dates, append([]string{"+/ 2024-03-01T12:00:00Z"}, want...)...)
	if strings.Contains(said, "warning") {
		t.Errorf("a healthy site is not built in silence: %s", said)
	}
	cloned, _ := s.clone().run()
	for loc, date := range cloned {
		if date != "" {
			t.Errorf("in a clone that knows no dates %s has the date %s", loc, date)
		}
	}
}

// In a shallow clone Hugo prints the date of its last commit on every page.
func TestHugoInAShallowClone(t *testing.T) {
	s := hugoStory(t)
	s.write("hugo.toml", "baseURL = 'https://example.internal/'\nenableGitInfo = true\ndisableKinds = ['taxonomy', 'term', 'section', 'RSS', 'sitemap']\n")
	meta := `<meta property="article:modified_time" content="{{ .Lastmod.Format "2006-01-02T15:04:05Z07:00" }}">`
	s.write(s.layout, strings.Replace(hugoLayout, "</head>", meta+"</head>", 1))
	s.git("init", "-q")
	for i, name := range []string{"a", "b"} {
		s.day = i
		s.page(name, "something")
		s.commit()
	}
	c := s.clone()
	for _, order := range []string{"", "lastmod: [html]\n"} {
		c.write("sitemap.yaml", order)
		dates, _ := c.run()
		for loc, date := range dates {
			if date != "" {
				t.Errorf("lastmod of %q: %s has the date %s", order, loc, date)
			}
		}
	}
	s.write("sitemap.yaml", "lastmod: [html]\n")
	dates, _ := s.run()
	s.same("whole", nil, dates, "+/", "+/docs/a/ 2024-03-01T12:00:00Z", "+/docs/b/ 2024-03-02T12:00:00Z")
}

func sameTime(a, b string) bool {
	s, err := time.Parse(time.RFC3339, a)
	t, terr := time.Parse(time.RFC3339, b)
	return err == nil && terr == nil && s.Equal(t)
}
