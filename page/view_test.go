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
		want SearchProblems
	}{
		"a page":                   {head + "<main><h1>A</h1></main>", SearchProblems{}},
		"text around the main":     {head + "<nav>Home</nav><main> <!-- text --> <template>text</template><style>a{}</style></main><footer>text</footer>", SearchProblems{Empty: true}},
		"a number":                 {head + "<main>404</main>", SearchProblems{}},
		"a picture":                {head + "<main><img src=a.png></main>", SearchProblems{}},
		"a picture around":         {head + "<img src=a.png><MAIN></MAIN>", SearchProblems{Empty: true}},
		"a script's place":         {head + "<main><search-box></search-box></main>", SearchProblems{}},
		"a script in the main":     {head + "<main><script>write('text')</script></main>", SearchProblems{}},
		"an element like main":     {head + "<maintenance>text</maintenance>", SearchProblems{}},
		"its status":               {"<title>404 Not Found - HTTP</title><main-menu></main-menu><!-- <main> --><p>" + words, SearchProblems{}},
		"no main":                  {head + "<body><div></div>", SearchProblems{}},
		"Chinese":                  {head + "<main>中</main>", SearchProblems{}},
		"not found":                {"<title>404: Page not found | Lakes</title><p>Sorry!", SearchProblems{NotFound: "404: Page not found | Lakes"}},
		"not found, in German":     {"<title lang=de>Seite nicht\ngefunden &ndash; Seen</title><p>Pech", SearchProblems{NotFound: "Seite nicht gefunden – Seen"}},
		"about a message":          {"<title>Module not found | Lakes</title><p>Install it", SearchProblems{}},
		"about a status":           {"<title>404 Not Found - HTTP</title><main>" + words + "</main>", SearchProblems{}},
		"a picture's title":        {head + "<main><svg><title>404 not found</title></svg></main>", SearchProblems{}},
		"a title behind the main":  {"<main></main><title>Not found</title>", SearchProblems{Empty: true, NotFound: "Not found"}},
		"a title without its end":  {"<title>Not found", SearchProblems{NotFound: "Not found"}},
		"all that Googlebot reads": {head + "<main>a" + strings.Repeat(" ", MaxGooglebotBytes-len(head)-len("<main>a")), SearchProblems{}},
		"a byte more":              {head + "<main>a\n" + strings.Repeat(" ", MaxGooglebotBytes-len(head)-len("<main>a\n")+1), SearchProblems{Cut: diag.Pos{Line: 2, Col: MaxGooglebotBytes - len(head) - len("<main>a\n") + 1}}},
		"a server's part":          {head + "<!--#include virtual=\"uses.html\" --><script>x()</script>", SearchProblems{}},
		"a server's part in main":  {head + "<main><!--#include file=uses.html --></main>", SearchProblems{}},
		"a few words":              {head + "<h1>U</h1><p>" + strings.Repeat("words ", 12) + "<script>x()</script>", SearchProblems{}},
		"a waiting script":         {head + "<p>Loading, please wait …</p><script>x()</script>", SearchProblems{Empty: true}},
		"nothing":                  {"", SearchProblems{}},
	} {
		if got := FindSearchProblems([]byte(tt.src)); got != tt.want {
			t.Errorf("%s: %+v, want %+v", name, got, tt.want)
		}
	}
}

func FuzzViewOf(f *testing.F) {
	f.Add([]byte("<title>Not found</title><main><template><p>a"))
	f.Fuzz(func(_ *testing.T, src []byte) { FindSearchProblems(src) })
}
