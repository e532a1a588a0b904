package page

import (
	"bytes"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

// A bomb describes a malicious page: before, unit repeated n times, after, and again repeated n
// times.
type bomb struct{ before, unit, after, again string }

// sized returns the page of b with about size bytes.
func (b bomb) sized(size int) []byte {
	n := max(1, size/max(1, len(b.unit)+len(b.again)))
	return []byte(b.before + strings.Repeat(b.unit, n) + b.after + strings.Repeat(b.again, n))
}

const (
	inHead = "<!doctype html><title>a</title>"
	inBody = inHead + "<body><main>"
)

var bombs = map[string]bomb{
	"nested main and article":         {inBody, "<main><article>", "", ""},
	"nested article, closed":          {inBody, "<article>", "", "</article>"},
	"nested nav":                      {inBody, "<nav>", "", ""},
	"nested nav with end tags":        {inBody, "<nav><aside></nav>", "", ""},
	"nested header":                   {inBody, "<header>", "", ""},
	"nested chrome":                   {inBody, "<div class=toc><div>", "", ""},
	"nested hidden words":             {inBody, "<span hidden><b>", "", ""},
	"hidden words, never closed":      {inBody, "<b hidden><i></i>", "", ""},
	"openElements of many names":      {inBody, "<nav><footer><header><article><section role=main><div role=article>", "", ""},
	"end tags of other elements":      {inBody, "<article>", "", "</aside>"},
	"start tags in many openElements": {inBody, "<article><nav>", "", "<ul><b hidden>"},
	"nested lists":                    {inBody, "<ul><li>", "", ""},
	"nested lists, hidden":            {inBody, "<ul hidden><li hidden>", "", ""},
	"items, never closed":             {inBody, "<li class=toc>", "", ""},
	"paragraphs, never closed":        {inBody, "<p hidden>", "", ""},
	"tables in cells":                 {inBody, "<table><tr><td class=toc>", "", ""},
	"definitions":                     {inBody, "<dl hidden><dt hidden><dd hidden>", "", ""},
	"nested svg":                      {inBody, "<svg>", "", ""},
	"svg titles":                      {inBody, "<svg><title>", "", ""},
	"nested templates":                {inBody, "<template>", "", ""},
	"templates in the head":           {inHead, "<template><svg><math>", "", ""},
	"included elements":               {inBody, `<div class="content x">`, "", ""},
	"custom elements":                 {inBody, "<x-y hidden>", "", ""},
	"elements of many names":          {inBody, "<a><b><i><em><div><p><li><x><y><z>", "", ""},
	"attributes of an element":        {inBody + "<a", " href=a b", ">", ""},
	"attributes, tag never closed":    {inHead + "<a", " x='y'", "", ""},
	"equals signs":                    {inBody + "<a", "=", ">", ""},
	"slashes":                         {inBody + "<a", "/", ">", ""},
	"quotes":                          {inBody, `<a href="`, "", ""},
	"mixed quotes":                    {inBody, `<a b='" c="'`, "", ""},
	"words of a class":                {inBody + `<div class="`, "a ", `">`, ""},
	"blanks in a class":               {inBody, `<div class="` + strings.Repeat(" ", 100) + `">`, "", ""},
	"words of a rel":                  {inHead + `<link rel="`, "x ", `" href=a>`, ""},
	"meta elements":                   {inHead, `<meta name=robots content="x: noindex, nofollow">`, "", ""},
	"meta dates":                      {inHead, `<meta property="article:modified_time" content="never">`, "", ""},
	"meta refreshes":                  {inHead, `<meta http-equiv=refresh content="x;url=a">`, "", ""},
	"meta encodings":                  {inHead, `<meta charset=x>`, "", ""},
	"encodings in a pragma":           {inHead + `<meta http-equiv=content-type content="`, "charset ", `">`, ""},
	"commas in robots":                {inHead + `<meta name=robots content="unavailable_after: x`, ",", `y">`, ""},
	"expiries in robots":              {inHead + `<meta name=robots content="`, "unavailable_after: ,", `">`, ""},
	"words in robots":                 {inHead + `<meta name=robots content="`, "unavailable_after: x, y", `">`, ""},
	"agents in robots":                {inHead + `<meta name=robots content="`, "bot: noindex,", `">`, ""},
	"canonical links":                 {inHead, `<link rel=canonical href=mailto:a>`, "", ""},
	"alternates":                      {inHead, `<link rel=alternate hreflang=de href=a>`, "", ""},
	"x-default":                       {inHead, `<link rel=alternate hreflang=x-default href=` + strings.Repeat("a", 500) + `>`, "", ""},
	"images of the head":              {inHead, `<meta property="og:image" content=a>`, "", ""},
	"titles":                          {"", "<title>a</title>", "", ""},
	"titles without an end":           {"", "<title>", "", ""},
	"comments":                        {inBody, "<!---->", "", ""},
	"comment without an end":          {inBody + "<!--", "-- >", "", ""},
	"comments without an end":         {inBody, "<!--", "", ""},
	"comments that nearly end":        {inBody + "<!--", "--!->", "", ""},
	"declarations":                    {inBody, "<!x", "", ""},
	"sections of CDATA":               {inBody, "<![CDATA[", "", ""},
	"CDATA with its end":              {inBody, "<![CDATA[x]]>", "", ""},
	"instructions":                    {inBody, "<?", "", ""},
	"instructions in the head":        {inHead, "<?php ", "", ""},
	"doctypes":                        {"", "<!doctype html>", "", ""},
	"doctypes without an end":         {"", "<!doctype", "", ""},
	"bogus end tags":                  {inBody, "</ ", "", ""},
	"less-than signs":                 {inBody, "<", "", ""},
	"less-than signs and blanks":      {inBody, "< ", "", ""},
	"scripts without an end":          {inBody, "<script>", "", ""},
	"scripts in comments":             {inBody + "<script>", "<!--<script>", "", ""},
	"comments in a script":            {inBody + "<script>", "<!---->", "", ""},
	"end tags in a script":            {inBody + "<script><!--<script>", "</scripx", "", ""},
	"scripts":                         {inHead, "<script>location='a'</script>", "", ""},
	"noscript behind a script":        {inHead + "<script>" + strings.Repeat("location=", 300) + "</script>", "<noscript><b></noscript>", "", ""},
	"noscript without an end":         {inHead, "<noscript>", "", ""},
	"style without an end":            {inHead, "<style>", "", ""},
	"style that nearly ends":          {inHead + "<style>", "</styl", "", ""},
	"textarea without an end":         {inBody, "<textarea>", "", ""},
	"textareas":                       {inBody, "<textarea></textarea>", "", ""},
	"iframes without an end":          {inBody, "<iframe src=a>", "", ""},
	"plaintext":                       {inBody, "<plaintext>", "", ""},
	"entities":                        {inBody, "&amp;", "", ""},
	"unknown entities":                {inBody, "&aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "", ""},
	"ampersands":                      {inBody, "&", "", ""},
	"ampersands in an attribute":      {inBody + `<a href="`, "&", `">`, ""},
	"digits of an entity":             {inBody + "&#", "0", ";", ""},
	"blanks as entities":              {"", "&#32;", "", ""},
	"entities of many digits":         {"", "&#000000000000000000000000000000000000000000000000032;", "", ""},
	"NUL bytes":                       {inBody, "\x00", "", ""},
	"NUL bytes alone":                 {"", "\x00", "", ""},
	"carriage returns":                {inBody + `<a href="`, "\r", `">`, ""},
	"broken UTF-8":                    {inBody, "\xff\xe0\x80", "", ""},
	"no-break spaces":                 {inBody, "\u00a0", "", ""},
	"UTF-16":                          {"\xff\xfe", "<\x00a\x00>\x00", "", ""},
	"another encoding":                {"<meta charset=windows-1252>", "<a \xe4>", "", ""},
	"JSON-LD, nested lists":           {inHead + `<script type="application/ld+json">"dateModified"`, "[", "</script>", ""},
	"JSON-LD, nested objects":         {inHead + `<script type="application/ld+json">[0,"dateModified",`, `{"a":`, "</script>", ""},
	"JSON-LD, nested graphs":          {inHead + `<script type="application/ld+json">{"dateModified":0,`, `"@graph":[{`, "</script>", ""},
	"JSON-LD, bad dates":              {inHead + `<script type="application/ld+json">[0`, `,{"@type":"Article","dateModified":"x"}`, "]</script>", ""},
	"JSON-LD, escapes":                {inHead + `<script type="application/ld+json">{"@type":"Article","dateModified":"`, `\"`, `"}</script>`, ""},
	"JSON-LD, types":                  {inHead + `<script type="application/ld+json">{"dateModified":"2024-01-01","@type":[0`, `,"a"`, `]}</script>`, ""},
	"JSON-LD, colons":                 {inHead + `<script type="application/ld+json">{"dateModified"`, `:`, `}</script>`, ""},
	"JSON-LD scripts":                 {inHead, `<script type="application/ld+json">{"dateModified":"x"}</script>`, "", ""},
	"images":                          {inBody, "<img src=a srcset='b 2x' alt=c>", "", ""},
	"candidates of a srcset":          {inBody + `<img srcset="`, "a 2x,", `">`, ""},
	"commas in a srcset":              {inBody + `<img srcset="a `, ",", `">`, ""},
	"brackets in a srcset":            {inBody + `<img srcset="`, "a (", `">`, ""},
	"pictures":                        {inBody, "<picture><source srcset=a>", "", ""},
	"links to edit":                   {inBody, `<a href="https://example.com/blob/a">edit`, "", ""},
	"links to a place":                {inBody, `<a href="#a">¶`, "", ""},
	"links, sources last":             {inBody, "<img srcset=a src=b>\n", "", ""},
	"times in headers":                {inBody, "<header><time>1", "", ""},
	"copyright":                       {inBody, "<p>(c) 2024, 2023", "", ""},
	"years":                           {inBody + "<p>copyright ", "2024-", "", ""},
	"line ends":                       {inBody, "\n", "", ""},
	"blanks before the head":          {"", " ", "", ""},
	"text without markup":             {"", "word ", "", ""},
	"fragments":                       {"<div>", "<div><b>", "", ""},
	"fragments with open comments":    {"<div>", "<!-- ", "", ""},
	"fragments with open scripts":     {"<div>", "<script ", "", ""},
	"parts of templates":              {"<div>", "{{ <%", "", ""},
	"bases":                           {inHead, "<base href=a>", "", ""},
	"places":                          {inBody, "<a name=a id=b>", "", ""},
	"body and html end tags":          {inBody, "<nav></body><nav></html>", "", ""},
	"paragraphs that end in blocks":   {inBody, "<p class=toc><div class=toc></p>", "", ""},
}

// readers contains every function of the package that reads a page.
var readers = map[string]func(src []byte){
	"head": func(src []byte) { readWhole(Options{Titles: true, CheckWhole: true, Alternates: true}, src) },
	"body": func(src []byte) { readWhole(everyOption, src) },
	"memory": func(src []byte) {
		var f Facts
		NewReader(everyOption).ReadBytes(src, &f)
	},
	"refs": func(src []byte) {
		var s Refs
		s.Find(src, func(r Ref) { s.Pos(r.At) })
	},
	"anchors": func(src []byte) {
		s := Refs{Anchors: true}
		s.Find(src, func(r Ref) { s.Pos(r.At) })
	},
}

var everyOption = Options{
	Titles: true, CheckWhole: true, Alternates: true, ContentHash: true, Images: true, EditLinks: true,
	Fingerprint: FingerprintOptions{Include: []string{"div.content"}, Exclude: []string{"#no", "b.no"}},
}

func readWhole(o Options, src []byte) {
	var f Facts
	_ = NewReader(o).ReadHTML(bytes.NewReader(src), &f) // bytes in memory do not fail
}

// TestBombs checks that the time of every reader is proportional to the size of the page.
func TestBombs(t *testing.T) {
	for name, b := range bombs {
		for of, read := range readers {
			t.Run(of+"/"+name, func(t *testing.T) { testsite.RequireLinear(t, b.sized, read) })
		}
	}
}

// FuzzBombs searches for further pages that take a reader too long.
func FuzzBombs(f *testing.F) {
	for _, b := range bombs {
		if !testsite.IsFuzzing() {
			break // TestBombs runs all seeds, with their names
		}
		f.Add(b.before, b.unit, b.after, b.again)
	}
	f.Fuzz(func(t *testing.T, before, unit, after, again string) {
		if len(before+unit+after+again) > 1<<10 {
			return
		}
		for _, read := range readers {
			testsite.RequireLinear(t, bomb{before, unit, after, again}.sized, read)
		}
	})
}
