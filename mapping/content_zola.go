package mapping

import (
	"regexp"
	"strings"
)

// zolaDate matches the names that begin with a date, which is left out of the
// address.
var zolaDate = regexp.MustCompile(`^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:T[0-9:.Z+-]+)?\s*[-_]\s*(.+)$`)

var zolaLetters = strings.NewReplacer(
	"ß", "ss", "æ", "ae", "Æ", "AE", "ø", "o", "Ø", "O", "œ", "oe", "Œ", "OE", "ł", "l", "Ł", "L", "đ", "d", "þ", "th",
)

// zolaSlug returns a path as Zola's slugify.paths = "on" spells it: Latin
// letters without accents, digits, and hyphens for all else.
func (c *Content) zolaSlug(p string) string {
	parts := strings.Split(zolaLetters.Replace(plainLetters(p)), "/")
	for i, part := range parts {
		parts[i] = slugify(part, "", false)
	}
	return strings.Join(parts, "/")
}
