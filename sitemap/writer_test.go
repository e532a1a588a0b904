package sitemap

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

// page returns an entry whose URL contains the number n.
func page(n int) *Entry { return &Entry{URL: URL{Loc: fmt.Sprintf("https://example.com/%04d", n)}} }

// TestWriterLimits checks that Write returns ErrFull exactly when an entry would exceed a limit,
// and that Size is the size of the closed file, before and after Close.
func TestWriterLimits(t *testing.T) {
	two := encodeAs(FormatURLSet, Frame{}, *page(1), *page(2))
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
			w := NewWriter(&b, tt.f, Frame{}, tt.l)
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
			if err := w.Close(); err != nil || w.Size() != size || b.Len() != size {
				t.Errorf("closed again: size %d, %d bytes, want %d, %v", w.Size(), b.Len(), size, err)
			}
		})
	}
}

func TestWriterNews(t *testing.T) {
	w := NewWriter(io.Discard, FormatURLSet, Frame{Extensions: NewsExt}, Limits{})
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
	w := NewWriter(failing{}, FormatURLSet, Frame{}, Limits{})
	var err error
	for n := 0; n < 2*flushSize && err == nil; n++ {
		err = w.Write(page(n))
	}
	if !errors.Is(err, io.ErrShortWrite) || w.Close() == nil {
		t.Errorf("error %v", err)
	}
}
