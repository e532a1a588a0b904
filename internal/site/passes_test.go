package site

import (
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestPassesManual compares the list of passes in docs/architecture.md with the calls in ListPages.
func TestPassesManual(t *testing.T) {
	manual, err := os.ReadFile("../../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(manual), "\n### The passes\n")
	list, _, _ = strings.Cut(list, "\n## ")
	var got, want []string
	for _, m := range regexp.MustCompile("(?m)^- `(\\w+)`: ").FindAllStringSubmatch(list, -1) {
		got = append(got, m[1])
	}
	code, err := os.ReadFile("site.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`(?m)^\t(?:hasFile := )?r\.(\w+)\(`).FindAllStringSubmatch(string(code), -1) {
		want = append(want, m[1])
	}
	if !slices.Equal(got, want) {
		t.Errorf("the manual has the passes %v, and the code %v", got, want)
	}
}

// TestPagesAreSmall checks that 100,000 values of type Page need at most 20 MiB.
func TestPagesAreSmall(t *testing.T) {
	if size := 100_000 * reflect.TypeFor[Page]().Size(); size > 20<<20 {
		t.Errorf("100,000 pages take %d bytes", size)
	}
}
