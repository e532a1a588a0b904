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

// full returns options with the limits of the protocol where there are none.
func full(o splitter) splitter {
	o.Base, o.Mode = base, cmp.Or(o.Mode, "auto")
	o.Format = cmp.Or(o.Format, sitemap.FormatURLSet)
	o.Limit.URLs, o.Limit.Bytes = cmp.Or(o.Limit.URLs, sitemap.MaxURLs), cmp.Or(o.Limit.Bytes, sitemap.DefaultMaxBytes)
	o.GroupKey = func(string) string { return "" }
	o.Frame = func(uses sitemap.Extensions, _ bool) sitemap.Frame { return sitemap.Frame{Extensions: uses} }
	return o
}

// cutOf returns the URLs of each file by its name.
func cutOf(t *testing.T, s slice, o splitter) map[string][]string {
	t.Helper()
	m := full(o)
	m.Entries = s
	files, _, err := m.splitPages(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]string{}
	for _, f := range files {
		if out[f.name] != nil {
			t.Fatalf("two files are named %q", f.name)
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
			t.Fatalf("%q is over a limit, or of other extensions: %+v", f.name, w)
		}
		out[f.name] = urls
	}
	return out
}

// TestNone cuts what does not fit, by number alone.
func TestNone(t *testing.T) {
	s := site(append(many("blog", 5), "", "a")...)
	got := cutOf(t, s, splitter{Mode: "none", Limit: sitemap.Limits{URLs: 4}})
	for name := range got {
		if len(got) < 2 || name != "pages" && !strings.HasPrefix(name, "pages-") {
			t.Errorf("a file is named %q, of %d", name, len(got))
		}
	}
	if got := cutOf(t, s, splitter{Mode: "none"}); len(got[""]) != 7 {
		t.Errorf("one file would do: %v", got)
	}
}

// TestMost puts pages that take the most into one file, at each limit around which they
// fit. No file is over it, as cutOf sees.
func TestMost(t *testing.T) {
	day, err := sitemap.ParseDate("2024-01-02T15:04:05.999999999+01:00", nil)
	if err != nil {
		t.Fatal(err)
	}
	one := map[bool]int{}
	for limit := 1500; limit < 6000; limit += 20 {
		for _, form := range []sitemap.Format{sitemap.FormatURLSet, sitemap.FormatText} {
			var s slice
			for i := range 3 {
				s = append(s, sitemap.Entry{URL: sitemap.URL{Loc: base + strings.Repeat("'&", 40) + fmt.Sprint(i), LastMod: day, ChangeFreq: sitemap.Monthly}})
			}
			one[cutOf(t, s, splitter{Limit: sitemap.Limits{Bytes: limit}, Format: form})[""] != nil]++
		}
	}
	if one[true] == 0 || one[false] == 0 {
		t.Errorf("one file or several: %v", one)
	}
}

// changes returns the children in which a and b differ.
func changes(a, b map[string][]string) (names []string) {
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

// A world is a site that grows and shrinks.
type world struct {
	*rand.Rand
	limits splitter
	pages  map[string]bool
}

func (w *world) entries() slice {
	var paths []string
	for p := range w.pages {
		paths = append(paths, p)
	}
	return site(paths...)
}

// page returns a page of some section, of very different sizes, or of the root.
func (w *world) page() string {
	section := []string{"a/", "blog/", "blog-2/", "Blog/", "%C3%BC/", "c/", ""}[min(6, int(w.ExpFloat64()*2))]
	return fmt.Sprintf("%s%x%s", section, w.Uint64(), strings.Repeat("x", w.IntN(60)))
}

// splitter knows the limits.
func (w *world) splitter() *splitter {
	c := full(w.limits)
	return &c
}

// size returns how many bytes a page is in a file.
func size(path string) int {
	return len(sitemap.AppendURL(nil, &sitemap.URL{Loc: base + path}))
}

func TestCutIsStable(t *testing.T) {
	var splits, merges, leaves int
	for seed := range uint64(testsite.Repeat(3, 40)) {
		w := &world{Rand: rand.New(rand.NewPCG(seed, 1)), pages: map[string]bool{}}
		w.limits = splitter{Limit: sitemap.Limits{URLs: 1 + w.IntN(40), Bytes: 600 + w.IntN(8000)}, Mode: []string{"section", "none"}[seed%2]}
		for range w.IntN(400) {
			w.pages[w.page()] = true
		}
		before := cutOf(t, w.entries(), w.limits)
		for range 60 {
			path := w.page()
			insert := w.IntN(2) == 0 || len(w.pages) == 0
			if insert {
				w.pages[path] = true
			} else {
				path = strings.TrimPrefix(w.entries()[w.IntN(len(w.pages))].Loc, base)
				delete(w.pages, path)
			}
			after := cutOf(t, w.entries(), w.limits)
			few, lot := before, after
			if !insert {
				few, lot = after, before
			}
			// Seen as an insertion, whichever it was: few and a page are lot.
			changed := changes(few, lot)
			switch kind := change(w, few, lot, path); {
			case len(changed) == 1:
			case kind == "split" && insert:
				splits++
			case kind == "split":
				merges++
			case kind == "left":
				leaves++
			default:
				t.Fatalf("seed %d: with or without %q, %q differ (%s)", seed, path, changed, kind)
			}
			before = after
			union(t, after, w.entries())
		}
	}
	if splits == 0 || merges == 0 || leaves == 0 {
		t.Errorf("%d splits, %d merges, %d sections that left the shared file: the test proves nothing", splits, merges, leaves)
	}
}

// change says how few became lot with one page more, where more than one child
// differs: "split" when a full child became two, or more when it is full of bytes
// and the page is larger than what another file takes from it; "left" when the
// section of the page became large enough to leave the shared file.
func change(w *world, few, lot map[string][]string, path string) string {
	changed := changes(few, lot)
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
	case leaves(w, few, lot, changed, path):
		return "left"
	}
	return fmt.Sprintf("%d children became %d", olds, news)
}

// leaves reports whether nothing happened but that the section of path reached
// the size from which it has files of its own: its pages went there from what
// is shared, and each file of what is left is as it was or part of another.
func leaves(w *world, few, lot map[string][]string, changed []string, path string) bool {
	segment, _, _ := strings.Cut(path, "/")
	in := func(u string) bool { return strings.HasPrefix(u, base+segment+"/") }
	own := childNames{}.sectionName("/" + segment)
	for _, name := range changed {
		switch {
		case isOf(name, own):
			if few[name] != nil || !all(lot[name], in) {
				return false
			}
		case !isOf(name, commonName) || slices.ContainsFunc(lot[name], in) || !kept(few[name], lot, in):
			return false
		}
	}
	l := w.splitter()
	var before weight
	for u := range w.weights(few, in) {
		before.add(u)
	}
	after := before
	after.add(weight{urls: 1, bytes: size(path)})
	return !l.isLarge(before) && l.isLarge(after)
}

// weights yields those of the pages of a cut that in accepts.
func (w *world) weights(cut map[string][]string, in func(string) bool) iter.Seq[weight] {
	return func(yield func(weight) bool) {
		for _, urls := range cut {
			for _, u := range urls {
				if in(u) && !yield(weight{urls: 1, bytes: size(strings.TrimPrefix(u, base))}) {
					return
				}
			}
		}
	}
}

// isOf reports whether name is one of the files that share the name of.
func isOf(name, of string) bool {
	rest, ok := strings.CutPrefix(name, of)
	return ok && (rest == "" || rest[0] == '-' && strings.Trim(rest[1:], "0123456789") == "")
}

func all(urls []string, in func(string) bool) bool {
	return !slices.ContainsFunc(urls, func(u string) bool { return !in(u) })
}

// kept reports whether the pages of a file that in does not accept are together
// in one file again.
func kept(urls []string, lot map[string][]string, in func(string) bool) bool {
	rest := slices.DeleteFunc(slices.Clone(urls), in)
	if len(rest) == 0 {
		return true
	}
	for _, file := range lot {
		if slices.Contains(file, rest[0]) {
			return all(rest, func(u string) bool { return slices.Contains(file, u) })
		}
	}
	return false
}

// isFull reports whether a file of urls has no room for one page more.
func isFull(w *world, urls []string, path string) bool {
	bytes := size(path)
	for _, u := range urls {
		bytes += size(strings.TrimPrefix(u, base))
	}
	return !w.splitter().fits(weight{urls: len(urls) + 1, bytes: bytes}, true)
}

// union fails unless the children hold each page once.
func union(t *testing.T, cut map[string][]string, s slice) {
	t.Helper()
	var all []string
	for _, urls := range cut {
		if !slices.IsSorted(urls) {
			t.Fatal("the pages of a child are not sorted")
		}
		all = append(all, urls...)
	}
	slices.Sort(all)
	if len(all) != len(s) {
		t.Fatalf("%d pages in children, %d in the site", len(all), len(s))
	}
	for i := range all {
		if all[i] != s[i].Loc {
			t.Fatalf("%s is missing", s[i].Loc)
		}
	}
}

// A section leaves the shared file at half a file; nothing else in it moves.
func TestCutSectionLeavesSharedFile(t *testing.T) {
	pages := append(many("big", 50), append(many("small", 3), "", "about")...)
	few := cutOf(t, site(append(pages, many("docs", 9)...)...), splitter{Limit: sitemap.Limits{URLs: 20}})
	lot := cutOf(t, site(append(pages, many("docs", 10)...)...), splitter{Limit: sitemap.Limits{URLs: 20}})
	if got := fmt.Sprint(changes(few, lot)); got != "[docs pages]" {
		t.Errorf("children %s differ, want docs and the shared file", got)
	}
	if len(few["pages"]) != 14 || len(lot["pages"]) != 5 || len(lot["docs"]) != 10 {
		t.Errorf("%d pages shared, then %d and %d", len(few["pages"]), len(lot["pages"]), len(lot["docs"]))
	}
}

// The values decide what is downloaded again after an update: they may not change.
func TestHashNeverChanges(t *testing.T) {
	for s, want := range map[string]uint64{
		"blog/a/":           0x90aea7ce68b8a24a,
		"blog/a-long-name/": 0x49bbefef7ada366,
	} {
		if got := hashString(s); got != want {
			t.Errorf("hash(%q) = %#x, want %#x", s, got, want)
		}
	}
}

// Each bit divides numbered pages, the most regular there are, into halves.
func TestHashIsEven(t *testing.T) {
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
			t.Errorf("bit %d is set in %d of %d hashes", bit, got, n)
		}
	}
}
