package page

import (
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/diag"
)

func TestViewOf(t *testing.T) {
	words, head := strings.Repeat("words ", 130), "<!doctype html><title>A</title>"
	for name, tt := range map[string]struct {
		src  string
		want View
	}{
		"a page":                   {head + "<main><h1>A</h1></main>", View{}},
		"text around the main":     {head + "<nav>Home</nav><main> <!-- text --> <template>text</template><style>a{}</style></main><footer>text</footer>", View{Empty: true}},
		"a number":                 {head + "<main>404</main>", View{}},
		"a picture":                {head + "<main><img src=a.png></main>", View{}},
		"a picture around":         {head + "<img src=a.png><MAIN></MAIN>", View{Empty: true}},
		"a script's place":         {head + "<main><search-box></search-box></main>", View{}},
		"a script in the main":     {head + "<main><script>write('text')</script></main>", View{}},
		"an element like main":     {head + "<maintenance>text</maintenance>", View{}},
		"its status":               {"<title>404 Not Found - HTTP</title><main-menu></main-menu><!-- <main> --><p>" + words, View{}},
		"no main":                  {head + "<body><div></div>", View{}},
		"Chinese":                  {head + "<main>中</main>", View{}},
		"not found":                {"<title>404: Page not found | Lakes</title><p>Sorry!", View{NotFound: "404: Page not found | Lakes"}},
		"not found, in German":     {"<title lang=de>Seite nicht\ngefunden &ndash; Seen</title><p>Pech", View{NotFound: "Seite nicht gefunden – Seen"}},
		"about a message":          {"<title>Module not found | Lakes</title><p>Install it", View{}},
		"about a status":           {"<title>404 Not Found - HTTP</title><main>" + words + "</main>", View{}},
		"a picture's title":        {head + "<main><svg><title>404 not found</title></svg></main>", View{}},
		"a title behind the main":  {"<main></main><title>Not found</title>", View{Empty: true, NotFound: "Not found"}},
		"a title without its end":  {"<title>Not found", View{NotFound: "Not found"}},
		"all that Googlebot reads": {head + "<main>a" + strings.Repeat(" ", ReadBytes-len(head)-len("<main>a")), View{}},
		"a byte more":              {head + "<main>a\n" + strings.Repeat(" ", ReadBytes-len(head)-len("<main>a\n")+1), View{Cut: diag.Pos{Line: 2, Col: ReadBytes - len(head) - len("<main>a\n") + 1}}},
		"a server's part":          {head + "<!--#include virtual=\"uses.html\" --><script>x()</script>", View{}},
		"a server's part in main":  {head + "<main><!--#include file=uses.html --></main>", View{}},
		"a few words":              {head + "<h1>U</h1><p>" + strings.Repeat("words ", 12) + "<script>x()</script>", View{}},
		"a waiting script":         {head + "<p>Loading, please wait …</p><script>x()</script>", View{Empty: true}},
		"nothing":                  {"", View{}},
	} {
		if got := ViewOf([]byte(tt.src)); got != tt.want {
			t.Errorf("%s: %+v, want %+v", name, got, tt.want)
		}
	}
}

func FuzzViewOf(f *testing.F) {
	f.Add([]byte("<title>Not found</title><main><template><p>a"))
	f.Fuzz(func(_ *testing.T, src []byte) { ViewOf(src) })
}
