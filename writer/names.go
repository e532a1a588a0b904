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

// A names value converts between the file names and the URLs of an entry file and its child
// sitemaps. File names are slash-separated paths in the output folder.
type names struct {
	base string // URL of the output folder, with a trailing slash
	sub  string // folder of the entry file, such as "." or "maps"
	stem string // name of the entry file without ".xml", such as "sitemap"
}

// newNames returns the names for the sitemaps with the entry file entry, such as "sitemap.xml".
// base is the URL of the output folder.
func newNames(base, entry string) names {
	return names{base, path.Dir(entry), strings.TrimSuffix(path.Base(entry), ".xml")}
}

// childFile returns the file name of a child sitemap in a format. For "blog" and "xml" it returns
// "sitemap-blog.xml". The child "" is the entry file.
func (n *names) childFile(child, format string) string {
	name := n.stem
	if child != "" {
		name += "-" + child
	}
	return path.Join(n.sub, name+"."+format)
}

// childAt returns the child sitemap whose XML file, plain or compressed, has the URL loc. For
// "https://example.com/sitemap-blog.xml" it returns "blog". ok is false if loc is not the URL of a
// child.
func (n *names) childAt(loc string) (child string, ok bool) {
	name, ok := n.fileAt(strings.TrimSuffix(loc, ".gz"))
	child, isXML := strings.CutSuffix(path.Base(name), ".xml")
	child, isChild := strings.CutPrefix(child, n.stem+"-")
	return child, ok && isXML && isChild && child != "" && path.Dir(name) == n.sub
}

// loc returns the URL of the file called name.
func (n *names) loc(name string) string { return n.base + escapePath(name) }

// fileAt returns the name of the file with the URL loc. ok is false if loc is outside of the output
// folder, or is not a clean path.
func (n *names) fileAt(loc string) (name string, ok bool) {
	escaped, below := strings.CutPrefix(loc, n.base)
	name, err := url.PathUnescape(escaped)
	return name, below && err == nil && isLocal(name)
}

// isLocal reports whether name is a clean, slash-separated, relative path of a file below its
// folder. It returns false if name contains a control character or a backslash.
func isLocal(name string) bool {
	return name == path.Clean(name) && name != "." && filepath.IsLocal(filepath.FromSlash(name)) &&
		!strings.ContainsFunc(name, isUnsafeInFileName)
}

// isUnsafeInFileName reports whether r is a control character or a backslash. File names must not
// contain such characters.
func isUnsafeInFileName(r rune) bool { return r < ' ' || r == '\\' || r == 0x7f }

// escapePath percent-encodes a slash-separated path for a URL.
func escapePath(name string) string { return (&url.URL{Path: name}).EscapedPath() }

// commonName is the name of the child that lists small sections and pages at the root of the site,
// as in "sitemap-pages.xml".
const commonName = "pages"

// maxName is the maximum length in bytes of a section's name in a file name, without a hash. A
// longer name is cut, and a hash is appended.
const maxName = 40

// A childNames value chooses the names of child sitemaps. The name of a section depends only on its
// key and on the groups of the settings. All names are in lower case, so they differ even if case
// is ignored.
type childNames struct {
	taken map[string]bool // names that no folder may get: commonName and the names of the groups
}

// newChildNames returns a childNames in which the names of the groups are taken, so that no folder
// gets them. groups contains the keys of the groups, such as ":posts".
func newChildNames(groups []string) childNames {
	n := childNames{taken: map[string]bool{commonName: true}}
	for _, key := range groups {
		n.taken[n.sectionName(key)] = true
	}
	return n
}

// sectionName returns the name of a section in file names, which is also the name of its first
// child. For the keys "/blog" and ":blog" it returns "blog", and for "" it returns "pages". If a
// group and a folder have the same name, the name of the folder gets a hash, as in
// "blog-x0123abcd". The keys "/pages" and ":pages" and keys such as "//host" always get a hash.
func (c childNames) sectionName(key string) string {
	switch {
	case key == "":
		return commonName
	case strings.HasPrefix(key, "//"):
		return hashedName(slugify(key), key)
	}
	text := key[1:]
	name := safeName(text)
	if key[0] == '/' && c.taken[name] || name == commonName {
		return hashedName(slugify(text), text)
	}
	return name
}

// childName returns the name of a child of the section called name. For slot 0, the name of the
// first child, it returns name. For any other slot, it appends the number slot+1, as in "blog-2".
func childName(name string, slot uint64) string {
	if slot == 0 {
		return name
	}
	return name + "-" + strconv.FormatUint(slot+1, 10)
}

// safeName returns s if s is safe in file names and URLs on every system, and cannot equal a
// generated name. Otherwise, it replaces unsafe characters and appends a hash of s. For "My Blog"
// it returns a name such as "my-blog-x0123abcd".
func safeName(s string) string {
	clean := slugify(s)
	if clean == s && len(s) <= maxName && !reservedSuffix.MatchString(s) {
		return s
	}
	return hashedName(clean, s)
}

// reservedSuffix matches the end of a generated name: the number of a second or later file, as in
// "blog-2", or the hash that hashedName appends, as in "blog-x0123abcd".
var reservedSuffix = regexp.MustCompile(`-(?:[2-9]|[1-9][0-9]+)$|(?:^|-)x[0-9a-f]{8}$`)

// hashedName returns clean, cut to maxName bytes, with a hash of s appended. For "blog" it returns
// a name such as "blog-x0123abcd".
func hashedName(clean, s string) string {
	clean = strings.Trim(clean[:min(len(clean), maxName)], "-_.")
	return strings.TrimPrefix(fmt.Sprintf("%s-x%08x", clean, uint32(hashString(s))), "-")
}

// slugify returns s in lower case, with percent escapes decoded. Each run of characters other than
// ASCII letters and digits becomes a hyphen, except a single "_" or ".". Separators at both ends
// are removed. For "My%20Blog" it returns "my-blog".
func slugify(s string) string {
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

// separators matches a run of characters other than ASCII letters and digits.
var separators = regexp.MustCompile(`[^A-Za-z0-9]+`)
