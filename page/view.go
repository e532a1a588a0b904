package page

import (
	"bytes"
	"html"
	"regexp"
	"strings"
	"unicode"

	"github.com/sitewalk/sitewalk/diag"
)

// MaxGooglebotBytes is the maximum number of bytes of uncompressed HTML that Googlebot reads of a
// page. Google's limit is 2 MB including the HTTP headers, whose size only the host knows.
// See https://developers.google.com/crawling/docs/googlebot
const MaxGooglebotBytes = 2 << 20

// SearchProblems describes problems that search engines have with the text of a page. The zero
// value means no problem.
type SearchProblems struct {
	Cut      diag.Pos // position of the first byte that Googlebot does not read; zero if it reads the whole page
	Empty    bool     // the main element shows nothing, or the page has no main element and is a shell; see IsAppShell
	NotFound string   // title of a short page that has the title of an error page; otherwise ""
}

// maxErrorText is the maximum number of letters, digits and symbols in the text of an error page,
// or in its main element if it has one. A longer page with the title of an error page is an article
// about errors.
const maxErrorText = 600

// FindSearchProblems returns the problems of a page. src is the whole file.
func FindSearchProblems(src []byte) (v SearchProblems) {
	if len(src) > MaxGooglebotBytes {
		read := src[:MaxGooglebotBytes]
		v.Cut = diag.Pos{Line: bytes.Count(read, newline) + 1, Col: MaxGooglebotBytes - bytes.LastIndexByte(read, '\n')}
	}
	title := pageTitle(src[:min(len(src), titleSearchBytes)])
	title = strings.Join(strings.Fields(html.UnescapeString(title)), " ")
	maxLetters, hasErrorTitle := 0, isErrorTitle(title)
	if hasErrorTitle {
		maxLetters = maxErrorText
	}
	main := bytes.Contains(src, []byte("<main")) || bytes.Contains(src, []byte("<MAIN"))
	if !main && !hasErrorTitle {
		v.Empty = IsAppShell(src)
		return v
	}
	letters, hasOther, hasMain := countVisible(src, main, maxLetters, false)
	if main && !hasMain { // <main is in a name such as <main-menu>, or in a comment
		letters, hasOther, _ = countVisible(src, false, maxLetters, false)
	}
	v.Empty = hasMain && letters == 0 && !hasOther && !includeDirective.Match(src)
	if hasErrorTitle && letters <= maxErrorText {
		v.NotFound = title
	}
	return v
}

// titleSearchBytes is the number of bytes at the beginning of a page in which FindSearchProblems
// searches for the title.
const titleSearchBytes = 64 << 10

var (
	notFound      = regexp.MustCompile(`(?i)(` + strings.Join(notFoundWords, "|") + `)[aoао]?`)
	apologyWords  = regexp.MustCompile(`(?i)\b(404|http|error|fehler|oops|sorry|the|this|page|file|seite|pagina|página)\b|страница|ページ|页面|頁面`)
	titleDividers = regexp.MustCompile(`\s[-–—|·•:«»/]\s|:\s|\s?\|\s?`)
)

// isErrorTitle reports whether title consists only of words of an error page, as in "Page not
// found". Dividers such as | separate the parts of a title, and one such part is sufficient: "Page
// not found | My site".
func isErrorTitle(title string) bool {
	if !hasNotFoundWords(title) { // most titles
		return false
	}
	for _, part := range titleDividers.Split(title, -1) {
		rest := notFound.ReplaceAllString(part, "")
		if rest != part && strings.IndexFunc(apologyWords.ReplaceAllString(rest, ""), unicode.IsLetter) < 0 {
			return true
		}
	}
	return false
}

// countVisible counts the letters, digits and symbols in the visible text of a page. If inMain is
// true, it counts only the text in the main element. It stops when it has counted more than
// maxLetters. hasOther is true if it found something else that is visible, such as an image; see
// isVisibleElement, which also explains waitsForScript. If maxLetters is 0, countVisible also stops
// at the first such element. hasMain is true if it found a main element.
func countVisible(src []byte, inMain bool, maxLetters int, waitsForScript bool) (letters int, hasOther, hasMain bool) {
	var s scanner
	s.reset(src, 0)
	for open := 0; letters <= maxLetters && (maxLetters > 0 || !hasOther); {
		switch s.nextToken() {
		case tokenStart:
			name := string(s.lowerTagName())
			if !inMain || open > 0 {
				hasOther = hasOther || isVisibleElement(&s, name, waitsForScript)
			}
			if name == "main" {
				open, hasMain = open+1, true
			}
			s.skipRawElement(name)
		case tokenEnd:
			if open > 0 && string(s.lowerTagName()) == "main" {
				open--
			}
		case tokenText:
			if !inMain || open > 0 {
				letters += countWordRunes(src[s.text.lo:s.text.hi], maxLetters+1)
			}
		case tokenCut, tokenNone:
			return letters, hasOther, hasMain
		}
	}
	return letters, hasOther, hasMain
}

// isVisibleElement reports whether the last start tag begins an element that may be visible without
// text: an image, for example, a script, or an element such as <my-menu>, which a script may fill.
// name is the name of the element. If waitsForScript is true, the page shows nothing of its own
// until its script runs. Then scripts, <my-menu>, links within the page, buttons, and decoration
// such as an svg spinner do not count.
func isVisibleElement(s *scanner, name string, waitsForScript bool) bool {
	switch name {
	case "a":
		href := s.attrValue("href")
		return !waitsForScript || len(href) > 0 && href[0] != '#'
	case "img", "video", "audio", "canvas", "frame", "iframe", "object", "embed", "form", "input":
		return true
	case "script", "picture", "svg", "math", "frameset", "textarea", "select", "button":
		return !waitsForScript
	}
	return !waitsForScript && strings.Contains(name, "-")
}

// countWordRunes counts the letters, digits and symbols in text, at most limit. It does not decode
// character references.
func countWordRunes(text []byte, limit int) (n int) {
	for _, c := range string(text) {
		if unicode.IsLetter(c) || unicode.IsDigit(c) || unicode.IsSymbol(c) {
			if n++; n == limit {
				return n
			}
		}
	}
	return n
}

// maxShellText is the maximum number of letters, digits and symbols in the text of an app shell,
// such as "Loading …".
const maxShellText = 50

var (
	anyScript  = regexp.MustCompile(`(?i)<script[\s>]`)
	dataScript = regexp.MustCompile(`(?i)<script\s[^>]*\btype=["']?application/(?:ld\+)?json\b`) // browsers do not run it
)

// IsAppShell reports whether a page has a script that browsers run, almost no text, and no image,
// frame, form or link to another page, like the page of a single-page application. The result is
// false for a page with a server-side include. head is the beginning of the file, or the whole file
// if the file is short. If head has 8 KiB or more, the result is false.
func IsAppShell(head []byte) bool {
	if len(head) >= firstRead || !bytes.Contains(head, []byte("<script")) || includeDirective.Match(head) {
		return false
	}
	letters, hasOther, _ := countVisible(head, false, maxShellText, true)
	return letters <= maxShellText && !hasOther && len(anyScript.FindAll(head, -1)) > len(dataScript.FindAll(head, -1))
}
