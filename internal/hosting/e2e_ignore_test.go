//go:build e2e

package hosting

import (
	"encoding/json"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"testing/fstest"
)

// TestIgnored compares IgnoreRule with the package that firebase-tools uses to list the files to
// deploy. It tries random globs of the setting "ignore" in firebase.json.
func TestIgnored(t *testing.T) {
	dir := installPackages(t)
	files := []string{
		"index.html", "a.html", ".a.html", "b/index.html", "b/.c/d.html", "b/c/d.html", ".well-known/a.html", "b.html", "c/c/c.html",
		"b/a", "x-y/a.htm", "{a}.html", "!a.html", "ü/a b.html", "b/c.d/index.html",
	}
	for _, file := range files {
		write(t, filepath.Join(dir, "site", filepath.FromSlash(file)), nil)
	}
	r := &random{rand.New(rand.NewPCG(1, 15))}
	segments := []string{"**", "*", "b", "c", "*.html", ".*", "?", "[ab]", "[!b]", "a.html", "{a,b}.html", "@(b|c)", "@(a|.a).html", "?.html", "*.*", "!a.html", "index.html", "b*", "*c*", ".well-known"}
	var globs []string
	for range 250 {
		glob := r.pick("", "", "", "./")
		for range 1 + r.IntN(4) {
			glob += r.pick(segments...) + "/"
		}
		globs = append(globs, glob[:len(glob)-min(1, r.IntN(4))])
	}
	globs = append(globs, "b/../a.html", "b//c/d.html", "c/../**")
	in, _ := json.Marshal(map[string]any{"dir": filepath.Join(dir, "site"), "globs": globs})
	var deployed [][]string
	if err := json.Unmarshal(run(t, dir, in, "node", "ignore.mjs"), &deployed); err != nil {
		t.Fatal(err)
	}
	left := 0
	for i, glob := range globs {
		src, _ := json.Marshal(map[string]any{"hosting": map[string]any{"public": "public", "ignore": []string{glob}}})
		h, diags := Load(Input{Name: "firebase", Root: fstest.MapFS{"firebase.json": {Data: src}}, RootName: ".", PublishName: "public"})
		if len(diags) > 0 {
			t.Errorf("%s: %v", glob, diags)
		}
		for _, file := range files {
			_, got := h.IgnoreRule(file)
			if want := !slices.Contains(deployed[i], file); got != want {
				t.Errorf("%s leaves %s out: %v; glob: %v", glob, file, got, want)
			} else if want {
				left++
			}
		}
	}
	if left < 150 {
		t.Errorf("only %d files were left out", left)
	}
}
