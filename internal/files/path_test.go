package files

import (
	"path/filepath"
	"testing"
)

func TestBelow(t *testing.T) {
	root, err := filepath.Abs("/site")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		dir, name, rel string
		ok             bool
	}{
		{root, Abs(root, "a/b"), filepath.Join("a", "b"), true},
		{root, root, ".", true},
		{root, Abs(root, "../other"), "", false},
		{root, root + "2", "", false},
		{"", root, "", false},
		{Abs(root, root), Abs(root, "./a/../c"), "c", true},
	} {
		rel, ok := RelBelow(tt.dir, tt.name)
		if ok != tt.ok || ok && rel != tt.rel || Contains(tt.dir, tt.name) != ok {
			t.Errorf("%s below %s: %q, %v", tt.name, tt.dir, rel, ok)
		}
	}
}
