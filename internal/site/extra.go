package site

import (
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/page"
)

// addExtra adds the URLs that no file stands for: those of the configuration, and
// those that a sitemap of another tool names.
func addExtra(f *fold) {
	x := &extraAdder{fold: f, sets: newRuleSets(f.World.Options.Rules)}
	for i := range f.World.Parts {
		x.nothing = append(x.nothing, &facts.Page{Part: uint8(i)})
	}
	for i := range f.World.Options.Extra {
		x.written(&f.World.Options.Extra[i])
	}
	f.List = slices.Grow(f.List, len(f.World.Options.From))
	for i, g := range f.World.Options.From {
		if !f.taken[i] {
			x.given(g)
		}
	}
	for i, n := range x.sets.hits {
		f.Hits[i] += n
	}
}

// An extraAdder adds rows without a file.
type extraAdder struct {
	*fold
	sets    *ruleSets
	nothing []*facts.Page // of each part, what is known of a page without a file
}

// written adds a URL of the configuration.
func (x *extraAdder) written(e *Extra) {
	said := &facts.Page{LastMod: e.URL.LastMod, Rest: facts.Written(&e.URL, e.Pos)}
	r := &Page{Said: said}
	loc, err := x.World.Parts[0].Resolve(e.URL.Loc)
	if err != nil {
		x.invalid(e.URL.Loc, r, "write an absolute address, or a path below the base URL", err)
		return
	}
	said.Part = x.World.Scope(loc)
	x.add(loc, r)
}

// given adds a URL that another tool's sitemap names.
func (x *extraAdder) given(g *Given) {
	r := &Page{Said: x.nothing[0], Given: g}
	loc, err := x.World.givenAt(g)
	if err != nil {
		x.invalid(g.URL.Loc, r, "", err)
		return
	}
	r.Said = x.nothing[x.World.Scope(loc)]
	x.add(loc, r)
}

// invalid reports an address that is none, and leaves it out.
func (x *extraAdder) invalid(at string, r *Page, hint string, err error) {
	pos := x.World.Pos(r)
	x.Findings.Add(diag.Errorf(pos, "invalid-url", hint, "loc %.100q: %v", at, err).About(at))
	r.Entry.Loc, r.Out = at, &Verdict{Reason: page.InvalidURL, Pos: pos}
	x.Strays = append(x.Strays, r)
}

// add adds a page at loc, unless something keeps it out.
func (x *extraAdder) add(loc string, r *Page) {
	r.Entry.Loc = loc
	if base := x.World.PartOf(r).Base.String(); !strings.HasPrefix(loc, base) {
		pos := x.World.Pos(r)
		x.Findings.Add(diag.Warnf(pos, "out-of-scope", "a sitemap lists URLs below its own folder only; name the other site's sitemap in output.index",
			"loc %s lies outside the base URL %s", loc, base).About(loc))
		r.Out = &Verdict{Reason: page.OutOfScope, Pos: pos}
	} else {
		r.Rules = x.sets.of("", "", x.World.Path(r))
		r.Out, _ = nextVerdict(x.World, r, x.clock, 0)
	}
	if r.Listed() {
		x.List = append(x.List, r)
	} else {
		x.Strays = append(x.Strays, r)
	}
}
