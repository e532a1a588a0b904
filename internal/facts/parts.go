package facts

import (
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/mapping"
)

// A Part is a folder of the publish directory that is served as a site of its
// own: a domain for each language, say.
type Part struct {
	Dir   string // below the publish directory, slash-separated; "" is the site itself
	Base  mapping.Base
	Style mapping.Style
}

// Below returns a file's path in the part's folder.
func (p *Part) Below(file string) (string, bool) {
	if p.Dir == "" {
		return file, true
	}
	return strings.CutPrefix(file, p.Dir+"/")
}

// Parts are the site itself, as part 0, and the parts within it.
type Parts []Part

// Parts returns those of the options.
func (o *Options) Parts() Parts {
	return append(Parts{{Base: o.Base, Style: o.Style}}, o.Sites...)
}

// Of returns the part that a file belongs to, the one with the longest folder,
// and the file's path in it.
func (ps Parts) Of(file string) (part uint8, below string) {
	below = file
	for i := 1; i < len(ps); i++ {
		p := &ps[i]
		if rest, in := p.Below(file); in && (part == 0 || len(p.Dir) > len(ps[part].Dir)) {
			part, below = uint8(i), rest
		}
	}
	return part, below
}

// Owns reports whether a URL is below the base URL of one of the parts.
func (ps Parts) Owns(loc string) bool {
	return slices.ContainsFunc(ps, func(p Part) bool { return strings.HasPrefix(loc, p.Base.String()) })
}

// Hosting returns the part on whose host a URL is; ok is false when it is on none.
func (ps Parts) Hosting(loc string) (part uint8, ok bool) {
	for i := range ps {
		if ps[i].Base.SameHost(loc) {
			return uint8(i), true
		}
	}
	return 0, false
}
