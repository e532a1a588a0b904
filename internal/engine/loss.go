package engine

import (
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
)

// lost returns the removed URLs of a part that are really lost: they are below the base URL of
// the part, have no other spelling in the new list, and are not redirected. outside counts
// removed URLs that are not below the base URL, as after a move of the site. part is an index
// as in site.Result.Part.
func (b *Build) lost(part int, removed []Earlier) (lost []string, outside int) {
	p := &b.Result.World.Parts[part]
	var paths []string
	for _, e := range removed {
		urlPath, below := p.Base.Path(p.Base.OwnScheme(e.URL))
		if !below {
			outside++
		} else if _, leads := p.Host.Redirect(urlPath, p.Exists); !leads {
			paths = append(paths, urlPath)
		}
	}
	if len(paths) == 0 {
		return nil, outside
	}
	here := map[string]bool{}
	for _, r := range b.Result.Part(part) {
		here[mapping.Spelling(b.Result.World.Path(r))] = true
	}
	for r := range b.Result.Files() {
		if (r.Reason() == page.Redirect || r.Reason() == page.NotServed) && b.Result.World.PartOf(r) == p {
			here[mapping.Spelling(r.Facts.Path)] = true
		}
	}
	for _, urlPath := range paths {
		if here[mapping.Spelling(urlPath)] {
			continue
		}
		if loc, err := p.Base.Loc(urlPath); err == nil {
			lost = append(lost, loc)
		}
	}
	return lost, outside
}
