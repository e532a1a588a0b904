package sitemap_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/sitemap"
)

// Write a sitemap, entry by entry.
func ExampleWriter() {
	w := sitemap.NewWriter(os.Stdout, sitemap.FormatURLSet, sitemap.Frame{}, sitemap.Limits{})
	for _, e := range []sitemap.Entry{
		{URL: sitemap.URL{Loc: "https://example.com/", ChangeFreq: sitemap.Weekly}},
		{URL: sitemap.URL{Loc: "https://example.com/?a=1&b=2", LastMod: sitemap.DayOf(time.Date(2024, 1, 2, 10, 0, 0, 0, time.UTC))}},
	} {
		if err := w.Write(&e); err != nil {
			log.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// <?xml version="1.0" encoding="UTF-8"?>
	// <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
	// <url><loc>https://example.com/</loc><changefreq>weekly</changefreq></url>
	// <url><loc>https://example.com/?a=1&amp;b=2</loc><lastmod>2024-01-02</lastmod></url>
	// </urlset>
}

// Write a page in two languages with an image, a video and a news article. URL.Check removes and
// reports invalid values. The head of the file declares the namespaces of the extensions.
func ExampleWriter_extensions() {
	day, _ := sitemap.ParseDate("2024-01-02", nil)
	u := sitemap.URL{
		Loc: "https://example.com/cats",
		Alternates: []sitemap.Alternate{
			{Lang: "en", Href: "https://example.com/cats"},
			{Lang: "de_AT", Href: "https://example.com/katzen"},
		},
		Images: []sitemap.Image{{Loc: "https://example.com/cat.jpg"}},
		Videos: []sitemap.Video{{
			ThumbnailLoc: "https://example.com/t.jpg", Title: "A cat", Description: "It sleeps.", ContentLoc: "https://example.com/cat.mp4",
		}},
		News: &sitemap.News{Publication: sitemap.Publication{Name: "The Cat", Language: "en"}, PublicationDate: day, Title: "A cat sleeps"},
	}
	u.Check(func(code, message, hint string) { fmt.Printf("%s [%s]\n", message, code) })
	var b bytes.Buffer
	w := sitemap.NewWriter(&b, sitemap.FormatURLSet, sitemap.Frame{Extensions: u.Extensions()}, sitemap.Limits{})
	if err := errors.Join(w.Write(&sitemap.Entry{URL: u}), w.Close()); err != nil {
		log.Fatal(err)
	}
	fmt.Println(strings.Count(b.String(), "<xhtml:link"), strings.Count(b.String(), "<image:image>"), strings.Count(b.String(), "<video:video>"), strings.Count(b.String(), "<news:news>"))
	// Output:
	// hreflang "de_AT" has an underscore; write "de-AT" [bad-alternate]
	// 1 1 1 1
}

// Write an Atom feed.
func ExampleWriter_feed() {
	day, _ := sitemap.ParseDate("2024-01-02", nil)
	frame := sitemap.Frame{Channel: sitemap.Channel{Title: "Cats", Link: "https://example.com/", Self: "https://example.com/feed.atom", Updated: day}}
	w := sitemap.NewWriter(os.Stdout, sitemap.FormatAtom, frame, sitemap.Limits{})
	e := sitemap.Entry{URL: sitemap.URL{Loc: "https://example.com/a", LastMod: day}, Title: "Cats & dogs"}
	if err := errors.Join(w.Write(&e), w.Close()); err != nil {
		log.Fatal(err)
	}
	// Output:
	// <?xml version="1.0" encoding="UTF-8"?>
	// <feed xmlns="http://www.w3.org/2005/Atom">
	// <title>Cats</title><id>https://example.com/feed.atom</id><link rel="self" href="https://example.com/feed.atom"/><link rel="alternate" href="https://example.com/"/><updated>2024-01-02T00:00:00Z</updated><author><name>Cats</name></author>
	// <entry><title>Cats &amp; dogs</title><link rel="alternate" href="https://example.com/a"/><id>https://example.com/a</id><updated>2024-01-02T00:00:00Z</updated></entry>
	// </feed>
}

// Write returns ErrFull when the file has reached a limit, in entries or in bytes. The caller can
// then begin another file. Len and Size return how much of the limits is used.
func ExampleWriter_limits() {
	w := sitemap.NewWriter(io.Discard, sitemap.FormatURLSet, sitemap.Frame{}, sitemap.Limits{URLs: 2})
	for _, page := range []string{"", "a", "b"} {
		err := w.Write(&sitemap.Entry{URL: sitemap.URL{Loc: "https://example.com/" + page}})
		if errors.Is(err, sitemap.ErrFull) {
			fmt.Println("the next file begins with", page)
		} else if err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(w.Len(), "URLs in", w.Size(), "bytes, of", sitemap.MaxURLs, "and", sitemap.MaxBytes)
	// Output:
	// the next file begins with b
	// 2 URLs in 197 bytes, of 50000 and 52428800
}

// Write the index of existing sitemaps.
func ExampleWriter_index() {
	w := sitemap.NewWriter(os.Stdout, sitemap.FormatIndex, sitemap.Frame{}, sitemap.Limits{})
	changed := sitemap.DayOf(time.Date(2024, 1, 2, 10, 0, 0, 0, time.UTC))
	for _, name := range []string{"pages.xml", "posts.xml.gz"} {
		if err := w.Write(&sitemap.Entry{URL: sitemap.URL{Loc: "https://example.com/" + name, LastMod: changed}}); err != nil {
			log.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// <?xml version="1.0" encoding="UTF-8"?>
	// <sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
	// <sitemap><loc>https://example.com/pages.xml</loc><lastmod>2024-01-02</lastmod></sitemap>
	// <sitemap><loc>https://example.com/posts.xml.gz</loc><lastmod>2024-01-02</lastmod></sitemap>
	// </sitemapindex>
}

// The package does not compress, but it writes to and reads from any stream. This example uses
// compress/gzip.
func ExampleWriter_gzip() {
	var file bytes.Buffer
	zip := gzip.NewWriter(&file)
	w := sitemap.NewWriter(zip, sitemap.FormatURLSet, sitemap.Frame{}, sitemap.Limits{})
	e := sitemap.Entry{URL: sitemap.URL{Loc: "https://example.com/"}}
	if err := errors.Join(w.Write(&e), w.Close(), zip.Close()); err != nil {
		log.Fatal(err)
	}
	unzip, err := gzip.NewReader(&file)
	if err != nil {
		log.Fatal(err)
	}
	for item, err := range sitemap.NewReader(unzip).All() {
		fmt.Println(item.Loc, err)
	}
	// Output: https://example.com/ <nil>
}

// A mistake in an entry is a Problem of its Item. Invalid XML is an error with a position; the
// Reader returns it after all entries before that position.
func ExampleReader() {
	r := sitemap.NewReader(strings.NewReader(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>https://example.com/</loc><lastmod>2024-01-02</lastmod></url>
<url><loc>https://example.com/a</loc><lastmod>soon</lastmod></url>
<url><loc>https://example.com/b</lok></url>
</urlset>`))
	for item, err := range r.All() {
		if wrong, ok := errors.AsType[*sitemap.SyntaxError](err); ok {
			fmt.Printf("line %d, column %d: %v\n", wrong.Line, wrong.Col, wrong.Err)
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("line %d: %s %q\n", item.Line, item.Loc, item.LastMod)
		for _, p := range item.Problems {
			fmt.Printf("line %d: %s [%s]\n", p.Line, p.Hint, p.Code)
		}
	}
	// Output:
	// line 2: https://example.com/ "2024-01-02"
	// line 3: https://example.com/a ""
	// line 3: write a W3C Datetime [bad-date]
	// line 4, column 32: element <loc> closed by </lok>
}

// In an index, the field Sitemap of each Item is true.
func ExampleReader_index() {
	r := sitemap.NewReader(strings.NewReader(`<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<sitemap><loc>https://example.com/sitemap-1.xml</loc></sitemap>
<sitemap><loc>https://example.com/sitemap-2.xml.gz</loc><lastmod>2024-01-02T10:00:00Z</lastmod></sitemap>
</sitemapindex>`))
	for item, err := range r.All() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%v: %s %q\n", r.Format(), item.Loc, item.LastMod)
	}
	// Output:
	// sitemap index: https://example.com/sitemap-1.xml ""
	// sitemap index: https://example.com/sitemap-2.xml.gz "2024-01-02T10:00:00Z"
}

// A Reader also reads feeds and text sitemaps. It detects the format.
func ExampleReader_formats() {
	for _, file := range []string{
		"https://example.com/\nhttps://example.com/a\n",
		`<rss version="2.0"><channel><item><link>https://example.com/b</link><pubDate>Tue, 02 Jan 2024 10:00:00 GMT</pubDate></item></channel></rss>`,
	} {
		r := sitemap.NewReader(strings.NewReader(file))
		for item, err := range r.All() {
			fmt.Println(r.Format(), item.Loc, item.LastMod, err)
		}
	}
	// Output:
	// text sitemap https://example.com/  <nil>
	// text sitemap https://example.com/a  <nil>
	// RSS feed https://example.com/b 2024-01-02T10:00:00Z <nil>
}

// A Validator reports all mistakes of a file, in the order of the file.
func ExampleValidator() {
	j := sitemap.NewValidator(func(p sitemap.Problem) { fmt.Printf("%d:%d: %s [%s]\n", p.Line, p.Col, p.Message, p.Code) })
	err := j.Validate(strings.NewReader(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>https://example.com/a b</loc><lastmod>2024-01-02 10:00</lastmod></url>
</urlset>`))
	fmt.Println(j.Format, j.Entries, err)
	// Output:
	// 2:11: loc "https://example.com/a b" has a blank or a control character; write it as %20 [invalid-url]
	// 2:49: lastmod "2024-01-02 10:00" of https://example.com/a b is not a W3C date that crawlers read [bad-date]
	// sitemap 1 <nil>
}

func ExampleURL_Or() {
	rule := sitemap.URL{ChangeFreq: sitemap.Daily}
	page := sitemap.URL{Loc: "https://example.com/", ChangeFreq: sitemap.Yearly}
	u := rule.Or(page)
	fmt.Println(u.Loc, u.ChangeFreq)
	// Output: https://example.com/ daily
}

func ExampleCheckLoc() {
	fmt.Println(sitemap.CheckLoc("https://example.com/a b"))
	// Output: loc "https://example.com/a b" has a blank or a control character; write it as %20
}

// Check removes and reports an image whose URL is not absolute.
func ExampleURL_Check() {
	u := sitemap.URL{Loc: "https://example.com/", Images: []sitemap.Image{{Loc: "/cat.jpg"}, {Loc: "https://example.com/dog.jpg"}}}
	u.Check(func(code, message, hint string) { fmt.Printf("%s: %s\n", code, message) })
	fmt.Println(u.Images)
	// Output:
	// bad-image: image: loc "/cat.jpg" does not begin with http:// or https://
	// [{https://example.com/dog.jpg}]
}

// Two Dates are equal (==) only if their String results are equal. Compare compares the first
// moments of the dates.
func ExampleDate_Compare() {
	berlin, _ := sitemap.ParseDate("2024-01-02T01:00:00+01:00", nil)
	utc, _ := sitemap.ParseDate("2024-01-02T00:00:00Z", nil)
	day, _ := sitemap.ParseDate("2024-01-02", nil)
	fmt.Println(berlin == utc, berlin.Compare(utc), berlin.Precision() == day.Precision(), berlin.Day())
	// Output: false 0 false 2024-01-02
}

// A time without a zone is in the given zone. A text that may mean several days is an error.
func ExampleParseDate() {
	zone := time.FixedZone("", 2*60*60)
	for _, s := range []string{"2024-01-02", "2024-01-02 10:00", "Tue, 02 Jan 2024 10:00:00 GMT", "January 2, 2024", "2024-01"} {
		d, err := sitemap.ParseDate(s, zone)
		fmt.Println(d, err)
	}
	// Output:
	// 2024-01-02 <nil>
	// 2024-01-02T10:00:00+02:00 <nil>
	// 2024-01-02T10:00:00Z <nil>
	// 2024-01-02 <nil>
	//  date "2024-01" is not a date; write 2006-01-02 or 2006-01-02T15:04:05+07:00
}

// DateOf returns a Date with the given precision.
func ExampleDateOf() {
	t := time.Date(2024, 1, 2, 10, 30, 0, 500_000_000, time.FixedZone("", -5*60*60))
	fmt.Println(sitemap.DateOf(t, sitemap.Day), sitemap.DateOf(t, sitemap.Second), sitemap.DateOf(t, sitemap.Fraction))
	// Output: 2024-01-02 2024-01-02T10:30:00-05:00 2024-01-02T10:30:00.5-05:00
}
