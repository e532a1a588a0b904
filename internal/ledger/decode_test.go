package ledger

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/thorough"
)

func TestDecode(t *testing.T) {
	const file = start + "/a/ A 2024-01-01\n/b/ B -\n" + endLine + "\n"
	for name, c := range map[string]struct {
		text string
		want string   // the lines of pages
		diag []string // "line code"
	}{
		"as written":       {text: file, want: "/a/ A 2024-01-01; /b/ B -"},
		"CRLF and a BOM":   {text: "\ufeff" + strings.ReplaceAll(file, "\n", "\r\n"), want: "/a/ A 2024-01-01; /b/ B -"},
		"no last newline":  {text: strings.TrimSuffix(file, "\n"), want: "/a/ A 2024-01-01; /b/ B -"},
		"tabs and blanks":  {text: start + "\n\n  /a/\tA  2024-01-01  \n" + endLine, want: "/a/ A 2024-01-01"},
		"out of order":     {text: start + "/b/ B -\n/a/ A -\n" + endLine, want: "/a/ A -; /b/ B -"},
		"sorted by a tool": {text: headVersion + "1\n" + endLine + "\n/a/ A -\n", want: "/a/ A -"},
		"no head":          {text: "/a/ A -\n" + endLine, want: "/a/ A -", diag: []string{"1 ledger-header"}},
		"raw and odd":      {text: start + "/ü%zz A -\n/%c3%bc B -\n" + endLine, want: "/ü B -; /ü%25zz A -"},

		"empty":            {text: "", want: "", diag: []string{"0 ledger-empty"}},
		"blank":            {text: " \n\n", want: "", diag: []string{"0 ledger-empty"}},
		"newer":            {text: headVersion + "7\n/a/ A 2024-01-01 fresh=yes\n" + endLine, want: "/a/ A 2024-01-01 fresh=yes", diag: []string{"1 ledger-version"}},
		"cut in a day":     {text: start + "/a/ A 2024-01-01\n/b/ B 2024-0", want: "/a/ A 2024-01-01", diag: []string{"6 ledger-truncated"}},
		"cut in a path":    {text: start + "/a/ A 2024-01-01\n/b", want: "/a/ A 2024-01-01", diag: []string{"6 ledger-truncated"}},
		"cut in a field":   {text: start + "/a/ A 2024-01-01 gone=2024-", want: "", diag: []string{"5 ledger-truncated"}},
		"cut after a line": {text: start + "/a/ A 2024-01-01\n", want: "/a/ A 2024-01-01", diag: []string{"5 ledger-truncated"}},
		"cut in the head":  {text: headVersion + "1\n# writ", want: "", diag: []string{"2 ledger-truncated"}},

		"bad lines": {
			text: start + "/a/ A 2024-01-01\nhello\n/b/ B 2024-02-30\n/c/ C - gone\n/d/ D - gone=-\n/e/ E\n" + endLine, want: "/a/ A 2024-01-01",
			diag: []string{"6 ledger-line", "7 ledger-line", "8 ledger-line", "9 ledger-line", "10 ledger-line"},
		},
		"duplicates": {
			text: start + "/a/ A 2024-01-01\n/a/ A 2024-01-03\n/a/ B 2024-01-02\n/a/ A -\n/b/ B - gone=2024-01-01\n/b/ B -\n" + endLine,
			want: "/a/ A 2024-01-03; /a/ B 2024-01-02; /b/ B -",
			diag: []string{"6 ledger-duplicate", "7 ledger-duplicate", "8 ledger-duplicate", "10 ledger-duplicate"},
		},
		"conflict": {
			text: start + "<<<<<<< HEAD\n/a/ A 2024-01-02\n/b/ B -\n=======\n/a/ X 2024-01-03\n/c/ C -\n>>>>>>> side\n/d/ D -\n" + endLine,
			want: "/a/ X 2024-01-03; /a/ A 2024-01-02; /b/ B -; /c/ C -; /d/ D -", diag: []string{"5 ledger-conflict"},
		},
		"conflict with a base": {
			text: start + "<<<<<<< HEAD\n/a/ A 2024-01-02\n||||||| base\n/a/ O 2024-01-01\n=======\n/a/ X -\n>>>>>>> side\n" + endLine,
			want: "/a/ A 2024-01-02; /a/ X -", diag: []string{"5 ledger-conflict"},
		},
		"conflict, cut off": {
			text: start + "<<<<<<< HEAD\n/a/ A 2024-01-02\n=======\n/a/ X -\n",
			want: "/a/ A 2024-01-02; /a/ X -", diag: []string{"5 ledger-conflict", "8 ledger-conflict", "8 ledger-truncated"},
		},
		"sums":                {text: start + "/a/ A - sum=2591c23f\n\t/a/b/  A\t-  sum=99699616\n/c/ C 2024-01-01\n" + endLine, want: "/a/ A -; /a/b/ A -; /c/ C 2024-01-01"},
		"edited with its sum": {text: start + "/a/ A 2024-01-01 sum=2591c23f\n" + endLine, diag: []string{"5 ledger-line"}},
		"a damaged sum":       {text: start + "/a/ A - sum=2591c23\n" + endLine, diag: []string{"5 ledger-line"}},
		"a damaged slash":     {text: start + "#a/ A - sum=2591c23f\n" + endLine, diag: []string{"5 ledger-line"}},
		"a damaged head":      {text: headVersion + "1\n" + headFingerprint + "2 sum=2301810a\n/a/ A -\n" + endLine, want: "/a/ A -", diag: []string{"2 ledger-line"}},
		"a damaged key":       {text: headVersion + "1\n" + headFingerprint + "1 rum=2301810a\n/a/ A -\n" + endLine, want: "/a/ A -", diag: []string{"2 ledger-line"}},
		"no fingerprint":      {text: headVersion + "1\n" + headFingerprint + " sum=2301810a\n/a/ A -\n" + endLine, want: "/a/ A -", diag: []string{"2 ledger-line"}},
		"kept before":         {text: start + "#? /b/ A - sum=2591c23f\n" + endLine},
		"marks without a conflict": {
			text: start + "=======\n>>>>>>> x\n" + endLine, diag: []string{"5 ledger-line", "6 ledger-line"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			l, findings, err := decode("sitemap.ledger", c.text)
			if err != nil {
				t.Fatal(err)
			}
			if got := body(l); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			var got []string
			var diags diag.List
			findings.Each(func(d *diag.Diagnostic) { diags = append(diags, *d) })
			for _, d := range diags.Sorted() {
				got = append(got, fmt.Sprint(d.Pos.Line, " ", d.Code))
				if d.Pos.File != "sitemap.ledger" {
					t.Errorf("%s names no file", d)
				}
			}
			if !slices.Equal(got, c.diag) {
				t.Errorf("findings %q, want %q", got, c.diag)
			}
		})
	}
}

func TestBadLinesAreKept(t *testing.T) {
	l, _, err := decode("l", start+"/a/ A -\nhello  world\n# mine\n"+endLine)
	if err != nil {
		t.Fatal(err)
	}
	want := start + "#? hello  world\n# mine\n/a/ A - sum=2591c23f\n" + endLine + "\n"
	if got := string(l.AppendTo(nil)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestAMillionFindingsAreAFew(t *testing.T) {
	_, findings, err := decode("l", start+strings.Repeat("bad\n", 5000)+endLine)
	if err != nil {
		t.Fatal(err)
	}
	if kinds := findings.Kinds(); len(kinds) != 1 || len(kinds[0].List) != diag.Kept || kinds[0].Count != 5000 {
		t.Errorf("findings %v", kinds)
	}
}

// After a merge, the side whose content the page has now tells the day.
func TestAMergeIsSettledByThePage(t *testing.T) {
	const text = start + "<<<<<<< HEAD\n/a/ A 2024-01-02\n=======\n/a/ B 2024-01-03\n>>>>>>> side\n" + endLine + "\n"
	for content, want := range map[string]string{
		"A": "/a/ A 2024-01-02", "B": "/a/ B 2024-01-03", "C": "/a/ C 2024-06-01",
	} {
		l, _, err := decode("l", text)
		if err != nil {
			t.Fatal(err)
		}
		if got := body(l.Update(pages("/a/="+content), on(t, "06-01"), UpdateOptions{Fingerprint: "1"})); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	l, _, _ := decode("l", text)
	if d, _ := l.Date("/a/"); d.String() != "2024-01-03" {
		t.Errorf("before that, the day is %s", d)
	}
}

// Two heads that disagree leave no fingerprint that could be compared.
func TestAMergeOfFingerprintVersionsRedatesNothing(t *testing.T) {
	text := strings.Replace(start, kind, "<<<<<<< a\n"+kind+"=======\n"+headFingerprint+"2\n>>>>>>> b\n", 1)
	l, _, err := decode("l", text+"/a/ A 2024-01-02\n"+endLine)
	if err != nil {
		t.Fatal(err)
	}
	if got := body(l.Update(pages("/a/=X"), on(t, "06-01"), UpdateOptions{Fingerprint: "2"})); got != "/a/ X 2024-01-02" {
		t.Errorf("got %s", got)
	}
}

func TestWhatIsNoLedgerIsRefused(t *testing.T) {
	for text, want := range map[string]error{
		"<!DOCTYPE html><p>404": errHTML, "\n <html>": errHTML, "<?xml version='1.0'?>": errHTML,
		"# My site\n\nhello": errNotLedger, "hello": errNotLedger, "\x00\xff\xfe": errNotLedger, "{}": errNotLedger,
	} {
		if _, _, err := decode("l", text); err != want {
			t.Errorf("%q: %v, want %v", text, err, want)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(start + "/a/ A 2024-01-01\n/b%20/ - - gone=2024-02-03 x=y\n#? bad\n" + endLine))
	f.Add([]byte("\ufeff<<<<<<< a\r\n" + start + "|||||||\n=======\n/a/ B 0001-01-01\n>>>>>>> b"))
	f.Add([]byte("/\xff\x85 %2d 9999-12-31\n/\xff\x85 - 9999-12-31"))
	f.Fuzz(func(t *testing.T, data []byte) {
		l, _, err := decode("l", string(data))
		if err != nil {
			return
		}
		once := l.AppendTo(nil)
		if !utf8.Valid(once) && utf8.Valid(data) {
			t.Errorf("not UTF-8: %q", once)
		}
		again, _, err := decode("l", string(once))
		if err != nil {
			t.Fatalf("its own file is refused: %v\n%q", err, once)
		}
		if twice := again.AppendTo(nil); !bytes.Equal(once, twice) {
			t.Fatalf("not the same twice:\n%q\n%q", once, twice)
		}
		for i, e := range l.pages {
			if found := l.pages.find(e.path); !slices.Contains(found, e) {
				t.Errorf("entry %d is not among those of its path: %v", i, found)
			}
		}
		next := again.Update(pages("/a/=A /b/=B /c/"), on(t, "06-01"), UpdateOptions{Fingerprint: "1"})
		if _, findings, err := decode("l", string(next.AppendTo(nil))); err != nil || len(findings.Kinds()) > 0 {
			t.Errorf("an update leaves trouble: %v %v\n%q", findings, err, next.AppendTo(nil))
		}
	})
}

func FuzzEscape(f *testing.F) {
	f.Add("/a b\n%41\xff\u2028\ufeff\ufffd")
	f.Fuzz(func(t *testing.T, s string) {
		e := escape(s)
		if unescape(e) != s {
			t.Errorf("%q becomes %q becomes %q", s, e, unescape(e))
		}
		if strings.ContainsAny(e, " \t\r\n\x00") || !utf8.ValidString(e) {
			t.Errorf("%q is not safe", e)
		}
		if c := canon(e); c != e {
			t.Errorf("%q is canonically %q", e, c)
		}
	})
}

func TestPlainAtEveryPlace(t *testing.T) {
	for c := range 256 {
		want := c > ' ' && c < 0x7f && c != '%'
		for n := 1; n < 20; n++ {
			for at := range n {
				s := []byte(strings.Repeat("a", n))
				s[at] = byte(c)
				if got := plain(string(s)); got != want {
					t.Fatalf("%q: %v, want %v", s, got, want)
				}
			}
		}
	}
}

// A ledger of an earlier build, which wrote no sums, is as good.
func TestNoSums(t *testing.T) {
	l := parse(t, strings.Replace(start, kind, headFingerprint+"1\n", 1)+"/a/ A -\n"+endLine)
	if got := body(l.Update(pages("/a/=B"), on(t, "06-01"), UpdateOptions{Fingerprint: "1"})); got != "/a/ B 2024-06-01" {
		t.Errorf("got %s", got)
	}
}

// Whichever byte is another one, no date changes without a finding.
func TestDamageIsFound(t *testing.T) {
	var ledger *Ledger
	seen := pages("/=A /about/=Y /new%20page/=C")
	for i, content := range []string{"/=A /about/=B /gone/=D", "/=A /about/=X /gone/=D", "/=A /about/=B /new%20page/=C"} {
		if ledger == nil {
			ledger = &Ledger{}
		}
		ledger = ledger.Update(pages(content), on(t, fmt.Sprintf("05-%02d", i+1)), UpdateOptions{Fingerprint: "1", Writer: "sitewalk 1"})
	}
	file := ledger.AppendTo(nil)
	want := body(ledger.Update(seen, on(t, "06-01"), UpdateOptions{Fingerprint: "1"}))
	if !strings.Contains(want, "/about/ Y 2024-06-01") {
		t.Fatalf("no page changes: %s", want)
	}
	tried, silent := 0, 0
	for i := range file {
		for mask := 1; mask < 256; mask += thorough.Or(11, 1) {
			damaged := bytes.Clone(file)
			damaged[i] ^= byte(mask)
			tried++
			l, findings, err := decode("l", string(damaged))
			if err != nil || len(findings.Kinds()) > 0 {
				continue
			}
			if got := body(l.Update(seen, on(t, "06-01"), UpdateOptions{Fingerprint: "1"})); !slices.Equal(days(got), days(want)) {
				silent++
				t.Logf("byte %d, now %q:\ngot  %s\nwant %s", i, damaged[i], got, want)
			}
		}
	}
	if silent > 0 {
		t.Errorf("%d of %d change a date without a finding", silent, tried)
	}
}

// days returns path and day of each line of a ledger.
func days(body string) (out []string) {
	for line := range strings.SplitSeq(body, "; ") {
		if f := strings.Fields(line); len(f) > 2 {
			out = append(out, f[0]+" "+f[2])
		}
	}
	return out
}
