package hosting

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sitewalk/sitewalk/internal/thorough"
)

// Of thousands of rules that do not match a path, in any notation and wherever their
// wildcards stand, few are tried, and none is compiled that is not.
func TestManyRulesAreNotTried(t *testing.T) {
	n := thorough.Or(600, 2000)
	list := func(format, between string) string {
		var all []string
		for i := range n {
			all = append(all, strings.ReplaceAll(format, "%d", fmt.Sprint(i)))
		}
		return strings.Join(all, between)
	}
	tests := []struct{ host, file, text string }{
		{"netlify", "_headers", list("/a%d/*\n  X-Robots-Tag: noindex\n", "")},
		{"netlify", "_headers", list("/p*/a%d\n  X-Robots-Tag: noindex\n", "")},
		{"netlify", "_headers", list("/*a%d\n  X-Robots-Tag: noindex\n", "")},
		{"netlify", "_redirects", list("/:x/a%d/* /b 301!\n", "")},
		{"netlify", "netlify.toml", list("[[redirects]]\nfrom = \"/*/a%d\"\nto = \"/b\"\n", "")},
		{"vercel", "vercel.json", `{"redirects": [` + list(`{"source": "/:x/a%d/:path*", "destination": "/b"}`, ",") + `]}`},
		{"vercel", "vercel.json", `{"headers": [` + list(`{"source": "/(.*)a%d", "headers": [{"key": "X-Robots-Tag", "value": "noindex"}]}`, ",") + `]}`},
		{"firebase", "firebase.json", `{"hosting": {"redirects": [` + list(`{"source": "/*/a%d/**", "destination": "/b", "type": 301}`, ",") +
			`], "ignore": [` + list(`"**/a%d/**"`, ",") + `]}}`},
		{"firebase", "firebase.json", `{"hosting": {"redirects": [` + list(`{"regex": "/.+/a%d$", "destination": "/b", "type": 301}`, ",") + `]}}`},
		{"azure", "staticwebapp.config.json", `{"routes": [` + list(`{"route": "/a%d/*", "redirect": "/b"}`, ",") + `]}`},
		{"apache", ".htaccess", list("RedirectMatch 301 ^/.*/a%d$ /b\nRedirect 301 /c%d /d\n", "")},
		{"apache", ".htaccess", list("<FilesMatch \"a%d[.]html$\">\nHeader set X-Robots-Tag noindex\n</FilesMatch>\n", "")},
		{"render", "render.yaml", "services:\n- type: web\n  runtime: static\n  staticPublishPath: .\n  routes:\n" + list("  - {type: redirect, source: \"/*/a%d\", destination: /b}\n", "")},
		{"gitlab", "_redirects", list("/:x/a%d /b 301\n", "\n")},
	}
	for _, tt := range tests {
		s, _ := Load(Input{Name: tt.host, Publish: fstest.MapFS{tt.file: {Data: []byte(tt.text)}}, PublishName: "public"})
		all := len(s.redirects.rules) + len(s.headers.rules) + len(s.ignores.rules)
		if all < 500 {
			t.Errorf("%s, %s: only %d rules", tt.host, tt.file, all)
		}
		tried := 0
		for _, p := range []string{"/", "/p5/", "/docs/page.html", "/a/b/c/", fmt.Sprintf("/p7/a%dx", n-1)} {
			tried += len(s.redirects.candidates(p)) + len(s.headers.candidates(p)) + len(s.ignores.candidates(p))
			s.Redirect(p, noFile)
			s.NoIndex(p)
		}
		if tried > 50 {
			t.Errorf("%s, %s: %d of %d rules are tried for five paths", tt.host, tt.file, tried, all)
		}
		compiled := 0
		for _, r := range s.redirects.rules {
			if r.expr != nil && r.expr.compiled != nil {
				compiled++
			}
		}
		if compiled > 50 {
			t.Errorf("%s, %s: %d expressions are compiled", tt.host, tt.file, compiled)
		}
	}
}

// What an expression's matches must have, every match has.
func FuzzTexts(f *testing.F) {
	for _, e := range []string{"^/a(b|c)+/d.*e$", "(^/x/.*)", "(?i)^/Straße/k$", "a|b", "^?a", "(?:ab){2,}c", "^/p[aA]/(.+)\\.html?$", "x*^abc", "(?s:/a/*)"} {
		for _, p := range []string{"/abb/dxxe", "/x/y", "/STRASSE/K", "b", "ababc", "/pa/q.htm", "abc", "/a///"} {
			f.Add(e, p)
		}
	}
	f.Fuzz(func(t *testing.T, expr, path string) {
		p, err := compile(expr, nil)
		if err != nil {
			return
		}
		var x index[int]
		x.add(p, 1)
		if p.expr.re().MatchString(path) && len(x.candidates(path)) == 0 {
			t.Errorf("%q matches %q, which lacks %q", expr, path, p.texts)
		}
	})
}
