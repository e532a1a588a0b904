package sitemap

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Check drops from u what may not be written, and reports each such thing with
// a code, a message and a hint. What u held before is not changed in place, so
// that a URL may share its slices with others. Loc is not looked at; see
// [CheckLoc].
func (u *URL) Check(report func(code, message, hint string)) {
	c := checker{report: report, page: u.Loc}
	uses := u.Extensions()
	for i, x := range extensions {
		if uses&(1<<i) != 0 {
			x.check(&c, u)
		}
	}
}

// Check checks e's URL, and takes characters that no file may hold out of its
// title and its summary.
func (e *Entry) Check(report func(code, message, hint string)) {
	e.URL.Check(report)
	c := checker{report: report, page: e.Loc}
	c.text("title", &e.Title)
	c.text("summary", &e.Summary)
}

// A checker reports what it drops from the URL of one page.
type checker struct {
	report func(code, message, hint string)
	page   string // its loc
	edits  int    // grows with every change
}

func (c *checker) drop(code, hint, format string, args ...any) {
	c.edits++
	c.report(code, fmt.Sprintf(format, args...), hint)
}

// keepValid returns those elements of in that keep returns true for, as keep left
// them. It copies in only when there is a change.
func keepValid[T any](c *checker, in []T, keep func(*T) bool) []T {
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
			c.edits++ // of what holds the list
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

// text takes out of *s the blanks around it, what XML cannot hold, and controls
// that cannot be seen.
func (c *checker) text(name string, s *string) {
	if trimmed := strings.TrimSpace(*s); trimmed != *s {
		*s = trimmed
		c.edits++
	}
	if strings.IndexFunc(*s, isUnprintable) < 0 && utf8.ValidString(*s) {
		return
	}
	c.drop("control-character", "remove the character from the "+name,
		"%s %q has a character that XML does not allow", name, *s)
	clean := strings.Map(func(r rune) rune {
		if isUnprintable(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(*s, " "))
	*s = strings.Join(strings.Fields(clean), " ")
}

func isUnprintable(r rune) bool {
	return !isXMLChar(r) || unicode.IsControl(r) && !unicode.IsSpace(r) || r == '\u0085'
}

// limit cuts *s after limit characters.
func (c *checker) limit(code, name string, s *string, limit int) {
	if len(*s) <= limit || utf8.RuneCountInString(*s) <= limit {
		return
	}
	c.drop(code, fmt.Sprintf("shorten it to %d characters", limit), "%s is longer than %d characters", name, limit)
	*s = strings.TrimSpace(string([]rune(*s)[:limit]))
}

// truncate cuts in after limit elements.
func truncate[T any](c *checker, code, name string, in []T, limit int) []T {
	if len(in) <= limit {
		return in
	}
	c.drop(code, "name the most important ones only", "%d %s are more than %d", len(in), name, limit)
	return in[:limit:limit]
}
