package writer

import (
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// commonName is the name of the file that small sections and the pages at the root share.
const commonName = "pages"

// indexName begins the names of the second and later indexes. No child has that name.
const indexName = "index"

// maxName is the maximum length of a section's own name in a file name, in bytes.
const maxName = 40

// childNames gives names to the files of sections and groups. A name depends on the
// section or group alone. Names differ even if case is ignored.
type childNames struct {
	taken map[string]bool // names that a section may not have
}

func newChildNames(o *splitOptions) childNames {
	n := childNames{taken: map[string]bool{commonName: true, indexName: true}}
	for _, g := range o.Groups {
		n.taken[n.of(":"+g)] = true
	}
	for _, name := range o.Taken {
		n.taken[name] = true
		if i := strings.LastIndexByte(name, '-'); i > 0 {
			n.taken[name[:i]] = true
		}
	}
	return n
}

// of returns the name of the first file of the section with a key.
func (n childNames) of(key string) string {
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

// slotName returns the name of the file of a section for a slot.
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

// slug returns s in lower case, percent-decoded, with everything but ASCII
// letters, digits and single inner - _ . replaced by one hyphen.
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
