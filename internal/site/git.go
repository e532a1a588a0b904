package site

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/git"
	"github.com/sitewalk/sitewalk/page"
)

// queryGit gets git's dates for the pages that have no date from an earlier source. It queries the
// content file of a page, or the page file if the page has no content file. Rules and the ledger do
// not count as earlier sources, because they are evaluated later.
func (w *World) queryGit(ctx context.Context) {
	w.Git = w.Git.Ask(ctx, w.gitFiles(), w.gitOptions())
	for _, r := range w.Git.Results {
		if w.gitHasDates = !r.Date.IsZero() || !r.After.IsZero() || r.Why == git.Imported; w.gitHasDates {
			break
		}
	}
}

// gitFiles returns the operating system paths of the files to query git about, sorted: the files of
// all pages without a date from an earlier source.
func (w *World) gitFiles() []string {
	earlier := sourcesByName(w.Options.LastMod[:indexNeeding(NeedsGit, w.Options.LastMod)])
	parts := files.ParallelParts(len(w.pages), func(from, to int) (all []string) {
		d := &dateFinder{world: w, clock: &clock{now: w.Options.Now}}
		r := new(Page)
		for i := from; i < to; i++ {
			if *r = (Page{Facts: w.pages[i], Content: w.pairs[i]}); r.Facts.OwnReason != page.Listed {
				continue
			}
			if _, by := d.resolve(earlier, r, nil); by == "" {
				all = append(all, w.historyFiles(r)...)
			}
		}
		return all
	})
	all := slices.Concat(parts...)
	slices.Sort(all)
	return slices.Compact(all)
}

// isBuilt reports whether file, an operating system path, is a page of the publish directory whose
// source file is unknown.
func (w *World) isBuilt(file string) bool {
	if w.Options.Pages == nil || w.Options.Pages.Dir == "" {
		return false
	}
	rel, err := filepath.Rel(w.Options.Pages.Dir, file)
	if err != nil {
		return false
	}
	i, ok := findFact(w.pages, filepath.ToSlash(rel))
	return ok && w.pairs[i] == nil && w.Edited[w.pages[i].File] == ""
}

// isGenerated reports whether a generator's name is in the HTML of more than half of the pages.
func (w *World) isGenerated() bool {
	marked := 0
	for _, f := range w.pages {
		if f.Generated {
			marked++
		}
	}
	return 2*marked > len(w.pages)
}

// historyFile returns the operating system path of the file whose git history dates the page: the
// file that its edit link names, its content file, or the page file. It returns "" if there is
// none.
func (w *World) historyFile(r *Page) string {
	switch {
	case w.Edited[r.Facts.File] != "":
		return w.Edited[r.Facts.File]
	case r.Content != nil && w.Options.Content.Dir != "":
		return w.Options.Content.Path(r.Content.File)
	case r.Content == nil && w.Options.Pages != nil && w.Options.Pages.Dir != "":
		return w.Options.Pages.Path(r.Facts.File)
	}
	return ""
}

// historyFiles returns the operating system paths of the files whose git histories date the page:
// the result of historyFile, and the files that the page includes.
func (w *World) historyFiles(r *Page) (all []string) {
	file := w.historyFile(r)
	if file == "" {
		return nil
	}
	all = append(all, file)
	if w.Options.Pages == nil || w.Options.Pages.Dir == "" {
		return all
	}
	for _, name := range r.rest().Includes {
		all = append(all, w.Options.Pages.Path(w.includedFile(r.Facts, name)))
	}
	return all
}

// latestChange returns the file that changed last according to git, among the files of
// historyFiles. If git has no date for one of these files, it returns that file. It returns "" if
// there are no files.
func (w *World) latestChange(r *Page) (latest string) {
	for _, file := range w.historyFiles(r) {
		date := w.Git.Results[file].Date
		if date.IsZero() {
			return file
		}
		if latest == "" || w.Git.Results[latest].Date.Compare(date) < 0 {
			latest = file
		}
	}
	return latest
}

func gitDate(d *dateFinder, r *Page) answer {
	file := d.world.latestChange(r)
	if file == "" {
		return answer{note: "the page has no file that git could know"}
	}
	got, ok := d.world.Git.Results[file]
	switch {
	case !ok:
		return answer{note: "not asked: an earlier source has a date"}
	case got.Date.IsZero():
		return answer{note: got.Why, after: got.After}
	}
	a := answer{date: got.Date, describe: commitNote}
	if !got.New {
		a.after = got.Date
	}
	return a
}

func commitNote(d *dateFinder, r *Page) (note string, pos diag.Pos) {
	kind := "author"
	if d.world.Options.Git.Committer {
		kind = "committer"
	}
	file := d.world.latestChange(r)
	note = kind + " date of commit " + d.world.Git.Results[file].Commit
	switch {
	case file != d.world.historyFile(r):
		included, _ := filepath.Rel(d.world.Options.Pages.Dir, file)
		return note + " of an included file", diag.Pos{File: d.world.Options.Pages.Show(filepath.ToSlash(included))}
	case r.Content != nil:
		return note, d.world.ContentPos(r)
	case d.world.Edited[r.Facts.File] == "":
		return note, d.world.Pos(r)
	}
	return note, diag.Pos{File: d.world.ShowEdited(r)}
}

// gitOptions returns the options for queries to git about files of the site.
func (w *World) gitOptions() git.Options {
	o := w.Options.Git
	folders := []string{}
	for _, tree := range []*facts.Tree{w.Options.Pages, w.Options.Content} {
		if tree != nil && tree.Dir != "" {
			folders = append(folders, tree.Dir)
		}
	}
	return git.Options{Committer: o.Committer, Deepen: o.Deepen, Built: w.isBuilt, Generated: w.isGenerated(), Folders: folders}
}
