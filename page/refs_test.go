package page

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/testsite"
)

// refsOf returns the addresses that Refs finds in a page, each as one line of text.
func refsOf(src []byte) (out []string) {
	s := Refs{Anchors: true}
	s.Find(bytes.Clone(src), func(r Ref) { out = append(out, fmt.Sprintf("%d %s", r.Kind, r.Value)) })
	return out
}

// oracleRefs finds the same addresses with the tokenizer of golang.org/x/net/html. The tokenizer
// decides where markup begins and ends. A table in this file decides which attributes are
// addresses.
func oracleRefs(src []byte) (out []string) {
	z := html.NewTokenizer(bytes.NewReader(src))
	based, template := false, 0
	add := func(kind RefKind, v string) {
		if v != "" {
			out = append(out, fmt.Sprintf("%d %s", kind, v))
		}
	}
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			return out
		}
		t := z.Token()
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken && kind != html.EndTagToken {
			continue
		}
		if t.Data == "noscript" && kind == html.StartTagToken {
			z.NextIsNotRawText()
		}
		if t.Data == "template" {
			if kind == html.EndTagToken {
				template = max(0, template-1)
			} else {
				template++
			}
		}
		if template > 0 || kind == html.EndTagToken {
			continue
		}
		val := map[string]string{}
		for _, a := range t.Attr {
			if _, twice := val[a.Key]; !twice {
				val[a.Key] = strings.Trim(a.Val, " \t\n\f\r")
			}
			if (a.Key == "id" || a.Key == "name" && t.Data == "a") && a.Val == val[a.Key] {
				out = append(out, fmt.Sprintf("%d %s", RefAnchor, a.Val))
			}
		}
		switch t.Data {
		case "a", "area":
			add(RefLink, val["href"])
		case "img", "source", "iframe", "frame", "script", "video", "audio":
			add(RefResource, val["src"])
		case "base":
			if href, ok := val["href"]; ok && !based {
				based = true
				add(RefBase, href)
			}
		case "form":
			if m := strings.ToLower(val["method"]); m != "post" && m != "dialog" {
				add(RefLink, val["action"])
			}
		}
		if t.Data == "video" {
			add(RefResource, val["poster"])
		}
	}
}

// TestRefsAgreeWithTheTokenizer compares Refs with the oracle over random markup.
func TestRefsAgreeWithTheTokenizer(t *testing.T) {
	parts := []string{
		`<a href="/a/">`, `<a href=b>`, `<A HREF='c"d'>`, `<p class="x>y">`, `<img src="i.png" alt=">">`, "</a>", "text & more ", `<br/>`,
		`<!-- <a href="no"> -->`, `<script>"<a href=no>"</script>`, `<style>a{}</style>`, `<textarea><a href=no></textarea>`, `<title><a href=no></title>`,
		`<area href="&amp;&#x61;">`, `<iframe src=f><a href=no></iframe>`, `<frameset><frame src=f2></frameset>`, `<form action=g>`, `<form method=POST action=no>`, `<video poster=p src=v>`,
		`<base href="/b/">`, `<p id=x>`, `<a name=y>`, "<", ">", `"`, `=`, "<x y=z\"a>", `<a href="1" href="2">`, `<noscript><img src=n></noscript>`,
		`<?a href=no>`, `<!a href=no>`, `</ a href=no>`, "<a\nhref\n=\n\"q\"\n>", `<a/href=r/>`, `<p ="a>`, `<a hReF=s>`,
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range testsite.Repeat(8000, 100_000) {
		var b strings.Builder
		for range 1 + r.IntN(6) {
			b.WriteString(parts[r.IntN(len(parts))])
		}
		src := []byte(b.String() + "<p>") // so that the page does not end inside a tag; other tests check that case
		if got, want := refsOf(src), oracleRefs(src); !slices.Equal(got, want) {
			t.Fatalf("%s\ngot  %q\nwant %q", src, got, want)
		}
	}
}

// TestRefs finds addresses in markup that the tokenizer does not understand.
func TestRefs(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"srcset", `<img srcset="a.png 1x, b,c.png 2x">`, "1 a.png|1 b,c.png"},
		{"refresh", `<meta http-equiv=refresh content="5; url='a'">`, "4 a"},
		{"hints", `<link rel=preconnect href=a><link rel="alternate" hreflang=de href=b><link rel=icon href=c><link href=d>`, "5 b|1 c"},
		{"links", `<a>x</a><a href="">y</a><a href="#top">z</a><a href="/a&amp;b?q#c">x</a><a href="/a&amp;b?q#c">x</a>`, "0 #top|0 /a&b?q#c|0 /a&b?q#c"},
		{"canonical", `<link rel=canonical href=/a><base href=/b>`, "5 /a|2 /b"},
		{"no markup", `<!-- <a href=a> --><script>"<a href=b>"</script><template><a href=c></template><a href=d>`, "0 d"},
		{"template", `<template><a href=a></template><a href=b>`, "0 b"},
		{"svg", `<svg><style/><a href=a></a></svg><a href=b>`, "0 a|0 b"},
		{"UTF-16", "\xff\xfe<\x00a\x00 \x00h\x00r\x00e\x00f\x00=\x00\xe9\x00>\x00 \x00", "0 é"},
		{"Latin-1", "<meta charset=iso-8859-1><a href=\xe9>x", "0 é"},
		{"cut off", `<a href="a"><a href="b`, "0 a"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := strings.Join(refsOf([]byte(tt.src)), "|"); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// TestRefsOfATree compares Refs with the oracle over the pages of SITEWALK_TREE.
func TestRefsOfATree(t *testing.T) {
	dir := os.Getenv("SITEWALK_TREE")
	if dir == "" {
		t.Skip("SITEWALK_TREE names no folder of HTML files")
	}
	_ = filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ".html" {
			return err
		}
		src, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		got, want := keep(refsOf(src)), keep(oracleRefs(src))
		if !slices.Equal(got, want) {
			i := 0
			for i < min(len(got), len(want)) && got[i] == want[i] {
				i++
			}
			t.Errorf("%s: got %q, want %q", name, got[i:min(i+2, len(got))], want[i:min(i+2, len(want))])
		}
		return nil
	})
}

// keep returns the addresses that people follow, and the names that fragments may refer to.
func keep(refs []string) []string {
	return slices.DeleteFunc(refs, func(s string) bool { return s[0] == '1' })
}

func FuzzRefs(f *testing.F) {
	f.Add([]byte(`<a href="/a/"><img srcset="b 2x"><script><!--<script></script>`))
	f.Add([]byte("\xff\xfe<\x00a\x00"))
	f.Fuzz(func(t *testing.T, src []byte) {
		s := Refs{Anchors: true}
		var all, fast []string
		(&Refs{}).Find(src, func(r Ref) {
			fast = append(fast, fmt.Sprintf("%d %s %d", r.Kind, r.Value, r.At))
		})
		s.Find(src, func(r Ref) {
			if r.Kind != RefAnchor {
				all = append(all, fmt.Sprintf("%d %s %d", r.Kind, r.Value, r.At))
			}
			before := s.buf[:r.At]
			want := diag.Pos{Line: 1 + bytes.Count(before, newline), Col: r.At - bytes.LastIndexByte(before, '\n')}
			if p := s.Pos(r.At); p != want {
				t.Errorf("%q stands at %v, want %v", r.Value, p, want)
			}
		})
		if !slices.Equal(all, fast) {
			t.Errorf("with the names of places %q, without %q", all, fast)
		}
		var read, lent Facts
		r := NewReader(Options{EditLinks: true})
		_ = r.ReadHTML(io.Reader(bytes.NewReader(src)), &read)
		if r.ReadBytes(src, &lent); fmt.Sprint(read.EditLinks, read.Diags) != fmt.Sprint(lent.EditLinks, lent.Diags) {
			t.Errorf("read %q %v, lent %q %v", read.EditLinks, read.Diags, lent.EditLinks, lent.Diags)
		}
	})
}
