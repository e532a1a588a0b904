package mapping

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/sitewalk/sitewalk/sitemap"
)

// Loc returns the percent-encoded URL of urlPath, a decoded path relative to the base:
// "https://example.com/a%20b/" for "/a b/". It does not normalize Unicode. Loc returns an error in
// these cases:
//
//   - The path has no leading slash, has a control character or invalid UTF-8, or has a segment "."
//     or "..".
//   - The URL has 2,048 characters or more, which the sitemap protocol forbids.
//   - The base has no URL.
func (b Base) Loc(urlPath string) (string, error) {
	if err := b.checkPath(urlPath); err != nil {
		return "", err
	}
	switch {
	case hasOnlyAllowedBytes(urlPath, b.allowedSet()):
		return checkLength(b.s + urlPath[1:])
	case hasControl(urlPath):
		return "", fmt.Errorf("the path %q has a control character", urlPath)
	case !utf8.ValidString(urlPath):
		return "", fmt.Errorf("the path %q is not valid UTF-8", urlPath)
	}
	out := append(make([]byte, 0, 256), b.s...)
	for i := 1; i < len(urlPath); i++ {
		out = appendEncoded(out, urlPath[i], b.allowedSet())
	}
	return checkLength(string(out))
}

// FileURL returns the URL path and the URL of a file on a host with the URL style s. For
// "a/index.html", these are "/a/" and "https://example.com/a/". Both strings share memory if the
// path needs no encoding. If Loc returns an error for the URL path, FileURL returns this error, and
// loc is "".
func (b Base) FileURL(s Style, file string) (urlPath, loc string, err error) {
	base := cmp.Or(b.s, "/")
	name, slash := s.splitURLPath(file)
	loc = base + name + slash
	urlPath = loc[len(base)-1:]
	if hasOnlyAllowedBytes(urlPath, b.allowedSet()) && b.checkPath(urlPath) == nil {
		loc, err = checkLength(loc)
	} else {
		loc, err = b.Loc(urlPath)
	}
	return urlPath, loc, err
}

// checkPath returns an error if b has no URL, or if urlPath has no leading slash or has a segment
// "." or "..".
func (b Base) checkPath(urlPath string) error {
	switch {
	case b.s == "":
		return fmt.Errorf("there is no base URL")
	case urlPath == "" || urlPath[0] != '/':
		return fmt.Errorf("the path %q does not begin with a slash", urlPath)
	case strings.Contains(urlPath, "/.") && dotSegment.MatchString(urlPath):
		return fmt.Errorf("the path %q has a segment . or .., which readers of the URL resolve", urlPath)
	}
	return nil
}

// dotSegment matches a segment "." or ".." in a URL path.
var dotSegment = regexp.MustCompile(`/\.\.?(?:/|$)`)

// checkLength returns loc unchanged, or an error if loc is longer than sitemap.MaxLoc.
func checkLength(loc string) (string, error) {
	if len(loc) > sitemap.MaxLoc {
		return "", fmt.Errorf("the URL has %d characters; a sitemap allows less than 2,048", len(loc))
	}
	return loc, nil
}

// HTML determines whether URLs of a host contain the ".html" of a file.
type HTML uint8

// The values of HTML.
const (
	KeepHTML  HTML = iota // a.html has the URL path /a.html, and a/index.html has /a/
	StripHTML             // a.html has the URL path /a
	ExactHTML             // each URL path is the path of the file, also /a/index.html
)

// Slash determines whether URLs of pages on a host end in a slash.
type Slash uint8

// The values of Slash. The home page has the URL path "/" with each of them, unless HTML is
// ExactHTML.
const (
	KeepSlash         Slash = iota // a/index.html has the URL path /a/; a.html has no trailing slash
	AddSlash                       // like KeepSlash, but with StripHTML, a.html has the URL path /a/
	AddSlashUnlessExt              // like AddSlash, but no slash after a name for which HasExtension returns true, such as /v1.2; for Vercel
	RemoveSlash                    // a/index.html has the URL path /a
)

// A Style describes how a host forms the URLs of HTML files. The zero Style is the style of a plain
// file server, such as nginx.
type Style struct {
	HTML  HTML
	Slash Slash
}

// URLPath returns the decoded URL path, relative to the base URL, under which the host serves file
// without a redirect. With the zero Style, this is "/a/" for "a/index.html". As on real hosts, only
// "index.html" and ".html" in lower case are special. Files such as a.htm and INDEX.HTML keep their
// names.
func (s Style) URLPath(file string) string {
	name, slash := s.splitURLPath(file)
	return "/" + name + slash
}

// splitURLPath returns the URL path of file in two parts, without its leading slash. name is file
// without the parts that the URL does not contain, such as ".html". slash is "/" if the style adds
// a slash after name, as in "/a/" for "a.html". Otherwise it is "".
func (s Style) splitURLPath(file string) (name, slash string) {
	dir, isIndex := strings.CutSuffix(file, "index.html")
	isIndex = isIndex && (dir == "" || strings.HasSuffix(dir, "/"))
	switch {
	case s.HTML == ExactHTML:
		return file, ""
	case isIndex && dir != "" && (s.Slash == RemoveSlash || s.Slash == AddSlashUnlessExt && HasExtension(dir[:len(dir)-1])):
		return dir[:len(dir)-1], ""
	case isIndex:
		return dir, ""
	}
	name, isHTML := strings.CutSuffix(file, ".html")
	if s.HTML == KeepHTML || !isHTML || name == "" || strings.HasSuffix(name, "/") {
		return file, ""
	}
	if s.Slash == AddSlash || s.Slash == AddSlashUnlessExt && !HasExtension(name) {
		return name, "/"
	}
	return name, ""
}

// HasExtension reports whether the last segment of path has an extension, as in "v1.2". An
// extension is a dot, followed by one or more ASCII letters, digits and underscores up to the end.
// A dot at the beginning of the segment begins no extension.
func HasExtension(path string) bool {
	name := path[strings.LastIndexByte(path, '/')+1:]
	i := strings.LastIndexByte(name, '.')
	return i > 0 && i < len(name)-1 && strings.IndexFunc(name[i+1:], func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) < 0
}

// An Ending describes how the URL of a file such as "a.html" or "a/index.html" ends.
type Ending uint8

// The values of Ending, with the URL paths of a.html and a/index.html as examples.
const (
	NoEnding Ending = iota // unknown, or none of the following
	FileName               // the name of the file: /a.html, /a/index.html
	Bare                   // no extension and no slash: /a
	Slashed                // a slash: /a/
)

// endings contains, for each Ending, the Style in which the URLs of a.html and a/index.html have
// this Ending. The home page has the URL path "/", except with FileName. A file such as a.htm keeps
// its name.
var endings = [...]Style{
	FileName: {HTML: ExactHTML},
	Bare:     {HTML: StripHTML, Slash: RemoveSlash},
	Slashed:  {HTML: StripHTML, Slash: AddSlash},
}

// Style returns the Style in which the URLs of a.html and a/index.html have the ending e. For
// NoEnding it returns the zero Style.
func (e Ending) Style() Style { return endings[e] }

// Ending returns the ending of the URL of file on a host with the style s, such as Slashed for
// "a/index.html" and the zero Style.
func (s Style) Ending(file string) Ending {
	name, slash := s.splitURLPath(file)
	switch {
	case slash != "" || name == "" || strings.HasSuffix(name, "/"):
		return Slashed
	case name == file:
		return FileName
	}
	return Bare
}

// EndingOf returns the ending of urlPath, a URL path of file: Bare for the file "a.html" and "/a".
// It returns NoEnding if no Ending gives file this URL path.
func EndingOf(file, urlPath string) Ending {
	rest, ok := strings.CutPrefix(urlPath, "/")
	for _, e := range [...]Ending{FileName, Slashed, Bare} {
		name, slash := e.Style().splitURLPath(file)
		if end, is := strings.CutPrefix(rest, name); ok && is && end == slash {
			return e
		}
	}
	return NoEnding
}
