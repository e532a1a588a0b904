package page

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"testing/iotest"

	"github.com/sitewalk/sitewalk/diag"
)

var noPos diag.Pos

func readFacts(t testing.TB, o Options, src io.Reader) *Facts {
	t.Helper()
	var f Facts
	if err := NewReader(o).ReadHTML(src, &f); err != nil {
		t.Fatal(err)
	}
	return &f
}

// beyondOracle matches pages that golang.org/x/net/html reads differently from the HTML standard.
// They have a < in an escaped script, or SVG, MathML or parts of tables in templates.
var beyondOracle = regexp.MustCompile(`(?is)<script.*<!--.*<[^/a-z]|<template.*<(svg|math|select|table|t[dhr]|tbody|thead|tfoot|col|caption|frame|body|html)|<frameset`)

func checkAgainstOracle(t *testing.T, src []byte) {
	t.Helper()
	var f Facts
	r := NewReader(Options{Titles: true, Alternates: true})
	if err := r.ReadHTML(bytes.NewReader(src), &f); err != nil {
		t.Fatal(err)
	}
	got := factsOf(&f)
	want, err := oracleFacts(src, r)
	if err != nil {
		t.Skip(err)
	}
	if got.Lang == "" {
		want.Lang = "" // the parser also takes it from html tags in the body
	}
	if got != want {
		t.Errorf("facts differ from x/net/html's\n got %+v\nwant %+v\nsource %q", got, want, shorten(string(src)))
	}
}

func corpus(t testing.TB) map[string][]byte {
	files, err := filepath.Glob("testdata/*/*.html")
	if err != nil || len(files) == 0 {
		t.Fatal("no corpus", err)
	}
	m := make(map[string][]byte)
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		m[filepath.ToSlash(f)] = b
	}
	return m
}

func TestHeadAgreesWithOracle(t *testing.T) {
	for name, src := range corpus(t) {
		t.Run(name, func(t *testing.T) { checkAgainstOracle(t, src) })
	}
	for _, c := range heads {
		t.Run(c.name, func(t *testing.T) { checkAgainstOracle(t, []byte(c.src)) })
	}
}

func TestHeadInPieces(t *testing.T) {
	o := Options{Titles: true, Alternates: true}
	check := func(t *testing.T, src []byte) {
		want := factsOf(readFacts(t, o, bytes.NewReader(src)))
		for _, r := range []io.Reader{
			iotest.OneByteReader(bytes.NewReader(src)),
			iotest.HalfReader(bytes.NewReader(src)),
			iotest.DataErrReader(bytes.NewReader(src)),
		} {
			if got := factsOf(readFacts(t, o, r)); got != want {
				t.Errorf("read in pieces\n got %+v\nwant %+v", got, want)
			}
		}
	}
	for name, src := range corpus(t) {
		t.Run(name, func(t *testing.T) { check(t, src) })
	}
	for _, c := range heads {
		t.Run(c.name, func(t *testing.T) { check(t, []byte(c.src)) })
	}
}

func TestHead(t *testing.T) {
	for _, c := range heads {
		t.Run(c.name, func(t *testing.T) {
			got := factsOf(readFacts(t, Options{Titles: true, Alternates: true}, bytes.NewReader([]byte(c.src))))
			if got != c.want {
				t.Errorf("%s\n got %+v\nwant %+v", c.src, got, c.want)
			}
		})
	}
}

func FuzzHead(f *testing.F) {
	for _, src := range corpus(f) {
		f.Add(src)
	}
	f.Add([]byte("<script type=application/ld+json>{\"@type\":\"Article\",\"name\":\"a\x00\",\"dateModified\":\"2024-03-04\"}</script>"))
	for _, c := range heads {
		f.Add([]byte(c.src))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) > firstRead || beyondOracle.Match(oracleDecode(src, len(src))) {
			t.Skip()
		}
		checkAgainstOracle(t, src)
	})
}
