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
	x := &extraAdder{fold: f, sets: newRuleSets(f.world.Options.Rules), clock: clock{now: f.now}}
	for i := range f.world.Parts {
		x.nothing = append(x.nothing, &facts.Page{Part: uint8(i)})
	}
	for i := range f.world.Options.Extra {
		x.written(&f.world.Options.Extra[i])
	}
	f.listed = slices.Grow(f.listed, len(f.world.Options.From))
	for i, g := range f.world.Options.From {
		if !f.taken[i] {
			x.given(g)
		}
	}
	for i, n := range x.sets.hits {
		f.hits[i] += n
	}
}

// An extraAdder adds rows without a file.
type extraAdder struct {
	*fold
	sets    *ruleSets
	clock   clock
	nothing []*facts.Page // of each part, what is known of a page without a file
}

// written adds a URL of the configuration.
func (x *extraAdder) written(e *Extra) {
	said := &facts.Page{LastMod: e.URL.LastMod, Rest: facts.Written(&e.URL, e.Pos)}
	r := &Page{Said: said}
	loc, err := x.world.Parts[0].Resolve(e.URL.Loc)
	if err != nil {
		x.invalid(e.URL.Loc, r, "write an absolute address, or a path below the base URL", err)
		return
	}
	said.Part = x.world.Scope(loc)
	x.add(loc, r)
}

// given adds a URL that another tool's sitemap names.
func (x *extraAdder) given(g *Given) {
	r := &Page{Said: x.nothing[0], Given: g}
	loc, err := x.world.givenAt(g)
	if err != nil {
		x.invalid(g.loc, r, "", err)
		return
	}
	r.Said = x.nothing[x.world.Scope(loc)]
	x.add(loc, r)
}

// invalid reports an address that is none, and leaves it out.
func (x *extraAdder) invalid(at string, r *Page, hint string, err error) {
	pos := x.world.Pos(r)
	x.report.Add(diag.Errorf(pos, "invalid-url", hint, "loc %.100q: %v", at, err).About(at))
	r.Entry.Loc, r.Out = at, &Verdict{Reason: page.InvalidURL, Pos: pos}
	x.strays = append(x.strays, r)
}

// add adds a page at loc, unless something keeps it out.
func (x *extraAdder) add(loc string, r *Page) {
	r.Entry.Loc = loc
	if base := x.world.PartOf(r).Base.String(); !strings.HasPrefix(loc, base) {
		pos := x.world.Pos(r)
		x.report.Add(diag.Warnf(pos, "out-of-scope", "a sitemap lists URLs below its own folder only; name the other site's sitemap in output.index",
			"loc %s lies outside the base URL %s", loc, base).About(loc))
		r.Out = &Verdict{Reason: page.OutOfScope, Pos: pos}
	} else {
		r.Rules = x.sets.of("", "", x.world.Path(r))
		r.Out, _ = nextVerdict(x.world, r, &x.clock, 0)
	}
	if r.Listed() {
		x.listed = append(x.listed, r)
	} else {
		x.strays = append(x.strays, r)
	}
}
