package page

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

func fingerprint(t testing.TB, o FingerprintOptions, src string) string {
	t.Helper()
	return readFacts(t, Options{ContentHash: true, Fingerprint: o}, strings.NewReader(src)).Fingerprint
}

// edited returns src with old replaced by new. It fails the test if src does not contain old.
func edited(t *testing.T, src, old, new string) string {
	t.Helper()
	if !strings.Contains(src, old) {
		t.Fatalf("no %q in the fixture", old)
	}
	return strings.ReplaceAll(src, old, new)
}

func fixture(t testing.TB, name string) string {
	t.Helper()
	b, err := os.ReadFile("testdata/bodies/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestFingerprintOfPost makes one change to testdata/bodies/post.html in each case. Each case
// states whether the fingerprint changes.
func TestFingerprintOfPost(t *testing.T) {
	src := fixture(t, "post.html")
	want := fingerprint(t, FingerprintOptions{}, src)
	if len(want) != 16 {
		t.Fatalf("fingerprint %q", want)
	}
	for _, c := range []struct {
		name, old, new string
		changes        bool
	}{
		{"asset hash", "3f2a1b9c", "00ff00ff", false},
		{"integrity", "sha256-abc", "sha256-def", false},
		{"nonce and build id", "r4nd0m", "0th3r", false},
		{"build id", "1a2b3c4", "9d8e7f6", false},
		{"navigation", `<li><a href="/posts/">Posts</a></li>`, `<li><a href="/posts/">Posts</a></li><li><a href="/about/">About</a></li>`, false},
		{"site header", `>Example</a><nav>`, `>Sample</a><nav>`, false},
		{"site footer", "© 2024 Example", "© 2025 Example Inc. All rights reserved", false},
		{"script added", "<h2 ", "<script>var a = '<p>b</p>'</script><style>p{}</style><h2 ", false},
		{"comment", "theme 1.0", "theme 2.0 > <b>", false},
		{"comment removed", "<!-- rendered by theme 1.0 -->", "", false},
		{"comment in a word", "quick", "qu<!-- x -->ick", false},
		{"white space", "\n", "\n\n  ", false},
		{"white space between blocks", "</li><li>", "</li>\n  <li>", false},
		{"classes", `class="post"`, `class="post dark" data-x="1" style="a"`, false},
		{"highlighter", `<span class="k">func</span>`, `<b class="kd">fu</b>nc`, false},
		{"sign beside a heading", "¶", "#", false},
		{"heading's id", "#more", "#more-1", false},
		{"entities", "&amp;", "&#38;", false},
		{"no-break space", "&nbsp;", " ", false},
		{"previous link", "Previous", "Before", false},
		{"related posts", "Another post", "A third post", false},
		{"shown date", "1 January 2024", "Jan 1, 2024", false},
		{"link's query and fragment", "?ref=a#top", "?ref=b", false},
		{"link's scheme", `"https://example.com/posts/dog`, `"http://example.com/posts/dog`, false},
		{"domain", "https://example.com/", "https://example.org/", false},
		{"wrapped", `<main id="main">`, `<main id="main"><div class="grid">`, false},

		{"word", "brown", "red", true},
		{"word added", "fox jumps", "fox never jumps", true},
		{"word removed", "lazy ", "", true},
		{"case", "The ", "the ", true},
		{"words joined", "brown fox", "brownfox", true},
		{"punctuation", "x = y + 1", "x = y - 1", true},
		{"heading", ">More ", ">Less ", true},
		{"code", "return", "panic", true},
		{"list item", "two", "three", true},
		{"order", "<li>one</li><li>two</li>", "<li>two</li><li>one</li>", true},
		{"note", "Mind the gap", "Mind the step", true},
		{"lead in the header", "3 min read", "4 min read", true},
		{"link's target", "/posts/dog/", "/posts/cat/", true},
		{"link's text", "lazy dog", "lazy cat", true},
		{"picture's text", `alt="A fox"`, `alt="A red fox"`, true},
		{"title", "<title>A post", "<title>The post", true},
		{"description", "About things", "About foxes", true},
		{"canonical", `rel="canonical" href="https://example.com/posts/a/`, `rel="canonical" href="https://example.com/posts/b/`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := fingerprint(t, FingerprintOptions{}, edited(t, src, c.old, c.new))
			if (got != want) != c.changes {
				t.Errorf("%q → %q: changed %v, want %v", c.old, c.new, got != want, c.changes)
			}
		})
	}
}

// TestFingerprintPairs compares the fingerprints of two pages. Each case states whether they are
// equal.
func TestFingerprintPairs(t *testing.T) {
	for _, c := range []struct {
		name, a, b string
		o          FingerprintOptions
		same       bool
	}{
		{"copyright year", "<p>x<div>© 2024 A</div>", "<p>x<div>© 2024–2025 A</div>", FingerprintOptions{}, true},
		{"copyright in words", "<p>x<p>Copyright (c) 1999-2024 A", "<p>x<p>Copyright (c) 1999-2025 A", FingerprintOptions{}, true},
		{"copyright holder", "<p>© 2024 A", "<p>© 2024 B", FingerprintOptions{}, false},
		{"other years", "<p>In 2024", "<p>In 2025", FingerprintOptions{}, false},
		{"main before the rest", "<div>a</div><main>x</main><div>b</div>", "<div>c</div><main>x</main>", FingerprintOptions{}, true},
		{"article before the rest", "<div>a</div><article>x</article>", "<article>x</article><p>d", FingerprintOptions{}, true},
		{"main before article", "<article>a</article><main>x</main>", "<main>x</main>", FingerprintOptions{}, true},
		{"empty main", "<main> <nav>a</nav></main><p>x", "<p>x", FingerprintOptions{}, true},
		{"all articles", "<article>a</article><article>b</article>", "<article>a</article>", FingerprintOptions{}, false},
		{"role main", "<div>a</div><div role=main>x</div>", "<div role=main>x</div>", FingerprintOptions{}, true},
		{"role navigation", "<div role=navigation>a</div>x", "x", FingerprintOptions{}, true},
		{"nested divs of a role", "<div role=navigation><div>a</div>b</div>x", "x", FingerprintOptions{}, true},
		{"hidden", "<p hidden>a</p>x<b aria-hidden=true>c</b>", "x", FingerprintOptions{}, true},
		{"noscript", "x<noscript>a</noscript>", "x", FingerprintOptions{}, true},
		{"template", "x<template><p>a</template>", "x", FingerprintOptions{}, true},
		{"form values", "x<input value=a><textarea>b</textarea>", "x", FingerprintOptions{}, true},
		{"svg title", "x<svg><title>a</title><style/></svg>y", "xy", FingerprintOptions{}, false},
		{"unclosed nav in main", "<main><nav>a</main><p>b", "<p>b", FingerprintOptions{}, true},
		{"end tags left out", "<ul><li>a<li>b</ul><p>c<p>d", "<ul><li>a</li><li>b</li></ul><p>c</p><p>d</p>", FingerprintOptions{}, true},
		{"upper case", "<NAV>a</NAV><MAIN>x</MAIN>", "<main>x</main>", FingerprintOptions{}, true},
		{"aside", "<main>x<aside>a</aside></main>", "<main>x</main>", FingerprintOptions{}, true},
		{"frame's source", "<main>x<iframe src=https://v.example/1></iframe>", "<main>x<iframe src=https://v.example/2></iframe>", FingerprintOptions{}, false},

		{"exclude element", "x<dl><dt>a</dl>", "x", FingerprintOptions{Exclude: []string{"dl"}}, true},
		{"exclude id", "x<p id=a>a</p>", "x", FingerprintOptions{Exclude: []string{"#a"}}, true},
		{"exclude class", "x<i class='b a'>a</i>", "x", FingerprintOptions{Exclude: []string{".a"}}, true},
		{"exclude other class", "x<i class='b aa'>a</i>", "x", FingerprintOptions{Exclude: []string{".a"}}, false},
		{"exclude compound", "x<i class=a>a</i>", "x", FingerprintOptions{Exclude: []string{"b.a"}}, false},
		{"exclude within main", "<main>x<b>a</b></main>", "<main>x</main>", FingerprintOptions{Exclude: []string{"b"}}, true},
		{"exclude p without end tag", "<p class=a>a<p>x", "<p>x", FingerprintOptions{Exclude: []string{".a"}}, true},
		{"exclude li without end tag", "<ul><li class=a>a<ul><li>b</ul><li>x</ul>", "<ul><li>x</ul>", FingerprintOptions{Exclude: []string{".a"}}, true},
		{"exclude last li without end tag", "<ul><li class=a>a</ul>x", "x", FingerprintOptions{Exclude: []string{".a"}}, true},
		{"include", "<main>a<div id=x>b<i>c</i></div>d</main>", "<p id=x>b<i>c</i>", FingerprintOptions{Include: []string{"#x"}}, true},
		{"include what is ignored", "<p>a<footer>b</footer>", "<footer>b</footer>", FingerprintOptions{Include: []string{"footer"}}, true},
		{"include within what is ignored", "<p>a<nav>b<i class=x>c</i>d</nav>", "<i class=x>c</i>", FingerprintOptions{Include: []string{".x"}}, true},
		{"include nothing there", "<p>a<main>b</main>", "<main>b</main>", FingerprintOptions{Include: []string{".x"}}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, b := fingerprint(t, c.o, c.a), fingerprint(t, c.o, c.b)
			if (a == b) != c.same {
				t.Errorf("%s and %s: same %v, want %v", c.a, c.b, a == b, c.same)
			}
		})
	}
}

// TestFingerprintSeesEachWord checks that a change of any word in the article changes the
// fingerprint, and that a change of other text does not.
func TestFingerprintSeesEachWord(t *testing.T) {
	src := fixture(t, "post.html")
	want := fingerprint(t, FingerprintOptions{}, src)
	body := strings.Index(src, "<p>The")
	end := strings.Index(src, "<footer><a")
	for i := body; i < end; i++ {
		if c := src[i]; !isAlnum(c) || strings.LastIndexByte(src[:i], '<') > strings.LastIndexByte(src[:i], '>') ||
			strings.LastIndexByte(src[:i], '&') > strings.LastIndexByte(src[:i], ';') {
			continue
		}
		if got := fingerprint(t, FingerprintOptions{}, src[:i]+"Z"+src[i+1:]); got == want {
			t.Errorf("changing %q at %d is not seen", src[i:i+10], i)
		}
	}
}

// TestFingerprintIgnoresInsertions inserts content that is not shown between any two tags. The
// fingerprint does not change.
func TestFingerprintIgnoresInsertions(t *testing.T) {
	src := fixture(t, "post.html")
	want := fingerprint(t, FingerprintOptions{}, src)
	for _, in := range []string{
		"<!-- c -->", "<script>a('<p>')</script>", "<style>p{}</style>", "<nav>menu</nav>", "<template><p>x</template>",
		"<noscript>x</noscript>", "<link rel=prefetch href=/a>", "<span hidden>x</span>",
	} {
		for i := strings.Index(src, "<article"); i < strings.Index(src, "</main>"); i++ {
			if src[i] != '>' || strings.HasSuffix(src[:i], "--") {
				continue
			}
			if got := fingerprint(t, FingerprintOptions{}, src[:i+1]+in+src[i+1:]); got != want {
				t.Errorf("%s after %q changes the fingerprint", in, src[max(0, i-20):i+1])
			}
		}
	}
}

func TestFingerprintVersion(t *testing.T) {
	a, b := FingerprintOptions{Include: []string{"a"}}, FingerprintOptions{Exclude: []string{"a"}}
	if v := (FingerprintOptions{}).Version(); v != FingerprintVersion || a.Version() == b.Version() || a.Version() == v {
		t.Errorf("versions %q %q %q", v, a.Version(), b.Version())
	}
}

func TestSelectors(t *testing.T) {
	for s, ok := range map[string]bool{
		"div": true, "#a": true, ".a": true, "div#a.b.c": true, "my-x": true, ".a:b": false,
		"": false, "a b": false, "a>b": false, "#": false, "a..b": false, "*": false, "[x]": false, "#a#b": false,
	} {
		if err := (FingerprintOptions{Exclude: []string{s}}).Check(); (err == nil) != ok {
			t.Errorf("%q: %v", s, err)
		}
	}
}

func TestImages(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"img", `<img src="/a.png"><img src=b.png alt=x>`, "/a.png b.png"},
		{"twice", `<img src=/a.png><img src=/a.png>`, "/a.png"},
		{"entities", `<img src="/a.png?x=1&amp;y=2">`, "/a.png?x=1&y=2"},
		{"data", `<img src="data:image/png;base64,AA"><img src="DATA:x" srcset="/s.png 1x, /l.png 2x">`, "/l.png"},
		{"no source", `<img><img src=""><img src="#a">`, ""},
		{"srcset", `<img srcset="/a-320.png 320w, /a-640.png 640w,/a-480.png 480w">`, "/a-640.png"},
		{"srcset, commas", `<img srcset="/a,b.png, /c.png 2x,">`, "/c.png"},
		{"picture", `<picture><source srcset="/a.avif 1x, /b.avif 2x"><img src=/a.jpg></picture>`, "/a.jpg"},
		{"video", `<video><source src=/v.mp4 srcset=/no.png></video>`, ""},
		{"around the content", `<header><img src=/h.png></header><nav><img src=/n.png></nav><footer><img src=/f.png></footer><aside><img src=/s.png></aside><img src=/a.png>`, "/a.png"},
		{"header of the content", `<header><img src=/h.png></header><main><header><img src=/a.png></header><aside><img src=/s.png></aside><aside class=note><img src=/b.png></aside></main>`, "/a.png /b.png"},
		{"outside of main", `<img src=/o.png><main><p>x</p><img src=/a.png></main><img src=/p.png>`, "/a.png"},
		{"outside of main and in it", `<img src=/o.png><img src=/a.png><main><p>x</p><img src=/a.png></main><img src=/o.png>`, "/a.png"},
		{"pixel", `<img src=/p.gif width=1 height=1>`, ""},
		{"noscript and template", `<noscript><img src=/n.png></noscript><template><img src=/t.png></template><!-- <img src=/c.png> -->`, ""},
		{"og:image", `<meta property="og:image" content="https://example.com/og.png"><main>x<img src=/a.png></main>`, "https://example.com/og.png /a.png"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, i := range readFacts(t, Options{Images: true}, strings.NewReader(c.src)).URL.Images {
				got = append(got, i.Loc)
			}
			if s := strings.Join(got, " "); s != c.want {
				t.Errorf("%s: got %q, want %q", c.src, s, c.want)
			}
		})
	}
}

func TestImagesAreBounded(t *testing.T) {
	var b strings.Builder
	for i := range 2 * maxImages {
		fmt.Fprintf(&b, "<img src=/%d.png>", i)
	}
	if n := len(readFacts(t, Options{Images: true}, strings.NewReader(b.String())).URL.Images); n != maxImages {
		t.Errorf("%d images", n)
	}
}

func TestEditLinks(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"none", `<a href="/posts/">x</a><a>y</a>`, ""},
		{"GitHub", `<a href="https://github.com/o/r/edit/main/docs/a.md">Edit</a>`, "https://github.com/o/r/edit/main/docs/a.md"},
		{"GitLab", `<a href="https://gitlab.com/o/r/-/edit/main/a.md">x</a>`, "https://gitlab.com/o/r/-/edit/main/a.md"},
		{"Codeberg", `<a href="https://codeberg.org/o/r/_edit/main/a.md">x</a>`, "https://codeberg.org/o/r/_edit/main/a.md"},
		{"Bitbucket", `<a href="https://bitbucket.org/o/r/src/main/a.md?mode=edit">x</a>`, "https://bitbucket.org/o/r/src/main/a.md?mode=edit"},
		{"in the footer", `<footer><nav><a href="/o/r/edit/main/a.md">x</a></nav></footer>`, "/o/r/edit/main/a.md"},
		{"a form before views", `<a href=/o/r/blob/main/x.go>x.go</a><a href=/o/r/edit/main/a.md>x</a><a href=/o/r/blob/main/b.md>source</a>`, "/o/r/edit/main/a.md"},
		{"named before others", `<a href=/o/r/blob/main/x.md>x.md</a><a href=/o/r/tree/main/a.md><svg></svg> <b>Edit</b> this page</a>`, "/o/r/tree/main/a.md"},
		{"named by its title", `<a href=/o/r/blob/main/x.md>x</a><a title="View source" href=/o/r/blob/main/a.md></a>`, "/o/r/blob/main/a.md"},
		{"named by rel", `<a href=/o/r/blob/main/x.md>x</a><a rel=edit href=/o/r/blob/main/a.md></a>`, "/o/r/blob/main/a.md"},
		{"only views", `<a href=/o/r/blob/main/x.md>x</a><a href=/o/r/blob/main/a.md?plain=1>a`, "/o/r/blob/main/x.md /o/r/blob/main/a.md?plain=1"},
		{"twice", `<a href=/edit/a.md>x</a><a href=/edit/a.md>y</a>`, "/edit/a.md"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := readFacts(t, Options{EditLinks: true}, strings.NewReader(c.src)).EditLinks
			if s := strings.Join(got, " "); s != c.want {
				t.Errorf("%s: got %q, want %q", c.src, s, c.want)
			}
		})
	}
}

func TestOGURL(t *testing.T) {
	for src, want := range map[string]string{
		`<meta property="og:url" content="/a"><meta property="og:url" content="/b">`: "/a",
		`<meta name="OG:URL" content="/a">`:                                          "/a",
		`<meta property="og:url" content="">`:                                        "",
		`<body><meta property="og:url" content="/a">`:                                "",
	} {
		if got := readFacts(t, Options{}, strings.NewReader(src)).OGURL; got != want {
			t.Errorf("%s: got %q, want %q", src, got, want)
		}
	}
}

func TestDateInBody(t *testing.T) {
	const src = `<body><script type="application/ld+json">{"@type":"Article","dateModified":"2024-05-06"}</script>`
	if f := readFacts(t, Options{}, strings.NewReader(src)); f.LastModBy != "" {
		t.Errorf("the body was read: %v", f.URL.LastMod)
	}
	if f := readFacts(t, Options{Images: true}, strings.NewReader(src)); f.URL.LastMod != day("2024-05-06") {
		t.Errorf("got %v", f.URL.LastMod)
	}
}

// bodyFacts returns all facts of a page as text that can be compared.
func bodyFacts(t testing.TB, r io.Reader) string {
	f := readFacts(t, Options{Titles: true, Alternates: true, ContentHash: true, Images: true, EditLinks: true}, r)
	return fmt.Sprintf("%+v", *f)
}

func checkInPieces(t *testing.T, src []byte) {
	t.Helper()
	want := bodyFacts(t, bytes.NewReader(src))
	for name, r := range map[string]io.Reader{
		"one by one": iotest.OneByteReader(bytes.NewReader(src)),
		"halves":     iotest.HalfReader(bytes.NewReader(src)),
		"data, EOF":  iotest.DataErrReader(bytes.NewReader(src)),
	} {
		if got := bodyFacts(t, r); got != want {
			t.Errorf("%s\n got %s\nwant %s", name, got, want)
		}
	}
}

func TestBodyInPieces(t *testing.T) {
	for name, src := range corpus(t) {
		t.Run(name, func(t *testing.T) { checkInPieces(t, src) })
	}
	// Longer than any buffer. Any split is inside a tag, reference, comment or character.
	long := slices.Concat([]byte("<main>"), bytes.Repeat([]byte("<p>© 2024 é&eacute;&#x20ac; <b>a</b>&nbsp;\u00a0<!-- c --><script>'</p>'</script>日本 x &amp y</p>"), 3000))
	checkInPieces(t, long)
}

func FuzzBody(f *testing.F) {
	for _, src := range corpus(f) {
		f.Add(src, 3)
	}
	f.Fuzz(func(t *testing.T, src []byte, at int) {
		if len(src) > 4<<10 {
			t.Skip()
		}
		checkInPieces(t, src)
		want := fingerprint(t, FingerprintOptions{}, string(src))
		if again := fingerprint(t, FingerprintOptions{}, string(src)); again != want {
			t.Errorf("two fingerprints of one page: %q, %q", want, again)
		}
	})
}
