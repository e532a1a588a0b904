package gitdates_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/internal/gitdates"
)

// built says that pages are built, and that those of a folder are deployed with it.
func built(file string) (folder string, ok bool) {
	folder, _, in := strings.Cut(filepath.ToSlash(file), "/")
	if !in {
		folder = ""
	}
	if folder == "api" {
		folder = ""
	}
	return folder, strings.HasSuffix(file, ".html")
}

const silence = "changed only by deploys"

// TestDeploysDateNothing commits to a published branch.
func TestDeploysDateNothing(t *testing.T) {
	r := newRepository(t)
	deploy := func(day string, names ...string) {
		for _, name := range names {
			r.write(name, "built on "+day)
		}
		r.on(day)
	}
	deploy("01-01", "a.html", "b.html", "c.html", "source.md")
	deploy("01-02", "d.html", "e.html") // fewer than three may be by hand
	deploy("01-03", "a.html", "b.html", "d.html", "source.md")
	for i := range 12 { // a folder that is deployed by itself, and was there before
		r.write(fmt.Sprintf("api/%d.html", i), "old")
	}
	r.on("01-03")
	r.git("rm", "-q", "-r", "api")
	r.on("01-03")
	for i := range 12 {
		r.write(fmt.Sprintf("api/%d.html", i), "new")
	}
	r.on("01-03")
	deploy("01-04", "v1/a.html", "v1/b.html", "v2/a.html")
	deploy("01-05", "b.html", "c.html") // two of five pages
	deploy("01-06", "v1/a.html")        // one of two
	r.git("mv", "d.html", "f.html")
	r.on("01-07")
	o := gitdates.Options{Deployed: built}
	want := map[string]string{
		"a.html": silence, "b.html": "2024-01-05", "c.html": "2024-01-05", "f.html": "2024-01-02", "e.html": "2024-01-02",
		"source.md": "2024-01-03",
		"v1/a.html": "2024-01-06", "v1/b.html": silence, "v2/a.html": silence,
	}
	for i := range 12 {
		want[fmt.Sprintf("api/%d.html", i)] = silence
	}
	silent(t, r.expect(o, want))

	// Whoever names no built file is answered as ever.
	silent(t, r.expect(gitdates.Options{}, map[string]string{"a.html": "2024-01-03", "f.html": "2024-01-03", "v2/a.html": "2024-01-04"}))
}

// TestSiteThatGrew deploys a site of few pages, all of which it had then, and adds many.
func TestSiteThatGrew(t *testing.T) {
	r := newRepository(t)
	for _, day := range []string{"01-01", "01-02"} {
		for _, name := range []string{"a.html", "b.html", "c.html"} {
			r.write(name, day)
		}
		r.on(day)
	}
	want := map[string]string{"a.html": silence, "b.html": silence, "c.html": silence}
	for i := range 10 {
		name := fmt.Sprintf("page%d.html", i)
		r.add(fmt.Sprintf("02-%02d", i+1), name, "by hand")
		want[name] = fmt.Sprintf("2024-02-%02d", i+1)
	}
	silent(t, r.expect(gitdates.Options{Deployed: built}, want))
}

// TestDeploysBeyondTheBoundary asks a shallow clone, which has one deploy.
func TestDeploysBeyondTheBoundary(t *testing.T) {
	r := newRepository(t)
	for _, day := range []string{"01-01", "01-02", "01-03"} {
		for _, name := range []string{"a.html", "b.html", "c.html"} {
			r.write(name, day)
		}
		r.on(day)
	}
	c := r.clone("--depth=2")
	diags := c.expect(gitdates.Options{Deployed: built}, map[string]string{"a.html": "last changed at or beyond", "b.html": "last changed at or beyond", "c.html": "last changed at or beyond"})
	one(t, diags, "git-shallow", "fetch")
}

// TestEditedBuiltFile edits what a deploy brought.
func TestEditedBuiltFile(t *testing.T) {
	r := newRepository(t)
	for _, name := range []string{"a.html", "b.html", "c.html", "d.html"} {
		r.write(name, "built")
	}
	r.on("01-01")
	r.write("a.html", "edited")
	if err := os.Remove(filepath.Join(r.dir, "d.html")); err != nil {
		t.Fatal(err)
	}
	silent(t, r.expect(gitdates.Options{Deployed: built}, map[string]string{"a.html": "edited", "b.html": silence, "c.html": silence}))
}

// TestDeploysOfAThird changes more pages of a large folder at once than anybody edits.
func TestDeploysOfAThird(t *testing.T) {
	r := newRepository(t)
	want := map[string]string{}
	for i := range 280 {
		name := fmt.Sprintf("api/%d.html", i)
		r.write(name, "built")
		want[name] = silence
	}
	r.on("01-01")
	for i := range 100 {
		r.write(fmt.Sprintf("api/%d.html", i), "built again")
	}
	r.on("01-02")
	for i := range 90 {
		r.write(fmt.Sprintf("api/%d.html", 100+i), "by a script")
		want[fmt.Sprintf("api/%d.html", 100+i)] = "2024-01-03"
	}
	r.on("01-03")
	silent(t, r.expect(gitdates.Options{Deployed: built}, want))
}
