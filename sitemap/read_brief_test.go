package sitemap

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

// A locAndDate contains the values that a Reader returns with and without ReadBriefly.
type locAndDate struct {
	loc, lastmod string
	line, col    int
}

// readLocsAndDates returns the entries up to the end of the file, or up to a syntax error.
func readLocsAndDates(data []byte, brief bool) (all []locAndDate, err error) {
	r := NewReader(bytes.NewReader(data))
	if brief {
		r.ReadBriefly()
	}
	for {
		item, err := r.Next()
		if err != nil {
			return all, err
		}
		all = append(all, locAndDate{item.Loc, item.LastMod.String(), item.Line, item.Col})
	}
}

// TestBrief edits a valid sitemap at random. A Reader with ReadBriefly returns the same entries as
// a Reader without it. It may return more entries if the extensions of an entry are damaged.
func TestBrief(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	for range testsite.Repeat(150, 1000) {
		urls := randomSlice(rnd, 10, randomURL)
		for i := range urls {
			urls[i].Check(discard)
		}
		data := encode(urls)
		for range rnd.IntN(3) {
			at := rnd.IntN(len(data))
			data = slices.Replace(data, at, at+rnd.IntN(min(9, len(data)-at)), []byte(pick(rnd, "", "\n", " ", "<!-- -->", "&amp;", "&#x20;", "<x/>", "\r\n"))...)
		}
		full, err := readLocsAndDates(data, false)
		brief, _ := readLocsAndDates(data, true)
		if len(brief) < len(full) || err.Error() == "EOF" && len(brief) > len(full) || !slices.Equal(brief[:len(full)], full) {
			t.Fatalf("read in brief:\n%v\nin full:\n%v\n%v\n%s", brief, full, err, data)
		}
	}
}

// TestBriefIsCareful checks entries that AppendURL would write differently. ReadBriefly does not
// change how these entries are read.
func TestBriefIsCareful(t *testing.T) {
	const open, end = "<urlset xmlns=\"" + Namespace + "\">\n", "</urlset>\n"
	for _, entry := range []string{
		"<url><loc> https://example.com/ </loc></url>",
		"<url><loc>https://example.com/?a&amp;b</loc></url>",
		"<url><loc>https://example.com/</loc><lastmod> 2024-01-02 </lastmod></url>",
		"<url><lastmod>2024-01-02</lastmod><loc>https://example.com/</loc></url>",
		"<url><loc>https://example.com/</loc>\n<lastmod>2024-01-02</lastmod></url>",
		"<url><loc></loc></url>",
		"<url><loc>https://example.com/</loc><lastmod>yesterday</lastmod></url>",
	} {
		data := []byte(open + strings.Repeat(entry+"\n", 3) + end)
		full, err := readLocsAndDates(data, false)
		brief, briefErr := readLocsAndDates(data, true)
		if !slices.Equal(brief, full) || err.Error() != briefErr.Error() || len(full) != 3 {
			t.Errorf("%s: read in brief %v, %v, in full %v, %v", entry, brief, briefErr, full, err)
		}
	}
}
