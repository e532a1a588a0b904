package mapping

import "strings"

// An Ending is how the URL of an HTML file ends.
type Ending uint8

// The endings of a.html and of a/index.html.
const (
	AnyEnding Ending = iota // nobody says which
	FileName                // /a.html, /a/index.html
	Bare                    // /a
	Slashed                 // /a/
)

// endings are the styles that give every file one ending. The home page is "/"
// but under its file name.
var endings = [...]Style{
	FileName: {HTML: ExactHTML},
	Bare:     {HTML: StripHTML, Slash: RemoveSlash},
	Slashed:  {HTML: StripHTML, Slash: AddSlash},
}

// Style returns the style that gives every HTML file this ending; it is none of
// AnyEnding.
func (e Ending) Style() Style { return endings[e] }

// Ending returns how the URL that the style gives a file ends.
func (s Style) Ending(file string) Ending {
	name, slash := s.cut(file)
	switch {
	case slash != "" || name == "" || strings.HasSuffix(name, "/"):
		return Slashed
	case name == file:
		return FileName
	}
	return Bare
}

// EndingOf returns the ending with which a URL path is that of a file, and
// AnyEnding when none makes it so.
func EndingOf(file, urlPath string) Ending {
	rest, ok := strings.CutPrefix(urlPath, "/")
	for _, e := range [...]Ending{FileName, Slashed, Bare} {
		name, slash := e.Style().cut(file)
		if end, is := strings.CutPrefix(rest, name); ok && is && end == slash {
			return e
		}
	}
	return AnyEnding
}
