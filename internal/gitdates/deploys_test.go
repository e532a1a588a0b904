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

// text is what stands before the frame of a page.
func text(src []byte) string {
	text, _, _ := strings.Cut(string(src), "|")
	return text
}

var published = gitdates.Options{Deployed: built, Text: text}

const silence = "changed only by deploys"

// TestDeploysDateNothing commits to a published branch.
func TestDeploysDateNothing(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	write := func(day, content string, names []string) {
		for _, name := range names {
			r.write(name, content)
		}
		r.on(day)
	}
	deploy := func(day string, names ...string) { write(day, "text|built on "+day, names) }
	edit := func(day string, names ...string) { write(day, "edited on "+day, names) }
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
	edit("01-05", "b.html", "c.html") // two of five pages
	edit("01-06", "v1/a.html")        // one of two
	r.git("mv", "d.html", "f.html")
	r.on("01-07")
	want := map[string]string{
		"a.html": silence, "b.html": "2024-01-05", "c.html": "2024-01-05", "f.html": "2024-01-02", "e.html": "2024-01-02",
		"source.md": "2024-01-03",
		"v1/a.html": "2024-01-06", "v1/b.html": silence, "v2/a.html": silence,
	}
	for i := range 12 {
		want[fmt.Sprintf("api/%d.html", i)] = silence
	}
	silent(t, r.expect(published, want))

	// Without built files, each commit dates what it changed.
	silent(t, r.expect(gitdates.Options{}, map[string]string{"a.html": "2024-01-03", "f.html": "2024-01-03", "v2/a.html": "2024-01-04"}))
}

// TestTextsOfDeploys changes texts and frames, in deploys and between them.
func TestTextsOfDeploys(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	names := []string{"a.html", "b.html", "c.html", "d.html", "e.html", "f.html", "g.html", "h.html"}
	texts := map[string]string{}
	commit := func(day string, changed []string, edits map[string]string) {
		for _, name := range changed {
			if edit := edits[name]; edit != "" {
				texts[name] = edit
			}
			r.write(name, texts[name]+"|built on "+day)
		}
		r.on(day)
	}
	commit("01-01", names, nil)
	commit("01-02", []string{"a.html", "b.html"}, map[string]string{"a.html": "edited", "b.html": "edited"})
	commit("01-03", names, map[string]string{"a.html": "edited by a deploy"})
	commit("01-04", []string{"c.html", "d.html", "e.html"}, map[string]string{"c.html": "edited among others"})
	commit("01-05", []string{"f.html"}, nil)
	commit("01-06", names, map[string]string{"g.html": "edited by a deploy"})
	commit("01-07", []string{"g.html"}, map[string]string{"g.html": "edited after it"})
	r.git("mv", "b.html", "moved.html")
	r.on("01-08")
	silent(t, r.expect(published, map[string]string{
		"a.html": "last changed by a deploy", "moved.html": "2024-01-02", "c.html": "2024-01-04", "d.html": silence, "e.html": silence,
		"f.html": silence, "g.html": "2024-01-07", "h.html": silence,
	}))
}

// TestTextsThatAreMissing asks a clone that has no contents of files, and no network: what
// lies behind a deploy has no date.
func TestTextsThatAreMissing(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	deploy := func(day, text string) {
		r.write("a.html", text+"|"+day)
		r.write("b.html", "text|"+day)
		r.write("c.html", "text|"+day)
		r.on(day)
	}
	deploy("01-01", "text")
	r.add("01-02", "a.html", "edited|01-02")
	deploy("01-03", "edited")
	silent(t, r.expect(published, map[string]string{"a.html": "2024-01-02", "b.html": silence, "c.html": silence}))
	c := r.clone("--filter=blob:none")
	silent(t, c.expect(published, map[string]string{"a.html": "last changed by a deploy", "b.html": silence, "c.html": silence}))
}

// TestSiteThatGrew deploys a site of few pages, all of which it had then, and adds many.
func TestSiteThatGrew(t *testing.T) {
	t.Parallel()
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
	silent(t, r.expect(published, want))
}

// TestDeploysBeyondTheBoundary asks a shallow clone, which has one deploy.
func TestDeploysBeyondTheBoundary(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	for _, day := range []string{"01-01", "01-02", "01-03"} {
		for _, name := range []string{"a.html", "b.html", "c.html"} {
			r.write(name, day)
		}
		r.on(day)
	}
	c := r.clone("--depth=2")
	diags := c.expect(published, map[string]string{"a.html": "last changed at or beyond", "b.html": "last changed at or beyond", "c.html": "last changed at or beyond"})
	one(t, diags, "git-shallow", "fetch")
}

// TestEditedBuiltFile edits what a deploy brought.
func TestEditedBuiltFile(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	for _, name := range []string{"a.html", "b.html", "c.html", "d.html"} {
		r.write(name, "built")
	}
	r.on("01-01")
	r.write("a.html", "edited")
	if err := os.Remove(filepath.Join(r.dir, "d.html")); err != nil {
		t.Fatal(err)
	}
	silent(t, r.expect(published, map[string]string{"a.html": "edited", "b.html": silence, "c.html": silence}))
}

// TestDeploysOfAThird changes a third of a large folder, and then a little less.
func TestDeploysOfAThird(t *testing.T) {
	t.Parallel()
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
	silent(t, r.expect(published, want))
}
