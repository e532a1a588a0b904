package sitemap

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Check drops invalid values from u. It calls report with a code, a message and a hint for each
// value. Check does not modify the slices of u, because other URLs may share them. It does not
// check Loc; see [CheckLoc].
func (u *URL) Check(report func(code, message, hint string)) {
	c := checker{report: report, page: u.Loc}
	uses := u.Extensions()
	for i, x := range extensions {
		if uses&(1<<i) != 0 {
			x.check(&c, u)
		}
	}
}

// Check is like [URL.Check], and also cleans the title and the summary of e. It removes characters
// that XML does not allow.
func (e *Entry) Check(report func(code, message, hint string)) {
	e.URL.Check(report)
	c := checker{report: report, page: e.Loc}
	c.cleanText("title", &e.Title)
	c.cleanText("summary", &e.Summary)
}

// A checker drops invalid values from the URL of one page, and reports each of them.
type checker struct {
	report func(code, message, hint string)
	page   string // URL of the page
	edits  int    // number of dropped or changed values
}

// reportDropped reports that a value was dropped or changed. The finding has the given code, the
// hint and a formatted message.
func (c *checker) reportDropped(code, hint, format string, args ...any) {
	c.edits++
	c.report(code, fmt.Sprintf(format, args...), hint)
}

// filterValid returns the elements of in for which keep returns true. keep may modify its argument.
// If keep drops and modifies no element, filterValid returns the slice in. If keep drops all
// elements, the result is nil. Otherwise it is a new slice.
func filterValid[T any](c *checker, in []T, keep func(*T) bool) []T {
	var out []T
	var v T // one for all, because keep moves it to the heap
	same := true
	for i := range in {
		before := c.edits
		v = in[i]
		ok := keep(&v)
		if same && ok && c.edits == before {
			continue
		}
		if same {
			out, same = append(make([]T, 0, len(in)), in[:i]...), false
		}
		if ok {
			out = append(out, v)
		} else {
			c.edits++ // the list changes
		}
	}
	switch {
	case same:
		return in
	case len(out) == 0:
		return nil
	}
	return out
}

// cleanText removes from *s white space at both ends, characters that XML does not allow, and
// invisible control characters. name describes the text in findings.
func (c *checker) cleanText(name string, s *string) {
	if trimmed := strings.TrimSpace(*s); trimmed != *s {
		*s = trimmed
		c.edits++
	}
	if strings.IndexFunc(*s, isUnprintable) < 0 && utf8.ValidString(*s) {
		return
	}
	c.reportDropped("control-character", "remove the character from the "+name,
		"%s %q has a character that XML does not allow", name, *s)
	clean := strings.Map(func(r rune) rune {
		if isUnprintable(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(*s, " "))
	*s = strings.Join(strings.Fields(clean), " ")
}

// isUnprintable reports whether r is not allowed in XML, or is an invisible control character.
// White space is printable, except U+0085.
func isUnprintable(r rune) bool {
	return !isXMLChar(r) || unicode.IsControl(r) && !unicode.IsSpace(r) || r == '\u0085'
}

// limitLength shortens *s to limit characters. If the text is longer, it reports this with the
// given code. name describes the text.
func (c *checker) limitLength(code, name string, s *string, limit int) {
	if len(*s) <= limit || utf8.RuneCountInString(*s) <= limit {
		return
	}
	c.reportDropped(code, fmt.Sprintf("shorten it to %d characters", limit), "%s is longer than %d characters", name, limit)
	*s = strings.TrimSpace(string([]rune(*s)[:limit]))
}

// truncate returns the first limit elements of in. If in is longer, it reports this with the given
// code. name describes the elements, such as "images of one page".
func truncate[T any](c *checker, code, name string, in []T, limit int) []T {
	if len(in) <= limit {
		return in
	}
	c.reportDropped(code, "name the most important ones only", "%d %s are more than %d", len(in), name, limit)
	return in[:limit:limit]
}
