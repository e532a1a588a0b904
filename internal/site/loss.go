package site

import (
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
)

// A Loss counts which URLs that were listed before are listed no more.
type Loss struct {
	Of     int // URLs below the base URL that were listed
	result *Result
	part   *Part
	list   List
	gone   []string
	next   int // where the URL after the last one is expected
}

// Loss returns a count for one part, numbered as in Part.
func (r *Result) Loss(part int) *Loss {
	return &Loss{result: r, part: &r.World.parts[part], list: r.Part(part)}
}

// Was takes in a URL that was listed. One of another address of the site is not
// lost: the site has moved.
func (l *Loss) Was(loc string) {
	loc = l.part.Base.OwnScheme(loc)
	urlPath, below := l.part.Base.Path(loc)
	if !below {
		return
	}
	l.Of++
	i, ok := l.list.FindNear(loc, l.next)
	if l.next = i + 1; ok {
		return
	}
	if _, leads := l.part.Host.Redirect(urlPath, l.part.Exists); !leads {
		l.gone = append(l.gone, urlPath)
	}
}

// Gone returns the URLs that are listed no more in any spelling, and that
// do not lead elsewhere either.
func (l *Loss) Gone() []string {
	if len(l.gone) == 0 {
		return nil
	}
	here := map[string]bool{}
	for _, r := range l.list {
		here[mapping.Spelling(l.result.World.Path(r))] = true
	}
	for r := range l.result.Files() {
		if (r.Reason() == page.Redirect || r.Reason() == page.NotServed) && l.result.World.PartOf(r) == l.part {
			here[mapping.Spelling(r.Said.Path())] = true
		}
	}
	var gone []string
	for _, urlPath := range l.gone {
		if here[mapping.Spelling(urlPath)] {
			continue
		}
		if loc, err := l.part.Base.Loc(urlPath); err == nil {
			gone = append(gone, loc)
		}
	}
	return gone
}
