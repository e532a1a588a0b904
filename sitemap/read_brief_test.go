package sitemap

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

// told is what a brief reader tells of an entry.
type told struct {
	loc, lastmod string
	line, col    int
}

// tellAll reads up to the end or a mistake.
func tellAll(data []byte, brief bool) (all []told, err error) {
	r := NewReader(bytes.NewReader(data))
	if brief {
		r.ReadBriefly(func(loc []byte) string {
			if len(loc)%2 == 0 {
				return string(loc)
			}
			return ""
		})
	}
	for {
		item, err := r.Next()
		if err != nil {
			return all, err
		}
		all = append(all, told{item.Loc, item.LastMod.String(), item.Line, item.Col})
	}
}

// A brief reader tells the same of what is written, however the file was edited
// since, and goes on where extensions are broken.
func TestBrief(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	for range testsite.Repeat(150, 1000) {
		urls := some(rnd, 10, randomURL)
		for i := range urls {
			urls[i].Check(discard)
		}
		data := encode(urls)
		for range rnd.IntN(3) {
			at := rnd.IntN(len(data))
			data = slices.Replace(data, at, at+rnd.IntN(min(9, len(data)-at)), []byte(pick(rnd, "", "\n", " ", "<!-- -->", "&amp;", "&#x20;", "<x/>", "\r\n"))...)
		}
		full, err := tellAll(data, false)
		brief, _ := tellAll(data, true)
		if len(brief) < len(full) || err.Error() == "EOF" && len(brief) > len(full) || !slices.Equal(brief[:len(full)], full) {
			t.Fatalf("read in brief:\n%v\nin full:\n%v\n%v\n%s", brief, full, err, data)
		}
	}
}

// What is not as it is written is read as ever.
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
		full, err := tellAll(data, false)
		brief, briefErr := tellAll(data, true)
		if !slices.Equal(brief, full) || err.Error() != briefErr.Error() || len(full) != 3 {
			t.Errorf("%s: read in brief %v, %v, in full %v, %v", entry, brief, briefErr, full, err)
		}
	}
}
