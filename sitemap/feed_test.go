package sitemap

import (
	"bytes"
	"reflect"
	"testing"
	"time"
)

var (
	feedDate    = DateOf(time.Date(2024, 5, 6, 7, 8, 9, 0, time.FixedZone("", 7200)), Second)
	feedChannel = Channel{
		Title: "Cats <& dogs", Link: "https://example.com/", Self: "https://example.com/sitemap.rss?a&b",
		Lang: "en-GB", Updated: feedDate,
	}
	feedEntries = []Entry{
		{URL: URL{Loc: "https://example.com/a?b&c", LastMod: feedDate}, Published: DayOf(feedDate.Time().AddDate(0, -1, 0)), Title: "AT&T's <b>", Summary: `1 < 2 & "so"`},
		{URL: URL{Loc: "https://example.com/b", LastMod: DayOf(feedDate.Time())}},
	}
)

// encodeAs returns a file with the given entries in the format f.
func encodeAs(f Format, h Frame, entries ...Entry) []byte {
	var b bytes.Buffer
	w := NewWriter(&b, f, h, Limits{})
	for i := range entries {
		if err := w.Write(&entries[i]); err != nil {
			panic(err)
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func encodeFeed(f Format) string {
	return string(encodeAs(f, Frame{Channel: feedChannel}, feedEntries...))
}

func TestRSS(t *testing.T) {
	const want = `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<title>Cats &lt;&amp; dogs</title><link>https://example.com/</link><description>Cats &amp;lt;&amp;amp; dogs</description>` +
		`<language>en-GB</language><lastBuildDate>Mon, 06 May 2024 07:08:09 +0200</lastBuildDate>` +
		`<atom:link rel="self" type="application/rss+xml" href="https://example.com/sitemap.rss?a&amp;b"/>
<item><title>AT&amp;T&apos;s &lt;b&gt;</title><link>https://example.com/a?b&amp;c</link>` +
		`<guid isPermaLink="true">https://example.com/a?b&amp;c</guid><pubDate>Sat, 06 Apr 2024 00:00:00 +0000</pubDate>` +
		`<atom:updated>2024-05-06T07:08:09+02:00</atom:updated>` +
		`<description>1 &amp;lt; 2 &amp;amp; &quot;so&quot;</description></item>
<item><title>https://example.com/b</title><link>https://example.com/b</link>` +
		`<guid isPermaLink="true">https://example.com/b</guid><atom:updated>2024-05-06T00:00:00Z</atom:updated></item>
</channel>
</rss>
`
	got := encodeFeed(FormatRSS)
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	checkWellFormed(t, []byte(got))
	checkFeed(t, got, FormatRSS)
}

func TestAtom(t *testing.T) {
	const want = `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en-GB">
<title>Cats &lt;&amp; dogs</title><id>https://example.com/sitemap.rss?a&amp;b</id>` +
		`<link rel="self" href="https://example.com/sitemap.rss?a&amp;b"/><link rel="alternate" href="https://example.com/"/>` +
		`<updated>2024-05-06T07:08:09+02:00</updated><author><name>Cats &lt;&amp; dogs</name></author>
<entry><title>AT&amp;T&apos;s &lt;b&gt;</title><link rel="alternate" href="https://example.com/a?b&amp;c"/>` +
		`<id>https://example.com/a?b&amp;c</id><published>2024-04-06T00:00:00Z</published><updated>2024-05-06T07:08:09+02:00</updated>` +
		`<summary>1 &lt; 2 &amp; &quot;so&quot;</summary></entry>
<entry><title>https://example.com/b</title><link rel="alternate" href="https://example.com/b"/>` +
		`<id>https://example.com/b</id><updated>2024-05-06T00:00:00Z</updated></entry>
</feed>
`
	got := encodeFeed(FormatAtom)
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	checkWellFormed(t, []byte(got))
	checkFeed(t, got, FormatAtom)
}

// checkFeed checks that a feed contains feedEntries. Feeds contain no dates without a time, so a
// day becomes midnight UTC.
func checkFeed(t *testing.T, feed string, format Format) {
	t.Helper()
	items := readAll(t, []byte(feed))
	if len(items) != len(feedEntries) {
		t.Fatalf("%v: %d items", format, len(items))
	}
	want := feedEntries[1]
	want.LastMod = DateOf(want.LastMod.Time(), Second)
	first := feedEntries[0]
	first.Published = DateOf(first.Published.Time(), Second)
	for i, want := range []Entry{first, want} {
		if !reflect.DeepEqual(items[i].Entry, want) {
			t.Errorf("%v: read %+v, want %+v", format, items[i].Entry, want)
		}
	}
}

func TestFeedWithoutWords(t *testing.T) {
	c := Channel{Link: "https://example.com/", Self: "https://example.com/sitemap.rss"}
	for _, b := range [][]byte{encodeAs(FormatRSS, Frame{Channel: c}), encodeAs(FormatAtom, Frame{Channel: c})} {
		checkWellFormed(t, b)
		if items := readAll(t, b); len(items) != 0 {
			t.Errorf("an empty feed has the items %v", items)
		}
	}
}
