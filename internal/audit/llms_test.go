package audit

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

// TestCheckLLMSOfLiveSite checks that RunCheck accepts the URL of an llms.txt.
func TestCheckLLMSOfLiveSite(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/docs/llms.txt" {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write([]byte("> no title\n\n- [a](/a)\n- [b](../a)\n"))
	}))
	defer server.Close()
	c, err := RunCheck(t.Context(), options(t.TempDir()), server.URL+"/docs/llms.txt")
	if kinds := c.Findings.Kinds(); err != nil || c.URLs != 2 || len(kinds) != 2 {
		t.Errorf("got %d links, findings %v, error %v; want 2 links and 2 findings", c.URLs, kinds, err)
	}
	if _, err := RunCheck(t.Context(), options(t.TempDir()), server.URL+"/llms.txt"); err == nil || !strings.Contains(err.Error(), "404") {
		t.Errorf("missing file: got error %v, want status 404", err)
	}
}

// TestCheckLLMSIsLinear checks that the time to check an llms.txt grows linearly with its links,
// sections and names of other files.
func TestCheckLLMSIsLinear(t *testing.T) {
	for name, line := range map[string]string{
		"dead": "- [a](/b/%d)\n", "sections": "## a\n[a](/a/%d.html)\n", "doubled": "- [a](/a)\n", "others": "- [a](/%d/llms.txt)\n", "copies": "- [a](/a.md?%d)\n",
	} {
		t.Run(name, func(t *testing.T) {
			testsite.RequireLinear(t, func(size int) []byte {
				var b strings.Builder
				for i := 0; b.Len() < size; i++ {
					b.WriteString(strings.ReplaceAll(line, "%d", strings.Repeat("x", i%90)+string(rune('a'+i%26))))
				}
				return []byte(b.String())
			}, func(src []byte) {
				dir := t.TempDir()
				writeFiles(t, dir, map[string]string{"sitemap.yaml": "base_url: https://example.com/\n", "public/index.html": "<title>x</title>", "public/llms.txt": string(src)})
				if _, err := RunCheck(t.Context(), options(dir), ""); err != nil {
					t.Error(err)
				}
			})
		})
	}
}
