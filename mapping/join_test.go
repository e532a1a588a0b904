package mapping

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestAppendResolvedEqualsResolve compares AppendResolved with Resolve for random references.
func TestAppendResolvedEqualsResolve(t *testing.T) {
	b, err := ParseBase("https://example.com/docs/")
	if err != nil {
		t.Fatal(err)
	}
	parts := []string{"a", "b.html", "/", "//", ".", "..", "./", "../", ":", "@", "https://example.com", "%20", "é", "+", "docs/", "x y", "\\", ".a"}
	pages := []string{"https://example.com/docs/", "https://example.com/", "https://example.com/docs/a/b.html", "https://other.example/a"}
	r := rand.New(rand.NewPCG(1, 2))
	joined := 0
	for range 200_000 {
		var ref strings.Builder
		for range 1 + r.IntN(5) {
			ref.WriteString(parts[r.IntN(len(parts))])
		}
		page := pages[r.IntN(len(pages))]
		got, ok := b.AppendResolved(nil, []byte(ref.String()), page)
		if !ok {
			continue
		}
		joined++
		if want, err := b.Resolve(ref.String(), page, ""); err != nil || string(got) != want {
			t.Fatalf("%q on %s: joined %q, resolved %q, %v", ref.String(), page, got, want, err)
		}
	}
	if joined < 20_000 {
		t.Errorf("only %d of 200,000 references are joined", joined)
	}
}
