package writer

import (
	"strings"

	"github.com/sitewalk/sitewalk/sitemap"
)

// sections say where a URL belongs.
type sections struct {
	base  string
	group func(loc string) int // as in Options
	keys  []string             // of the groups
	by    bool                 // by section at all
}

func newSections(o *Options) *sections {
	s := &sections{base: o.Base, group: o.Group, by: o.Split != "none"}
	for _, g := range o.Groups {
		s.keys = append(s.keys, ":"+g.Name)
	}
	return s
}

// of returns the key of the section that loc belongs to: ":name" of its
// group, else "/segment" of a page below the base, "//host" of one
// that is not, and "" of a page at the root.
func (s *sections) of(loc string) string {
	if len(s.keys) > 0 {
		if i := s.group(loc); i >= 0 {
			return s.keys[i]
		}
	}
	if !s.by {
		return ""
	}
	return s.segment(loc)
}

// segment is of without groups.
func (s *sections) segment(loc string) string {
	rest, ok := strings.CutPrefix(loc, s.base)
	if !ok {
		return "//" + sitemap.HostOf(loc)
	}
	i := strings.IndexByte(rest, '/')
	if i <= 0 || strings.IndexByte(rest[:i], '?') >= 0 || strings.IndexByte(rest[:i], '#') >= 0 {
		return ""
	}
	return loc[len(s.base)-1 : len(s.base)+i]
}

// below returns the part of loc that stays when the site moves.
func (s *sections) below(loc string) string { return strings.TrimPrefix(loc, s.base) }
