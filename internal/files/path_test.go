package files

import (
	"path/filepath"
	"testing"
)

func TestRelBelow(t *testing.T) {
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
			t.Errorf("RelBelow(%q, %q): got %q, %v, want %q, %v", tt.dir, tt.name, rel, ok, tt.rel, tt.ok)
		}
	}
}
