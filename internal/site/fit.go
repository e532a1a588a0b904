package site

import (
	"path"
	"strings"

	"github.com/sitewalk/sitewalk/mapping"
)

// A Fitting is the base URL and the folder, as the user would type it, with which pages
// would have the addresses that they name.
type Fitting struct{ Base, Dir string }

// Fit returns what fits most of some pages with the canonicals that they name;
// the zero Fitting when nothing does.
func (w *World) Fit(pages []*Page) (best Fitting) {
	votes := map[Fitting]int{}
	for _, r := range pages {
		if f, ok := w.fitOne(r, w.Canonical(r)); ok {
			votes[f]++
			if votes[f] > votes[best] || votes[f] == votes[best] && (f.Base < best.Base || f.Base == best.Base && f.Dir < best.Dir) {
				best = f
			}
		}
	}
	if 2*votes[best] <= len(pages) {
		return Fitting{}
	}
	if best.Dir != "" {
		best.Dir = path.Join(w.o.Pages.Name, best.Dir)
	}
	return best
}

// maxFolders is how many folders the site may lie below the one that was named.
const maxFolders = 4

// fitOne finds the base and the folder by the end that a page's path and the
// address that it names share.
func (w *World) fitOne(r *Page, to string) (Fitting, bool) {
	part := w.PartOf(r)
	file, _ := part.Below(r.Said.File)
	dir := ""
	for range maxFolders {
		for e := mapping.Slashed; e > mapping.AnyEnding; e-- {
			loc, err := part.Base.Loc(e.Style().URLPath(file))
			if err != nil {
				continue
			}
			end := loc[len(part.Base.String())-1:]
			if base, ok := strings.CutSuffix(to, end); ok && end != "/" && strings.Count(base, "//") == 1 {
				b, err := mapping.ParseBase(base + "/")
				return Fitting{b.String(), dir}, err == nil
			}
		}
		top, rest, ok := strings.Cut(file, "/")
		if !ok {
			break
		}
		dir, file = path.Join(dir, top), rest
	}
	return Fitting{}, false
}
