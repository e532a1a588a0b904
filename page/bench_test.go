package page

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"
)

// benchPage returns a page of 12 kB with a head of 5 kB.
func benchPage() []byte {
	var b strings.Builder
	b.WriteString("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
	b.WriteString("<title>A page about things | Example</title>\n<meta name=\"description\" content=\"A description of this page, as long as they are.\">\n")
	b.WriteString("<link rel=\"canonical\" href=\"https://example.com/posts/a-page/\">\n<meta name=\"robots\" content=\"index, follow\">\n")
	for i := range 8 {
		fmt.Fprintf(&b, "<link rel=\"stylesheet\" href=\"/css/part%d.3f2a1b9c.css\" integrity=\"sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\" crossorigin=\"anonymous\">\n", i)
		fmt.Fprintf(&b, "<meta property=\"og:thing%d\" content=\"Some value that says something about the page\">\n", i)
		fmt.Fprintf(&b, "<script defer src=\"/js/part%d.9c3f2a1b.js\"></script>\n", i)
	}
	b.WriteString("<style>\n" + strings.Repeat("body > p { color: #333; margin: 0 auto; }\n", 20) + "</style>\n")
	b.WriteString("<script>\n" + strings.Repeat("(function(){ if (a < b && c > d) { e('</div>'); } })();\n", 15) + "</script>\n")
	b.WriteString("</head>\n")
	b.WriteString("<body class=\"page\">\n<header class=\"site-header\"><nav><ul>\n")
	for i := range 10 {
		fmt.Fprintf(&b, "<li><a href=\"/section%d/\">Section %d</a></li>\n", i, i)
	}
	b.WriteString("</ul></nav></header>\n<main>\n<article>\n<h1>A page about things</h1>\n")
	for i := 0; b.Len() < 12000-600; i++ {
		fmt.Fprintf(&b, "<p>Paragraph %d has some <em>text</em> with a <a href=\"/posts/other/\">link</a>, a <code>code</code> &amp; more words, so that it looks like what people write when they write for other people.</p>\n", i)
		if i%5 == 4 {
			b.WriteString("<p><img src=\"/img/a.jpg\" alt=\"A picture\" width=\"10\" height=\"10\"></p>\n<ul>\n<li>one</li>\n<li>two</li>\n</ul>\n")
		}
	}
	b.WriteString("</article>\n</main>\n<footer><p>© 2024 Example</p></footer>\n<script src=\"/js/end.js\"></script>\n</body>\n</html>\n")
	return []byte(b.String())
}

func benchmark(b *testing.B, o Options) {
	src := benchPage()
	r, in := NewReader(o), bytes.NewReader(src)
	var f Facts
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		in.Reset(src)
		if err := r.ReadHTML(in, &f); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkHead(b *testing.B)       { benchmark(b, Options{}) }
func BenchmarkBody(b *testing.B)       { benchmark(b, Options{ContentHash: true}) }
func BenchmarkHeadTitles(b *testing.B) { benchmark(b, Options{Titles: true, Alternates: true}) }

// BenchmarkHeadTokenizer reads the same head with the tokenizer of golang.org/x/net/html. It reads
// the attributes of meta and link tags, and the text of the title.
func BenchmarkHeadTokenizer(b *testing.B) {
	src := benchPage()
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		tokenizeHead(bytes.NewReader(src))
	}
}

func tokenizeHead(r io.Reader) int { return tokenizeUntil(r, "body") }

func tokenize(r io.Reader) int { return tokenizeUntil(r, "") }

func tokenizeUntil(r io.Reader, end string) (n int) {
	z := html.NewTokenizer(r)
	for {
		switch z.Next() {
		case html.ErrorToken:
			return n
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := z.TagName()
			if string(name) == end {
				return n
			}
			for more {
				var v []byte
				_, v, more = z.TagAttr()
				n += len(v)
			}
		case html.TextToken:
			n += len(z.Text())
		}
	}
}

// BenchmarkHeadRatio reads the same head alternately with a Reader and with the tokenizer of
// golang.org/x/net/html. It reports how many times longer the tokenizer takes, as a median. Other
// load on the machine hardly changes this number.
func BenchmarkHeadRatio(b *testing.B) { benchmarkRatio(b, Options{}, tokenizeHead) }

// BenchmarkBodyRatio is like BenchmarkHeadRatio for the whole page and its fingerprint.
func BenchmarkBodyRatio(b *testing.B) { benchmarkRatio(b, Options{ContentHash: true}, tokenize) }

func benchmarkRatio(b *testing.B, o Options, tokenize func(io.Reader) int) {
	src := benchPage()
	r, in := NewReader(o), bytes.NewReader(src)
	var f Facts
	const batch = 16 // reading the clock takes as long as reading some tags
	timed := func(do func()) time.Duration {
		start := time.Now()
		for range batch {
			do()
		}
		return time.Since(start) / batch
	}
	var ours, theirs []time.Duration
	for b.Loop() {
		ours = append(ours, timed(func() {
			in.Reset(src)
			if err := r.ReadHTML(in, &f); err != nil {
				b.Fatal(err)
			}
		}))
		theirs = append(theirs, timed(func() { tokenize(bytes.NewReader(src)) }))
	}
	b.ReportMetric(float64(median(theirs))/float64(median(ours)), "tokenizer/ours")
	b.ReportMetric(float64(median(ours).Nanoseconds()), "median-ns")
}

func median(ds []time.Duration) time.Duration {
	slices.Sort(ds)
	return ds[len(ds)/2]
}

// BenchmarkWhole measures the time for reading every byte of the page once.
func BenchmarkWhole(b *testing.B) {
	src := benchPage()
	in, buf := bytes.NewReader(src), make([]byte, 32<<10)
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		in.Reset(src)
		n, _ := io.ReadFull(in, buf)
		bytes.Count(buf[:n], newline)
	}
}
