package cli

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
)

func TestFilesOfOddNames(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("its file names have no control characters")
	}
	dir := t.TempDir()
	for _, name := range []string{"a\nb", "a\tb", "a b", "a=b", "áb"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	words, _ := completeFiles(dir, "html=", "a")
	if want := []string{"html=a b", "html=a=b"}; !slices.Equal(words, want) {
		t.Errorf("got %q, want %q", words, want)
	}
}
