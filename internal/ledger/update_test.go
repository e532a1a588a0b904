package ledger

import (
	"bytes"
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sitewalk/sitewalk/internal/testsite"
	"github.com/sitewalk/sitewalk/sitemap"
)

// dayOf returns a day of 2024 for a text such as "05-17".
func dayOf(t testing.TB, s string) sitemap.Date {
	t.Helper()
	d, err := time.Parse(time.DateOnly, "2024-"+s)
	if err != nil {
		t.Fatal(err)
	}
	return sitemap.DayOf(d)
}

// pages parses paths with fingerprints, such as "/a/=1 /b/=2".
func pages(s string) iter.Seq[Page] {
	var list []Page
	for _, f := range strings.Fields(s) {
		path, fingerprint, _ := strings.Cut(f, "=")
		list = append(list, Page{path, fingerprint})
	}
	return slices.Values(list)
}

func parse(t testing.TB, text string) *Ledger {
	t.Helper()
	l, err := parseLedger(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return l
}

// body returns the lines of the ledger file that describe pages.
func body(l *Ledger) string {
	var lines []string
	for line := range strings.Lines(string(l.AppendTo(nil))) {
		if !strings.HasPrefix(line, "#") {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return strings.Join(lines, "; ")
}

const (
	fingerprintLine = headFingerprint + "1\n"
	start           = headVersion + "1\n" + fingerprintLine + headFields + "\n"
)

func TestUpdateDatesChangedPages(t *testing.T) {
	const before = "/a/ A 2024-01-01\n/b/ B 2024-01-02\n/c/ C -\n"
	for name, c := range map[string]struct {
		before, now string
		o           UpdateOptions
		want        string
	}{
		"nothing changes":        {before: before, now: "/a/=A /b/=B /c/=C", want: "/a/ A 2024-01-01; /b/ B 2024-01-02; /c/ C -"},
		"one page changes":       {before: before, now: "/a/=A /b/=X /c/=C", want: "/a/ A 2024-01-01; /b/ X 2024-06-01; /c/ C -"},
		"undated page changes":   {before: before, now: "/a/=A /b/=B /c/=X", want: "/a/ A 2024-01-01; /b/ B 2024-01-02; /c/ X 2024-06-01"},
		"new page":               {before: "/a/ A -\n", now: "/a/=A /z/=Z", want: "/a/ A -; /z/ Z 2024-06-01"},
		"new page without date":  {before: "/a/ A -\n", now: "/a/=A /z/=Z", o: UpdateOptions{NewUndated: true}, want: "/a/ A -; /z/ Z -"},
		"changed page with date": {before: "/a/ A -\n", now: "/a/=X", o: UpdateOptions{NewUndated: true}, want: "/a/ X 2024-06-01"},

		"other fingerprints":               {before: before, now: "/a/=1 /b/=2 /c/=3", o: UpdateOptions{FingerprintVersion: "2"}, want: "/a/ 1 2024-01-01; /b/ 2 2024-01-02; /c/ 3 -"},
		"other fingerprints, new page":     {before: "/a/ A 2024-01-01\n", now: "/a/=1 /z/=A", o: UpdateOptions{FingerprintVersion: "2"}, want: "/a/ 1 2024-01-01; /z/ A 2024-06-01"},
		"other fingerprints, removed page": {before: before, now: "/a/=1 /b/=2", o: UpdateOptions{FingerprintVersion: "2"}, want: "/a/ 1 2024-01-01; /b/ 2 2024-01-02; /c/ - - gone=2024-06-01"},
		"fingerprint was unknown":          {before: "/a/ - 2024-01-01\n", now: "/a/=A", want: "/a/ A 2024-01-01"},
		"fingerprint is unknown":           {before: "/a/ A 2024-01-01\n", now: "/a/", want: "/a/ A 2024-01-01"},
		"new without fingerprint":          {before: "/a/ A -\n", now: "/a/=A /z/", want: "/a/ A -; /z/ - -"},

		"removed":                           {before: "/a/ A 2024-01-01\n/b/ B -\n", now: "/a/=A", want: "/a/ A 2024-01-01; /b/ B - gone=2024-06-01"},
		"removed long ago":                  {before: "/a/ A 2024-01-01 gone=2024-03-03\n", now: "", want: "/a/ A 2024-01-01 gone=2024-03-03"},
		"removed too long ago":              {before: "/a/ A 2024-01-01 gone=2024-03-02\n", now: "", want: ""},
		"restored":                          {before: "/a/ A 2024-01-01 gone=2024-05-01\n", now: "/a/=A", want: "/a/ A 2024-01-01"},
		"restored and changed":              {before: "/a/ A 2024-01-01 gone=2024-05-01\n", now: "/a/=X", want: "/a/ X 2024-06-01"},
		"restored after other fingerprints": {before: "/a/ - 2024-01-01 gone=2024-05-01\n", now: "/a/=X", want: "/a/ X 2024-01-01"},

		"moved":                     {before: "/a/ A 2024-01-01\n", now: "/z/=A", want: "/a/ A 2024-01-01 gone=2024-06-01; /z/ A 2024-01-01"},
		"moved without date":        {before: "/a/ A -\n", now: "/z/=A", want: "/a/ A - gone=2024-06-01; /z/ A -"},
		"moved after removal":       {before: "/a/ A 2024-01-01 gone=2024-05-01\n", now: "/z/=A", want: "/a/ A 2024-01-01 gone=2024-05-01; /z/ A 2024-01-01"},
		"moved and changed":         {before: "/a/ A 2024-01-01\n", now: "/z/=X", want: "/a/ A 2024-01-01 gone=2024-06-01; /z/ X 2024-06-01"},
		"copied":                    {before: "/a/ A 2024-01-01\n", now: "/a/=A /z/=A", want: "/a/ A 2024-01-01; /z/ A 2024-06-01"},
		"two copies":                {before: "/a/ A 2024-01-01\n", now: "/y/=A /z/=A", want: "/a/ A 2024-01-01 gone=2024-06-01; /y/ A 2024-06-01; /z/ A 2024-06-01"},
		"two candidates":            {before: "/a/ A 2024-01-01\n/b/ A 2024-01-02\n", now: "/z/=A", want: "/a/ A 2024-01-01 gone=2024-06-01; /b/ A 2024-01-02 gone=2024-06-01; /z/ A 2024-06-01"},
		"two candidates of one day": {before: "/a/ A 2024-01-01\n/b/ A 2024-01-01\n", now: "/y/=A /z/=A", want: "/a/ A 2024-01-01 gone=2024-06-01; /b/ A 2024-01-01 gone=2024-06-01; /y/ A 2024-01-01; /z/ A 2024-01-01"},
		"moved to removed path":     {before: "/a/ A 2024-01-01\n/z/ Z - gone=2024-05-01\n", now: "/z/=A", want: "/a/ A 2024-01-01 gone=2024-06-01; /z/ A 2024-01-01"},
		"moved, NewUndated":         {before: "/a/ A 2024-01-01\n", now: "/z/=A", o: UpdateOptions{NewUndated: true}, want: "/a/ A 2024-01-01 gone=2024-06-01; /z/ A 2024-01-01"},
		"duplicate path":            {before: "", now: "/a/=A /a/=B", want: "/a/ A 2024-06-01"},
		"percent and spaces":        {before: "/100%25 B -\n/a%20b/ A -\n", now: "/100%=B", want: "/100%25 B -; /a%20b/ A - gone=2024-06-01"},
	} {
		t.Run(name, func(t *testing.T) {
			if c.o.FingerprintVersion == "" {
				c.o.FingerprintVersion = "1"
			}
			old := parse(t, start+c.before+endLine+"\n")
			file := string(old.AppendTo(nil))
			next := old.Update(pages(c.now), dayOf(t, "06-01"), c.o)
			if got := body(next); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if string(old.AppendTo(nil)) != file {
				t.Error("Update changes the old ledger")
			}
		})
	}
}

func TestUpdateGivesNoDatesOnFirstRun(t *testing.T) {
	first := (&Ledger{}).Update(pages("/a/=A /b/=B"), dayOf(t, "06-01"), UpdateOptions{FingerprintVersion: "1"})
	if got := body(first); got != "/a/ A -; /b/ B -" {
		t.Errorf("got %s", got)
	}
	if d, why := first.Date("/a/"); !d.IsZero() || why != "not changed since the ledger first saw it" {
		t.Errorf("got date %v, reason %q, want no date", d, why)
	}
	second := first.Update(pages("/a/=A /b/=X /c/=C"), dayOf(t, "06-02"), UpdateOptions{FingerprintVersion: "1"})
	if got := body(second); got != "/a/ A -; /b/ X 2024-06-02; /c/ C 2024-06-02" {
		t.Errorf("got %s", got)
	}
}

// TestUpdateReturnsUnchangedLedger checks that Update returns the same ledger if nothing changed.
func TestUpdateReturnsUnchangedLedger(t *testing.T) {
	l := parse(t, start+"/a/ A -\n"+endLine+"\n")
	if l.Update(pages("/a/=A"), dayOf(t, "06-01"), UpdateOptions{FingerprintVersion: "1"}) != l {
		t.Error("got another ledger, want the same")
	}
}

// TestUpdateOfRandomSites edits, moves and removes pages of random sites. It compares the ledger
// with the days of the real changes.
func TestUpdateOfRandomSites(t *testing.T) {
	for seed := range uint64(testsite.Repeat(40, 200)) {
		random := rand.New(rand.NewPCG(seed, 1))
		type fact struct {
			content string
			changed int // day; 0 is before the first run
		}
		site := map[string]fact{}
		content := 0
		fresh := func() string { content++; return fmt.Sprint("v", content) }
		for range 20 {
			site[randomPath(random)] = fact{fresh(), 0}
		}
		l := &Ledger{}
		first := dayOf(t, "01-01").Time()
		for today := range 30 {
			now := sitemap.DayOf(first.AddDate(0, 0, today))
			if today > 0 {
				for range random.IntN(4) {
					paths := slices.Sorted(maps.Keys(site))
					p := paths[random.IntN(len(paths))]
					switch f := site[p]; random.IntN(4) {
					case 0:
						site[p] = fact{fresh(), today}
					case 1:
						to := randomPath(random)
						if _, ok := site[to]; !ok && len(paths) > 3 {
							delete(site, p)
							site[to] = f
						}
					case 2:
						if to := randomPath(random); site[to].content == "" {
							site[to] = fact{fresh(), today}
						}
					case 3:
						if len(paths) > 3 {
							delete(site, p)
						}
					}
				}
			}
			sitePages := func(yield func(Page) bool) {
				for p, f := range site { // in the random order of a map
					if !yield(Page{p, f.content}) {
						return
					}
				}
			}
			l = l.Update(sitePages, now, UpdateOptions{FingerprintVersion: "1"})
			file := l.AppendTo(nil)
			again, err := parseLedger(string(file))
			if err != nil || !bytes.Equal(again.AppendTo(nil), file) {
				t.Fatalf("seed %d: written and read again: got error %v or another file, want\n%s", seed, err, file)
			}
			if twice := again.Update(sitePages, now, UpdateOptions{FingerprintVersion: "1"}); !bytes.Equal(twice.AppendTo(nil), file) {
				t.Fatalf("seed %d: second update: got\n%s\nwant\n%s", seed, twice.AppendTo(nil), file)
			}
			l = again
			for p, f := range site {
				got, _ := l.Date(p)
				want := sitemap.Date{}
				if f.changed > 0 {
					want = sitemap.DayOf(first.AddDate(0, 0, f.changed))
				}
				if got != want {
					t.Fatalf("seed %d, day %d: %q: got date %v, want %v\n%s", seed, today, p, got, want, file)
				}
			}
		}
	}
}

// randomPath returns a path with characters that must be escaped in the ledger file.
func randomPath(random *rand.Rand) string {
	const runes = "ab/%2-# \n\r\t=~\x00\x1f\x7f\u0085\u00a0\u2028\ufeffüé日\xff\xc3"
	b := []byte{'/'}
	for range 1 + random.IntN(5) {
		i := random.IntN(len(runes))
		b = append(b, runes[i:min(len(runes), i+1+random.IntN(3))]...)
	}
	return string(b)
}

// dayNumber returns the nth day after 2024-01-01.
func dayNumber(n int) sitemap.Date {
	return sitemap.DayOf(time.Date(2024, 1, 1+n, 0, 0, 0, 0, time.UTC))
}

// TestDateGivesReason looks up known and unknown pages in ledgers of different sizes.
func TestDateGivesReason(t *testing.T) {
	for n := range 60 {
		var l Ledger
		for i := range n {
			path := fmt.Sprintf("/%03d/", 2*i)
			l.pages = append(l.pages, entry{path: path, fingerprint: "x", day: dayNumber(i).String()})
		}
		for at := range 2*n + 2 {
			path := fmt.Sprintf("/%03d/", at)
			var want sitemap.Date
			if at%2 == 0 && at < 2*n {
				want = dayNumber(at / 2)
			}
			if got, why := l.Date(path); got != want || got.IsZero() == (why == "") {
				t.Fatalf("%d pages, %s: got %v, reason %q, want %v", n, path, got, why, want)
			}
		}
	}
}
