package sitemap

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Check checks the alternates, images, videos and news of u. It removes invalid values, such as an
// image without an absolute URL, and shortens texts and lists that are too long. If there are too
// many alternates, it removes all of them. For each removed or changed value, it calls report with
// a code, a message and a hint. It does not report surrounding white space, empty tags, an
// UploaderInfo without an Uploader, repeated images, and alternates that repeat both a language and
// its URL. Check copies the slices and the News of u before it changes them, because other URLs may
// share them. It does not check Loc; see [CheckLoc].
//
// The codes are bad-alternate, duplicate-alternate, too-many-alternates, bad-image,
// too-many-images, bad-video, bad-news and control-character. The order of the calls is alternates,
// images, videos, news.
func (u *URL) Check(report func(code, message, hint string)) {
	if u.Extensions() == 0 {
		return
	}
	c := checker{report: report, page: u.Loc}
	c.dropInvalidAlternates(u)
	c.dropInvalidImages(u)
	u.Videos = filterValid(&c, u.Videos, c.cleanVideo)
	if u.News != nil {
		c.cleanNews(u)
	}
}

// Check is like [URL.Check], but then also checks the title and the summary of e. It reports
// invisible control characters and invalid UTF-8 in these texts, and replaces them by spaces. It
// removes white space at both ends of these texts without a report.
func (e *Entry) Check(report func(code, message, hint string)) {
	e.URL.Check(report)
	c := checker{report: report, page: e.Loc}
	c.cleanText("title", &e.Title)
	c.cleanText("summary", &e.Summary)
}

// A checker removes or corrects invalid values in the entry of one page, and reports the mistakes.
type checker struct {
	report func(code, message, hint string)
	page   string // URL of the page
	edits  int    // number of dropped or changed values
}

// reportEdit reports a finding about a value that was removed or changed, and increments c.edits.
// format and args are the message of the finding.
func (c *checker) reportEdit(code, hint, format string, args ...any) {
	c.edits++
	c.report(code, fmt.Sprintf(format, args...), hint)
}

// filterValid returns a copy of items that contains only the elements for which keep returns true.
// It returns nil if no element is left. keep may change the element that it gets; it must then
// increment c.edits. If keep drops and changes nothing, filterValid returns items itself, to save
// memory.
func filterValid[T any](c *checker, items []T, keep func(*T) bool) []T {
	before := c.edits
	kept := slices.Clone(items)
	n := 0
	for i := range kept {
		if !keep(&kept[i]) {
			c.edits++
			continue
		}
		kept[n] = kept[i]
		n++
	}
	switch {
	case c.edits == before:
		return items
	case n == 0:
		return nil
	}
	return kept[:n]
}

// cleanText removes white space at both ends of *s. If *s contains invisible control characters,
// characters that XML does not allow, or invalid UTF-8, cleanText reports *s, replaces these
// characters by spaces, and joins the words with single spaces. name describes the text in the
// finding, such as "video title".
func (c *checker) cleanText(name string, s *string) {
	if trimmed := strings.TrimSpace(*s); trimmed != *s {
		*s = trimmed
		c.edits++
	}
	if strings.IndexFunc(*s, isUnprintable) < 0 && utf8.ValidString(*s) {
		return
	}
	c.reportEdit("control-character", "remove the character from the "+name,
		"%s %q has a character that XML does not allow", name, *s)
	clean := strings.Map(func(r rune) rune {
		if isUnprintable(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(*s, " "))
	*s = strings.Join(strings.Fields(clean), " ")
}

// isUnprintable reports whether r is not allowed in XML, or is an invisible control character. Tabs
// and line breaks are printable, except U+0085 (next line).
func isUnprintable(r rune) bool {
	return !isXMLChar(r) || unicode.IsControl(r) && !unicode.IsSpace(r) || r == '\u0085'
}

// limitLength shortens *s to limit characters if it is longer, and reports that with the given
// code. name describes the text in the message, such as "video title".
func (c *checker) limitLength(code, name string, s *string, limit int) {
	if len(*s) <= limit || utf8.RuneCountInString(*s) <= limit {
		return
	}
	c.reportEdit(code, fmt.Sprintf("shorten it to %d characters", limit), "%s is longer than %d characters", name, limit)
	*s = strings.TrimSpace(string([]rune(*s)[:limit]))
}

// truncate returns the first limit elements of items. If items is longer, truncate reports that
// with the given code. name describes the elements in the message, such as "images of one page".
func truncate[T any](c *checker, code, name string, items []T, limit int) []T {
	if len(items) <= limit {
		return items
	}
	c.reportEdit(code, "name only the most important", "%d %s are more than %d", len(items), name, limit)
	return items[:limit:limit]
}
