package page

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

func TestHeads(t *testing.T) {
	for name, c := range map[string]struct {
		src  string
		want []string
	}{
		"all": {
			"<!doctype html>\n<html lang=de><head><title>A &amp; B</title><meta name=description content=c>\n<link rel=canonical href=/a/></head><body><h1>x",
			[]string{"html  2:1", "lang de 2:1", "head  2:15", "title A & B 2:21", "description c 2:45", "canonical /a/ 3:1", "h1  3:43"},
		},
		"no tags":              {"<title>a</title><p><h1>b</h1>", []string{"title a 1:1", "h1  1:20"}},
		"empty":                {"", nil},
		"empty texts":          {`<title> </title><meta name=description content=" "><html lang="">`, []string{"html  1:52"}},
		"the first counts":     {"<title>a</title><title>b</title><meta name=description content=c><meta name=description content=d>", []string{"title a 1:1", "description c 1:33"}},
		"title in a picture":   {"<svg><title>a</title></svg><title>b</title>", []string{"title b 1:28"}},
		"in the body":          {"<head></head><body><title>a</title><meta name=description content=b><link rel=canonical href=c><h1>", []string{"head  1:1", "h1  1:96"}},
		"in a comment":         {"<body><!--<h1>--><script>'<h1>'</script><template><h1></template><noscript><h1></noscript>", nil},
		"property and name":    {`<meta name="description" property="og:description" content="a">`, []string{"description a 1:1"}},
		"images":               {`<meta property=OG:image content=a><meta name=twitter:image content=b><meta property=og:image:width content=1>`, []string{"image a 1:1", "image b 1:35"}},
		"data in the body":     {`<body><h1>a</h1><script type="application/ld+json">{}</script><p>`, []string{"h1  1:7", "data {} 1:52"}},
		"copy":                 {`<link rel=alternate type=text/markdown href=a.md><link rel=alternate type=text/html href=b>`, []string{"copy a.md 1:1"}},
		"upper case":           {`<HTML LANG=en><TITLE>a</TITLE><BODY><H1>b</H1>`, []string{"html  1:1", "lang en 1:1", "title a 1:15", "h1  1:37"}},
		"other encoding":       {"<meta charset=latin1><title>\xe9</title>", []string{"title é 1:22"}},
		"base before an image": {`<base href=/b/><meta property=og:image content=a>`, []string{"base /b/ 1:1", "image a 1:16"}},
	} {
		t.Run(name, func(t *testing.T) {
			var h Heads
			var got []string
			h.Find([]byte(c.src), func(kind HeadKind, value []byte, at int) {
				names := []string{"html", "head", "lang", "title", "description", "base", "canonical", "url", "image", "data", "h1", "copy"}
				got = append(got, fmt.Sprintf("%s %s %s", names[kind], value, strings.TrimPrefix(h.Pos(at).String(), ":")))
			})
			if !slices.Equal(got, c.want) {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestLinkedAddresses(t *testing.T) {
	for script, want := range map[string]string{
		`{"@id": "https://a/#b", "url": "https://a/c", "image": ["/d.png", {"@type": "ImageObject", "url": "http://a/e.png"}]}`: "/d.png http://a/e.png https://a/c",
		`{"@graph": [{"mainEntityOfPage": {"@type": "WebPage", "@id": "https://a/"}, "sameAs": "https://a/f"}]}`:                "https://a/",
		`{"itemListElement": [{"item": {"@id": "https://a/g", "name": "/h"}}, {"item": "https://a/i"}]}`:                        "https://a/g https://a/i",
		`{"potentialAction": {"target": {"urlTemplate": "https://a/?q={q}"}}, "url": "a.html", "image": ""}`:                    "",
		`{"url": "/a",}`: "error",
		"":               "error",
		`[]`:             "",
	} {
		got, err := AddressesInJSONLD([]byte(script))
		if text := strings.Join(got, " "); err == nil && text != want || err != nil && want != "error" {
			t.Errorf("%s: got %q, %v", script, text, err)
		}
	}
}

// FuzzHeads compares the number of h1 tags with that of the tokenizer of golang.org/x/net/html. The
// tokenizer knows neither templates nor the content model of noscript.
func FuzzHeads(f *testing.F) {
	f.Add("<h1>x</h1><p>y<H1>")
	f.Add("<!-- <h1> --><script>\"<h1>\"</script><H1 class=a>")
	f.Fuzz(func(t *testing.T, body string) {
		src := "<!doctype html><html><head></head><body>" + body
		got, want := 0, 0
		var h Heads
		h.Find([]byte(src), func(k HeadKind, _ []byte, at int) {
			if h.Pos(at); k == HeadH1 {
				got++
			}
		})
		lower := strings.ToLower(body)
		for _, other := range []string{"<template", "<noscript", "<plaintext", "<!", "<?", "</", "script", "\x00"} {
			if strings.Contains(lower, other) {
				return
			}
		}
		z := html.NewTokenizer(strings.NewReader(string(toUTF8([]byte(src)))))
		for token := z.Next(); token != html.ErrorToken; token = z.Next() {
			if name, _ := z.TagName(); string(name) == "h1" && (token == html.StartTagToken || token == html.SelfClosingTagToken) {
				want++
			}
		}
		if got != want {
			t.Errorf("%d h1, want %d", got, want)
		}
	})
}
