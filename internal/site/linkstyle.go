package site

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"slices"

	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
)

// A LinkStyle is what the links of a part's own pages say of its addresses: how most
// of those end that lead to pages a.html, or most to pages a/index.html.
type LinkStyle struct {
	Dir     string         // of the part
	Folders bool           // it is of pages a/index.html
	Named   bool           // an address may have .html, and not only a slash at its end
	Ending  mapping.Ending // AnyEnding where no link says
	Links   int            // that end so
	Of      int            // links to such pages
	Pages   int            // that were read for it
}

// Setting says it as a key of the configuration would.
func (l LinkStyle) Setting() (key, value string) {
	switch {
	case l.Ending == mapping.FileName:
		return "urls.html", "keep"
	case l.Ending == mapping.Bare && l.Named:
		return "urls.html", "strip"
	case l.Ending == mapping.Bare:
		return "urls.slash", "remove"
	}
	return "urls.slash", "add"
}

// String says it in words.
func (l LinkStyle) String() string {
	how := [...]string{mapping.FileName: "end in .html", mapping.Slashed: "end in a slash", mapping.Bare: "have no slash"}[l.Ending]
	if l.Ending == mapping.Bare && l.Named {
		how = "have no .html"
	}
	what := "links"
	if l.Folders {
		what = "links to folders"
	}
	return fmt.Sprintf("%d of %d %s in %d pages %s", l.Links, l.Of, what, l.Pages, how)
}

// maxSample is how many pages are read for their links, beside the home page.
const maxSample = 64

// inferLinkStyles reads the links of some pages to learn how the site spells its addresses,
// if the host leaves that open and not every page names its own address.
func (w *World) inferLinkStyles(ctx context.Context) error {
	for i := range w.Parts {
		p := &w.Parts[i]
		open := [...]bool{p.leavesOpen(0), p.leavesOpen(1)}
		var sample [][]string // the URL paths that each page links to
		for _, f := range w.sampleOf(uint8(i), open) {
			paths, err := w.Facts.LinkPaths(ctx, f)
			if err != nil {
				return err
			}
			sample = append(sample, paths)
		}
		for k := range open {
			if !open[k] || len(sample) == 0 {
				continue
			}
			if p.linkStyles[k] = p.count(sample, k); p.linkStyles[k].Ending != mapping.AnyEnding {
				w.linkStyles = append(w.linkStyles, p.linkStyles[k])
			}
		}
	}
	return nil
}

// leavesOpen reports whether the host answers more than one address of such a file
// that the configuration allows.
func (p *Part) leavesOpen(k int) bool {
	usual := p.Style.Ending(fileKinds[k])
	n := 0
	for _, e := range p.endings[k] {
		if p.allows(fileKinds[k], usual, e) {
			n++
		}
	}
	return n > 1
}

// sampleOf returns the home page of a part and up to maxSample more pages. It returns none if
// every page names its own address. The choice depends on the names of the pages alone, so
// that a new page changes at most one of them.
func (w *World) sampleOf(part uint8, open [2]bool) []*facts.Page {
	p := &w.Parts[part]
	isUndecided := func(i int) bool {
		f := w.pages[i]
		file, _ := p.Below(f.File)
		k, several := fileKind(file)
		return f.Part == part && f.Own == page.Listed && several && open[k] && f.Says == mapping.AnyEnding && f.OG == mapping.AnyEnding &&
			(w.pairs[i] == nil || w.pairs[i].ending == mapping.AnyEnding)
	}
	i := 0
	for i < len(w.pages) && !isUndecided(i) {
		i++
	}
	if i == len(w.pages) {
		return nil
	}
	type lot struct {
		page *facts.Page
		hash uint64
	}
	var lots []lot
	for _, f := range w.pages {
		switch file, _ := p.Below(f.File); {
		case f.Part != part || f.Own != page.Listed:
		case file == "index.html":
			lots = append(lots, lot{f, 0})
		default:
			lots = append(lots, lot{f, hashName(file)})
		}
	}
	slices.SortStableFunc(lots, func(a, b lot) int { return cmp.Compare(a.hash, b.hash) })
	var sample []*facts.Page
	for _, l := range lots[:min(len(lots), 1+maxSample)] {
		sample = append(sample, l.page)
	}
	return sample
}

// hashName returns a number for a name that has no order, but never 0.
func hashName(name string) uint64 {
	h := fnv.New64a()
	io.WriteString(h, name)
	return h.Sum64() | 1
}

// count counts how the links of a sample end that lead to pages of a kind. The host's
// own ending stays where others are as many.
func (p *Part) count(sample [][]string, k int) LinkStyle {
	l := LinkStyle{Dir: p.Dir, Folders: k == 1, Named: slices.Contains(p.endings[k], mapping.FileName), Pages: len(sample)}
	var ends [mapping.Slashed + 1]int
	for _, paths := range sample {
		for _, urlPath := range paths {
			file := p.linkedFile(urlPath)
			if of, several := fileKind(file); several && of == k {
				ends[mapping.EndingOf(file, urlPath)]++
			}
		}
	}
	usual := p.Style.Ending(fileKinds[k])
	for _, e := range p.endings[k] {
		l.Of += ends[e]
		if n := ends[e]; n > l.Links || n > 0 && n == l.Links && e == usual {
			l.Ending, l.Links = e, n
		}
	}
	return l
}

// linkedFile returns the page that a link leads to without a redirect, "" for none. A
// host that is not known is taken at the word of the link, unless other files are
// there.
func (p *Part) linkedFile(urlPath string) string {
	file := urlPath[1:]
	if p.Host.IsKnown() {
		file, _ = p.Host.Serves(urlPath, p.Exists)
		return file
	}
	switch {
	case file == "" || p.Exists(file):
		return file
	case p.Exists(file+".html") && !p.Exists(file+"/index.html"):
		return file + ".html"
	}
	return ""
}
