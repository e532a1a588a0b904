package writer

import (
	"cmp"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/internal/testsite"
	"github.com/sitewalk/sitewalk/sitemap"
)

// withDefaults returns o with default values for the fields that are not set.
func withDefaults(o splitter) splitter {
	o.Base, o.Mode = base, cmp.Or(o.Mode, "auto")
	o.Format = cmp.Or(o.Format, sitemap.FormatURLSet)
	o.Limit.URLs, o.Limit.Bytes = cmp.Or(o.Limit.URLs, sitemap.MaxURLs), cmp.Or(o.Limit.Bytes, sitemap.DefaultMaxBytes)
	o.GroupKey = func(string) string { return "" }
	o.Frame = func(uses sitemap.Extensions, _ bool) sitemap.Frame { return sitemap.Frame{Extensions: uses} }
	return o
}

// splitByName splits s and returns the URLs of each file, by the name of the file. It checks the
// limits and extensions of each file.
func splitByName(t *testing.T, s entryList, o splitter) map[string][]string {
	t.Helper()
	m := withDefaults(o)
	m.Entries = s
	files, _, err := m.splitPages(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]string{}
	for _, f := range files {
		if out[f.name] != nil {
			t.Fatalf("got two files with the name %q", f.name)
		}
		var w weight
		urls := []string{}
		for _, p := range f.pages {
			var e sitemap.Entry
			s.Entry(int(p.index), &e)
			urls = append(urls, e.Loc)
			p := m.measureEntry(&e)
			w.add(p.weight())
		}
		if !m.fits(w, true) || w.uses != f.uses {
			t.Fatalf("%q exceeds a limit or has wrong extensions: %+v", f.name, w)
		}
		out[f.name] = urls
	}
	return out
}

// TestSplitNone checks that the mode "none" ignores sections, and splits only if one file is too
// small.
func TestSplitNone(t *testing.T) {
	s := site(append(pagePaths("blog", 5), "", "a")...)
	got := splitByName(t, s, splitter{Mode: "none", Limit: sitemap.Limits{URLs: 4}})
	for name := range got {
		if len(got) < 2 || name != "pages" && !strings.HasPrefix(name, "pages-") {
			t.Errorf("got file %q of %d files, want several files pages-N", name, len(got))
		}
	}
	if got := splitByName(t, s, splitter{Mode: "none"}); len(got[""]) != 7 {
		t.Errorf("got files %v, want one", got)
	}
}

// TestSplitRespectsByteLimit splits pages with many characters to escape, at byte limits around
// their size. splitByName checks that no file exceeds the limit.
func TestSplitRespectsByteLimit(t *testing.T) {
	day, err := sitemap.ParseDate("2024-01-02T15:04:05.999999999+01:00", nil)
	if err != nil {
		t.Fatal(err)
	}
	isOneFile := map[bool]int{}
	for limit := 1500; limit < 6000; limit += 20 {
		for _, form := range []sitemap.Format{sitemap.FormatURLSet, sitemap.FormatText} {
			var s entryList
			for i := range 3 {
				s = append(s, sitemap.Entry{URL: sitemap.URL{Loc: base + strings.Repeat("'&", 40) + fmt.Sprint(i), LastMod: day, ChangeFreq: sitemap.Monthly}})
			}
			isOneFile[splitByName(t, s, splitter{Limit: sitemap.Limits{Bytes: limit}, Format: form})[""] != nil]++
		}
	}
	if isOneFile[true] == 0 || isOneFile[false] == 0 {
		t.Errorf("got counts %v of one file and of several files, want both", isOneFile)
	}
}

// changedFiles returns the names of the files in which a and b differ.
func changedFiles(a, b map[string][]string) (names []string) {
	for name, urls := range a {
		if !slices.Equal(urls, b[name]) {
			names = append(names, name)
		}
	}
	for name := range b {
		if a[name] == nil {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// A growingSite is a site to which a test adds pages and from which it removes pages.
type growingSite struct {
	*rand.Rand
	limits splitter
	pages  map[string]bool
}

func (w *growingSite) entries() entryList {
	var paths []string
	for p := range w.pages {
		paths = append(paths, p)
	}
	return site(paths...)
}

// page returns the path of a random page. The sections have very different numbers of pages.
func (w *growingSite) page() string {
	section := []string{"a/", "blog/", "blog-2/", "Blog/", "%C3%BC/", "c/", ""}[min(6, int(w.ExpFloat64()*2))]
	return fmt.Sprintf("%s%x%s", section, w.Uint64(), strings.Repeat("x", w.IntN(60)))
}

// splitter returns a splitter with the limits of the site.
func (w *growingSite) splitter() *splitter {
	c := withDefaults(w.limits)
	return &c
}

// entrySize returns the number of bytes of the entry for path.
func entrySize(path string) int {
	return len(sitemap.AppendURL(nil, &sitemap.URL{Loc: base + path}))
}

// TestSplitIsStable adds and removes random pages. Each time, only one file may change, unless a
// file is split or merged, or a section gets its own files.
func TestSplitIsStable(t *testing.T) {
	var splits, merges, leaves int
	for seed := range uint64(testsite.Repeat(3, 40)) {
		w := &growingSite{Rand: rand.New(rand.NewPCG(seed, 1)), pages: map[string]bool{}}
		w.limits = splitter{Limit: sitemap.Limits{URLs: 1 + w.IntN(40), Bytes: 600 + w.IntN(8000)}, Mode: []string{"section", "none"}[seed%2]}
		for range w.IntN(400) {
			w.pages[w.page()] = true
		}
		before := splitByName(t, w.entries(), w.limits)
		for range 60 {
			path := w.page()
			insert := w.IntN(2) == 0 || len(w.pages) == 0
			if insert {
				w.pages[path] = true
			} else {
				path = strings.TrimPrefix(w.entries()[w.IntN(len(w.pages))].Loc, base)
				delete(w.pages, path)
			}
			after := splitByName(t, w.entries(), w.limits)
			few, lot := before, after
			if !insert {
				few, lot = after, before
			}
			// A removal is treated as an insertion: lot is few with one more page.
			changed := changedFiles(few, lot)
			switch kind := classifyChange(w, few, lot, path); {
			case len(changed) == 1:
			case kind == "split" && insert:
				splits++
			case kind == "split":
				merges++
			case kind == "left":
				leaves++
			default:
				t.Fatalf("seed %d: the page %q changes the files %q: %s", seed, path, changed, kind)
			}
			before = after
			requireAllPages(t, after, w.entries())
		}
	}
	if splits == 0 || merges == 0 || leaves == 0 {
		t.Errorf("got %d splits, %d merges and %d sections that left the shared file, want some of each", splits, merges, leaves)
	}
}

// classifyChange compares two splits, where lot has one page more than few and several files
// differ. It returns "split" if a full file became two files. A file that reached the byte limit
// may become more files if the page is larger than the space in another file. It returns "left" if
// the section of the page became large enough to leave the shared file, and otherwise a description
// of the change.
func classifyChange(w *growingSite, few, lot map[string][]string, path string) string {
	changed := changedFiles(few, lot)
	var gone, came []string
	olds, news := 0, 0
	full, inBytes := false, false
	for _, name := range changed {
		gone = append(gone, few[name]...)
		came = append(came, lot[name]...)
		if few[name] != nil {
			olds++
			full = isFull(w, few[name], path)
			inBytes = len(few[name]) < w.limits.Limit.URLs
		}
		if lot[name] != nil {
			news++
		}
	}
	slices.Sort(gone)
	came = slices.DeleteFunc(came, func(u string) bool { return u == base+path })
	slices.Sort(came)
	switch {
	case !slices.Equal(gone, came):
		return "pages moved to or from a file that did not change"
	case olds == 1 && full && (news == 2 || inBytes):
		return "split"
	case isSectionMove(w, few, lot, changed, path):
		return "left"
	}
	return fmt.Sprintf("%d children became %d", olds, news)
}

// isSectionMove reports whether the only change is that the section of path reached the size for
// its own files. Its pages must come from the shared files. The rest of each shared file must stay
// together.
func isSectionMove(w *growingSite, few, lot map[string][]string, changed []string, path string) bool {
	segment, _, _ := strings.Cut(path, "/")
	in := func(u string) bool { return strings.HasPrefix(u, base+segment+"/") }
	own := childNames{}.sectionName("/" + segment)
	for _, name := range changed {
		switch {
		case isFileOf(name, own):
			if few[name] != nil || !allMatch(lot[name], in) {
				return false
			}
		case !isFileOf(name, commonName) || slices.ContainsFunc(lot[name], in) || !staysTogether(few[name], lot, in):
			return false
		}
	}
	l := w.splitter()
	var before weight
	for u := range w.weights(few, in) {
		before.add(u)
	}
	after := before
	after.add(weight{urls: 1, bytes: entrySize(path)})
	return !l.isLarge(before) && l.isLarge(after)
}

// weights yields the weights of the pages in cut for which in returns true.
func (w *growingSite) weights(cut map[string][]string, in func(string) bool) iter.Seq[weight] {
	return func(yield func(weight) bool) {
		for _, urls := range cut {
			for _, u := range urls {
				if in(u) && !yield(weight{urls: 1, bytes: entrySize(strings.TrimPrefix(u, base))}) {
					return
				}
			}
		}
	}
}

// isFileOf reports whether name is a file of the section of, such as "blog" or "blog-2" of "blog".
func isFileOf(name, of string) bool {
	rest, ok := strings.CutPrefix(name, of)
	return ok && (rest == "" || rest[0] == '-' && strings.Trim(rest[1:], "0123456789") == "")
}

// allMatch reports whether in returns true for all urls.
func allMatch(urls []string, in func(string) bool) bool {
	return !slices.ContainsFunc(urls, func(u string) bool { return !in(u) })
}

// staysTogether reports whether the pages of a file for which in returns false are in one file of
// lot.
func staysTogether(urls []string, lot map[string][]string, in func(string) bool) bool {
	rest := slices.DeleteFunc(slices.Clone(urls), in)
	if len(rest) == 0 {
		return true
	}
	for _, file := range lot {
		if slices.Contains(file, rest[0]) {
			return allMatch(rest, func(u string) bool { return slices.Contains(file, u) })
		}
	}
	return false
}

// isFull reports whether a file with urls has no space for the page at path.
func isFull(w *growingSite, urls []string, path string) bool {
	bytes := entrySize(path)
	for _, u := range urls {
		bytes += entrySize(strings.TrimPrefix(u, base))
	}
	return !w.splitter().fits(weight{urls: len(urls) + 1, bytes: bytes}, true)
}

// requireAllPages checks that the files contain each page of s once, in sorted order.
func requireAllPages(t *testing.T, cut map[string][]string, s entryList) {
	t.Helper()
	var all []string
	for _, urls := range cut {
		if !slices.IsSorted(urls) {
			t.Fatal("the pages of a file are not sorted")
		}
		all = append(all, urls...)
	}
	slices.Sort(all)
	if len(all) != len(s) {
		t.Fatalf("got %d pages in the files, want %d", len(all), len(s))
	}
	for i := range all {
		if all[i] != s[i].Loc {
			t.Fatalf("%s is missing", s[i].Loc)
		}
	}
}

// TestSplitMovesLargeSection checks that a section with half the maximum number of URLs leaves the
// shared file, and that the other pages stay in it.
func TestSplitMovesLargeSection(t *testing.T) {
	pages := append(pagePaths("big", 50), append(pagePaths("small", 3), "", "about")...)
	few := splitByName(t, site(append(pages, pagePaths("docs", 9)...)...), splitter{Limit: sitemap.Limits{URLs: 20}})
	lot := splitByName(t, site(append(pages, pagePaths("docs", 10)...)...), splitter{Limit: sitemap.Limits{URLs: 20}})
	if got := fmt.Sprint(changedFiles(few, lot)); got != "[docs pages]" {
		t.Errorf("got changed files %s, want docs and pages", got)
	}
	if len(few["pages"]) != 14 || len(lot["pages"]) != 5 || len(lot["docs"]) != 10 {
		t.Errorf("got %d, %d and %d pages, want 14, 5 and 10", len(few["pages"]), len(lot["pages"]), len(lot["docs"]))
	}
}

// TestHashStringKeepsValues checks fixed hash values. Other values would change the files of all
// sites after an update of sitewalk.
func TestHashStringKeepsValues(t *testing.T) {
	for s, want := range map[string]uint64{
		"blog/a/":           0x90aea7ce68b8a24a,
		"blog/a-long-name/": 0x49bbefef7ada366,
	} {
		if got := hashString(s); got != want {
			t.Errorf("hashString(%q) = %#x, want %#x", s, got, want)
		}
	}
}

// TestHashStringBalancesBits checks that each bit is set in about half of the hashes of numbered
// pages.
func TestHashStringBalancesBits(t *testing.T) {
	const n = 20_000
	var ones [64]int
	for i := range n {
		h := hashString(fmt.Sprintf("blog/page-%d/", i))
		for bit := range ones {
			ones[bit] += int(h >> bit & 1)
		}
	}
	for bit, got := range ones {
		if got < n/2-n/40 || got > n/2+n/40 {
			t.Errorf("bit %d: got %d of %d hashes, want about half", bit, got, n)
		}
	}
}
