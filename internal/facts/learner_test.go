package facts

import (
	"fmt"
	"reflect"
	"testing"
	"testing/fstest"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/testsite"
	"github.com/sitewalk/sitewalk/sitemap"
)

func TestMain(m *testing.M) {
	testsite.SpeedUp()
	m.Run()
}

// wrongPages returns pages with several findings of each code that the HTML of a page can cause.
func wrongPages() map[string]string {
	late := "<meta charset=windows-1252>" // makes the head be read twice
	pages := map[string]string{}
	for i := range 60 {
		pages[fmt.Sprintf("%03d/index.html", (i*37)%100)] = `<!DOCTYPE html><html lang="en"><title>t</title>
<link rel="canonical" href="` + []string{"file:///srv/x/", "ftp://example.com/", "mailto:x", ""}[i%4] + `">
<link rel="canonical" href="https://example.com/a/"><link rel="canonical" href="https://example.com/b/">
<meta property="og:updated_time" content="yesterday"><meta property="article:modified_time" content="` + fmt.Sprint(i) + `">
<link rel="alternate" hreflang="de" href="mailto:x"><link rel="alternate" hreflang="fr" href="file:///y">
<meta name="robots" content="unavailable_after: never">` + []string{"", late}[i%2] +
			`<body><main><img src="data:x"><img src="mailto:y"><img src="file:///z"><p>text`
	}
	return pages
}

// TestFindings compares the findings of a set that collects them with those of a set that stores
// them with each page.
func TestFindings(t *testing.T) {
	e := &editor{pages: fstest.MapFS{}}
	for file, text := range wrongPages() {
		e.pages[file] = &fstest.MapFile{Data: []byte(text)}
	}
	o := e.options(t)
	o.Content, o.MaxKept, o.Jobs, o.Remember = nil, 3, 4, false
	got := learned(t, o).Findings.Kinds()
	o.Remember = true
	all := &diag.Report{MaxKept: o.MaxKept}
	for _, p := range learned(t, o).Pages {
		all.Add(p.Rare().Diags...)
	}
	want := all.Kinds()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	for _, code := range []string{"bad-canonical", "two-canonicals", "bad-date", "bad-alternate", "bad-image"} {
		for _, k := range want {
			if k.Code == code && k.Count > 50 {
				code = ""
			}
		}
		if code != "" {
			t.Errorf("no site-wide %s among the findings", code)
		}
	}
}

// TestContentFindings compares the findings about broken content files in the same way.
func TestContentFindings(t *testing.T) {
	e := &editor{pages: fstest.MapFS{}, content: fstest.MapFS{}}
	for i := range 90 {
		broken := []string{"tags: [one", "title: A: b", "title: \"a", "a: b\n c: d", "tags: [one]", "draft: [no]"}[i%6]
		e.content[fmt.Sprintf("%03d.md", (i*37)%100)] = &fstest.MapFile{Data: []byte("---\n" + broken + "\n---\ntext\n")}
	}
	o := e.options(t)
	o.Pages, o.MaxKept, o.Jobs, o.Remember = nil, 3, 4, false
	got := learned(t, o).Findings.Kinds()
	o.Remember = true
	all := &diag.Report{MaxKept: o.MaxKept}
	for _, c := range learned(t, o).Contents {
		if c.Facts != nil {
			all.Add(c.Facts.Diags...)
		}
	}
	if want := all.Kinds(); !reflect.DeepEqual(got, want) || len(want) != 2 || want[0].Count != 60 {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestPagesShareNoFacts(t *testing.T) {
	var one, other Page
	one.ensureRare().Canonical, other.ensureRare().Canonical = "a", "b"
	one.ensureRare().Images = []sitemap.Image{{Loc: "https://example.com/a.png"}}
	one.ensureVeryRare().Title = "One"
	if !reflect.ValueOf(other.Rare().EntryFields()).IsZero() || other.Rare().Title != "" || !reflect.ValueOf(noRareFacts.EntryFields()).IsZero() {
		t.Errorf("another page says %+v, and noRareFacts %+v", other.Rare().EntryFields(), noRareFacts.EntryFields())
	}
}
