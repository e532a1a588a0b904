package diag

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Plain escapes the characters of a line that could move a terminal's cursor, change the
// terminal's state or reorder text. It also escapes text that a CI system would run as a command.
func Plain(s string) string {
	if strings.IndexFunc(s, isUnsafeRune) >= 0 || !utf8.ValidString(s) {
		s = escape(s)
	}
	if strings.HasPrefix(strings.TrimLeft(s, " "), "::") {
		s = strings.Replace(s, "::", `\x3a:`, 1)
	}
	if strings.Contains(s, "##") {
		s = command.ReplaceAllString(s, `#\x23$1`)
	}
	return s
}

// command matches the commands that the runners of GitHub (##[group]), Azure (##vso[task…]) and
// TeamCity (##teamcity[…]) find anywhere in a line. GitHub also reads ::command:: at the beginning
// of a line; see actions/runner, src/Runner.Common/ActionCommand.cs.
var command = regexp.MustCompile(`##([A-Za-z]*\[)`)

func escape(s string) string {
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

// NeedsEscape reports whether Plain escapes a character of JSON text. JSON itself escapes the
// first 32 characters of ASCII.
func NeedsEscape(r rune) bool { return r >= 0x7f && r != utf8.RuneError && isUnsafeRune(r) }

func isUnsafeRune(r rune) bool {
	return r != ' ' && !unicode.IsGraphic(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029'
}
