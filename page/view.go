package page

import (
	"bytes"
	"html"
	"regexp"
	"strings"
	"unicode"

	"github.com/sitewalk/sitewalk/diag"
)

// ReadBytes is the maximum number of bytes of uncompressed HTML that Googlebot reads of a page.
// Google's limit is 2 MB including the HTTP headers, whose size only the host knows. Googlebot
// ignores the rest of the page.
// See https://developers.google.com/crawling/docs/googlebot
const ReadBytes = 2 << 20

// A View describes problems that a search engine has with the text of a page. The zero View is a
// page without such a problem.
type View struct {
	Cut      diag.Pos // position after which Googlebot ignores the page; zero if it reads the whole page
	Empty    bool     // the main element shows nothing, or the page has no main element and is a shell; see IsShell
	NotFound string   // title of a short page that has the title of an error page; otherwise ""
}

// maxErrorText is the maximum number of letters in the main text of an error page. A longer page
// with such a title is a page about errors.
const maxErrorText = 600

// ViewOf returns the View of a page. src is the whole file.
func ViewOf(src []byte) (v View) {
	if len(src) > ReadBytes {
		read := src[:ReadBytes]
		v.Cut = diag.Pos{Line: bytes.Count(read, newline) + 1, Col: ReadBytes - bytes.LastIndexByte(read, '\n')}
	}
	title := pageTitle(src[:min(len(src), maxTitled)])
	title = strings.Join(strings.Fields(html.UnescapeString(title)), " ")
	most, hasErrorTitle := 0, isErrorTitle(title)
	if hasErrorTitle {
		most = maxErrorText
	}
	main := bytes.Contains(src, []byte("<main")) || bytes.Contains(src, []byte("<MAIN"))
	if !main && !hasErrorTitle {
		v.Empty = IsShell(src)
		return v
	}
	letters, other, met := countVisible(src, main, most, false)
	if main && !met { // <main is in a name such as <main-menu>, or in a comment
		letters, other, _ = countVisible(src, false, most, false)
	}
	v.Empty = met && letters == 0 && !other && !directive.Match(src)
	if hasErrorTitle && letters <= maxErrorText {
		v.NotFound = title
	}
	return v
}

// maxTitled is the number of bytes in which ViewOf searches for a title.
const maxTitled = 64 << 10

var (
	notFound      = regexp.MustCompile(`(?i)(` + strings.Join(notFoundWords, "|") + `)[aoао]?`)
	apologyWords  = regexp.MustCompile(`(?i)\b(404|http|error|fehler|oops|sorry|the|this|page|file|seite|pagina|página)\b|страница|ページ|页面|頁面`)
	titleDividers = regexp.MustCompile(`\s[-–—|·•:«»/]\s|:\s|\s?\|\s?`)
)

// isErrorTitle reports whether a title, or a part of it before or after a divider such as |, has
// only words of an error page.
func isErrorTitle(title string) bool {
	for _, part := range titleDividers.Split(title, -1) {
		rest := notFound.ReplaceAllString(part, "")
		if rest != part && strings.IndexFunc(apologyWords.ReplaceAllString(rest, ""), unicode.IsLetter) < 0 {
			return true
		}
	}
	return false
}

// countVisible counts the letters and digits that a page shows, up to most+1. With inMain, it
// counts only those in the main element. other reports whether the page shows something else, such
// as an image. met reports whether the page has a main element. For waits, see isVisible.
func countVisible(src []byte, inMain bool, most int, waits bool) (letters int, other, met bool) {
	var s scanner
	s.reset(src, 0)
	for open := 0; letters <= most && (most > 0 || !other); {
		switch s.next() {
		case tokenStart:
			name := string(s.element())
			if !inMain || open > 0 {
				other = other || isVisible(&s, name, waits)
			}
			if name == "main" {
				open, met = open+1, true
			}
			s.skipRaw(name)
		case tokenEnd:
			if open > 0 && string(s.element()) == "main" {
				open--
			}
		case tokenText:
			if !inMain || open > 0 {
				letters += countWordRunes(src[s.text.lo:s.text.hi], most+1)
			}
		case tokenCut, tokenNone:
			return letters, other, met
		}
	}
	return letters, other, met
}

// isVisible reports whether people see or use the last element although it has no text, or whether
// a script may fill it. A name with a hyphen is an element that a script defines. waits means that
// the page waits for its script. Then decoration, such as a spinner or an empty link, does not
// count.
func isVisible(s *scanner, name string, waits bool) bool {
	switch name {
	case "a":
		href := s.attr(attrHref)
		return !waits || len(href) > 0 && href[0] != '#'
	case "img", "video", "audio", "canvas", "frame", "iframe", "object", "embed", "form", "input":
		return true
	case "script", "picture", "svg", "math", "frameset", "textarea", "select", "button":
		return !waits
	}
	return !waits && strings.Contains(name, "-")
}

// countWordRunes counts the letters, digits and symbols in text, up to most. It does not decode
// character references.
func countWordRunes(text []byte, most int) (n int) {
	for _, c := range string(text) {
		if unicode.IsLetter(c) || unicode.IsDigit(c) || unicode.IsSymbol(c) {
			if n++; n == most {
				return n
			}
		}
	}
	return n
}

// maxWaiting is the maximum number of letters on a page that waits for a script to add the content,
// such as "Loading …".
const maxWaiting = 50

var (
	anyScript  = regexp.MustCompile(`(?i)<script[\s>]`)
	dataScript = regexp.MustCompile(`(?i)<script\s[^>]*\btype=["']?application/(?:ld\+)?json\b`) // browsers do not run it
)

// IsShell reports whether a page has a script that browsers run, but almost no text, links or
// images, like the page of a single-page application. head is the beginning of the file, or the
// whole file if it is short. A longer file is not a shell.
func IsShell(head []byte) bool {
	if len(head) >= firstRead || !bytes.Contains(head, []byte("<script")) || directive.Match(head) {
		return false
	}
	letters, other, _ := countVisible(head, false, maxWaiting, true)
	return letters <= maxWaiting && !other && len(anyScript.FindAll(head, -1)) > len(dataScript.FindAll(head, -1))
}
