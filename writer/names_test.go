package writer

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

// TestSectionName checks the names of sections. A name that is not the section itself ends in a
// hash.
func TestSectionName(t *testing.T) {
	n := newChildNames([]string{":posts"})
	for key, want := range map[string]string{
		"":                               "pages",
		"/blog":                          "blog",
		"/b":                             "b",
		"/2024":                          "2024",
		"/2024-01":                       "2024-01",
		"/v1.2":                          "v1.2",
		"/a_b":                           "a_b",
		"/blog-2":                        "blog-2-x",
		"/blog-02":                       "blog-02",
		"/Blog":                          "blog-x",
		"/pages":                         "pages-x",
		"/posts":                         "posts-x",
		":posts":                         "posts",
		":My posts":                      "my-posts-x",
		"/%C3%BCber-uns":                 "ber-uns-x",
		"/%E6%97%A5":                     "x",
		"/a--b":                          "a-b-x",
		"/..":                            "x",
		"/blog-x3adfe8c7":                "blog-x3adfe8c7-x",
		"//docs.example.com":             "docs.example.com-x",
		"/" + strings.Repeat("a", 50):    strings.Repeat("a", 40) + "-x",
		"/" + strings.Repeat("%2F..", 9): "x",
	} {
		got := n.sectionName(key)
		if !strings.HasPrefix(got, want) || len(got) > len(want) && len(got) != len(want)+8 {
			t.Errorf("sectionName(%q): got %q, want %q or that with a hash", key, got, want)
		}
	}
}

// TestChildNamesAreUnique checks that random sections have different and safe file names, even on
// file systems that ignore case.
func TestChildNamesAreUnique(t *testing.T) {
	safeName := regexp.MustCompile(`^[a-z0-9]+([-_.][a-z0-9]+)*$`)
	r := rand.New(rand.NewPCG(1, 2))
	n := newChildNames(nil)
	used := map[string]string{"pages": ""}
	for range testsite.Repeat(3000, 20_000) {
		key := "/"
		for range 1 + r.IntN(4) {
			key += []string{"a", "B", "b", "-", "2", "-2", "x", "-x0000000", "0", "_", ".", "%C3%BC", "index", "pages"}[r.IntN(14)]
		}
		for slot := range uint64(3) {
			name := childName(n.sectionName(key), slot)
			id := fmt.Sprint(key, slot)
			if other, ok := used[name]; ok && other != id {
				t.Fatalf("%q and %q have the same name %q", other, id, name)
			}
			used[name] = id
			if !safeName.MatchString(name) {
				t.Fatalf("%q: got unsafe name %q", key, name)
			}
		}
	}
}
