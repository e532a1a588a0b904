package hosting

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sitewalk/sitewalk/mapping"
)

// TestRewritesAreBounded carries out rules that want to harm: what would take too long is
// what only the server can tell, and the page stays.
func TestRewritesAreBounded(t *testing.T) {
	base, _ := mapping.ParseBase("https://example.com/")
	many := "RewriteEngine On\n"
	for i := range 3000 {
		many += fmt.Sprintf("RewriteCond %%{REQUEST_FILENAME}.x%d -f\nRewriteRule ^(.*)(a|b|c)*(.*)$ /p/$1%d [L]\n", i, i)
	}
	for name, rules := range map[string]string{
		"growth":          "RewriteEngine On\nRewriteRule ^(.*)$ /$1$1$1$1$1$1$1$1$1$1\n",
		"many rules":      many,
		"a long pattern":  "RewriteEngine On\nRewriteRule " + strings.Repeat("(a*)*", 2000) + " /x\n",
		"a circle":        "RewriteEngine On\nRewriteRule ^(.*)$ /$1 [L]\n",
		"a circle of two": "RewriteEngine On\nRewriteRule ^a$ /b\nRewriteRule ^b$ /a\n",
	} {
		files := fstest.MapFS{".htaccess": {Data: []byte(rules)}, "a.html": {Data: []byte("<title>A</title>")}}
		site, _ := Load(Input{Name: "apache", Publish: files, PublishName: "public", Base: base})
		exists := func(file string) bool { return files[file] != nil }
		r := newRequest("/a.html", exists)
		r.tried = new(int)
		a := site.answer(r)
		if *r.tried > 2*mostTried {
			t.Errorf("%s: %d expressions were tried", name, *r.tried)
		}
		if wants := map[string]int{"growth": 200, "many rules": 200, "a long pattern": 200, "a circle": 500, "a circle of two": 200}[name]; a.Status != wants {
			t.Errorf("%s: answered %d, want %d", name, a.Status, wants)
		}
	}
}
