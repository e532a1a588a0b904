package page_test

import (
	"fmt"
	"strings"

	"github.com/sitewalk/sitewalk/page"
)

func ExampleReader_ReadHTML() {
	const src = `<!DOCTYPE html>
<html lang="en">
<title>Redirecting</title>
<link rel="canonical" href="https://example.com/new/">
<meta http-equiv="refresh" content="0; url=https://example.com/new/">`

	r := page.NewReader(page.Options{Titles: true})
	var f page.Facts
	if err := r.ReadHTML(strings.NewReader(src), &f); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(f.Title, f.Canonical)
	fmt.Println(f.Skips.First().Reason, f.Skips.First().Pos.Line, f.Refresh)
	// Output:
	// Redirecting https://example.com/new/
	// redirect 5 https://example.com/new/
}

func ExampleOptions_body() {
	read := func(src string) page.Facts {
		var f page.Facts
		r := page.NewReader(page.Options{ContentHash: true, Images: true, EditLinks: true})
		if err := r.ReadHTML(strings.NewReader(src), &f); err != nil {
			fmt.Println(err)
		}
		return f
	}
	a := read(`<nav>Home</nav><main><h1>Title</h1><p>Text <img src="/a.png"></main><footer>© 2024
		<a href="https://github.com/o/r/edit/main/a.md">Edit this page</a></footer>`)
	b := read(`<nav>Start</nav><main> <h1>Title</h1> <div>Text</div> <img src="/b.png"></main><footer>© 2025</footer>`)
	fmt.Println(a.Fingerprint == b.Fingerprint)
	fmt.Println(a.URL.Images[0].Loc, a.EditLinks[0])
	// Output:
	// true
	// /a.png https://github.com/o/r/edit/main/a.md
}

func ExampleParseRobots() {
	d := page.ParseRobots("googlebot: noindex, nofollow")
	fmt.Println(d.NoIndex(), d.NoIndex("googlebot"))
	fmt.Println(page.ParseRobots("noindexifembedded").NoIndex())
	// Output:
	// false true
	// false
}

func ExampleIsErrorPage() {
	fmt.Println(page.IsErrorPage("de/404.html", nil), page.IsErrorPage("templates/404/index.html", nil))
	// Output: true false
}
