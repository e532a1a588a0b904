package walker

import "strings"

// mistake says what is wrong with a pattern that is one, and what would be right,
// or "": it would match nothing, or not what its author meant.
func mistake(pattern string) string {
	switch {
	case pattern == "": // as the glob itself says
		return ""
	case strings.HasPrefix(pattern, "!"):
		return `begins with "!"; write it under exclude without the "!", or "\\!" for a name that begins so`
	case strings.HasPrefix(pattern, "/"):
		return `begins with "/"; write the path relative to the folder that is walked`
	case strings.HasSuffix(pattern, "/"):
		return `ends in "/" and so matches no file; write "` + pattern + `**" for all files below the folder`
	}
	for part := range strings.SplitSeq(pattern, "/") {
		switch {
		case part == "." || part == ".." || part == "":
			return `has an empty, "." or ".." part; write the path as it is below the folder that is walked`
		case part != "**" && strings.Contains(part, "**") && !strings.ContainsAny(part, `{}[]\`):
			return `has "**" beside other characters, which matches like "*"; write "**/` + strings.ReplaceAll(part, "**", "*") + `"`
		}
	}
	return ""
}
