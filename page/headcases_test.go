package page

import "github.com/sitewalk/sitewalk/sitemap"

func day(s string) sitemap.Date {
	d, err := sitemap.ParseDate(s, nil)
	if err != nil {
		panic(err)
	}
	return d
}

const (
	noindex = `<meta name="robots" content="noindex">`
	out     = NoIndex
)

// heads contains small pages with unusual markup, and the facts in their heads.
var heads = []struct {
	name, src string
	want      headFacts
}{
	{"empty", ``, headFacts{}},
	{"plain", `<!doctype html><html lang="en"><head><title>A &amp; B</title>` + noindex, headFacts{Lang: "en", Title: "A & B", Skip: out}},

	// Spellings of tags and attributes.
	{"upper case", `<HTML LANG=EN><HEAD><META NAME="ROBOTS" CONTENT="NOINDEX">`, headFacts{Lang: "EN", Skip: out}},
	{"unquoted", `<meta name=robots content=noindex>`, headFacts{Skip: out}},
	{"unquoted slash", `<meta name=robots content=noindex/>`, headFacts{}},
	{"single quotes", `<meta name='robots' content='noindex'/>`, headFacts{Skip: out}},
	{"no space between attributes", `<meta name="robots"content="noindex">`, headFacts{Skip: out}},
	{"slashes for spaces", `<meta/name=robots /content="noindex"/>`, headFacts{Skip: out}},
	{"spaces around =", "<meta name\t=\n robots content = 'noindex' >", headFacts{Skip: out}},
	{"content first", `<meta content=noindex name=robots>`, headFacts{Skip: out}},
	{"line ends in a tag", "<meta\r\nname=robots\r\n\tcontent=noindex\f>", headFacts{Skip: out}},
	{"entities in a name", `<meta name="rob&#111;ts" content="&#110;oindex">`, headFacts{Skip: out}},
	{"entity without semicolon", `<meta name="robots" content="no&#105ndex">`, headFacts{Skip: out}},
	{"spaces in the name", `<meta name=" robots " content=" noindex ">`, headFacts{Skip: out}},
	{"> in a value", `<meta title=">" name=robots content=noindex>`, headFacts{Skip: out}},
	{"first of two names wins", `<meta name=x name=robots content=noindex>`, headFacts{}},
	{"first of two contents wins", `<meta name=robots content=noindex content=index>`, headFacts{Skip: out}},
	{"leading = is part of a name", `<meta =name=robots content=noindex>`, headFacts{}},
	{"quote in an unquoted value", `<meta name=robots content=noindex"">`, headFacts{}},
	{"NUL in a value", "<meta name=robots content=no\x00index>", headFacts{}},
	{"NUL in a name", "<meta na\x00me=robots content=noindex>", headFacts{}},
	{"invalid UTF-8", "<title>caf\xe9 \xff\xfe x</title>", headFacts{Title: "café ÿþ x"}},
	{"tag that the page ends in", `<title>x</title><meta name=robots content=noindex `, headFacts{Title: "x"}},
	{"value that the page ends in", `<title>x</title><meta name=robots content="noindex`, headFacts{Title: "x"}},

	// Directives.
	{"none", `<meta name=robots content="none">`, headFacts{Skip: out}},
	{"among others", `<meta name=robots content="nofollow,NoIndex , max-snippet:-1">`, headFacts{Skip: out}},
	{"blank between", `<meta name=robots content="noindex nofollow">`, headFacts{Skip: out}},
	{"strictest wins", `<meta name=robots content=noindex><meta name=robots content="index, follow">`, headFacts{Skip: out}},
	{"strictest wins, other order", `<meta name=robots content=all><meta name=robots content=noindex>`, headFacts{Skip: out}},
	{"googlebot", `<meta name=googlebot content=noindex>`, headFacts{Skip: out}},
	{"other agents", `<meta name=googlebot-news content=noindex><meta name=bingbot content=noindex>`, headFacts{}},
	{"noindexifembedded", `<meta name=robots content="noindexifembedded, indexifembedded">`, headFacts{}},
	{"other words", `<meta name=robots content="index, follow, noimageindex, max-image-preview:none">`, headFacts{}},
	{"other metas", `<meta name=keywords content=noindex><meta name=robotsx content=noindex><meta property=robots content=noindex>`, headFacts{}},
	{"unavailable_after", `<meta name=robots content="unavailable_after: 25 Jun 2010 15:00:00 PST">`, headFacts{Expiry: day("2010-06-25T15:00:00-08:00")}},
	{"unavailable_after, RFC 850", `<meta name=googlebot content="unavailable_after: 25-Aug-2007 15:00:00 EST, noarchive">`, headFacts{Expiry: day("2007-08-25T15:00:00-05:00")}},
	{"unavailable_after, a day", `<meta name=robots content="unavailable_after:2030-09-21, noindex">`, headFacts{Expiry: day("2030-09-21"), Skip: out}},
	{"unavailable_after, the earliest", `<meta name=robots content="unavailable_after:2030-09-21"><meta name=robots content="unavailable_after:2029-09-21">`, headFacts{Expiry: day("2029-09-21")}},
	{"unavailable_after, no date", `<meta name=robots content="unavailable_after: soon">`, headFacts{Codes: "bad-date"}},

	// Text that only looks like a directive.
	{"in a comment", `<!-- ` + noindex + ` --><title>x</title>`, headFacts{Title: "x"}},
	{"comment <!-->", `<!-->` + noindex, headFacts{Skip: out}},
	{"comment <!--->", `<!--->` + noindex, headFacts{Skip: out}},
	{"comment --!>", `<!-- a --!>` + noindex, headFacts{Skip: out}},
	{"comment with dashes", `<!-- a -- > -> ` + noindex + ` ---->` + `<title>x</title>`, headFacts{Title: "x"}},
	{"comment <!----!>", `<!----!>` + noindex, headFacts{Skip: out}},
	{"comment that never ends", `<!-- ` + noindex, headFacts{}},
	{"conditional comment", `<!--[if lt IE 9]>` + noindex + `<![endif]--><![if !IE]><title>x</title><![endif]>`, headFacts{Title: "x"}},
	{"processing instruction", `<?xml version="1.0"?><?php echo "` + noindex + `"?>` + `<title>x</title>`, headFacts{}},
	{"bogus comments", `<!doctype><!><!x></><//x></ x><title>x</title>`, headFacts{Title: "x"}},
	{"CDATA that a > ends", `<![CDATA[ > ` + noindex + ` ]]>`, headFacts{Skip: out}},
	{"CDATA, one tag", `<![CDATA[` + noindex + `]]>`, headFacts{}},
	{"in a script", `<script>document.write('` + noindex + `')</script><title>x</title>`, headFacts{Title: "x"}},
	{"after a script", `<script>if (a</b/.test(c)) {}</script >` + noindex, headFacts{Skip: out}},
	{"script, other end tags", `<script></scripts></scrip></ script>` + noindex + `</SCRIPT/><title>x</title>`, headFacts{Title: "x"}},
	{"escaped script", `<script><!-- </script>` + noindex, headFacts{Skip: out}},
	{"doubly escaped script", `<script><!-- <script> </script> ` + noindex + ` --></script><title>x</title>`, headFacts{Title: "x"}},
	{"doubly escaped script that never ends", `<script><!-- <script> </script>` + noindex, headFacts{}},
	{"escape that ends", `<script><!-- <script> --> </script>` + noindex, headFacts{Skip: out}},
	{"escape that is empty", `<script><!--><script></script>` + noindex, headFacts{Skip: out}},
	{"in a style", `<style>a{}` + noindex + `</style><title>x</title>`, headFacts{Title: "x"}},
	{"in a title", `<title>` + noindex + `</title>`, headFacts{Title: noindex}},
	{"title twice", `<title> a
		b</title><title>c</title>`, headFacts{Title: "a b"}},
	{"empty title first", `<title></title><title>c</title>`, headFacts{}},
	{"one digit without semicolon", "<title>a&#9b</title>", headFacts{Title: "a b"}},
	{"title in two lines", "<title>\r\n a\r\n&nbsp;&#x42;&lt;\x00</title>", headFacts{Title: "a \u00a0B<\ufffd"}},
	{"title that never ends", `<title>a</titl>` + noindex, headFacts{Title: "a</titl>" + noindex}},
	{"in noscript", `<noscript>` + noindex + `<meta http-equiv=refresh content="0;url=/a"></noscript><title>x</title>`, headFacts{Title: "x"}},
	{"script and noscript of Zola lead away", `<script>const t = "/b/"; location.replace(t)</script><noscript><meta http-equiv="refresh" content="0; url=/b/"></noscript>`, headFacts{Refresh: "/b/", Skip: Redirect}},
	{"noscript and script lead away", `<title>Redirecting</title><noscript><meta http-equiv="refresh" content="1; url=latest/" /></noscript><script>window.location.replace("latest/" + window.location.search)</script>`, headFacts{Title: "Redirecting", Refresh: "latest/", Skip: Redirect}},
	{"noscript leads elsewhere than the script", `<script>location.replace("/c/")</script><noscript><meta http-equiv="refresh" content="0; url=/b/"></noscript><p>Hello`, headFacts{}},
	{"script leads below what noscript leads to", `<script>location.href = "/b/c/"</script><noscript><meta http-equiv="refresh" content="0; url=/b/"></noscript><p>Hello`, headFacts{}},
	{"script leads elsewhere from an empty page", `<script>location.replace("/c/")</script><noscript><meta http-equiv="refresh" content="0; url=/b/"></noscript>`, headFacts{Refresh: "/c/", Skip: Redirect}},
	{"script leads below from an empty page", `<script>location.href = "/b/c/"</script><noscript><meta http-equiv="refresh" content="0; url=/b/"></noscript>`, headFacts{Refresh: "/b/c/", Skip: Redirect}},
	{"script asks where it is", `<script>if (location.pathname == "/b/") start()</script><noscript><meta http-equiv="refresh" content="0; url=/b/"></noscript>`, headFacts{}},
	{"noscript alone leads away", `<script>start("/b/")</script><noscript><meta http-equiv="refresh" content="0; url=/b/"></noscript>`, headFacts{}},
	{"pixel in noscript", `<noscript><img src=x></noscript>` + noindex, headFacts{Skip: out}},
	{"noscript after the head", `</head><noscript></noscript>` + noindex, headFacts{}},
	{"in noframes", `<noframes>` + noindex + `</noframes><title>x</title>`, headFacts{Title: "x"}},
	{"in a template", `<template><template></template>` + noindex + `</template><title>x</title>`, headFacts{Title: "x"}},
	{"after a template", `<template><p>a<script></template></script><style></template></style><!--</template>--></template>` + noindex, headFacts{Skip: out}},
	{"template that never ends", `<template>` + noindex, headFacts{}},
	{"in a textarea", `<textarea>` + noindex + `</textarea>`, headFacts{}},
	{"in svg", `<svg><title>` + noindex + `</title></svg>`, headFacts{}},
	{"as code", `<title>x</title><body><pre>` + noindex, headFacts{Title: "x"}},

	// Where the head ends.
	{"no head tag", `<title>x</title>` + noindex, headFacts{Title: "x", Skip: out}},
	{"after </head>", `<head></head>` + noindex + `<body>`, headFacts{Skip: out}},
	{"after <body>", `<head></head><body>` + noindex, headFacts{}},
	{"after text", `<head>text` + noindex, headFacts{}},
	{"after text before the head", `text` + noindex, headFacts{}},
	{"after a space that is text", "\u00a0" + noindex, headFacts{}},
	{"after a second byte order mark", "\ufeff<title>x</title>\ufeff" + noindex, headFacts{Title: "x"}},
	{"after NUL", "\x00" + noindex, headFacts{}},
	{"after references to spaces", `&#32;&#x20;&Tab;&NewLine;&#10&#13;` + noindex, headFacts{Skip: out}},
	{"after a reference to text", `&nbsp;` + noindex, headFacts{}},
	{"after <", `< ` + noindex, headFacts{}},
	{"after a body element", `<head><div></div>` + noindex, headFacts{}},
	{"after an unknown element", `<head><x-y></x-y>` + noindex, headFacts{}},
	{"after an image", `<head><img>` + noindex, headFacts{}},
	{"after </body>", `<head></body>` + noindex, headFacts{}},
	{"after </html>", `<head></html>` + noindex, headFacts{}},
	{"after </br>", `<head></br>` + noindex, headFacts{}},
	{"after other end tags", `</p></div><head></p></title></template></script>` + noindex, headFacts{Skip: out}},
	{"after basefont and bgsound", `<basefont><bgsound><head><head>` + noindex, headFacts{Skip: out}},
	{"after <br>", `<br>` + noindex, headFacts{}},
	{"frameset", `<frameset>` + noindex, headFacts{}},

	// Redirects.
	{"refresh", `<meta http-equiv="refresh" content="0; url=/a/?b=1&amp;c">`, headFacts{Refresh: "/a/?b=1&c", Skip: Redirect}},
	{"refresh, quoted", `<meta http-equiv=REFRESH content="0;URL='https://example.com/'">`, headFacts{Refresh: "https://example.com/", Skip: Redirect}},
	{"refresh, quote that never ends", `<meta http-equiv=refresh content="1,url=&quot;/a ">`, headFacts{Refresh: "/a", Skip: Redirect}},
	{"refresh without url=", `<meta http-equiv=refresh content="0; /a">`, headFacts{Refresh: "/a", Skip: Redirect}},
	{"refresh with blanks", `<meta http-equiv=refresh content="  3  url = /a">`, headFacts{Refresh: "/a", Skip: Redirect}},
	{"refresh, fraction", `<meta http-equiv=refresh content=".5;url=/a">`, headFacts{Refresh: "/a", Skip: Redirect}},
	{"refresh, slow", `<meta http-equiv=refresh content="10;url=/a">`, headFacts{}},
	{"refresh, very slow", `<meta http-equiv=refresh content="99999999999999999999;url=/a">`, headFacts{}},
	{"refresh, nine seconds", `<meta http-equiv=refresh content="9;url=/a">`, headFacts{Refresh: "/a", Skip: Redirect}},
	{"refresh of itself", `<meta http-equiv=refresh content="5">`, headFacts{}},
	{"refresh of nothing", `<meta http-equiv=refresh content="0;url=">`, headFacts{}},
	{"refresh of a fragment", `<meta http-equiv=refresh content="0;url=#a">`, headFacts{}},
	{"refresh of a script", `<meta http-equiv=refresh content="0;url=JavaScript:a()">`, headFacts{}},
	{"refresh, no number", `<meta http-equiv=refresh content="url=/a">`, headFacts{}},
	{"refresh, junk after the number", `<meta http-equiv=refresh content="0x;url=/a">`, headFacts{}},
	{"refresh, the first is in force", `<meta http-equiv=refresh content=300><meta http-equiv=refresh content="0;url=/a">`, headFacts{}},
	{"refresh, an ill-formed one before", `<meta http-equiv=refresh content=a><meta http-equiv=refresh content="0;url=/a">`, headFacts{Refresh: "/a", Skip: Redirect}},
	{"refresh and noindex", `<meta http-equiv=refresh content="0;url=/a">` + noindex, headFacts{Refresh: "/a", Skip: Redirect}},
	{"noindex and refresh", noindex + `<meta http-equiv=refresh content="0;url=/a">`, headFacts{Refresh: "/a", Skip: Redirect}},

	// Canonicals.
	{"canonical", `<link rel=canonical href=" https://example.com/a/?b&amp;c ">`, headFacts{Canonical: "https://example.com/a/?b&c"}},
	{"canonical, relative", `<base href="/x/"><base href="/y/"><link href=../a/ rel="x CANONICAL">`, headFacts{Base: "/x/", Canonical: "../a/"}},
	{"canonical, ambiguous entity", `<link rel=canonical href="/?a=1&copy=2&reg;&amp&notit;&copy2">`, headFacts{Canonical: "/?a=1&copy=2®&&notit;&copy2"}},
	{"canonical twice", `<link rel=canonical href=/a/><link rel=canonical href=/a/>`, headFacts{Canonical: "/a/"}},
	{"two canonicals", `<link rel=canonical href=/a/><link rel=canonical href=/b/><link rel=canonical href=/c/>`, headFacts{Codes: "two-canonicals"}},
	{"canonical, empty", `<link rel=canonical href="">`, headFacts{Codes: "bad-canonical"}},
	{"canonical, no href", `<link rel=canonical>`, headFacts{}},
	{"canonical, a file", `<link rel=canonical href="file:///tmp/a.html">`, headFacts{Codes: "bad-canonical"}},
	{"canonical, a script", `<link rel=canonical href="javascript:a()">`, headFacts{Codes: "bad-canonical"}},
	{"canonical, no address", `<link rel=canonical href="https://exa mple.com:x/%zz">`, headFacts{Canonical: "https://exa mple.com:x/%zz"}},
	{"canonical, no host", `<link rel=canonical href="https://">`, headFacts{Canonical: "https://"}},
	{"canonical, bad before good", `<link rel=canonical href="file:///a"><link rel=canonical href="/a">`, headFacts{Canonical: "/a", Codes: "bad-canonical"}},
	{"not canonical", `<link rel=canonically href=/a><link rel="" href=/a><a rel=canonical href=/a>`, headFacts{}},

	// Languages.
	{"lang of a later html tag", `<html><head><html lang=de><html lang=fr>`, headFacts{Lang: "de"}},
	{"empty lang is one", `<html lang=""><html lang=fr>`, headFacts{}},
	{"alternates", `<link rel=alternate hreflang=en href=/en/><link rel="alternate" hreflang="x-default" href="https://example.com/">`, headFacts{Alternates: "en=/en/\nx-default=https://example.com/\n"}},
	{"not alternates", `<link rel=alternate type=application/rss+xml hreflang=en href=/f><link rel="alternate stylesheet" hreflang=en href=/s><link rel=alternate hreflang="" href=/a><link rel=alternate hreflang=en>`, headFacts{}},

	// Dates.
	{"article:modified_time", `<meta property="og:updated_time" content="2024-01-01"><meta property="article:modified_time" content="2024-02-03T04:05:06+01:00">`, headFacts{LastMod: day("2024-02-03T04:05:06+01:00"), LastModBy: "article:modified_time"}},
	{"og:updated_time as a name", `<meta name="OG:Updated_Time" content="2024-01-01">`, headFacts{LastMod: day("2024-01-01"), LastModBy: "og:updated_time"}},
	{"bad date falls through", `<meta property="article:modified_time" content="yesterday"><meta property="og:updated_time" content="2024-01-01">`, headFacts{LastMod: day("2024-01-01"), LastModBy: "og:updated_time", Codes: "bad-date"}},
	{"empty date", `<meta property="article:modified_time" content="">`, headFacts{}},
	{"dateModified", `<meta property="og:updated_time" content="2024-01-01"><script type="application/ld+json">{"@type":"BlogPosting","dateModified":"2024-05-06"}</script>`, headFacts{LastMod: day("2024-05-06"), LastModBy: "dateModified"}},
	{"dateModified, bad", `<script type=application/ld+json>{"@type":"WebPage","dateModified":"2024"}</script>`, headFacts{Codes: "bad-date"}},
	{"dateModified in another script", `<script>{"@type":"WebPage","dateModified":"2024-05-06"}</script>`, headFacts{}},

	// Encodings.
	{"UTF-8 mark", "\ufeff<title>é</title>" + noindex, headFacts{Title: "é", Skip: out}},
	{"mark beats meta", "\ufeff<meta charset=latin1><title>é</title>", headFacts{Title: "é"}},
	{"UTF-16LE", "\xff\xfe" + utf16(noindex+"<title>é€</title>", 0), headFacts{Title: "é€", Skip: out}},
	{"UTF-16BE", "\xfe\xff" + utf16(noindex+"<title>é€</title>", 1), headFacts{Title: "é€", Skip: out}},
	{"latin1", "<title>\xe9</title><meta charset=ISO-8859-1><meta name=description content='\x80'>", headFacts{Title: "é", Summary: "€"}},
	{"cyrillic by pragma without semicolon", "<meta http-equiv=Content-Type content='text/html charset=windows-1251'><title>\xe9</title>", headFacts{Title: "й"}},
	{"latin1 by pragma", "<meta http-equiv=Content-Type content='text/html; charset=windows-1252'><title>\xe9</title>", headFacts{Title: "é"}},
	{"latin1, unknown label first", "<meta charset=x-none><meta charset=latin1><title>\xe9</title>", headFacts{Title: "é"}},
	{"first label wins", "<meta charset=utf-8><meta charset=latin1><title>é</title>", headFacts{Title: "é"}},
	{"Shift_JIS", "<meta charset=Shift_JIS><title>\x93\xfa\x96{</title>", headFacts{Title: "日本"}},
	{"ISO-2022-JP", "<meta charset=iso-2022-jp><title>\x1b$BF|K\\\x1b(B</title>" + noindex, headFacts{Title: "日本", Skip: out}},
	{"UTF-16 by meta is UTF-8", "<meta charset=utf-16><title>é</title>", headFacts{Title: "é"}},
	{"label in the body", "<title>é</title><body><meta charset=latin1>", headFacts{Title: "é"}},
	{"invalid UTF-8 in the body", "<title>é</title><body>\xa4", headFacts{Title: "é"}},
	{"script redirects", "<title>Redirect</title><script>location.replace('/b')</script><body>", headFacts{Title: "Redirect", Refresh: "/b", Skip: Redirect}},
	{"script of Quarto", `<title>Redirect</title><script>var redirects = {"":"../b.html","#c":"../c.html"}; window.location.replace(redirects[""] + location.search)</script></head><body></body>`, headFacts{Title: "Redirect", Refresh: "../b.html", Skip: Redirect}},
	{"script in the body redirects", "<title>a</title><body><script>window.location = '/b'</script>Go to <a href=/b>b</a>", headFacts{Title: "a", Refresh: "/b", Skip: Redirect}},
	{"script redirects from a page with text", "<title>a</title><script>function go() { location.href = '/b' }</script><p>Hello", headFacts{Title: "a"}},
	{"script redirects, link elsewhere", "<title>a</title><script>location.href = '/b'</script><a href=/c>c</a>", headFacts{Title: "a"}},
	{"script of an application", "<title>a</title><script>location.href = '/b'</script><body><script src=app.js></script>", headFacts{Title: "a"}},
	{"script of an application in the head", "<title>a</title><script src=app.js></script><script>location.href = '/b'</script><body>", headFacts{Title: "a"}},
	{"reference without digits", "<title>&#x;&#;&#8</title>", headFacts{Title: "&#x;&#;\b"}},
}

func utf16(s string, high int) string {
	var b []byte
	for _, r := range s {
		var u [2]byte
		u[high], u[1-high] = byte(r), byte(r>>8)
		b = append(b, u[0], u[1])
	}
	return string(b)
}
