package mapping

import (
	"strings"
)

// An HTML is the treatment of ".html" in the URLs of a host.
type HTML uint8

// The treatments of ".html".
const (
	KeepHTML  HTML = iota // a.html is /a.html, and a/index.html is /a/
	StripHTML             // a.html is /a
	ExactHTML             // every file has its own name, a/index.html too
)

// A Slash is the treatment of the trailing slash in the URLs of a host.
type Slash uint8

// The treatments of the trailing slash. The home page is always "/".
const (
	KeepSlash    Slash = iota // a/index.html is /a/, a page a.html has none
	AddSlash                  // a page without .html in its URL ends in one, too
	AddSlashName              // as AddSlash, but a last segment with an extension (v1.2), which looks like a file, has none, as on Vercel
	RemoveSlash               // a/index.html is /a
)

// A Style describes how a host forms the URLs of HTML files. The zero Style describes a plain file
// server.
type Style struct {
	HTML  HTML
	Slash Slash
}

// URLPath returns the decoded URL path, relative to the base URL, that serves the file with status
// 200 and without a redirect. As on real hosts, only the lower-case names index.html and .html are
// special: .htm, .xhtml and INDEX.HTML keep their names.
func (s Style) URLPath(file string) string {
	name, slash := s.cut(file)
	return "/" + name + slash
}

// cut returns the part of the file's path that its URL path keeps behind the first slash, and the
// slash after it, if any.
func (s Style) cut(file string) (name, slash string) {
	dir, isIndex := strings.CutSuffix(file, "index.html")
	isIndex = isIndex && (dir == "" || strings.HasSuffix(dir, "/"))
	switch {
	case s.HTML == ExactHTML:
		return file, ""
	case isIndex && dir != "" && (s.Slash == RemoveSlash || s.Slash == AddSlashName && HasExtension(dir[:len(dir)-1])):
		return dir[:len(dir)-1], ""
	case isIndex:
		return dir, ""
	}
	name, isHTML := strings.CutSuffix(file, ".html")
	if s.HTML == KeepHTML || !isHTML || name == "" || strings.HasSuffix(name, "/") {
		return file, ""
	}
	if s.Slash == AddSlash || s.Slash == AddSlashName && !HasExtension(name) {
		return name, "/"
	}
	return name, ""
}

// HasExtension reports whether the last segment of a path ends in a dot and
// then letters, digits or underscores, after at least one other character.
func HasExtension(path string) bool {
	name := path[strings.LastIndexByte(path, '/')+1:]
	i := strings.LastIndexByte(name, '.')
	return i > 0 && i < len(name)-1 && strings.IndexFunc(name[i+1:], func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) < 0
}

// An Ending is how the URL of an HTML file ends.
type Ending uint8

// The endings of a.html and of a/index.html.
const (
	AnyEnding Ending = iota // not known which
	FileName                // /a.html, /a/index.html
	Bare                    // /a
	Slashed                 // /a/
)

// endings maps an Ending to the style that gives every file that ending. The home page is "/",
// except with FileName.
var endings = [...]Style{
	FileName: {HTML: ExactHTML},
	Bare:     {HTML: StripHTML, Slash: RemoveSlash},
	Slashed:  {HTML: StripHTML, Slash: AddSlash},
}

// Style returns the style that gives every HTML file this ending. AnyEnding has no style.
func (e Ending) Style() Style { return endings[e] }

// Ending returns the ending of the URL that s gives to a file.
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

// EndingOf returns the ending with which urlPath is the path of a file, or AnyEnding if there is
// none.
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
