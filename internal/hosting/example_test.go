package hosting

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sitewalk/sitewalk/mapping"
)

// TestExamples checks the example path for each kind of rule in each syntax.
func TestExamples(t *testing.T) {
	for _, tt := range []struct{ host, base, file, rules, want string }{
		{
			"netlify", "", "_redirects", "/old /new\n/blog/* /news/:splat 302\n/u/:name/x /users/:name 301\n/gone/* /404.html 410\n/app/* /index.html 200\n",
			"/old 301 /new; /blog/sitewalk 302 /news/sitewalk; /u/sitewalk/x 301 /users/sitewalk; /gone/sitewalk 410",
		},
		{"netlify", "", "netlify.toml", "[[redirects]]\nfrom = '/old'\nto = '/new'\nstatus = 302\n", "/old 302 /new"},
		{"cloudflare", "", "_redirects", "/old /new 301\n/blog/* /news/:splat 302\n/u/:name/x /users/:name 301\n", "/old 301 /new; /blog/sitewalk 302 /news/sitewalk; /u/sitewalk/x 301 /users/sitewalk"},
		{"gitlab", "https://group.gitlab.io/project/", "_redirects", "/project/old /project/new 301\n", "/old 301 /project/new"},
		{
			"vercel", "", "vercel.json", `{"redirects": [{"source": "/old", "destination": "/new", "permanent": true}, {"source": "/blog/:path*", "destination": "/news/:path*"}, {"source": "/post/:id(\\d+)", "destination": "/p/:id", "statusCode": 301}]}`,
			"/old 308 /new; /blog/sitewalk 308 /news/sitewalk; /post/1 301 /p/1",
		},
		{
			"firebase", "", "firebase.json", `{"hosting": {"public": "public", "redirects": [{"source": "/old", "destination": "/new", "type": 301}, {"source": "/blog/**", "destination": "/news"}, {"regex": "^/p/([a-z]+)$", "destination": "/q", "type": 302}]}}`,
			"/old 301 /new; /blog/sitewalk 301 /news; /p/sitewalk 302 /q",
		},
		{
			"azure", "", "staticwebapp.config.json", `{"routes": [{"route": "/old", "redirect": "/new", "statusCode": 301}, {"route": "/blog/*", "redirect": "/news"}, {"route": "/no", "statusCode": 404}]}`,
			"/old 301 /new; /blog/sitewalk 302 /news; /no 404",
		},
		{"render", "", "render.yaml", "services:\n  - runtime: static\n    routes:\n    - {type: redirect, source: /old, destination: /new}\n    - {type: redirect, source: /blog/*, destination: /news/*}\n", "/old 301 /new; /blog/sitewalk 301 /news/sitewalk"},
		{"apache", "", ".htaccess", "Redirect 301 /old /new\nRedirect gone /away\nRedirectMatch 302 ^/blog/(.*)$ /news/$1\n", "/old 301 /new; /away 410; /blog/sitewalk 302 /news/sitewalk"},
		{
			"apache", "", ".htaccess", "RewriteEngine On\nRewriteRule ^old/?$ /new [R=301,L]\nRewriteRule ^blog/(.+)$ /news/$1 [R]\nRewriteRule ^post-([0-9]+)$ /p/$1 [R=308]\nRewriteRule ^Any$ /new [NC,R=301]\nRewriteCond %{REQUEST_FILENAME} !-f\nRewriteRule ^new-([a-z]+)$ /p/$1 [R=301]\n",
			"/old 301 /new; /blog/sitewalk 302 /news/sitewalk; /post-1 308 /p/1; /any 301 /new; /new-sitewalk 301 /p/sitewalk",
		},
		{"apache", "https://example.com/below/", ".htaccess", "RewriteEngine On\nRewriteBase /below/\nRewriteRule ^old$ new [R=301,L]\n", "/old 301 /below/new"},
		{"apache", "", "docs/.htaccess", "RewriteEngine On\nRewriteRule ^old$ /new [R=301,L]\n", "/docs/old 301 /new"},
	} {
		base, err := mapping.ParseBase("https://example.com/")
		if tt.base != "" {
			base, err = mapping.ParseBase(tt.base)
		}
		if err != nil {
			t.Fatal(err)
		}
		tree := fstest.MapFS{tt.file: {Data: []byte(tt.rules)}, "404.html": {}, "index.html": {}}
		h, found := Load(Input{Name: tt.host, Publish: tree, PublishName: "public", Base: base})
		if len(found) > 0 {
			t.Errorf("%s: %v", tt.host, found)
			continue
		}
		var got []string
		for _, e := range h.RuleExamples(func(file string) bool { return tree[file] != nil }) {
			got = append(got, strings.TrimSpace(fmt.Sprint(e.URLPath, " ", e.Answer.Status, " ", e.Answer.To)))
		}
		if text := strings.Join(got, "; "); text != tt.want {
			t.Errorf("%s, %s:\n%s\nwant\n%s", tt.host, tt.file, text, tt.want)
		}
	}
}
