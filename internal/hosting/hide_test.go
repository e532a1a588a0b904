package hosting

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sitewalk/sitewalk/mapping"
)

// TestHideHint writes the line of NoIndexHint into the host's configuration file, and checks that
// only the pages in the folder are noindex. Without a folder, NoIndexHint must offer no line.
func TestHideHint(t *testing.T) {
	base, _ := mapping.ParseBase("https://example.com/")
	for _, c := range []struct{ host, file, before, after string }{
		{"netlify", "public/_headers", "", ""},
		{"cloudflare", "public/_headers", "", ""},
		{"vercel", "vercel.json", `{"headers": [`, `]}`},
		{"firebase", "firebase.json", `{"hosting": {"public": "public", "headers": [`, `]}}`},
		{"azure", "public/staticwebapp.config.json", `{"routes": [`, `]}`},
		{"apache", "public/v1/.htaccess", "", ""},
	} {
		load := func(files fstest.MapFS) *Host {
			publish, _ := files.Sub("public")
			site, diags := Load(Input{Name: c.host, Root: files, Publish: publish, RootName: ".", PublishName: "public", Base: base})
			if len(diags) > 0 {
				t.Fatal(c.host, diags)
			}
			return site
		}
		if hint := load(nil).NoIndexHint(""); !strings.HasPrefix(hint, "give the pages a canonical link") {
			t.Errorf("%s: without a folder, the hint is %q", c.host, hint)
		}
		page := &fstest.MapFile{Data: []byte("<title>A</title>")}
		files := fstest.MapFS{"public/v1/a.html": page, "public/a.html": page}
		hint, _, _ := strings.Cut(load(files).NoIndexHint("/v1/"), "; or ")
		where, line, _ := strings.Cut(hint, ": ")
		if c.file == "public/_headers" {
			line = strings.Replace(line, " and, indented, ", "\n  ", 1)
		}
		if name := c.file[strings.LastIndexByte(c.file, '/')+1:]; !strings.Contains(where, name) {
			t.Errorf("%s: %q does not name %s", c.host, where, name)
		}
		files[c.file] = &fstest.MapFile{Data: []byte(c.before + line + c.after)}
		site := load(files)
		if _, hidden := site.NoIndexRule("/v1/a.html"); !hidden {
			t.Errorf("%s: with %q the page may be indexed", c.host, line)
		}
		if _, hidden := site.NoIndexRule("/a.html"); hidden {
			t.Errorf("%s: with %q all pages are hidden", c.host, line)
		}
	}
}
