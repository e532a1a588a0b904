package build

import (
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/internal/spelling"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
)

// A loss counts which URLs that were listed before are listed no more.
type loss struct {
	of     int // URLs below the base URL that were listed
	result *site.Result
	part   *spelling.Part
	list   site.List
	paths  []string // of those that are not listed as they were
	next   int      // where the URL after the last one is expected
}

// newLoss returns a count for one part, numbered as in site.Result.Part.
func newLoss(r *site.Result, part int) *loss {
	return &loss{result: r, part: &r.World.Parts()[part], list: r.Part(part)}
}

// was takes in a URL that was listed. One of another address of the site is not
// lost: the site has moved.
func (l *loss) was(loc string) {
	loc = l.part.Base.OwnScheme(loc)
	urlPath, below := l.part.Base.Path(loc)
	if !below {
		return
	}
	l.of++
	i, ok := l.list.FindNear(loc, l.next)
	if l.next = i + 1; ok {
		return
	}
	if _, leads := l.part.Host.Redirect(urlPath, l.part.Exists); !leads {
		l.paths = append(l.paths, urlPath)
	}
}

// gone returns the URLs that are listed no more in any spelling, and that
// do not lead elsewhere either.
func (l *loss) gone() (gone []string) {
	if len(l.paths) == 0 {
		return nil
	}
	here := map[string]bool{}
	for _, r := range l.list {
		here[mapping.Spelling(l.result.World.Path(r))] = true
	}
	for r := range l.result.Files() {
		if (r.Reason() == page.Redirect || r.Reason() == page.NotServed) && l.result.World.PartOf(r) == l.part {
			here[mapping.Spelling(r.Said.Path)] = true
		}
	}
	for _, urlPath := range l.paths {
		if here[mapping.Spelling(urlPath)] {
			continue
		}
		if loc, err := l.part.Base.Loc(urlPath); err == nil {
			gone = append(gone, loc)
		}
	}
	return gone
}
