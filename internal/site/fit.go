package site

import (
	"cmp"
	"path"
	"strings"

	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/mapping"
)

// A BaseFit is the base URL and the folder below the pages tree with which pages would have
// the addresses that they name.
type BaseFit struct{ Base, Dir string }

// Fit returns the base URL and the folder, as the user would type it, with which most of the
// pages would have the canonical addresses that they name. It returns the zero BaseFit if
// there is none.
func (w *World) Fit(pages []*Page) (best BaseFit) {
	votes := map[BaseFit]int{}
	for _, r := range pages {
		p := w.PartOf(r)
		if f, ok := p.fitOne(r.Facts, p.Canonical(r.Facts)); ok {
			votes[f]++
			if cmp.Or(votes[f]-votes[best], strings.Compare(best.Base, f.Base), strings.Compare(best.Dir, f.Dir)) > 0 {
				best = f
			}
		}
	}
	if 2*votes[best] <= len(pages) {
		return BaseFit{}
	}
	if best.Dir != "" {
		best.Dir = path.Join(w.Options.Pages.Name, best.Dir)
	}
	return best
}

// maxFolders is how many folders the site may lie below the one that was named.
const maxFolders = 4

// fitOne finds the base and the folder by the end that a page's path and the
// address that it names share.
func (p *Part) fitOne(page *facts.Page, to string) (BaseFit, bool) {
	file, _ := p.Below(page.File)
	dir := ""
	for range maxFolders {
		for e := mapping.Slashed; e > mapping.AnyEnding; e-- {
			loc, err := p.Base.Loc(e.Style().URLPath(file))
			if err != nil {
				continue
			}
			end := loc[len(p.Base.String())-1:]
			if base, ok := strings.CutSuffix(to, end); ok && end != "/" && strings.Count(base, "//") == 1 {
				b, err := mapping.ParseBase(base + "/")
				return BaseFit{b.String(), dir}, err == nil
			}
		}
		top, rest, ok := strings.Cut(file, "/")
		if !ok {
			break
		}
		dir, file = path.Join(dir, top), rest
	}
	return BaseFit{}, false
}
