package engine

import (
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
)

// lost returns which of the URLs that were listed before in a part, numbered as in
// site.Result.Part, and are listed no more, are lost: those below its base URL that have no
// other spelling now and do not lead elsewhere. It also counts those that are not below the
// base URL, which a site leaves behind that has moved.
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
			here[mapping.Spelling(r.Said.Path)] = true
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
