package page

import (
	"bytes"
	"html"
	"regexp"
	"strings"
	"unicode"

	"github.com/sitewalk/sitewalk/diag"
)

// ReadBytes is the number of bytes of uncompressed HTML that Googlebot reads for Search: 2 MB with
// the HTTP headers, which only the host knows. Googlebot ignores the rest.
// https://developers.google.com/crawling/docs/googlebot
const ReadBytes = 2 << 20

// A View describes the parts of a page that search engines miss or misread. The zero View is a
// page without such a problem.
type View struct {
	Cut      diag.Pos // where Googlebot stops reading at the latest; zero: it reads all of the page
	Empty    bool     // the element main shows nothing; without a main, the page is a shell (see IsShell)
	NotFound string   // the title of a short page, if it is the title of an error page
}

// maxApology is the maximum number of letters in the main part of an error page. A longer page
// with such a title is a page about errors.
const maxApology = 600

// ViewOf returns the View of a page. src is the whole file.
func ViewOf(src []byte) (v View) {
	if len(src) > ReadBytes {
		read := src[:ReadBytes]
		v.Cut = diag.Pos{Line: bytes.Count(read, newline) + 1, Col: ReadBytes - bytes.LastIndexByte(read, '\n')}
	}
	title := pageTitle(src[:min(len(src), maxTitled)])
	title = strings.Join(strings.Fields(html.UnescapeString(title)), " ")
	most, apology := 0, isApology(title)
	if apology {
		most = maxApology
	}
	main := bytes.Contains(src, []byte("<main")) || bytes.Contains(src, []byte("<MAIN"))
	if !main && !apology {
		v.Empty = IsShell(src)
		return v
	}
	letters, other, met := countVisible(src, main, most, false)
	if main && !met { // it is <main-menu>, or in a comment
		letters, other, _ = countVisible(src, false, most, false)
	}
	v.Empty = met && letters == 0 && !other
	if apology && letters <= maxApology {
		v.NotFound = title
	}
	return v
}

// maxTitled is the number of bytes that ViewOf searches for a title.
const maxTitled = 64 << 10

var (
	notFound      = regexp.MustCompile(`(?i)(` + strings.Join(notFoundWords, "|") + `)[aoао]?`)
	apologyWords  = regexp.MustCompile(`(?i)\b(404|http|error|fehler|oops|sorry|the|this|page|file|seite|pagina|página)\b|страница|ページ|页面|頁面`)
	titleDividers = regexp.MustCompile(`\s[-–—|·•:«»/]\s|:\s|\s?\|\s?`)
)

// isApology reports whether one part of a title has only the words of an error page.
func isApology(title string) bool {
	for _, part := range titleDividers.Split(title, -1) {
		rest := notFound.ReplaceAllString(part, "")
		if rest != part && strings.IndexFunc(apologyWords.ReplaceAllString(rest, ""), unicode.IsLetter) < 0 {
			return true
		}
	}
	return false
}

// countVisible counts the letters and digits that a page shows, or only those in its main element,
// up to one more than most. other reports whether there is other content, and met whether there is
// a main element.
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
// a script may fill the element. A name with a hyphen is an element that a script defines. If
// waits is set, the page waits for its script, and spinning pictures and empty links do not count.
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

// countWordRunes counts letters, digits and symbols, up to most of them. A character reference
// counts as the characters of its source.
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

// maxWaiting is the maximum number of visible letters of a page whose script will add the content,
// such as "Loading …".
const maxWaiting = 100

// IsShell reports whether a page has a script but neither text, links nor pictures, like the page
// of a single-page application. head is the beginning of the file, and all of a short file. A
// longer page is no shell.
func IsShell(head []byte) bool {
	if len(head) >= firstRead || !bytes.Contains(head, []byte("<script")) {
		return false
	}
	letters, other, _ := countVisible(head, false, maxWaiting, true)
	return letters <= maxWaiting && !other
}
