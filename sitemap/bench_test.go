package sitemap

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"testing"
	"time"
)

func plainURLs(n int) []URL {
	urls := make([]URL, n)
	for i := range urls {
		when := time.Date(2024, 1, 1+i%300, i%24, i%60, 0, 0, time.UTC)
		urls[i] = URL{Loc: fmt.Sprintf("https://example.com/posts/2024/article-number-%06d/", i), LastMod: DateOf(when, Second)}
	}
	return urls
}

// stdlibURL is the struct with which encoding/xml writes a URL without extensions.
type stdlibURL struct {
	XMLName xml.Name `xml:"url"`
	Loc     string   `xml:"loc"`
	LastMod string   `xml:"lastmod"`
}

func BenchmarkAppendURL(b *testing.B) {
	urls := plainURLs(1000)
	plain := make([]byte, 0, 1<<20)
	b.Run("plain", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			plain = AppendURL(plain[:0], &urls[i%len(urls)])
		}
		b.SetBytes(int64(len(plain)))
	})
	b.Run("full", func(b *testing.B) {
		u := fullURL()
		b.ReportAllocs()
		for b.Loop() {
			plain = AppendURL(plain[:0], &u)
		}
		b.SetBytes(int64(len(plain)))
	})
	b.Run("encoding-xml", func(b *testing.B) {
		e := xml.NewEncoder(io.Discard)
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			u := &urls[i%len(urls)]
			if err := e.Encode(stdlibURL{Loc: u.Loc, LastMod: u.LastMod.String()}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkReader(b *testing.B) {
	data := encode(plainURLs(5000))
	b.Run("ours", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for b.Loop() {
			r := NewReader(bytes.NewReader(data))
			for {
				if _, err := r.Next(); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	b.Run("encoding-xml", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for b.Loop() {
			var set struct {
				URLs []stdlibURL `xml:"url"`
			}
			if err := xml.Unmarshal(data, &set); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkParseDate(b *testing.B) {
	for _, s := range []string{"2024-01-02", "2024-01-02T10:00:00+02:00", "2024-01-02 10:00:00 +0200", "Tue, 02 Jan 2024 10:00:00 GMT"} {
		b.Run(s, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := ParseDate(s, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkCheck(b *testing.B) {
	plain, full := plainURLs(1)[0], fullURL()
	b.Run("plain", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			plain.Check(discard)
		}
	})
	b.Run("full", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			full.Check(discard)
		}
	})
	b.Run("loc", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := CheckLoc(plain.Loc); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// TestAppendURLDoesNotAllocate checks that writing a URL without extensions allocates no memory.
func TestAppendURLDoesNotAllocate(t *testing.T) {
	urls := plainURLs(1)
	urls[0].ChangeFreq = Daily
	urls[0].Priority, _ = PriorityOf(0.8)
	buf := make([]byte, 0, 1<<10)
	if n := testing.AllocsPerRun(100, func() { buf = AppendURL(buf[:0], &urls[0]) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
