package site

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/git"
	"github.com/sitewalk/sitewalk/page"
)

// queryGit reads git's dates of the content files whose pages have no date from an earlier source.
// It ignores rules and the ledger, which are read later. For a page without a content file, it
// queries the page file itself.
func (w *World) queryGit(ctx context.Context) {
	w.Git = w.Git.Ask(ctx, w.gitFiles(), w.gitOptions())
	for _, r := range w.Git.Results {
		if w.gitHasDates = !r.Date.IsZero() || !r.After.IsZero() || r.Why == git.Imported; w.gitHasDates {
			break
		}
	}
}

// gitFiles returns the files to query git about: those of pages without a date from an earlier source.
func (w *World) gitFiles() []string {
	earlier := sourcesByName(w.Options.LastMod[:slices.Index(w.Options.LastMod, "git")])
	parts := files.ParallelParts(len(w.pages), func(from, to int) (all []string) {
		d := &dateFinder{world: w, clock: &clock{now: w.Options.Now}}
		r := new(Page)
		for i := from; i < to; i++ {
			if *r = (Page{Facts: w.pages[i], Content: w.pairs[i]}); r.Facts.Own != page.Listed {
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

// isBuilt reports whether a file is a built page whose content file is not known.
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

// isGenerated reports whether most pages carry a generator's mark.
func (w *World) isGenerated() bool {
	marked := 0
	for _, f := range w.pages {
		if f.Generated {
			marked++
		}
	}
	return 2*marked > len(w.pages)
}

// historyFile returns the operating system path of the file whose history dates the page, or "".
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

// historyFiles returns the files whose histories date the page: its own and those that it includes.
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

// latestChange returns the file of the page that changed last, by git. It returns a file without a
// date if there is one.
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

// gitOptions returns the options for asking git about files of the site.
func (w *World) gitOptions() git.Options {
	o := w.Options.Git
	return git.Options{Committer: o.Committer, Deepen: o.Deepen, Built: w.isBuilt, Generated: w.isGenerated()}
}
