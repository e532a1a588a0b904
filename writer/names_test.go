package writer

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

func TestNames(t *testing.T) {
	n := newChildNames([]string{":posts"})
	for key, want := range map[string]string{
		"":                     "pages",
		"/blog":                "blog",
		"/b":                   "b",
		"/2024":                "2024",
		"/2024-01":             "2024-01",
		"/v1.2":                "v1.2",
		"/a_b":                 "a_b",
		"/blog-2":              "blog-2-x",
		"/blog-02":             "blog-02",
		"/Blog":                "blog-x",
		"/pages":               "pages-x",
		"/posts":               "posts-x",
		":posts":               "posts",
		":My posts":            "my-posts-x",
		"/%C3%BCber-uns":       "ber-uns-x",
		"/%E6%97%A5":           "x",
		"/a--b":                "a-b-x",
		"/..":                  "x",
		"/blog-x3adfe8c7":      "blog-x3adfe8c7-x",
		"//docs.example.com":   "docs.example.com-x",
		"/" + long("a", 50):    long("a", 40) + "-x",
		"/" + long("%2F..", 9): "x",
	} {
		got := n.sectionName(key)
		if !strings.HasPrefix(got, want) || len(got) > len(want) && len(got) != len(want)+8 {
			t.Errorf("%q is named %q, want %q and at most a hash", key, got, want)
		}
	}
}

func long(s string, n int) string { return strings.Repeat(s, n) }

// Whatever sections are called, the names of their files differ even where case
// does not count, and are safe.
func TestNamesNeverCollide(t *testing.T) {
	safeName := regexp.MustCompile(`^[a-z0-9]+([-_.][a-z0-9]+)*$`)
	r := rand.New(rand.NewPCG(1, 2))
	n := newChildNames(nil)
	seen := map[string]string{"pages": ""}
	for range testsite.Repeat(3000, 20_000) {
		key := "/"
		for range 1 + r.IntN(4) {
			key += []string{"a", "B", "b", "-", "2", "-2", "x", "-x0000000", "0", "_", ".", "%C3%BC", "index", "pages"}[r.IntN(14)]
		}
		for slot := range uint64(3) {
			name := childName(n.sectionName(key), slot)
			id := fmt.Sprint(key, slot)
			if other, ok := seen[name]; ok && other != id {
				t.Fatalf("%q and %q are both named %q", other, id, name)
			}
			seen[name] = id
			if !safeName.MatchString(name) {
				t.Fatalf("%q is named %q", key, name)
			}
		}
	}
}
