package site

import (
	"context"
	"slices"

	"github.com/sitewalk/sitewalk/internal/git"
	"github.com/sitewalk/sitewalk/sitemap"
)

// DateClaims returns what every source of dates says of a page, in their order. Git is
// asked for its date even when an earlier source speaks.
func (r *Result) DateClaims(ctx context.Context, p *Page) (all []Claim) {
	d := &asker{r.World.askGitFor(ctx, p), &clock{now: r.now}, r.Ledger, r.common}
	sources := sources(r.World.Options.LastMod)
	by := p.DateBy
	if !p.Listed() { // no pass has dated it
		_, by = d.resolve(sources, p, nil)
	}
	var after sitemap.Date
	over := false
	for _, src := range sources {
		a := src.ask(d, p)
		c := Claim{Source: src.Name, Value: a.date.String(), Wins: src.Name == by}
		c.Note, c.Pos = a.remark(d, p)
		if why := d.passedOver(&src, a.date, after); why != "" && (!over || d.doubt(a.date) != "") {
			c.Note += "; not used: " + why
		}
		over = over || c.Wins
		if after.Compare(a.after) < 0 {
			after = a.after
		}
		all = append(all, c)
	}
	return all
}

// askGitFor returns the world in which git was asked for the page's date even when
// an earlier source speaks.
func (w *World) askGitFor(ctx context.Context, r *Page) *World {
	file := w.historyFile(r)
	if _, asked := w.Git.Results[file]; asked || file == "" || !slices.Contains(w.Options.LastMod, "git") {
		return w
	}
	files := []string{file}
	if w.isBuilt(file) { // a deploy is known by how much of the site it changed
		for i := range w.pages {
			if file := w.historyFile(&Page{Facts: w.pages[i], Content: w.pairs[i]}); file != "" {
				files = append(files, file)
			}
		}
	}
	now := *w
	now.Git = new(git.Answers).Ask(ctx, files, w.gitOptions())
	return &now
}
