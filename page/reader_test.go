package page

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/testsite"
)

func TestMain(m *testing.M) {
	testsite.SpeedUp()
	m.Run()
}

// An endless reader returns the text head, and then repeats the text fill, up to n bytes in total.
type endless struct {
	head, fill string
	n, read    int
	at         int // offset in fill
}

func (e *endless) Read(p []byte) (int, error) {
	if e.read >= e.n {
		return 0, io.EOF
	}
	k := copy(p, e.head)
	e.head = e.head[k:]
	for k < len(p) && e.head == "" {
		c := copy(p[k:], e.fill[e.at:])
		k += c
		e.at = (e.at + c) % len(e.fill)
	}
	e.read += k
	return k, nil
}

func TestBoundedReading(t *testing.T) {
	const huge = 1 << 30
	for _, c := range []struct {
		name, head, fill string
		o                Options
		most             int // bytes read
	}{
		{"text without a head", "", "lorem ipsum ", Options{}, firstRead},
		{"elements without a head", "", "<p>lorem</p>", Options{}, firstRead},
		{"comment", "<!--", "lorem ipsum ", Options{}, 2 * maxHead},
		{"white space", "", "        ", Options{}, 2 * maxHead},
		{"tag", "<meta ", "lorem=ipsum ", Options{}, 2 * maxHead},
		{"value", "<meta content='", "lorem ipsum ", Options{}, 2 * maxHead},
		{"title", "<title>", "lorem ipsum ", Options{Titles: true}, 2 * maxHead},
		{"script", "<script>", "lorem </scrip ", Options{}, 2 * maxHead},
		{"style", "<style>", "lorem </scrip ", Options{}, 2 * maxHead},
		{"template", "<template>", "<p>lorem</p>", Options{}, 2 * maxHead},
		{"metas", "", "<meta name=a content=b>\n", Options{Titles: true}, 2 * maxHead},
		{"alternates", "", "<link rel=alternate hreflang=en href=/a>", Options{Alternates: true}, 2 * maxHead},
		{"dates", "", "<meta property=og:updated_time content=x title='" + strings.Repeat("lorem ipsum ", 50) + "'>", Options{}, 2 * maxHead},
		{"canonicals", "", "<link rel=canonical href=file:///a>", Options{}, 2 * maxHead},
	} {
		t.Run(c.name, func(t *testing.T) {
			src := &endless{head: c.head, fill: strings.Repeat(c.fill, 100), n: huge}
			f := readFacts(t, c.o, src)
			if src.read > c.most {
				t.Errorf("read %d bytes, want at most %d", src.read, c.most)
			}
			if len(f.Diags) > maxFindings+1 {
				t.Errorf("%d findings", len(f.Diags))
			}
			isLong := slices.ContainsFunc(f.Diags, func(d diag.Diagnostic) bool { return d.Code == "long-head" })
			if isLong != (c.most > firstRead) {
				t.Errorf("a finding about a long head: %v", isLong)
			}
		})
	}
}

func TestLongHead(t *testing.T) {
	src := "<title>x</title>" + strings.Repeat("<link rel=stylesheet href=/a.css>\n", 5<<20/34) + noindex
	f := readFacts(t, Options{Titles: true}, strings.NewReader(src))
	if want := (diag.Pos{Line: 5<<20/34 + 1, Col: 1}); f.Skips.First().Reason != NoIndex || f.Skips.First().Pos != want || f.Title != "x" {
		t.Errorf("%v at %v, want noindex at %v", f.Skips.First().Reason, f.Skips.First().Pos, want)
	}
}

func TestPositions(t *testing.T) {
	f := readFacts(t, Options{}, strings.NewReader("<!doctype html>\r\n<head>\n\t<link rel=canonical href=''>\n <meta content='a\nb'\n>"+
		"<script type=application/ld+json>\n{\"@type\":\"Article\",\n \"dateModified\":\"x\"}</script><meta name=robots\n content=noindex>"))
	if want := (diag.Pos{Line: 8, Col: 30}); f.Skips.First().Pos != want || f.Skips.First().Note != "<meta name=robots content=noindex>" {
		t.Errorf("skip at %v %q, want %v", f.Skips.First().Pos, f.Skips.First().Note, want)
	}
	want := []diag.Pos{{Line: 3, Col: 2}, {Line: 8, Col: 18}}
	if len(f.Diags) != 2 || f.Diags[0].Pos != want[0] || f.Diags[1].Pos != want[1] {
		t.Errorf("findings %v, want at %v", f.Diags, want)
	}
}

func TestReaderIsReused(t *testing.T) {
	o := Options{Titles: true, Alternates: true, ContentHash: true, Images: true, EditLinks: true}
	r := NewReader(o)
	pages := corpus(t)
	for range 3 {
		for name, src := range pages {
			var got Facts
			if err := r.ReadHTML(bytes.NewReader(src), &got); err != nil {
				t.Fatal(err)
			}
			if want := readFacts(t, o, bytes.NewReader(src)); factsOf(&got) != factsOf(want) || got.Fingerprint != want.Fingerprint ||
				len(got.URL.Images) != len(want.URL.Images) || len(got.EditLinks) != len(want.EditLinks) {
				t.Errorf("%s: another page before it changed its facts", name)
			}
		}
	}
}

func TestReadError(t *testing.T) {
	broken := errors.New("broken")
	for _, at := range []string{"", "<title>x</title>", "<script>", "<meta name="} {
		f := Facts{Title: "before"}
		err := NewReader(Options{Titles: true}).ReadHTML(io.MultiReader(strings.NewReader(at), iotest.ErrReader(broken)), &f)
		if !errors.Is(err, broken) || f.Title != "" {
			t.Errorf("after %q: %v, %q", at, err, f.Title)
		}
	}
	// The body is not read, so it cannot fail.
	src := io.MultiReader(strings.NewReader("<title>x</title><body>"+strings.Repeat("x", firstRead)), iotest.ErrReader(broken))
	if f := readFacts(t, Options{Titles: true}, src); f.Title != "x" {
		t.Errorf("got %q", f.Title)
	}
}

func TestHeadBytes(t *testing.T) {
	r := NewReader(Options{})
	for _, src := range []string{"google-site-verification: x", strings.Repeat("<meta name=a>", 1e4), ""} {
		if err := r.ReadHTML(strings.NewReader(src), new(Facts)); err != nil {
			t.Fatal(err)
		}
		if got := r.FirstBytes(); string(got) != src[:min(len(src), firstRead)] {
			t.Errorf("%d bytes of %d", len(got), len(src))
		}
	}
}

func TestAllocations(t *testing.T) {
	const src = `<!doctype html><html><head><meta charset=utf-8><title>A</title><meta name=robots content="index, follow">` +
		`<link rel=stylesheet href=/a.css><meta name=viewport content=width><script>a<b</script></head><body><p>x`
	r, in, f := NewReader(Options{}), strings.NewReader(src), new(Facts)
	n := testing.AllocsPerRun(100, func() {
		in.Reset(src)
		if err := r.ReadHTML(in, f); err != nil {
			t.Fatal(err)
		}
	})
	if n != 0 {
		t.Errorf("%v allocations for a page that says nothing", n)
	}
}

// TestBytes compares ReadBytes with ReadHTML, also for long pages and for pages in other encodings.
func TestBytes(t *testing.T) {
	pages := corpus(t)
	pages["latin-1"] = []byte("<meta charset=windows-1252><title>caf\xe9</title><link rel=canonical href=/caf%E9/>" + noindex)
	pages["late latin-1"] = []byte("<title>caf\xe9</title>" + strings.Repeat("<meta name=a content=b>", 300) + "<meta charset=windows-1252>" + noindex)
	pages["UTF-16"] = []byte("\xff\xfe<\x00t\x00i\x00t\x00l\x00e\x00>\x00a\x00")
	pages["UTF-16, a byte short"] = []byte("\xfe\xff\x00<\x00t\x00")
	pages["a long body"] = []byte("<title>x</title>" + noindex + "<body>" + strings.Repeat("<p>a", maxHead/4+1))
	pages["empty"] = nil
	for _, o := range []Options{{Titles: true, Alternates: true}, {Titles: true, Alternates: true, ContentHash: true, Images: true, EditLinks: true}} {
		r := NewReader(o)
		for name, src := range pages {
			var got Facts
			lent := bytes.Clone(src)
			r.ReadBytes(lent, &got)
			if !bytes.Equal(lent, src) {
				t.Errorf("%s: the bytes were changed", name)
			}
			want := readFacts(t, o, bytes.NewReader(src))
			if factsOf(&got) != factsOf(want) || got.Fingerprint != want.Fingerprint || fmt.Sprint(got.Diags, got.EditLinks) != fmt.Sprint(want.Diags, want.EditLinks) {
				t.Errorf("%s: got %+v\nwant %+v", name, got, *want)
			}
			if strings.Contains(fmt.Sprint(got.Diags), "long-head") {
				t.Errorf("%s: %v", name, got.Diags)
			}
			var after Facts
			if err := r.ReadHTML(strings.NewReader("<title>after</title>"), &after); err != nil || after.Title != "after" || !bytes.Equal(lent, src) {
				t.Errorf("%s: the next page is %+v, %v", name, after, err)
			}
		}
	}
	var f Facts
	NewReader(Options{}).ReadBytes([]byte("<!--"+strings.Repeat("long", maxHead/4)+"-->"+noindex), &f)
	if len(f.Diags) != 1 || f.Diags[0].Code != "long-head" || f.Skips.First().Reason == NoIndex {
		t.Errorf("a head without end: %v, %v", f.Diags, f.Skips.First().Reason)
	}
}

// TestHeadOnly checks that HeadOnly switches off only the options that need the body.
func TestHeadOnly(t *testing.T) {
	all := Options{Titles: true, CheckWhole: true, Alternates: true, ContentHash: true, Lead: true, Images: true, EditLinks: true}
	got := all.HeadOnly()
	if !NewReader(all).needsBody || NewReader(got).needsBody {
		t.Errorf("%+v: the body is read", got)
	}
	if !got.Titles || !got.CheckWhole || !got.Alternates {
		t.Errorf("%+v: an option of the head is off", got)
	}
}
