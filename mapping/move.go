package mapping

import "strings"

// Move returns the URL that an absolute http or https URL of another site has
// below the base: with the base's scheme and host, and with the base's path
// before its own unless it begins with that already. What is below the base,
// or is no such URL, stays.
func (b Base) Move(loc string) string {
	scheme, rest, ok := strings.Cut(loc, "://")
	if b.s == "" || strings.HasPrefix(loc, b.s) || !ok || !isWeb(scheme) {
		return loc
	}
	path := "/"
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		path = "/" + strings.TrimPrefix(rest[i:], "/")
	}
	prefix := b.s[b.pathAt:]
	return b.s + strings.TrimPrefix(strings.TrimPrefix(path, prefix), "/")
}

func isWeb(scheme string) bool {
	return strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https")
}
