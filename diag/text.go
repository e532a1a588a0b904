package diag

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Plain escapes the characters of s that could move a terminal's cursor, change the terminal's
// state or reorder text. It also escapes invalid UTF-8 and line breaks, so the result is one line.
// It escapes text that a CI system would execute as a command, such as "::error::" on GitHub.
func Plain(s string) string {
	if strings.IndexFunc(s, isUnsafeRune) >= 0 || !utf8.ValidString(s) {
		s = escapeRunes(s)
	}
	if strings.HasPrefix(strings.TrimLeft(s, " "), "::") {
		s = strings.Replace(s, "::", `\x3a:`, 1)
	}
	if strings.Contains(s, "##") {
		s = ciCommand.ReplaceAllString(s, `#\x23$1`)
	}
	return s
}

// ciCommand matches commands that CI systems find anywhere in a line: "##[group]" of GitHub,
// "##vso[task…]" of Azure and "##teamcity[…]" of TeamCity. GitHub also reads "::command::", but
// only at the beginning of a line.
// See actions/runner, src/Runner.Common/ActionCommand.cs.
var ciCommand = regexp.MustCompile(`##([A-Za-z]*\[)`)

func escapeRunes(s string) string {
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD"):
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case isUnsafeRune(r):
			q := strconv.QuoteRuneToASCII(r)
			b.WriteString(q[1 : len(q)-1])
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// NeedsEscape reports whether r, a character in JSON text, must be escaped before the text is
// printed. It returns false for the first 32 ASCII characters, because JSON itself escapes them in
// strings.
func NeedsEscape(r rune) bool { return r >= 0x7f && r != utf8.RuneError && isUnsafeRune(r) }

func isUnsafeRune(r rune) bool {
	return r != ' ' && !unicode.IsGraphic(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029'
}

// Number formats n in decimal with a comma between thousands: "12,345".
func Number(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Count formats n with a noun, for example "1 page" or "2,000 pages". It adds an "s" to noun unless
// n is 1.
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Number(n) + " " + noun + "s"
}
