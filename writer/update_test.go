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

// fullOptions returns options that write all kinds of files.
func fullOptions(dir string) Options {
	return Options{
		Dir: dir, Base: base, Formats: []string{"xml", "txt", "rss", "atom"}, Gzip: "also",
		MaxURLs: 10, Robots: true, Page: "sitemap.html", Stylesheet: true, IndexNowKey: oneKey,
	}
}

// siteWithDates returns entries for paths below base, all with the date day.
func siteWithDates(paths ...string) entryList {
	s := site(paths...)
	for i := range s {
		s[i].LastMod = day
	}
	return s
}

// changedStates returns the names and states of the files in r that are not unchanged, such as
// "sitemap.xml written".
func changedStates(r Report) string {
	var out []string
	for _, f := range r.Files {
		if f.State != Unchanged {
			out = append(out, f.Name+" "+f.State.String())
		}
	}
	return strings.Join(out, ", ")
}

// setOldTimes sets an old modification time for every file below dir, and returns information about
// the files.
func setOldTimes(t *testing.T, dir string) map[string]fs.FileInfo {
	t.Helper()
	out := map[string]fs.FileInfo{}
	old := time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)
	for name := range readTree(t, dir) {
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

// TestWriteKeepsUnchangedFiles checks that a second run does not write files that did not change.
func TestWriteKeepsUnchangedFiles(t *testing.T) {
	pages := siteWithDates(append(append(pagePaths("blog", 25), pagePaths("docs", 8)...), "", "about")...)
	dir := t.TempDir()
	mustWrite(t, pages, fullOptions(dir))
	before := setOldTimes(t, dir)
	r := mustWrite(t, pages, fullOptions(dir))
	if got := changedStates(r); got != "" {
		t.Errorf("second run: got changes %s, want none", got)
	}
	if len(r.Files) != len(before) || len(r.Diags) > 0 {
		t.Errorf("got %d files in the report, want %d; findings %v", len(r.Files), len(before), r.Diags)
	}
	for name, info := range before {
		now, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if !os.SameFile(info, now) || !info.ModTime().Equal(now.ModTime()) {
			t.Errorf("%s has changed", name)
		}
	}
}

// TestWriteOfNewPageChangesFewFiles checks that a new page changes only the file of its section,
// and the index if the newest date changes.
func TestWriteOfNewPageChangesFewFiles(t *testing.T) {
	dir := t.TempDir()
	few := append(append(pagePaths("blog", 24), pagePaths("docs", 8)...), "", "about")
	o := Options{Dir: dir, MaxURLs: 10}
	mustWrite(t, site(few...), o)
	if got := changedStates(mustWrite(t, site(append(few, "about-2")...), o)); got != "sitemap-pages.xml written" {
		t.Errorf("without dates: got changes %s, want sitemap-pages.xml", got)
	}
	mustWrite(t, siteWithDates(few...), o)
	s := siteWithDates(append(few, "about-2")...)
	for i := range s {
		if strings.HasSuffix(s[i].Loc, "about-2") {
			s[i].LastMod = sitemap.DayOf(day.Time().AddDate(1, 0, 0))
		}
	}
	if got := changedStates(mustWrite(t, s, o)); got != "sitemap-pages.xml written, sitemap.xml written" {
		t.Errorf("with dates: got changes %s, want sitemap-pages.xml and sitemap.xml", got)
	}
	index := readTree(t, dir)["sitemap.xml"]
	if !strings.Contains(index, "<loc>https://example.com/sitemap-pages.xml</loc><lastmod>2025-05-01</lastmod>") {
		t.Errorf("index: got\n%s\nwant the newest date", index)
	}
	s[0].LastMod = sitemap.Date{}
	mustWrite(t, s, o)
	if index := readTree(t, dir)["sitemap.xml"]; !strings.Contains(index, "<loc>https://example.com/sitemap-pages.xml</loc></sitemap>") {
		t.Errorf("index: got\n%s\nwant no date for a child with an undated page", index)
	}
}

// TestWriteRemovesStaleFiles checks for pairs of sites and options that the second run removes the
// files of the first run that it no longer needs.
func TestWriteRemovesStaleFiles(t *testing.T) {
	t.Parallel()
	large := siteWithDates(append(append(pagePaths("blog", 25), pagePaths("docs", 12)...), "", "about")...)
	small := siteWithDates("", "about")
	step := testsite.Repeat(3, 1) // test every step-th pair
	variants := map[string]func(o *Options) entryList{
		"everything":    func(o *Options) entryList { return large },
		"one file":      func(o *Options) entryList { return small },
		"no dates":      func(o *Options) entryList { return site("a", "b") },
		"xml alone":     func(o *Options) entryList { o.Formats = nil; return large },
		"txt alone":     func(o *Options) entryList { o.Formats = []string{"txt"}; return small },
		"no gzip":       func(o *Options) entryList { o.Gzip = ""; return large },
		"only gzip":     func(o *Options) entryList { o.Gzip = "only"; return large },
		"no stylesheet": func(o *Options) entryList { o.Stylesheet = false; return large },
		"other split":   func(o *Options) entryList { o.Split = "none"; return large },
		"small, gzip":   func(o *Options) entryList { o.Gzip = "only"; return small },
	}
	names := slices.Sorted(maps.Keys(variants))
	for i, to := range names {
		is := variants[to]
		dir := testsite.MemoryDir(t)
		o := fullOptions(dir)
		mustWrite(t, is(&o), o)
		want := readTree(t, dir)
		for j := i % step; j < len(names); j += step {
			from, was := names[j], variants[names[j]]
			t.Run(from+" to "+to, func(t *testing.T) {
				t.Parallel()
				dir := testsite.MemoryDir(t)
				o, p := fullOptions(dir), fullOptions(dir)
				mustWrite(t, was(&o), o)
				mustWrite(t, is(&p), p)
				got := readTree(t, dir)
				if from == "txt alone" { // Write cannot recognize its own text file without a sitemap
					delete(got, "sitemap.txt")
					delete(got, "sitemap.txt.gz")
				}
				for name, text := range want {
					if got[name] != text && !strings.HasPrefix(name, "sitemap.txt") {
						t.Errorf("%s differs from that of a fresh run:\n%s", name, got[name])
					}
				}
				for name := range got {
					if _, ok := want[name]; !ok {
						t.Errorf("got file %s, want it removed", name)
					}
				}
			})
		}
	}
}

// TestWriteRecognizesFilesOfEachFormat checks each format with one file and with several files. A
// second run must keep the files. A run without the format must remove them.
func TestWriteRecognizesFilesOfEachFormat(t *testing.T) {
	pages := siteWithDates(append(pagePaths("blog", 25), "", "about")...)
	for _, name := range Formats {
		for _, maxURLs := range []int{0, 10} {
			o := Options{Dir: t.TempDir(), Formats: []string{"xml", name}, MaxURLs: maxURLs}
			first := mustWrite(t, pages, o)
			if r := mustWrite(t, pages, o); changedStates(r) != "" || len(r.Diags) > 0 || len(r.Files) != len(first.Files) {
				t.Errorf("%s, MaxURLs %d: second run: got changes %q and findings %v, want none", name, maxURLs, changedStates(r), r.Diags)
			}
			o.Formats = []string{"xml"}
			mustWrite(t, pages, o)
			for file := range readTree(t, o.Dir) {
				if path.Ext(file) != ".xml" {
					t.Errorf("%s, MaxURLs %d: got file %s, want it removed", name, maxURLs, file)
				}
			}
		}
	}
}

// TestCommitRemovesIndexesFirst stops a commit before each of its changes. Each remaining index
// must name existing files.
func TestCommitRemovesIndexesFirst(t *testing.T) {
	t.Parallel()
	pages := testsite.Repeat(11, 25) // per section; at least two files
	old := fullOptions(testsite.MemoryDir(t))
	old.Name = "old.xml"
	mustWrite(t, siteWithDates(append(pagePaths("blog", pages), pagePaths("zoo", pages)...)...), old)
	for _, name := range []string{"old.xml", "new.xml"} {
		for n, more := 0, true; more; n++ {
			dir := copyTree(t, old.Dir)
			o := fullOptions(dir)
			o.Name, o.Formats = name, []string{"atom"}
			var tx Transaction
			if _, err := tx.Draft(t.Context(), siteWithDates("a"), o); err != nil {
				t.Fatal(err)
			}
			more = commitPartly(&tx, n)
			files := readTree(t, dir)
			for index, text := range files {
				if !strings.Contains(text, "<sitemapindex") {
					continue
				}
				for _, child := range childFiles(t, text) {
					if _, ok := files[child]; !ok {
						t.Fatalf("%s, stopped after %d changes: %s names the missing file %s", name, n, index, child)
					}
				}
			}
			if !more && strings.Contains(strings.Join(fileNames(files), " "), ".xml") {
				t.Errorf("%s: got files %s, want no .xml file", name, fileNames(files))
			}
		}
	}
}

// childFiles returns the names of the files in an index.
func childFiles(t *testing.T, index string) (names []string) {
	items := sitemap.NewReader(strings.NewReader(index))
	for item, err := range items.All() {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, strings.TrimPrefix(item.Loc, base))
	}
	return names
}

// TestWriteKeepsOtherSitemapsOfIndex checks that Write keeps a sitemap named in Options.Index, even
// if another run of sitewalk wrote the sitemap.
func TestWriteKeepsOtherSitemapsOfIndex(t *testing.T) {
	dir := testsite.MemoryDir(t)
	mustWrite(t, site("shop/a"), Options{Dir: dir, Name: "sitemap-shop.xml"})
	o := Options{Dir: dir, Index: []string{base + "sitemap-shop.xml"}}
	for range 3 {
		mustWrite(t, site("", "b"), o)
	}
	if got := strings.Join(fileNames(readTree(t, dir)), " "); got != "sitemap-pages.xml sitemap-shop.xml sitemap.xml" {
		t.Errorf("got files %s", got)
	}
}

// TestWriteRemovesFilesWithOldNames checks that Write removes the old files after a change of
// names. The old sitemap names its page for people. robots.txt names the old entry file.
func TestWriteRemovesFilesWithOldNames(t *testing.T) {
	t.Parallel()
	pages := siteWithDates(append(pagePaths("blog", 25), "", "about")...)
	first := func(dir string) Options {
		o := fullOptions(dir)
		o.Name, o.Page = "maps/the--old.xml", "the--list of-pages-.html"
		return o
	}
	tests := []struct {
		name string
		o    func(o *Options)
		kept string
	}{
		{"no page", func(o *Options) { o.Page = "" }, ""},
		{"other page", func(o *Options) { o.Page = "a/b.html" }, ""},
		{"other entry", func(o *Options) { o.Name = "new.xml" }, ""},
		{"other entry, fewer files", func(o *Options) {
			o.Name, o.Page, o.Formats, o.Stylesheet = "maps/new.xml", "", []string{"xml"}, false
		}, ""},
		{"other entry, no robots.txt", func(o *Options) { o.Name, o.Robots = "new.xml", false }, "all"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir, fresh := testsite.MemoryDir(t), testsite.MemoryDir(t)
			mustWrite(t, pages, first(dir))
			validateXML(t, dir)
			before := readTree(t, dir)
			o, p := first(dir), first(fresh)
			tt.o(&o)
			tt.o(&p)
			mustWrite(t, pages, o)
			mustWrite(t, pages, p)
			got, want := readTree(t, dir), readTree(t, fresh)
			if tt.kept == "all" {
				maps.Copy(want, before)
				maps.DeleteFunc(want, func(name, _ string) bool { return name == robotsFile })
				delete(got, robotsFile)
			}
			if g, w := strings.Join(fileNames(got), " "), strings.Join(fileNames(want), " "); g != w {
				t.Errorf("got files %s, want %s", g, w)
			}
			if r := mustWrite(t, pages, o); changedStates(r) != "" {
				t.Errorf("second run: got changes %s, want none", changedStates(r))
			}
		})
	}
}

// TestWriteKeepsForeignFilesWithOldNames checks that Write keeps a user's page with the name of the
// old page for people, and a sitemap that the user's own line in robots.txt names.
func TestWriteKeepsForeignFilesWithOldNames(t *testing.T) {
	dir := testsite.MemoryDir(t)
	mustWrite(t, site("", "a"), Options{Dir: dir, Page: "list.html"})
	writeFile(t, filepath.Join(dir, "list.html"), "<p>mine")
	writeFile(t, filepath.Join(dir, "news.xml"), readTree(t, dir)["sitemap.xml"])
	writeFile(t, filepath.Join(dir, "robots.txt"), "Sitemap: "+base+"news.xml\n")
	mustWrite(t, site("", "a"), Options{Dir: dir, Robots: true})
	if got := strings.Join(fileNames(readTree(t, dir)), " "); got != "list.html news.xml robots.txt sitemap.xml" {
		t.Errorf("got files %s", got)
	}
}

// TestWriteKeepsForeignFiles checks that Write keeps files of other programs, even if they look
// like files of sitewalk.
func TestWriteKeepsForeignFiles(t *testing.T) {
	dir := t.TempDir()
	o := Options{Dir: dir, MaxURLs: 10, Index: []string{base + "sitemap-shop.xml", base + "sub/sitemap-a.xml"}}
	mustWrite(t, site(append(pagePaths("blog", 25), "")...), o)
	foreign := map[string]string{
		"sitemap-shop.xml":     "<urlset/>",                                   // in the index, without a mark
		"sitemap-old.xml":      markComment + "<urlset/>",                     // with a mark, not in the index
		"sitemap.txt":          "https://example.com/of-my-own\n",             // other URLs than sitemap.xml
		"sitemap-blog.txt":     "https://example.com/blog/of-my-own\n",        //
		"sitemap.rss":          "<rss/>",                                      //
		"sitemap.css":          "url { display: block }",                      //
		"sub/sitemap-a.xml":    markComment + "<urlset/>",                     // in the index, in another folder
		"sitemap-index-2.html": markComment,                                   //
		".sitewalk-notes":      "mine",                                        //
		"x.tmp":                "mine",                                        //
		"index.html":           "<!doctype html>" + markComment + "<p>Mine",   //
		"sitemap-index-2.xml":  "<sitemapindex></sitemapindex>" + markComment, // the mark is in another place
	}
	for name, text := range foreign {
		writeFile(t, filepath.Join(dir, name), text)
	}
	mustWrite(t, site(""), Options{Dir: dir})
	got := readTree(t, dir)
	for name, text := range foreign {
		if got[name] != text {
			t.Errorf("%s has changed", name)
		}
	}
	if len(got) != len(foreign)+1 {
		t.Errorf("got files %s, want sitemap.xml and the files of other programs", fileNames(got))
	}
}

// TestWriteReplacesBrokenChildren checks that Write replaces truncated child files that the index
// names.
func TestWriteReplacesBrokenChildren(t *testing.T) {
	dir := testsite.MemoryDir(t)
	o := Options{Dir: dir, Base: base, MaxURLs: 10, Formats: []string{"xml", "txt"}, Gzip: "also"}
	pages := site(pagePaths("blog", 25)...)
	mustWrite(t, pages, o)
	want := readTree(t, dir)
	for name, text := range want {
		if strings.HasPrefix(name, "sitemap-blog") {
			writeFile(t, filepath.Join(dir, name), text[:len(text)/2])
		}
	}
	mustWrite(t, pages, o)
	if got := readTree(t, dir); !maps.Equal(got, want) {
		t.Errorf("got files %s, want those of the first run", fileNames(got))
	}
}

// writeFile writes a file and creates its folder.
func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestWriteReplacesUnmarkedChildren checks that Write replaces a child file that the index names,
// even if a tool removed the comments of the file or replaced the file by a symbolic link.
func TestWriteReplacesUnmarkedChildren(t *testing.T) {
	o := Options{Dir: t.TempDir(), MaxURLs: 10, Formats: []string{"xml", "txt"}}
	pages := append(pagePaths("blog", 5), "", "a", "b", "c", "d", "e")
	mustWrite(t, site(pages...), o)
	want := readTree(t, o.Dir)
	child := filepath.Join(o.Dir, "sitemap-pages.xml")
	writeFile(t, child, regexp.MustCompile(`<!--.*?-->`).ReplaceAllString(want["sitemap-pages.xml"], ""))
	mustWrite(t, site(pages...), o)
	if got := readTree(t, o.Dir); !maps.Equal(got, want) {
		t.Errorf("without comments: got files %v, want %v", got, want)
	}
	if runtime.GOOS == "windows" {
		t.Skip("creating symbolic links needs a privilege on Windows")
	}
	elsewhere := filepath.Join(t.TempDir(), "mine.xml")
	writeFile(t, elsewhere, "mine")
	if err := errors.Join(os.Remove(child), os.Symlink(elsewhere, child)); err != nil {
		t.Fatal(err)
	}
	mustWrite(t, site(pages...), o)
	if got := readTree(t, o.Dir); !maps.Equal(got, want) {
		t.Errorf("with a symbolic link: got files %v, want %v", got, want)
	}
	if got := string(must(os.ReadFile(elsewhere))); got != "mine" {
		t.Errorf("target of the link: got %q, want mine", got)
	}
}

// TestWriteRejectsBadOptions checks the errors of Write for bad options and for files of other
// programs with the same names. Write must change no file.
func TestCheckFileName(t *testing.T) {
	for _, tt := range []struct {
		check      func(name string) error
		name, want string
	}{
		{CheckEntry, "../sitemap.xml", `"../sitemap.xml" lies outside the output folder`},
		{CheckEntry, "/tmp/sitemap.xml", "lies outside"},
		{CheckEntry, "sitemap", "does not end in .xml"},
		{CheckEntry, "robots.xml", "would make robots.txt a list of URLs"},
		{CheckEntry, "a/.xml", "has no name before .xml"},
		{CheckPage, "../a.html", `"../a.html" lies outside the output folder`},
		{CheckPage, "sitemap.xml", "does not end in .html"},
	} {
		if err := tt.check(tt.name); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("name %q: got error %v, want %s", tt.name, err, tt.want)
		}
	}
}

func TestWriteRejectsBadOptions(t *testing.T) {
	large := append(pagePaths("blog", 25), "", "a")
	html := func(file string) bool { return strings.HasSuffix(file, ".html") || file == "feed.xml" }
	tests := []struct {
		name string
		have map[string]string
		o    Options
		want string
	}{
		{"child of another tool", map[string]string{"sitemap-blog.xml": "<urlset/>"}, Options{MaxURLs: 10}, `"sitemap-blog.xml" is in the way`},
		{"compressed child of another tool", map[string]string{"sitemap-blog.xml.gz": "x"}, Options{MaxURLs: 10, Gzip: "also"}, `"sitemap-blog.xml.gz" is in the way`},
		{"other text file", map[string]string{"sitemap-blog.txt": "Hello"}, Options{MaxURLs: 10, Formats: []string{"txt"}}, `"sitemap-blog.txt" is in the way`},
		{"directory", map[string]string{"sitemap.xml/a": ""}, Options{}, `"sitemap.xml" is a directory`},
		{"page", map[string]string{"feed.xml": ""}, Options{Name: "feed.xml", IsPage: html}, `"feed.xml" would overwrite a page`},
		{"key with name of sitemap", nil, Options{MaxURLs: 10, Formats: []string{"xml", "txt"}, IndexNowKey: "sitemap-pages"}, `key "sitemap-pages" would give its file the name of a sitemap`},
		{"key with name of sitemap in user file", map[string]string{"sitemap-pages.txt": "sitemap-pages\n", "sitemap-pages.xml": markComment + "<!-- its index: sitemap.xml -->"}, Options{MaxURLs: 10, Formats: []string{"xml", "txt"}, IndexNowKey: "sitemap-pages"}, `key "sitemap-pages" would`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range tt.have {
				writeFile(t, filepath.Join(dir, name), text)
			}
			before := readTree(t, dir)
			tt.o.Dir = dir
			if tt.o.Base == "" {
				tt.o.Base = base
			}
			_, err := Write(context.Background(), site(large...), tt.o)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got error %v, want %s", err, tt.want)
			}
			if after := readTree(t, dir); strings.Join(fileNames(after), " ") != strings.Join(fileNames(before), " ") {
				t.Errorf("got files %s, want %s", fileNames(after), fileNames(before))
			}
		})
	}
}

// TestWriteReportsFindings checks findings about one file. Write must write the other files.
func TestWriteReportsFindings(t *testing.T) {
	tests := []struct {
		name    string
		have    map[string]string
		entries entryList
		o       Options
		code    string
		files   string
	}{
		{"sitemap of another tool", map[string]string{"sitemap.xml": "<urlset/>"}, site(""), Options{}, "replaced-sitemap", "sitemap.xml"},
		{"other page with the name", map[string]string{"a.html": "<p>Hello"}, site(""), Options{Page: "a.html"}, "output-taken", "a.html sitemap.xml"},
		{"stylesheet of the site", map[string]string{"sitemap.css": "a {}"}, site(""), Options{Stylesheet: true}, "output-taken", "sitemap.css sitemap.xml"},
		{"feed without dates", nil, site(""), Options{Formats: []string{"xml", "rss"}}, "feed-without-dates", "sitemap.xml"},
		{"index of itself", nil, site(""), Options{Index: []string{base + "sitemap.xml"}}, "bad-index-url", "sitemap-pages.xml sitemap.xml"},
		{"index with own child", nil, site("", "a"), Options{Index: []string{base + "sitemap-pages.xml"}}, "bad-index-url", "sitemap-pages.xml sitemap.xml"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.o.Dir = t.TempDir()
			for name, text := range tt.have {
				writeFile(t, filepath.Join(tt.o.Dir, name), text)
			}
			r := mustWrite(t, tt.entries, tt.o)
			if len(r.Diags) != 1 || r.Diags[0].Code != tt.code || r.Diags[0].Hint == "" {
				t.Errorf("got findings %v, want one %s", r.Diags, tt.code)
			}
			got := readTree(t, tt.o.Dir)
			if names := strings.Join(fileNames(got), " "); names != tt.files {
				t.Errorf("got files %s, want %s", names, tt.files)
			}
			for name, text := range tt.have {
				if name != "sitemap.xml" && got[name] != text {
					t.Errorf("%s has changed", name)
				}
			}
		})
	}
}

// TestDryRunReportsChanges checks that a dry run reports the same changes as a real run, and
// changes no file.
func TestDryRunReportsChanges(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	o := fullOptions(dir)
	o.DryRun = true
	pages := siteWithDates(append(pagePaths("blog", 25), "")...)
	would := changedStates(mustWrite(t, pages, o))
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Fatal("a dry run creates the folder")
	}
	if did := changedStates(mustWrite(t, pages, fullOptions(dir))); would != did {
		t.Errorf("dry run: got changes %s, want %s", would, did)
	}
	before := readTree(t, dir)
	want := "sitemap-blog-2.txt removed"
	r := mustWrite(t, siteWithDates(""), o)
	if got := changedStates(r); !strings.Contains(got, want) || !strings.Contains(got, "sitemap.xml written") {
		t.Errorf("dry run: got changes %s, want %s and a written sitemap.xml", got, want)
	}
	if after := readTree(t, dir); len(after) != len(before) || after["sitemap.xml"] != before["sitemap.xml"] {
		t.Error("a dry run changes the folder")
	}
}

func TestWriteStopsWithContext(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Write(ctx, site(pagePaths("a", 100)...), fullOptions(dir)); !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v, want context.Canceled", err)
	}
	if left := fileNames(readTree(t, dir)); len(left) > 0 {
		t.Errorf("got files %s, want none", left)
	}
}

func TestWriteKeepsModes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no permission bits")
	}
	dir := t.TempDir()
	mustWrite(t, site(""), Options{Dir: dir})
	mode := func() fs.FileMode {
		info, err := os.Stat(filepath.Join(dir, "sitemap.xml"))
		if err != nil {
			t.Fatal(err)
		}
		return info.Mode().Perm()
	}
	if got := mode(); got&0o600 != 0o600 || got&0o133 != 0 {
		t.Errorf("new file: got mode %v, want read and write for the owner", got)
	}
	if err := os.Chmod(filepath.Join(dir, "sitemap.xml"), 0o640); err != nil {
		t.Fatal(err)
	}
	mustWrite(t, site("", "a"), Options{Dir: dir})
	if got := mode(); got != 0o640 {
		t.Errorf("replaced file: got mode %v, want 0640", got)
	}
}
