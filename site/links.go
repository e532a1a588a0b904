package site

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/walker"
)

// A Linked is what the links of a part's own pages say of its addresses: most
// of those to pages that are files end in .html, or most do not.
type Linked struct {
	Dir    string         // of the part
	Ending mapping.Ending // FileName or Bare; AnyEnding where no link says
	Links  int            // that end so
	Of     int            // links to such pages
	Pages  int            // that were read for it
}

// HTML says it as urls.html in the configuration would.
func (l Linked) HTML() string {
	if l.Ending == mapping.Bare {
		return "strip"
	}
	return "keep"
}

// String says it in words.
func (l Linked) String() string {
	how := "end in .html"
	if l.Ending == mapping.Bare {
		how = "have no .html"
	}
	return fmt.Sprintf("%d of %d links in %d pages %s", l.Links, l.Of, l.Pages, how)
}

// linked returns what the links of each part say, where they say anything.
func (w *World) linked() (all []Linked) {
	for i := range w.parts {
		if l := w.parts[i].linked; l.Ending != mapping.AnyEnding {
			all = append(all, l)
		}
	}
	return all
}

// maxSample is how many pages are read for their links, besides the home page.
const maxSample = 64

// followLinks asks the links of some pages how the site spells its addresses,
// where its host leaves that open and not every page says it itself.
func (w *World) followLinks(ctx context.Context) error {
	before := w.links
	w.links = map[string]links{}
	for i := range w.parts {
		p := &w.parts[i]
		p.linked = Linked{Dir: p.Dir}
		if w.o.Pages == nil || p.said.HTML || p.Style.HTML != mapping.KeepHTML || !p.host.EitherEnding() {
			continue
		}
		sample := w.sampleOf(uint8(i))
		if err := w.readLinks(ctx, sample, before); err != nil {
			return err
		}
		p.linked = w.count(p, sample)
	}
	return nil
}

// Links are the URL paths that a page links to.
type links struct {
	of    *facts.Page // that was known when the page was read
	paths []string
}

// sampleOf returns the home page of a part and up to maxSample more; none when
// every page says itself how it is spelled. Which ones depends on each page's
// name alone, so that a new page changes at most one of them.
func (w *World) sampleOf(part uint8) []*facts.Page {
	type drawn struct {
		lot uint64
		f   *facts.Page
	}
	if !w.unspelled(part) {
		return nil
	}
	var some []drawn
	for _, f := range w.pages {
		if f.Part != part || f.Own != page.Listed {
			continue
		}
		file, _ := w.parts[part].Below(f.File)
		d := drawn{lot(file), f}
		if file == "index.html" {
			d.lot = 0
		}
		if len(some) <= maxSample || d.lot < some[len(some)-1].lot {
			at, _ := slices.BinarySearchFunc(some, d, func(a, b drawn) int { return cmp.Compare(a.lot, b.lot) })
			some = slices.Insert(some[:min(len(some), maxSample)], at, d)
		}
	}
	sample := make([]*facts.Page, len(some))
	for i, d := range some {
		sample[i] = d.f
	}
	return sample
}

// unspelled reports whether nothing but links could say how a page of the part is
// spelled.
func (w *World) unspelled(part uint8) bool {
	for i, f := range w.pages {
		if f.Part == part && f.Own == page.Listed && !spellsItself(f, w.contentOf(i)) && mayLoseHTML(f.File) {
			return true
		}
	}
	return false
}

// spellsItself reports whether anything but the links says how a page is spelled.
func spellsItself(f *facts.Page, src *contentFile) bool {
	return f.Says != mapping.AnyEnding || f.OG != mapping.AnyEnding || src.endingOf() != mapping.AnyEnding
}

// lot returns a number for a name that has no order: FNV-1a, but never 0.
func lot(name string) uint64 {
	const offset, prime = 14695981039346656037, 1099511628211
	h := uint64(offset)
	for i := range len(name) {
		h = (h ^ uint64(name[i])) * prime
	}
	return h | 1
}

// readLinks reads the whole pages of a sample, each once, for where their links
// lead.
func (w *World) readLinks(ctx context.Context, sample []*facts.Page, before map[string]links) error {
	var reader *page.Reader
	for _, f := range sample {
		if l := before[f.File]; l.of == f {
			w.links[f.File] = l
			continue
		}
		if reader == nil {
			reader = page.NewReader(page.Options{Zone: w.o.Zone, Links: true, Alternates: true})
		}
		var said page.Facts
		_, _, err := w.o.Pages.Visit(ctx, f.File, func(file *walker.File) {
			if reader.HTML(file, &said) != nil {
				said = page.Facts{}
			}
		})
		if err != nil {
			return err
		}
		w.links[f.File] = links{f, w.linksTo(f, &said)}
	}
	return nil
}

// linksTo returns the URL paths below the part's base that a page links to, in
// its head too.
func (w *World) linksTo(known *facts.Page, f *page.Facts) []string {
	p := &w.parts[known.Part]
	file, _ := p.Below(known.File)
	_, loc, err := p.Base.Place(p.Style, file)
	paths := []string{}
	if err != nil {
		return paths
	}
	refs := append(f.Links, f.Canonical)
	for _, a := range f.URL.Alternates {
		refs = append(refs, a.Href)
	}
	for _, ref := range refs {
		if ref == "" {
			continue
		}
		to, err := p.Base.Resolve(ref, loc, f.Base)
		if err != nil {
			continue
		}
		to, _, _ = strings.Cut(p.Base.OwnScheme(to), "?")
		if urlPath, ok := p.Base.Path(to); ok {
			paths = append(paths, urlPath)
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// count counts how the links of a sample end that lead to pages whose URL may
// have .html or not. Where both are as many, the file's own name stays.
func (w *World) count(p *part, sample []*facts.Page) Linked {
	l := Linked{Dir: p.Dir, Pages: len(sample)}
	named, bare := 0, 0
	for _, f := range sample {
		for _, urlPath := range w.links[f.File].paths {
			switch file := urlPath[1:]; {
			case mayLoseHTML(file) && p.exists(file):
				named++
			case file != "" && p.exists(file+".html") && !p.exists(file) && !p.exists(file+"/index.html"):
				bare++
			}
		}
	}
	switch l.Of = named + bare; {
	case bare > named:
		l.Ending, l.Links = mapping.Bare, bare
	case named > 0:
		l.Ending, l.Links = mapping.FileName, named
	}
	return l
}
