package sitemap

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
)

// page returns the entry of page n.
func page(n int) *Entry { return &Entry{URL: URL{Loc: fmt.Sprintf("https://example.com/%04d", n)}} }

// A Writer is full exactly where a file would exceed a limit, and goes on with what
// still fits.
func TestWriterLimits(t *testing.T) {
	two := encodeAs(FormatURLSet, Head{}, *page(1), *page(2))
	for _, tt := range []struct {
		name string
		f    Format
		l    Limits
		fit  int
	}{
		{"two entries", FormatURLSet, Limits{URLs: 2}, 2},
		{"the bytes of two", FormatURLSet, Limits{Bytes: len(two)}, 2},
		{"a byte less", FormatURLSet, Limits{Bytes: len(two) - 1}, 1},
		{"no entry", FormatURLSet, Limits{Bytes: 10}, 0},
		{"a text", FormatText, Limits{Bytes: 49}, 1},
		{"an index", FormatIndex, Limits{URLs: 2}, 2},
		{"a feed", FormatRSS, Limits{URLs: 1, Bytes: 1}, 5},
		{"the protocol's", FormatURLSet, Limits{}, 5},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var b bytes.Buffer
			w := NewWriter(&b, tt.f, Head{}, tt.l)
			for n := range 5 {
				if err := w.Write(page(n)); n < tt.fit && err != nil || n >= tt.fit && !errors.Is(err, ErrFull) {
					t.Errorf("entry %d: %v", n, err)
				}
			}
			size := w.Size()
			if err := w.Close(); err != nil {
				t.Error(err)
			}
			if w.Len() != tt.fit || b.Len() != size {
				t.Errorf("%d entries and %d bytes, announced %d", w.Len(), b.Len(), size)
			}
		})
	}
}

func TestWriterNews(t *testing.T) {
	w := NewWriter(io.Discard, FormatURLSet, Head{Extensions: NewsExt}, Limits{})
	e := page(1)
	e.News = new(News)
	for range MaxNews {
		if err := w.Write(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Write(e); !errors.Is(err, ErrFull) {
		t.Errorf("an article too many: %v", err)
	}
	if err := w.Write(page(2)); err != nil {
		t.Error(err)
	}
	e.Images = []Image{{Loc: "https://example.com/a.jpg"}}
	if err := w.Write(e); err == nil || !strings.Contains(err.Error(), "uses image") {
		t.Errorf("an extension that is not declared: %v", err)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

func TestWriterFails(t *testing.T) {
	w := NewWriter(failing{}, FormatURLSet, Head{}, Limits{})
	var err error
	for n := 0; n < 2*chunk && err == nil; n++ {
		err = w.Write(page(n))
	}
	if !errors.Is(err, io.ErrShortWrite) || w.Close() == nil {
		t.Errorf("error %v", err)
	}
}

// A memory is files by their names.
type memory map[string]*bytes.Buffer

type file struct{ *bytes.Buffer }

func (file) Close() error { return nil }

func (m memory) create(name string) (io.WriteCloser, error) {
	m[name] = new(bytes.Buffer)
	return file{m[name]}, nil
}

func TestSplitter(t *testing.T) {
	for n, want := range map[int]string{
		0: "maps-1.xml 0, maps.xml 1", 2: "maps-1.xml 2, maps.xml 1", 3: "maps-1.xml 2, maps-2.xml 1, maps.xml 2",
	} {
		files := memory{}
		s := &Splitter{Base: "https://example.com/", Create: files.create, Name: "maps.xml", Limits: Limits{URLs: 2}}
		for i := range n {
			e := page(i)
			if e.LastMod, _ = ParseDate(fmt.Sprintf("2024-01-%02d", i+1), nil); i == 2 {
				e.LastMod = Date{}
			}
			if err := s.Write(e); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, name := range slices.Sorted(maps.Keys(files)) {
			got = append(got, fmt.Sprint(name, " ", len(readAll(t, files[name].Bytes()))))
		}
		if got := strings.Join(got, ", "); got != want {
			t.Errorf("%d entries: %s, want %s", n, got, want)
		}
		for i, item := range readAll(t, files["maps.xml"].Bytes()) {
			dated := i == 0 && n > 0
			if item.Loc != fmt.Sprintf("https://example.com/maps-%d.xml", i+1) || dated && item.LastMod.String() != "2024-01-02" || !dated && !item.LastMod.IsZero() {
				t.Errorf("%d entries: child %s of %s", n, item.Loc, item.LastMod)
			}
		}
	}
}

func TestSplitterFails(t *testing.T) {
	s := &Splitter{Create: func(string) (io.WriteCloser, error) { return nil, io.ErrNoProgress }}
	if err := s.Write(page(1)); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("error %v", err)
	}
	if err := s.Close(); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("error %v", err)
	}
	files := memory{}
	s = &Splitter{Create: files.create, Limits: Limits{Bytes: 300}}
	large := page(1)
	large.Loc += strings.Repeat("x", 300)
	if err := s.Write(large); !errors.Is(err, ErrFull) || !strings.Contains(err.Error(), large.Loc) {
		t.Errorf("an entry that fits nowhere: %v", err)
	}
	if err := s.Write(page(2)); err != nil {
		t.Error(err)
	}
}
