package writer

import (
	"net/url"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// names are those of the files of one sitemap: slash-separated, below a folder.
type names struct {
	base string // the URL of the folder
	sub  string // the folder of the XML entry
	stem string // what its name is without the extension
}

func namesOf(base, entry string) names {
	return names{base, path.Dir(entry), strings.TrimSuffix(path.Base(entry), ".xml")}
}

// file returns the name of a child in a format; the nameless child is the entry.
func (n *names) file(child, format string) string {
	name := n.stem
	if child != "" {
		name += "-" + child
	}
	return path.Join(n.sub, name+"."+format)
}

// index returns the name of the i-th index; the first one is the entry.
func (n *names) index(i int) string {
	if i == 0 {
		return n.file("", "xml")
	}
	return n.file(indexName+"-"+strconv.Itoa(i+1), "xml")
}

// owns reports whether name is one that an entry or a child may have.
func (n *names) owns(name string) bool {
	rest, ok := strings.CutPrefix(path.Base(name), n.stem)
	return ok && rest != "" && (rest[0] == '.' || rest[0] == '-') && path.Dir(name) == n.sub
}

// childOf returns the child whose XML is at a URL, compressed or not.
func (n *names) childOf(loc string) (child string, ok bool) {
	name, ok := n.fileAt(strings.TrimSuffix(loc, ".gz"))
	child, isXML := strings.CutSuffix(path.Base(name), ".xml")
	child, isChild := strings.CutPrefix(child, n.stem+"-")
	return child, ok && isXML && isChild && child != "" && path.Dir(name) == n.sub
}

// loc returns the URL of a file.
func (n *names) loc(name string) string { return n.base + escapePath(name) }

// fileAt returns the file whose URL is loc.
func (n *names) fileAt(loc string) (name string, ok bool) {
	escaped, below := strings.CutPrefix(loc, n.base)
	name, err := url.PathUnescape(escaped)
	return name, below && err == nil && local(name)
}

// local reports whether name, slash-separated, is a file below its folder and
// spelled in the one shortest way.
func local(name string) bool {
	return name == path.Clean(name) && name != "." && filepath.IsLocal(filepath.FromSlash(name)) &&
		!strings.ContainsFunc(name, unfit)
}

// unfit reports whether a character has no place in the name of a file.
func unfit(r rune) bool { return r < ' ' || r == '\\' || r == 0x7f }

// escapePath returns the path of a file as that of a URL.
func escapePath(name string) string { return (&url.URL{Path: name}).EscapedPath() }
