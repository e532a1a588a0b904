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

// filesForGit returns the operating system paths of the files to ask git about, sorted. These are
// the files from historyFiles of all pages without a date from a source before git in the setting
// lastmod. It skips pages that their own files exclude. Dates from rules, from the ledger and from
// another tool's sitemap are not known yet. git is therefore also asked about pages that will have
// such a date.
func (w *World) filesForGit() []string {
	earlier := w.Options.dateSources(w.Options.LastMod[:slices.Index(w.Options.LastMod, SourceGit)])
	parts := files.ParallelParts(len(w.pages), func(from, to int) (all []string) {
		d := &dater{world: w, clock: &clock{now: w.Options.Now}, sources: earlier}
		p := new(Page)
		for i := from; i < to; i++ {
			if *p = (Page{Facts: w.pages[i], Content: w.pairs[i]}); p.Facts.OwnReason != page.Listed {
				continue
			}
			if _, by := d.resolveDate(p, nil); by == "" {
				all = append(all, w.historyFiles(p)...)
			}
		}
		return all
	})
	all := slices.Concat(parts...)
	slices.Sort(all)
	return slices.Compact(all)
}

// FindRemoval returns the last commit that deleted or renamed file, a path in the content tree. It
// returns the zero git.Removal if there is none, or if the content tree is not on disk.
func (w *World) FindRemoval(ctx context.Context, file string) git.Removal {
	if w.Options.Content.Dir == "" {
		return git.Removal{}
	}
	return git.FindRemoval(ctx, w.Options.Content.Path(file), git.Options{})
}

// isPageWithoutSource reports whether file, an operating system path, is a page file of the publish
// directory whose source file is unknown.
func (w *World) isPageWithoutSource(file string) bool {
	if w.Options.Pages == nil || w.Options.Pages.Dir == "" {
		return false
	}
	rel, err := filepath.Rel(w.Options.Pages.Dir, file)
	if err != nil {
		return false
	}
	i, ok := findPageFacts(w.pages, filepath.ToSlash(rel))
	return ok && w.pairs[i] == nil && w.Edited[w.pages[i].File] == ""
}

// isBuiltByGenerator reports whether more than half of the pages name a generator in their HTML.
func (w *World) isBuiltByGenerator() bool {
	marked := 0
	for _, f := range w.pages {
		if f.Generated {
			marked++
		}
	}
	return 2*marked > len(w.pages)
}

// historyFile returns the operating system path of the file whose git history dates the page. This
// is the file in the page's edit link, or else the content file, or else the page file. It returns
// "" if the page has no file, or if the tree of the content file or page file is not on disk.
func (w *World) historyFile(p *Page) string {
	switch {
	case p.Facts.File == "":
		return ""
	case w.Edited[p.Facts.File] != "":
		return w.Edited[p.Facts.File]
	case p.Content != nil && w.Options.Content.Dir != "":
		return w.Options.Content.Path(p.Content.File)
	case p.Content == nil && w.Options.Pages != nil && w.Options.Pages.Dir != "":
		return w.Options.Pages.Path(p.Facts.File)
	}
	return ""
}

// historyFiles returns the operating system paths of all files whose git histories date the page:
// the file from historyFile, and the files that the page includes. It returns nil if historyFile
// returns "".
func (w *World) historyFiles(p *Page) (all []string) {
	file := w.historyFile(p)
	if file == "" {
		return nil
	}
	all = append(all, file)
	if w.Options.Pages == nil || w.Options.Pages.Dir == "" {
		return all
	}
	for _, name := range p.Facts.Rare().Includes {
		all = append(all, w.Options.Pages.Path(w.serverIncludePath(p.Facts, name)))
	}
	return all
}

// lastChangedFile returns the file from historyFiles that git gives the latest date. If git has no
// date for one of the files, it returns that file, because the page then cannot be dated. It
// returns "" if there are no files.
func (w *World) lastChangedFile(p *Page) (latest string) {
	for _, file := range w.historyFiles(p) {
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

// ReportUndatedByImport adds a note with the number of listed pages that have no date because git
// knows only an import of their files. It adds nothing if there are no such pages. An import is a
// commit that added most of the files of the site.
func (r *Result) ReportUndatedByImport(report *diag.Report) {
	undated := 0
	for _, p := range r.List {
		if p.LastMod.IsZero() && r.World.Git.Results[r.World.historyFile(p)].Why == git.Imported {
			undated++
		}
	}
	if undated > 0 {
		report.Add(diag.Notef(diag.Pos{}, "git-import", "date the pages in front matter, or let a ledger date by content",
			"%s without a date: a commit that added most of the content dates none of it", diag.Count(undated, "page")))
	}
}

// explainGitDate returns a note that names the commit from which git dates the page p, and the
// position of the dated file. file is the operating system path of this file.
func (w *World) explainGitDate(p *Page, file string) (note string, pos diag.Pos) {
	who := "author"
	if w.Options.Git.Committer {
		who = "committer"
	}
	note = who + " date of commit " + w.Git.Results[file].Commit
	switch {
	case file != w.historyFile(p):
		included, _ := filepath.Rel(w.Options.Pages.Dir, file)
		return note + " of an included file", diag.Pos{File: w.Options.Pages.DisplayName(filepath.ToSlash(included))}
	case p.Content != nil:
		return note, w.ContentPos(p)
	case w.Edited[p.Facts.File] == "":
		return note, w.Pos(p)
	}
	return note, diag.Pos{File: w.EditedFileName(p)}
}

// gitOptions returns the options for asking git about files of the site.
func (w *World) gitOptions() git.Options {
	o := w.Options.Git
	return git.Options{Committer: o.Committer, DeepenHint: o.DeepenHint, IsBuilt: w.isPageWithoutSource, HasGeneratorMark: w.isBuiltByGenerator(), Folders: w.pagesAndContentDirs()}
}
