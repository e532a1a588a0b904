package hosting

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sitewalk/sitewalk/mapping"
)

// pasted lists the hosts whose redirect lines are tested: the configuration file, and the text
// before and after the line in the file.
var pasted = []struct{ host, file, before, after, base string }{
	{"netlify", "_redirects", "", "", "https://example.com/"},
	{"cloudflare", "_redirects", "", "", "https://example.com/"},
	{"gitlab", "_redirects", "", "", "https://example.com/"},
	{"gitlab", "_redirects", "", "", "https://group.gitlab.io/project/"},
	{"vercel", "vercel.json", `{"redirects": [`, "]}", "https://example.com/"},
	{"firebase", "firebase.json", `{"hosting": {"public": "public", "redirects": [`, "]}}", "https://example.com/"},
	{"azure", "staticwebapp.config.json", `{"routes": [`, "]}", "https://example.com/"},
	{"render", "render.yaml", "services:\n  - runtime: static\n    routes:\n    ", "\n", "https://example.com/"},
	{"apache", ".htaccess", "", "", "https://example.com/"},
	{"apache", ".htaccess", "", "", "https://example.com/below/"},
}

// TestRedirectLines loads each redirect line in the host's configuration file. The line must
// redirect the old path to the new path, and no other path.
func TestRedirectLines(t *testing.T) {
	for _, c := range pasted {
		base, err := mapping.ParseBase(c.base)
		if err != nil {
			t.Fatal(err)
		}
		plain, _ := Load(Input{Name: c.host, Base: base})
		for _, odd := range []string{"/a b/", "/a(b)/", "/a+b/", "/a$b", "/a:b/", `/"q"/`, "/{a}/", "/[a]/", "/*/", "/!a/", "/a|b/", `/a\b/`, "/?a"} {
			for _, paths := range [][2]string{{odd, "/new"}, {"/old", odd}} {
				if line, _, _ := plain.RedirectLine(paths[0], paths[1]); line != "" {
					t.Errorf("%s offers %q for %s", c.host, line, odd)
				}
			}
		}
		for _, from := range []string{"/plain/", "/bare", "/page.html", "/über/", "/a-b_c.~1/"} {
			line, file, _ := plain.RedirectLine(from, "/new/ü-x/")
			if line == "" || !strings.HasSuffix(file, c.file) {
				t.Errorf("%s offers %q in %s for %s", c.host, line, file, from)
				continue
			}
			tree := fstest.MapFS{c.file: {Data: []byte(c.before + line + c.after)}, "404.html": {}}
			h, diags := Load(Input{Name: c.host, Publish: tree, PublishName: "public", Base: base})
			if len(diags) > 0 {
				t.Errorf("%s: %s\n%v", c.host, line, diags)
				continue
			}
			none := func(string) bool { return false }
			a := h.Answer(from, none)
			want, _ := base.Loc("/new/ü-x/")
			loc, _ := base.Loc(from)
			got, _ := base.Resolve(a.To, loc, "")
			if !strings.HasPrefix(a.To, base.Prefix()) {
				got, _ = base.Loc(a.To)
			}
			if got != want {
				t.Errorf("%s: %s\nleads %s to %q, not to %s", c.host, line, from, a.To, want)
			}
			if a := h.Answer("/other/", none); a.To != "" {
				t.Errorf("%s: %s\nleads /other/ to %s", c.host, line, a.To)
			}
		}
	}
}
