package writer

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/sitewalk/sitewalk/internal/testsite"
	"github.com/sitewalk/sitewalk/sitemap"
)

// A largeSite implements Entries. It creates an Entry only when it is needed.
type largeSite struct{ locs []string }

// newLargeSite returns a site with n pages in 16 sections.
func newLargeSite(n int) *largeSite {
	g := &largeSite{locs: make([]string, n)}
	per := (n + 15) / 16
	for i := range g.locs {
		g.locs[i] = fmt.Sprintf("%ssection-%c/2024/the-name-of-a-page-%07d/", base, 'a'+i/per, i)
	}
	return g
}

func (g *largeSite) Len() int { return len(g.locs) }

var day = sitemap.DayOf(time.Date(2024, 5, 1, 0, 0, 0, 0, time.UTC))

func (g *largeSite) Entry(i int, e *sitemap.Entry) {
	*e = sitemap.Entry{URL: sitemap.URL{Loc: g.locs[i], LastMod: day}}
}

func BenchmarkWrite(b *testing.B) {
	for _, n := range []int{1_000, 1_000_000} {
		entries := newLargeSite(n)
		for _, gz := range []string{"", "only"} {
			b.Run(fmt.Sprintf("new/%d/gzip=%s", n, gz), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					b.StopTimer()
					dir := testsite.MemoryDir(b)
					b.StartTimer()
					benchWrite(b, entries, Options{Dir: dir, Base: base, Gzip: gz})
					b.StopTimer()
					os.RemoveAll(dir)
					b.StartTimer()
				}
			})
		}
		b.Run(fmt.Sprintf("unchanged/%d", n), func(b *testing.B) {
			b.ReportAllocs()
			o := Options{Dir: testsite.MemoryDir(b), Base: base}
			benchWrite(b, entries, o)
			for b.Loop() {
				benchWrite(b, entries, o)
			}
		})
	}
}

// benchWrite writes entries and reports the number of written bytes.
func benchWrite(b *testing.B, entries Entries, o Options) {
	r, err := Write(context.Background(), entries, o)
	if err != nil {
		b.Fatal(err)
	}
	var n int64
	for _, f := range r.Files {
		n += f.Bytes
	}
	b.SetBytes(n)
}

// BenchmarkCopy copies the files of BenchmarkWrite/new/1000000 in memory, for comparison with
// BenchmarkWrite.
func BenchmarkCopy(b *testing.B) {
	from := testsite.MemoryDir(b)
	benchWrite(b, newLargeSite(1_000_000), Options{Dir: from, Base: base})
	files, err := os.ReadDir(from)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		b.StopTimer()
		to := testsite.MemoryDir(b)
		b.StartTimer()
		for _, f := range files {
			copyFile(b, from+"/"+f.Name(), to+"/"+f.Name())
		}
		b.StopTimer()
		os.RemoveAll(to)
		b.StartTimer()
	}
}

func copyFile(b *testing.B, from, to string) {
	src, err := os.Open(from)
	if err != nil {
		b.Fatal(err)
	}
	defer src.Close()
	dst, err := os.Create(to)
	if err != nil {
		b.Fatal(err)
	}
	// Only Read and Write: copy_file_range would leave the copying to the kernel.
	if _, err := io.CopyBuffer(struct{ io.Writer }{dst}, struct{ io.Reader }{src}, make([]byte, 256<<10)); err != nil {
		b.Fatal(err)
	}
	if err := dst.Close(); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkGzip compares gzipLevel with other levels: the time for one full sitemap, and its
// compressed size in percent.
func BenchmarkGzip(b *testing.B) {
	var doc bytes.Buffer
	if _, err := Print(&doc, newLargeSite(sitemap.MaxURLs), Options{Base: base}); err != nil {
		b.Fatal(err)
	}
	for level := 4; level <= 9; level++ {
		b.Run(fmt.Sprint(level), func(b *testing.B) {
			var out bytes.Buffer
			z, err := gzip.NewWriterLevel(&out, level)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				out.Reset()
				z.Reset(&out)
				if _, err := z.Write(doc.Bytes()); err != nil {
					b.Fatal(err)
				}
				if err := z.Close(); err != nil {
					b.Fatal(err)
				}
			}
			b.SetBytes(int64(doc.Len()))
			b.ReportMetric(100*float64(out.Len())/float64(doc.Len()), "%left")
		})
	}
}
