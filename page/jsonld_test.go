package page

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/sitemap"
)

func modified(scripts ...string) (sitemap.Date, int) {
	bad := 0
	r := NewReader(Options{})
	for _, s := range scripts {
		r.f = &Facts{}
		r.reset([]byte(s), 0)
		r.readJSONLD(span{0, len(s)})
		bad += len(r.f.Diags)
	}
	return r.ld.bestDate(), bad
}

func TestLinkedData(t *testing.T) {
	for _, c := range []struct {
		name string
		src  []string
		want string
		bad  int
	}{
		{"article", []string{`{"@type":"Article","dateModified":"2024-01-02"}`}, "2024-01-02", 0},
		{"type last", []string{`{"dateModified":"2024-01-02","@type":"NewsArticle"}`}, "2024-01-02", 0},
		{"types", []string{`{"@type":["Thing","https://schema.org/TechArticle"],"dateModified":"2024-01-02"}`}, "2024-01-02", 0},
		{"prefix", []string{`{"@type":"schema:BlogPosting","dateModified":"2024-01-02"}`}, "2024-01-02", 0},
		{"page", []string{`{"@type":"FAQPage","dateModified":"2024-01-02","mainEntity":[{"@type":"Question","dateModified":"2020-01-01"}]}`}, "2024-01-02", 0},
		{"list", []string{` [ {"@type":"Person"} , {"@type":"Article","dateModified":"2024-01-02"} ] `}, "2024-01-02", 0},
		{"graph", []string{`{"@context":"x","@graph":[{"@type":"WebPage","dateModified":"2023-01-01"},{"@type":"Article","dateModified":"2024-01-02"}]}`}, "2024-01-02", 0},
		{"mainEntity", []string{`{"@type":"WebPage","dateModified":"2023-01-01","mainEntity":{"@type":"Product","dateModified":"2024-01-02"}}`}, "2024-01-02", 0},
		{"mainEntityOfPage", []string{`{"@type":"Product","mainEntityOfPage":{"@type":"WebPage","dateModified":"2023-01-01"},"dateModified":"2024-01-02"}`}, "2024-01-02", 0},
		{"mainEntityOfPage, its date", []string{`{"@type":"Product","mainEntityOfPage":{"@type":"WebPage","dateModified":"2023-01-01"}}`}, "2023-01-01", 0},
		{"two scripts", []string{`{"@type":"WebPage","dateModified":"2023-01-01"}`, `{"@type":"Article","dateModified":"2024-01-02"}`}, "2024-01-02", 0},
		{"time", []string{`{"@type":"Article","dateModified":"2024-01-02T03:04:05+06:00"}`}, "2024-01-02T03:04:05+06:00", 0},
		{"escapes", []string{`{"@type":"Article","dateModified":"2024\u002d01-02","x":"\"}"}`}, "2024-01-02", 0},
		{"a trailing comma", []string{`{"@type":"Article","dateModified":"2024-01-02",}`}, "", 0},
		{"same twice", []string{`[{"@type":"Article","dateModified":"2024-01-02"},{"@type":"Article","dateModified":"2024-01-02"}]`}, "2024-01-02", 0},

		{"a list of articles", []string{`[{"@type":"Article","dateModified":"2024-01-02"},{"@type":"Article","dateModified":"2024-01-03"}]`}, "", 0},
		{"a list of articles on a page", []string{`[{"@type":"Article","dateModified":"2024-01-02"},{"@type":"CollectionPage","dateModified":"2024-02-03"},{"@type":"Article","dateModified":"2024-01-03"}]`}, "2024-02-03", 0},
		{"author", []string{`{"@type":"Article","author":{"@type":"WebPage","dateModified":"2024-01-02"}}`}, "", 0},
		{"listed posts", []string{`{"@type":"Blog","blogPost":[{"@type":"BlogPosting","dateModified":"2024-01-02"}]}`}, "", 0},
		{"site", []string{`{"@type":"WebSite","dateModified":"2024-01-02"}`}, "", 0},
		{"no type", []string{`{"dateModified":"2024-01-02"}`}, "", 0},
		{"other key", []string{`{"@type":"Article","datePublished":"2024-01-02","x":"dateModified"}`}, "", 0},
		{"not a string", []string{`{"@type":"Article","dateModified":["2024-01-02"]}`}, "", 0},
		{"bad date", []string{`{"@type":"Article","dateModified":"last week"}`}, "", 1},
		{"long bad date", []string{`{"@type":"Article","dateModified":"` + strings.Repeat("x", 201) + `"}`}, "", 1},
		{"a NUL", []string{"{\"@type\":\"Article\",\"dateModified\":\"2024-01-02\",\"x\":\"\x00\"}"}, "2024-01-02", 0},
		{"empty date", []string{`{"@type":"Article","dateModified":""}`}, "", 0},
		{"broken after it", []string{`[{"@type":"Article","dateModified":"2024-01-02"}, {{]`}, "", 0},
		{"broken before it", []string{`{"@type":"Article" "dateModified":"2024-01-02"}`}, "", 0},
		{"not JSON", []string{`dateModified = "2024-01-02"`}, "", 0},
		{"NUL bytes before a bad date", []string{`{"@type":"Article","a":"` + strings.Repeat("\x00", 100) + `","dateModified":"soon"}`}, "", 1},
		{"deep", []string{strings.Repeat(`[`, 1e5) + `{"@type":"Article","dateModified":"2024-01-02"}`}, "", 0},
		{"deep and aside", []string{`{"x":` + strings.Repeat(`[`, 1e5) + strings.Repeat(`]`, 1e5) + `,"@type":"Article","dateModified":"2024-01-02"}`}, "", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			var want sitemap.Date
			if c.want != "" {
				want = day(c.want)
			}
			if got, bad := modified(c.src...); got != want || bad != c.bad {
				t.Errorf("got %v and %d bad dates, want %v and %d", got, bad, want, c.bad)
			}
		})
	}
}

func FuzzLinkedData(f *testing.F) {
	f.Add(`{"@type":"Article","dateModified":"2024-01-02","a":[1,{"b":null}],"c":"\""}`)
	f.Add(`{"@graph":[{"@type":["A","WebPage"],"dateModified":"x"}],}`)
	f.Fuzz(func(t *testing.T, src string) {
		if got, bad := modified(src); !got.IsZero() && !json.Valid(replaceNUL([]byte(src))) {
			t.Errorf("%q: got %v and %d bad dates of invalid JSON", src, got, bad)
		}
	})
}
