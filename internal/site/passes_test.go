package site

import (
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestPassesManual compares the list of passes in docs/architecture.md with passes.
func TestPassesManual(t *testing.T) {
	manual, err := os.ReadFile("../../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(manual), "\n### The passes\n")
	_, list, _ = strings.Cut(list, "in order.\n\n")
	var got, want []string
	for line := range strings.Lines(list) {
		if !strings.HasPrefix(line, "- ") {
			break
		}
		got = append(got, strings.Split(strings.Split(line, ": ")[0][len("- "):], ", ")...)
	}
	for _, step := range passes {
		want = append(want, step.name)
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
