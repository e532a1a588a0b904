package writer

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sitewalk/sitewalk/internal/testsite"
	"github.com/sitewalk/sitewalk/sitemap"
)

// everything is options that use all there is.
func everything(dir string) Options {
	return Options{
		Dir: dir, Base: base, Formats: []string{"xml", "txt", "rss", "atom"}, Gzip: "also",
		MaxURLs: 10, Robots: true, Page: "sitemap.html", Stylesheet: true, IndexNowKey: oneKey,
	}
}

func dated(paths ...string) slice {
	s := site(paths...)
	for i := range s {
		s[i].LastMod = day
	}
	return s
}

// states returns "name state" of the files that are not unchanged.
func states(r Report) string {
	var out []string
	for _, f := range r.Files {
		if f.State != Unchanged {
			out = append(out, f.Name+" "+f.State.String())
		}
	}
	return strings.Join(out, ", ")
}

// age makes every file below dir look old, and returns their infos.
func age(t *testing.T, dir string) map[string]fs.FileInfo {
	t.Helper()
	out := map[string]fs.FileInfo{}
	old := time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)
	for name := range tree(t, dir) {
		p := filepath.Join(dir, name)
		if err := os.Chtimes(p, old, old); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(p)
		if err != nil {
			t.Fatal(err)
		}
		out[name] = info
	}
	return out
}

func TestWriteTwiceTouchesNothing(t *testing.T) {
	pages := dated(append(append(many("blog", 25), many("docs", 8)...), "", "about")...)
	dir := t.TempDir()
	write(t, pages, everything(dir))
	before := age(t, dir)
	r := write(t, pages, everything(dir))
	if got := states(r); got != "" {
		t.Errorf("a second run did %s", got)
	}
	if len(r.Files) != len(before) || len(r.Diags) > 0 {
		t.Errorf("%d files reported of %d; findings %v", len(r.Files), len(before), r.Diags)
	}
	for name, info := range before {
		now, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if !os.SameFile(info, now) || !info.ModTime().Equal(now.ModTime()) {
			t.Errorf("%s was touched", name)
		}
	}
}

func TestWriteOnePageMore(t *testing.T) {
	dir := t.TempDir()
	few := append(append(many("blog", 24), many("docs", 8)...), "", "about")
	o := Options{Dir: dir, MaxURLs: 10}
	write(t, site(few...), o)
	if got := states(write(t, site(append(few, "about-2")...), o)); got != "sitemap-pages.xml written" {
		t.Errorf("without dates: %s", got)
	}
	write(t, dated(few...), o)
	s := dated(append(few, "about-2")...)
	for i := range s {
		if strings.HasSuffix(s[i].Loc, "about-2") {
			s[i].LastMod = sitemap.DayOf(day.Time().AddDate(1, 0, 0))
		}
	}
	if got := states(write(t, s, o)); got != "sitemap-pages.xml written, sitemap.xml written" {
		t.Errorf("with dates: %s", got)
	}
	index := tree(t, dir)["sitemap.xml"]
	if !strings.Contains(index, "<loc>https://example.com/sitemap-pages.xml</loc><lastmod>2025-05-01</lastmod>") {
		t.Errorf("the index does not carry the newest date:\n%s", index)
	}
	s[0].LastMod = sitemap.Date{}
	write(t, s, o)
	if index := tree(t, dir)["sitemap.xml"]; !strings.Contains(index, "<loc>https://example.com/sitemap-pages.xml</loc></sitemap>") {
		t.Errorf("a child with a page without a date has one:\n%s", index)
	}
}

// What an earlier run left is removed when it is not needed any more, whatever
// changed between the two.
func TestWriteLeavesNothingStale(t *testing.T) {
	t.Parallel()
	large := dated(append(append(many("blog", 25), many("docs", 12)...), "", "about")...)
	small := dated("", "about")
	few := testsite.Repeat(3, 1) // one pair in so many
	variants := map[string]func(o *Options) slice{
		"everything":    func(o *Options) slice { return large },
		"one file":      func(o *Options) slice { return small },
		"no dates":      func(o *Options) slice { return site("a", "b") },
		"xml alone":     func(o *Options) slice { o.Formats = nil; return large },
		"txt alone":     func(o *Options) slice { o.Formats = []string{"txt"}; return small },
		"not zipped":    func(o *Options) slice { o.Gzip = ""; return large },
		"only zipped":   func(o *Options) slice { o.Gzip = "only"; return large },
		"not styled":    func(o *Options) slice { o.Stylesheet = false; return large },
		"other cut":     func(o *Options) slice { o.Split = "none"; return large },
		"small, zipped": func(o *Options) slice { o.Gzip = "only"; return small },
	}
	names := slices.Sorted(maps.Keys(variants))
	for i, to := range names {
		is := variants[to]
		dir := testsite.MemoryDir(t)
		o := everything(dir)
		write(t, is(&o), o)
		want := tree(t, dir)
		for j := i % few; j < len(names); j += few {
			from, was := names[j], variants[names[j]]
			t.Run(from+" to "+to, func(t *testing.T) {
				t.Parallel()
				dir := testsite.MemoryDir(t)
				o, p := everything(dir), everything(dir)
				write(t, was(&o), o)
				write(t, is(&p), p)
				got := tree(t, dir)
				if from == "txt alone" { // nothing proves a text alone to be ours
					delete(got, "sitemap.txt")
					delete(got, "sitemap.txt.gz")
				}
				for name, text := range want {
					if got[name] != text && !strings.HasPrefix(name, "sitemap.txt") {
						t.Errorf("%s is not what a fresh run writes:\n%s", name, got[name])
					}
				}
				for name := range got {
					if _, ok := want[name]; !ok {
						t.Errorf("%s is left", name)
					}
				}
			})
		}
	}
}

// Files of each format, in one piece and in many, are known again: a second run leaves
// them alone, and one that does not ask for the format removes them.
func TestFilesOfEachFormat(t *testing.T) {
	pages := dated(append(many("blog", 25), "", "about")...)
	for _, name := range Formats {
		for _, most := range []int{0, 10} {
			o := Options{Dir: t.TempDir(), Formats: []string{"xml", name}, MaxURLs: most}
			first := write(t, pages, o)
			if r := write(t, pages, o); states(r) != "" || len(r.Diags) > 0 || len(r.Files) != len(first.Files) {
				t.Errorf("%s of %d: a second run did %q: %v", name, most, states(r), r.Diags)
			}
			o.Formats = []string{"xml"}
			write(t, pages, o)
			for file := range tree(t, o.Dir) {
				if path.Ext(file) != ".xml" {
					t.Errorf("%s of %d: %s is left", name, most, file)
				}
			}
		}
	}
}

// An index goes before the files that it names, so that a run that is killed
// meanwhile leaves none that names a file that is gone.
func TestStaleOrder(t *testing.T) {
	t.Parallel()
	pages := testsite.Repeat(11, 25) // of each section: two files at least
	for _, name := range []string{"old.xml", "new.xml"} {
		for n, more := 0, true; more; n++ {
			dir := testsite.MemoryDir(t)
			o := everything(dir)
			o.Name = "old.xml"
			write(t, dated(append(many("blog", pages), many("zoo", pages)...)...), o)
			o.Name, o.Formats = name, []string{"atom"}
			var tx Transaction
			if _, err := tx.Draft(t.Context(), dated("a"), o); err != nil {
				t.Fatal(err)
			}
			more = cutShort(&tx, n)
			files := tree(t, dir)
			for index, text := range files {
				if !strings.Contains(text, "<sitemapindex") {
					continue
				}
				for _, child := range children(t, text) {
					if _, ok := files[child]; !ok {
						t.Fatalf("%s, after %d changes: %s names %s, which is gone", name, n, index, child)
					}
				}
			}
			if !more && strings.Contains(strings.Join(namesIn(files), " "), ".xml") {
				t.Errorf("%s: files %s", name, namesIn(files))
			}
		}
	}
}

// children returns the files that an index names.
func children(t *testing.T, index string) (names []string) {
	items := sitemap.NewReader(strings.NewReader(index))
	for item, err := range items.All() {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, strings.TrimPrefix(item.Loc, base))
	}
	return names
}

// TestOtherSitemapsOfTheIndex leaves a sitemap of ours alone that the settings name, as
// another build has written it.
func TestOtherSitemapsOfTheIndex(t *testing.T) {
	dir := testsite.MemoryDir(t)
	write(t, site("shop/a"), Options{Dir: dir, Name: "sitemap-shop.xml"})
	o := Options{Dir: dir, Index: []string{base + "sitemap-shop.xml"}}
	for range 3 {
		write(t, site("", "b"), o)
	}
	if got := strings.Join(namesIn(tree(t, dir)), " "); got != "sitemap-pages.xml sitemap-shop.xml sitemap.xml" {
		t.Errorf("files %s", got)
	}
}

// The page for people is removed under the name that a file of ours tells, and
// all of the entry under the name that our line in robots.txt tells.
func TestWriteUnderOtherNames(t *testing.T) {
	t.Parallel()
	pages := dated(append(many("blog", 25), "", "about")...)
	first := func(dir string) Options {
		o := everything(dir)
		o.Name, o.Page = "maps/the--old.xml", "the--list of-pages-.html"
		return o
	}
	tests := []struct {
		name string
		o    func(o *Options)
		left string
	}{
		{"no page", func(o *Options) { o.Page = "" }, ""},
		{"another page", func(o *Options) { o.Page = "a/b.html" }, ""},
		{"another entry", func(o *Options) { o.Name = "new.xml" }, ""},
		{"both, and less", func(o *Options) {
			o.Name, o.Page, o.Formats, o.Stylesheet = "maps/new.xml", "", []string{"xml"}, false
		}, ""},
		{"another entry that nobody announces", func(o *Options) { o.Name, o.Robots = "new.xml", false }, "all"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir, fresh := testsite.MemoryDir(t), testsite.MemoryDir(t)
			write(t, pages, first(dir))
			validate(t, dir)
			before := tree(t, dir)
			o, p := first(dir), first(fresh)
			tt.o(&o)
			tt.o(&p)
			write(t, pages, o)
			write(t, pages, p)
			got, want := tree(t, dir), tree(t, fresh)
			if tt.left == "all" {
				maps.Copy(want, before)
				maps.DeleteFunc(want, func(name, _ string) bool { return name == robotsFile })
				delete(got, robotsFile)
			}
			if g, w := strings.Join(namesIn(got), " "), strings.Join(namesIn(want), " "); g != w {
				t.Errorf("files %s, want %s", g, w)
			}
			if r := write(t, pages, o); states(r) != "" {
				t.Errorf("a second run did %s", states(r))
			}
		})
	}
}

// A page of the user's own under a name that a file of ours tells stays, and so
// does an entry that the user's own line in robots.txt names.
func TestWriteLeavesForeignNames(t *testing.T) {
	dir := testsite.MemoryDir(t)
	write(t, site("", "a"), Options{Dir: dir, Page: "list.html"})
	put(t, filepath.Join(dir, "list.html"), "<p>mine")
	put(t, filepath.Join(dir, "news.xml"), tree(t, dir)["sitemap.xml"])
	put(t, filepath.Join(dir, "robots.txt"), "Sitemap: "+base+"news.xml\n")
	write(t, site("", "a"), Options{Dir: dir, Robots: true})
	if got := strings.Join(namesIn(tree(t, dir)), " "); got != "list.html news.xml robots.txt sitemap.xml" {
		t.Errorf("files %s", got)
	}
}

// Files of others stay, however much they look like ours.
func TestWriteLeavesForeignFiles(t *testing.T) {
	dir := t.TempDir()
	o := Options{Dir: dir, MaxURLs: 10, Index: []string{base + "sitemap-shop.xml", base + "sub/sitemap-a.xml"}}
	write(t, site(append(many("blog", 25), "")...), o)
	foreign := map[string]string{
		"sitemap-shop.xml":     "<urlset/>",                                   // named by our index, without our mark
		"sitemap-old.xml":      markComment + "<urlset/>",                     // with our mark, not named
		"sitemap.txt":          "https://example.com/of-my-own\n",             // not what sitemap.xml says
		"sitemap-blog.txt":     "https://example.com/blog/of-my-own\n",        //
		"sitemap.rss":          "<rss/>",                                      //
		"sitemap.css":          "url { display: block }",                      //
		"sub/sitemap-a.xml":    markComment + "<urlset/>",                     // named, in another folder
		"sitemap-index-2.html": markComment,                                   //
		".sitewalk-notes":      "mine",                                        //
		"x.tmp":                "mine",                                        //
		"index.html":           "<!doctype html>" + markComment + "<p>Mine",   //
		"sitemap-index-2.xml":  "<sitemapindex></sitemapindex>" + markComment, // the mark is not where we write it
	}
	for name, text := range foreign {
		put(t, filepath.Join(dir, name), text)
	}
	write(t, site(""), Options{Dir: dir})
	got := tree(t, dir)
	for name, text := range foreign {
		if got[name] != text {
			t.Errorf("%s was touched", name)
		}
	}
	if len(got) != len(foreign)+1 {
		t.Errorf("left over: %s", namesIn(got))
	}
}

// TestWriteOverBrokenChildren replaces the files of a child that an index names, even if they are
// broken.
func TestWriteOverBrokenChildren(t *testing.T) {
	dir := testsite.MemoryDir(t)
	o := Options{Dir: dir, Base: base, MaxURLs: 10, Formats: []string{"xml", "txt"}, Gzip: "also"}
	pages := site(many("blog", 25)...)
	write(t, pages, o)
	want := tree(t, dir)
	for name, text := range want {
		if strings.HasPrefix(name, "sitemap-blog") {
			put(t, filepath.Join(dir, name), text[:len(text)/2])
		}
	}
	write(t, pages, o)
	if got := tree(t, dir); !maps.Equal(got, want) {
		t.Errorf("files %s are not those of the first run", namesIn(got))
	}
}

func put(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// A child that the index of an earlier run names is replaced even if it has no mark any more,
// because a tool removed its comments or put a link in its place.
func TestChildrenWithoutMark(t *testing.T) {
	o := Options{Dir: t.TempDir(), MaxURLs: 10, Formats: []string{"xml", "txt"}}
	pages := append(many("blog", 5), "", "a", "b", "c", "d", "e")
	write(t, site(pages...), o)
	want := tree(t, o.Dir)
	child := filepath.Join(o.Dir, "sitemap-pages.xml")
	put(t, child, regexp.MustCompile(`<!--.*?-->`).ReplaceAllString(want["sitemap-pages.xml"], ""))
	write(t, site(pages...), o)
	if got := tree(t, o.Dir); !maps.Equal(got, want) {
		t.Errorf("without comments: %v", got)
	}
	if runtime.GOOS == "windows" {
		t.Skip("windows lets not everyone make links")
	}
	elsewhere := filepath.Join(t.TempDir(), "mine.xml")
	put(t, elsewhere, "mine")
	if err := errors.Join(os.Remove(child), os.Symlink(elsewhere, child)); err != nil {
		t.Fatal(err)
	}
	write(t, site(pages...), o)
	if got := tree(t, o.Dir); !maps.Equal(got, want) {
		t.Errorf("with a link: %v", got)
	}
	if got := string(must(os.ReadFile(elsewhere))); got != "mine" {
		t.Errorf("the target of the link is now %q", got)
	}
}

// A folder in which something is in the way stays as it was.
func TestWriteInTheWay(t *testing.T) {
	large := append(many("blog", 25), "", "a")
	html := func(file string) bool { return strings.HasSuffix(file, ".html") || file == "feed.xml" }
	tests := []struct {
		name string
		have map[string]string
		o    Options
		want string
	}{
		{"a child of another tool", map[string]string{"sitemap-blog.xml": "<urlset/>"}, Options{MaxURLs: 10}, `"sitemap-blog.xml" is in the way`},
		{"its compressed twin", map[string]string{"sitemap-blog.xml.gz": "x"}, Options{MaxURLs: 10, Gzip: "also"}, `"sitemap-blog.xml.gz" is in the way`},
		{"a text of something else", map[string]string{"sitemap-blog.txt": "Hello"}, Options{MaxURLs: 10, Formats: []string{"txt"}}, `"sitemap-blog.txt" is in the way`},
		{"a directory", map[string]string{"sitemap.xml/a": ""}, Options{}, `"sitemap.xml" is a directory`},
		{"a page", map[string]string{"feed.xml": ""}, Options{Name: "feed.xml", Protect: html}, `"feed.xml" would overwrite a page`},
		{"outside", nil, Options{Name: "../sitemap.xml"}, `name "../sitemap.xml" lies outside the output folder`},
		{"an absolute name", nil, Options{Name: "/tmp/sitemap.xml"}, `lies outside`},
		{"not an .xml name", nil, Options{Name: "sitemap"}, `does not end in .xml`},
		{"the name of another protocol", nil, Options{Name: "robots.xml"}, `would make robots.txt a list of URLs`},
		{"a page outside", nil, Options{Page: "../a.html"}, `page "../a.html" lies outside the output folder`},
		{"a page that is none", nil, Options{Page: "sitemap.xml"}, `page "sitemap.xml" does not end in .html`},
		{"an index entry without a scheme", nil, Options{Index: []string{"docs.example.com/sitemap.xml"}}, "docs.example.com/sitemap.xml"},
		{"no name at all", nil, Options{Name: "a/.xml"}, `has no name before .xml`},
		{"no base", nil, Options{Base: "example.com"}, `base URL "example.com" is not absolute`},
		{"no format", nil, Options{Formats: []string{"pdf"}}, `format "pdf" is not one of ` + strings.Join(Formats, ", ")},
		{"no way to compress", nil, Options{Gzip: "yes"}, `gzip "yes"`},
		{"no way to split", nil, Options{Split: "half"}, `split "half"`},
		{"a key with the name of a sitemap", nil, Options{MaxURLs: 10, Formats: []string{"xml", "txt"}, IndexNowKey: "sitemap-pages"}, `key "sitemap-pages" would give its file the name of a sitemap`},
		{"the same key in a file of the user", map[string]string{"sitemap-pages.txt": "sitemap-pages\n", "sitemap-pages.xml": markComment + "<!-- its index: sitemap.xml -->"}, Options{MaxURLs: 10, Formats: []string{"xml", "txt"}, IndexNowKey: "sitemap-pages"}, `key "sitemap-pages" would`},
		{"too many URLs", nil, Options{MaxURLs: 50001}, `max_urls 50001`},
		{"too many bytes", nil, Options{MaxBytes: 52428801}, `max_bytes 52428801`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range tt.have {
				put(t, filepath.Join(dir, name), text)
			}
			before := tree(t, dir)
			tt.o.Dir = dir
			if tt.o.Base == "" {
				tt.o.Base = base
			}
			_, err := Write(context.Background(), site(large...), tt.o)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %s", err, tt.want)
			}
			if after := tree(t, dir); strings.Join(namesIn(after), " ") != strings.Join(namesIn(before), " ") {
				t.Errorf("left behind: %s", namesIn(after))
			}
		})
	}
}

// Findings that keep one file from being written, and nothing else.
func TestWriteFindings(t *testing.T) {
	tests := []struct {
		name    string
		have    map[string]string
		entries slice
		o       Options
		code    string
		files   string
	}{
		{"another tool's sitemap", map[string]string{"sitemap.xml": "<urlset/>"}, site(""), Options{}, "replaced-sitemap", "sitemap.xml"},
		{"a page under the page's name", map[string]string{"a.html": "<p>Hello"}, site(""), Options{Page: "a.html"}, "output-taken", "a.html sitemap.xml"},
		{"the site's stylesheet", map[string]string{"sitemap.css": "a {}"}, site(""), Options{Stylesheet: true}, "output-taken", "sitemap.css sitemap.xml"},
		{"a feed without dates", nil, site(""), Options{Formats: []string{"xml", "rss"}}, "feed-without-dates", "sitemap.xml"},
		{"an index of itself", nil, site(""), Options{Index: []string{base + "sitemap.xml"}}, "bad-index-url", "sitemap-pages.xml sitemap.xml"},
		{"an index of its child", nil, site("", "a"), Options{Index: []string{base + "sitemap-pages.xml"}}, "bad-index-url", "sitemap-pages.xml sitemap.xml"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.o.Dir = t.TempDir()
			for name, text := range tt.have {
				put(t, filepath.Join(tt.o.Dir, name), text)
			}
			r := write(t, tt.entries, tt.o)
			if len(r.Diags) != 1 || r.Diags[0].Code != tt.code || r.Diags[0].Hint == "" {
				t.Errorf("findings %v, want one %s", r.Diags, tt.code)
			}
			got := tree(t, tt.o.Dir)
			if names := strings.Join(namesIn(got), " "); names != tt.files {
				t.Errorf("files %s, want %s", names, tt.files)
			}
			for name, text := range tt.have {
				if name != "sitemap.xml" && got[name] != text {
					t.Errorf("%s was overwritten", name)
				}
			}
		})
	}
}

// A dry run says what a run would do, and does nothing.
func TestWriteDry(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	o := everything(dir)
	o.DryRun = true
	pages := dated(append(many("blog", 25), "")...)
	would := states(write(t, pages, o))
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Fatal("the folder was made")
	}
	if did := states(write(t, pages, everything(dir))); would != did {
		t.Errorf("would do %s, did %s", would, did)
	}
	before := tree(t, dir)
	want := "sitemap-blog-2.txt removed"
	r := write(t, dated(""), o)
	if got := states(r); !strings.Contains(got, want) || !strings.Contains(got, "sitemap.xml written") {
		t.Errorf("would do %s", got)
	}
	if after := tree(t, dir); len(after) != len(before) || after["sitemap.xml"] != before["sitemap.xml"] {
		t.Error("a dry run changed the folder")
	}
}

func TestWriteStopsWhenCancelled(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Write(ctx, site(many("a", 100)...), everything(dir)); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if left := namesIn(tree(t, dir)); len(left) > 0 {
		t.Errorf("left behind: %s", left)
	}
}

func TestWriteKeepsModes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("windows has no modes")
	}
	dir := t.TempDir()
	write(t, site(""), Options{Dir: dir})
	mode := func() fs.FileMode {
		info, err := os.Stat(filepath.Join(dir, "sitemap.xml"))
		if err != nil {
			t.Fatal(err)
		}
		return info.Mode().Perm()
	}
	if got := mode(); got&0o600 != 0o600 || got&0o133 != 0 {
		t.Errorf("a new file has mode %v", got)
	}
	if err := os.Chmod(filepath.Join(dir, "sitemap.xml"), 0o640); err != nil {
		t.Fatal(err)
	}
	write(t, site("", "a"), Options{Dir: dir})
	if got := mode(); got != 0o640 {
		t.Errorf("the mode became %v", got)
	}
}
