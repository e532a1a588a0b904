package frontmatter

import (
	"testing"
	"time"
)

func TestReadFollowsDateOrder(t *testing.T) {
	const all = "---\ndate: 2024-01-01\npublishDate: 2024-01-02\nlastmod: 2024-01-03\nmodified: 2024-01-04\nmine: 2024-01-05\nexpiryDate: 2099-01-01\n---\n"
	tests := map[string]struct {
		order             map[string][]string
		lastmod, by, date string
	}{
		"default":                         {nil, "2024-01-03", "lastmod", "2024-01-01"},
		"a key of the site's own":         {map[string][]string{"lastmod": {"mine"}}, "2024-01-05", "mine", "2024-01-01"},
		"an alias comes after its key":    {map[string][]string{"lastmod": {"none", "lastmod"}}, "2024-01-03", "lastmod", "2024-01-01"},
		"tokens are the caller's":         {map[string][]string{"lastmod": {":git", ":filemodtime", "modified"}}, "2024-01-04", "modified", "2024-01-01"},
		"default inside":                  {map[string][]string{"lastmod": {"none", ":default"}}, "2024-01-03", "lastmod", "2024-01-01"},
		"date is not a last change":       {map[string][]string{"lastmod": {"date"}}, "2024-01-03", "lastmod", "2024-01-01"},
		"the file's name":                 {map[string][]string{"date": {":filename", ":default"}}, "2024-01-03", "lastmod", "2023-12-31"},
		"the file's name, asked too late": {map[string][]string{"date": {":default", ":filename"}}, "2024-01-03", "lastmod", "2024-01-01"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			f, _ := read(all, "posts/2023-12-31-a.md", Options{Conventions: Conventions{DateOrder: test.order}})
			if f.URL.LastMod.String() != test.lastmod || f.LastModBy != test.by || f.Date.String() != test.date {
				t.Errorf("lastmod %v by %q, date %v; want %s by %q, %s", f.URL.LastMod, f.LastModBy, f.Date, test.lastmod, test.by, test.date)
			}
		})
	}
}

func TestReadFindsDateInName(t *testing.T) {
	filename := map[string][]string{"date": {":filename"}}
	tests := []struct{ generator, name, want string }{
		{"hugo", "posts/2024-01-02-a.md", "2024-01-02"},
		{"hugo", "posts/2024-01-02/index.md", "2024-01-02"},
		{"hugo", "posts/2024-01-02-10-11-12-a.md", "2024-01-02T10:11:12Z"},
		{"hugo", "posts/2024-13-02-a.md", ""},
		{"hugo", "posts/a.md", ""},
		{"jekyll", "_posts/2024-01-02-a.md", "2024-01-02"},
		{"jekyll", "2024-01-02-a.md", ""},
		{"zola", "blog/2024-01-02_a.md", "2024-01-02"},
		{"eleventy", "2024-01-02/posts/a.md", "2024-01-02"},
		{"eleventy", "posts/a.md", ""},
		{"", "posts/2024-01-02-a.md", ""},
	}
	for _, test := range tests {
		o := Options{Conventions: kinds[test.generator]}
		if test.generator == "hugo" {
			o.DateOrder = filename
		}
		f, ok := read("---\ntitle: a\n---\n", test.name, o)
		if got := f.Date.String(); !ok || got != test.want {
			t.Errorf("%s %s: date %q, want %q", test.generator, test.name, got, test.want)
		}
		if (f.DateBy == ":filename") != (test.want != "") {
			t.Errorf("%s %s: date by %q", test.generator, test.name, f.DateBy)
		}
	}
}

func TestReadAppliesZone(t *testing.T) {
	berlin := time.FixedZone("", 3600)
	f, _ := read("+++\ndate = 2024-01-02T10:00:00\nlastmod = 2024-01-03T10:00:00-05:00\n+++\n", "a.md", Options{Zone: berlin})
	if got := f.Date.String() + " " + f.URL.LastMod.String(); got != "2024-01-02T10:00:00+01:00 2024-01-03T10:00:00-05:00" {
		t.Error(got)
	}
}
