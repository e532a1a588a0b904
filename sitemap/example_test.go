package sitemap_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/sitemap"
)

func ExampleAppendURL() {
	day, err := sitemap.ParseDate("2 Jan 2024", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	u := sitemap.URL{Loc: "https://example.com/?a=1&b=2", LastMod: day, ChangeFreq: sitemap.Weekly}
	b := sitemap.AppendOpen(nil, sitemap.Opening{Extensions: u.Extensions()})
	b = sitemap.AppendURL(b, &u)
	b = sitemap.AppendClose(b)
	fmt.Print(string(b))
	// Output:
	// <?xml version="1.0" encoding="UTF-8"?>
	// <!-- written by sitewalk, https://github.com/sitewalk/sitewalk -->
	// <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
	// <url><loc>https://example.com/?a=1&amp;b=2</loc><lastmod>2024-01-02</lastmod><changefreq>weekly</changefreq></url>
	// </urlset>
}

func ExampleAppendIndexEntry() {
	b := sitemap.AppendIndexEntry(nil, "https://example.com/sitemap-blog.xml", sitemap.Date{})
	fmt.Print(string(b))
	// Output: <sitemap><loc>https://example.com/sitemap-blog.xml</loc></sitemap>
}

func ExampleURL_Check() {
	u := sitemap.URL{
		Loc:        "https://example.com/",
		Alternates: []sitemap.Alternate{{Lang: "en_GB", Href: "https://example.com/en/"}},
		Videos:     []sitemap.Video{{ThumbnailLoc: "https://example.com/t.jpg", Title: "A cat", Description: "It sleeps."}},
	}
	u.Check(func(code, message, hint string) { fmt.Printf("%s [%s]\n", message, code) })
	fmt.Println(len(u.Alternates), len(u.Videos))
	// Output:
	// hreflang "en_GB" has an underscore; write "en-GB" [bad-alternate]
	// video "A cat" without a content_loc or player_loc is left out [bad-video]
	// 0 0
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
	//  date "2024-01" has no day; write 2006-01-02 or 2006-01-02T15:04:05+07:00
}

func ExampleReader() {
	r := sitemap.NewReader(strings.NewReader(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>https://example.com/</loc><lastmod>2024-01-02</lastmod></url>
<url><loc>https://example.com/a</loc><lastmod>soon</lastmod></url>
</urlset>`))
	for {
		item, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(item.Line, item.Loc, item.LastMod.IsZero())
		for _, p := range item.Problems {
			fmt.Printf("line %d: %s\n", p.Line, p.Hint)
		}
	}
	// Output:
	// 2 https://example.com/ false
	// 3 https://example.com/a true
	// line 3: write a W3C Datetime
}

func ExampleAppendAtomEntry() {
	e := sitemap.Entry{
		URL:   sitemap.URL{Loc: "https://example.com/", LastMod: sitemap.DayOf(time.Date(2024, 1, 2, 0, 0, 0, 0, time.UTC))},
		Title: "Cats & dogs",
	}
	fmt.Println(strings.ReplaceAll(string(sitemap.AppendAtomEntry(nil, &e)), "><", ">\n<"))
	// Output:
	// <entry>
	// <title>Cats &amp; dogs</title>
	// <link rel="alternate" href="https://example.com/"/>
	// <id>https://example.com/</id>
	// <updated>2024-01-02T00:00:00Z</updated>
	// </entry>
}
