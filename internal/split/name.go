package split

import (
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// common is the name of the file that small sections and the pages at the root
// share.
const common = "pages"

// Further is how the names of second and later indexes begin, and no file's does.
const Further = "index"

// maxName is how much of a section's own name a file's name carries.
const maxName = 40

// names give the files of sections and groups their names: functions of the
// section or group alone, and different from one another even where case does
// not count.
type names struct {
	others map[string]bool // names that a section may not have
}

func namesOf(o *Options) names {
	n := names{others: map[string]bool{common: true, Further: true}}
	for _, g := range o.Groups {
		n.others[n.of(":"+g)] = true
	}
	for _, name := range o.Taken {
		n.others[name] = true
		if i := strings.LastIndexByte(name, '-'); i > 0 {
			n.others[name[:i]] = true
		}
	}
	return n
}

// of returns the name of the first file of a section, by its key.
func (n names) of(key string) string {
	switch {
	case key == "":
		return common
	case strings.HasPrefix(key, "//"):
		return distinct(slug(key), key)
	}
	text := key[1:]
	name := safe(text)
	if key[0] == '/' && n.others[name] || name == common || name == Further {
		return distinct(slug(text), text)
	}
	return name
}

// slotName returns the name of one of the files that share name.
func slotName(name string, slot uint64) string {
	if slot == 0 {
		return name
	}
	return name + "-" + strconv.FormatUint(slot+1, 10)
}

// safe returns s when it is a name that files and URLs of every system take as
// it is, and that nothing else here can get; else what is left of it, with its
// hash.
func safe(s string) string {
	clean := slug(s)
	if clean == s && len(s) <= maxName && !ownEnd.MatchString(s) {
		return s
	}
	return distinct(clean, s)
}

// ownEnd matches the ends that only this package gives to names: the number of a second or
// later file, and the hash of distinct.
var ownEnd = regexp.MustCompile(`-(?:[2-9]|[1-9][0-9]+)$|(?:^|-)x[0-9a-f]{8}$`)

// distinct returns a name for s that begins with clean.
func distinct(clean, s string) string {
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
