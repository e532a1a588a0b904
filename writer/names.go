package writer

import (
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// names builds the file names of one sitemap. Names are slash-separated and relative to the output
// folder.
type names struct {
	base string // the URL of the folder
	sub  string // the folder of the XML entry
	stem string // what its name is without the extension
}

func namesOf(base, entry string) names {
	return names{base, path.Dir(entry), strings.TrimSuffix(path.Base(entry), ".xml")}
}

// file returns the file name of a child in a format. The child "" is the entry.
func (n *names) file(child, format string) string {
	name := n.stem
	if child != "" {
		name += "-" + child
	}
	return path.Join(n.sub, name+"."+format)
}

// index returns the name of the i-th index. Index 0 is the entry.
func (n *names) index(i int) string {
	if i == 0 {
		return n.file("", "xml")
	}
	return n.file(indexName+"-"+strconv.Itoa(i+1), "xml")
}

// owns reports whether an entry file or a child may have this name.
func (n *names) owns(name string) bool {
	rest, ok := strings.CutPrefix(path.Base(name), n.stem)
	return ok && rest != "" && (rest[0] == '.' || rest[0] == '-') && path.Dir(name) == n.sub
}

// childOf returns the child whose XML file, compressed or not, has the URL loc.
func (n *names) childOf(loc string) (child string, ok bool) {
	name, ok := n.fileAt(strings.TrimSuffix(loc, ".gz"))
	child, isXML := strings.CutSuffix(path.Base(name), ".xml")
	child, isChild := strings.CutPrefix(child, n.stem+"-")
	return child, ok && isXML && isChild && child != "" && path.Dir(name) == n.sub
}

// loc returns the URL of a file.
func (n *names) loc(name string) string { return n.base + escapePath(name) }

// fileAt returns the file with the URL loc.
func (n *names) fileAt(loc string) (name string, ok bool) {
	escaped, below := strings.CutPrefix(loc, n.base)
	name, err := url.PathUnescape(escaped)
	return name, below && err == nil && isLocal(name)
}

// isLocal reports whether name is a clean slash-separated path of a file below its folder.
func isLocal(name string) bool {
	return name == path.Clean(name) && name != "." && filepath.IsLocal(filepath.FromSlash(name)) &&
		!strings.ContainsFunc(name, isUnsafe)
}

// isUnsafe reports whether a character is not allowed in a file name.
func isUnsafe(r rune) bool { return r < ' ' || r == '\\' || r == 0x7f }

// escapePath returns the path of a file, encoded for a URL.
func escapePath(name string) string { return (&url.URL{Path: name}).EscapedPath() }

// commonName is the name of the file that small sections and the pages at the root share.
const commonName = "pages"

// indexName is the beginning of the names of the second and later indexes. No child has that name.
const indexName = "index"

// maxName is the maximum length of a section's own name in a file name, in bytes.
const maxName = 40

// childNames chooses the names of the files of sections and groups. A name depends on the section
// or group alone. Names differ even if case is ignored.
type childNames struct {
	taken map[string]bool // names that a section may not have
}

func newChildNames(o *splitOptions) childNames {
	n := childNames{taken: map[string]bool{commonName: true, indexName: true}}
	for _, g := range o.Groups {
		n.taken[n.first(":"+g)] = true
	}
	for _, name := range o.Taken {
		n.taken[name] = true
		if i := strings.LastIndexByte(name, '-'); i > 0 {
			n.taken[name[:i]] = true
		}
	}
	return n
}

// first returns the name of the first file of the section with a key.
func (n childNames) first(key string) string {
	switch {
	case key == "":
		return commonName
	case strings.HasPrefix(key, "//"):
		return hashedName(slug(key), key)
	}
	text := key[1:]
	name := safeName(text)
	if key[0] == '/' && n.taken[name] || name == commonName || name == indexName {
		return hashedName(slug(text), text)
	}
	return name
}

// slotName returns the file name of a section for a slot.
func slotName(name string, slot uint64) string {
	if slot == 0 {
		return name
	}
	return name + "-" + strconv.FormatUint(slot+1, 10)
}

// safeName returns s if it is safe in file names and URLs on every system and unique.
// Otherwise safeName replaces unsafe characters and appends a hash of s.
func safeName(s string) string {
	clean := slug(s)
	if clean == s && len(s) <= maxName && !reservedSuffix.MatchString(s) {
		return s
	}
	return hashedName(clean, s)
}

// reservedSuffix matches the number of a second or later file, and the hash of hashedName.
var reservedSuffix = regexp.MustCompile(`-(?:[2-9]|[1-9][0-9]+)$|(?:^|-)x[0-9a-f]{8}$`)

// hashedName returns a unique name for s that begins with clean.
func hashedName(clean, s string) string {
	clean = strings.Trim(clean[:min(len(clean), maxName)], "-_.")
	return strings.TrimPrefix(fmt.Sprintf("%s-x%08x", clean, uint32(hash(s))), "-")
}

// slug returns s in lower case and percent-decoded. It replaces everything except ASCII letters,
// digits and single inner "-", "_" and "." by one hyphen.
func slug(s string) string {
	if u, err := url.PathUnescape(s); err == nil {
		s = u
	}
	s = separators.ReplaceAllStringFunc(s, func(sep string) string {
		if sep == "_" || sep == "." {
			return sep
		}
		return "-"
	})
	return strings.ToLower(strings.Trim(s, "-_."))
}

var separators = regexp.MustCompile(`[^A-Za-z0-9]+`)
