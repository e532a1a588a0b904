package sitemap

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"
)

// FuzzParseDate checks that the String of a parsed date parses as the same date.
func FuzzParseDate(f *testing.F) {
	for _, s := range []string{
		"2024-01-02", "2024-01-02T10:00:00.5+02:00", "Tue, 02 Jan 2024 10:00:00 GMT", "02 Jan 24 10:00 EST", "20240102T100000Z",
		"Tue Jan  2 10:00:00 2024", "January 2nd, 2024 at 3:04 PM", "31/12/2024", "2024-01-02 10:00:00 +0200 CEST", "2024",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		compareParsers(t, s)
		d, err := ParseDate(s, berlin)
		if err != nil {
			if !d.IsZero() {
				t.Fatalf("%q is %v and an error", s, d)
			}
			return
		}
		if d.IsZero() {
			return // Go's zero time
		}
		again, err := ParseDate(d.String(), time.UTC)
		if err != nil || again != d {
			t.Fatalf("%q is %v, which is %v, %v", s, d, again, err)
		}
		if when, err := time.Parse(time.RFC3339Nano, s); err == nil && !d.Time().Equal(when) {
			t.Fatalf("%q is %v, want %v", s, d, when)
		}
	})
}

// FuzzReader checks that a Reader does not panic. If the valid entries are checked and written, a
// second Reader returns the same entries.
func FuzzReader(f *testing.F) {
	u := fullURL()
	f.Add(encode([]URL{u}))
	f.Add([]byte(encodeFeed(FormatRSS)))
	f.Add([]byte(encodeFeed(FormatAtom)))
	f.Add([]byte("https://example.com/a\nhttps://example.com/b\n"))
	f.Add([]byte("\xfe\xff\x00<\x00a\x00/\x00>"))
	f.Add([]byte(`<!DOCTYPE urlset SYSTEM "b>c"><urlset xmlns="x" xmlns:p="y"><p:b/><![CDATA[<b>&amp;]]]]><url/></urlset>`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r := NewReader(bytes.NewReader(data))
		var urls []URL
		for {
			item, err := r.Next()
			if err != nil {
				break
			}
			if item.Line < 1 {
				t.Fatalf("an item of line %d", item.Line)
			}
			if CheckLoc(item.Loc) == nil && !item.Sitemap {
				item.Check(discard)
				urls = append(urls, item.URL)
			}
		}
		for i, item := range readAll(t, encode(urls)) {
			if !reflect.DeepEqual(item.URL, urls[i]) {
				t.Fatalf("%+v was read as %+v", urls[i], item.URL)
			}
		}
	})
}

// FuzzRoundTrip checks that a URL with arbitrary texts is written as well-formed XML. After Check,
// a Reader returns the same URL.
func FuzzRoundTrip(f *testing.F) {
	f.Add("https://example.com/?a&b", "A 'title'", "de", uint64(1))
	f.Add("", "\x00]]>\xff\u0085", "x-default", uint64(2))
	f.Fuzz(func(t *testing.T, loc, text, lang string, seed uint64) {
		u := randomURL(rand.New(rand.NewPCG(seed, 0)))
		u.Alternates = append(u.Alternates, Alternate{lang, loc})
		u.Images = append(u.Images, Image{Loc: loc})
		if u.News != nil {
			u.News.Title = text
		}
		checkWellFormed(t, encode([]URL{u}))
		u.Check(discard)
		if got := readAll(t, encode([]URL{u})); !reflect.DeepEqual(got[0].URL, u) {
			t.Fatalf("%+v was read as %+v", u, got[0].URL)
		}
		if CheckLoc(loc) == nil {
			item, err := NewReader(strings.NewReader(loc + "\n")).Next()
			if err != nil && !errors.Is(err, io.EOF) || item.Loc != loc {
				t.Fatalf("%q was read as %q, %v", loc, item.Loc, err)
			}
		}
	})
}
