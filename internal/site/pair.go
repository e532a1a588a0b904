package site

import (
	"cmp"
	"context"
	"iter"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/generator"
	"github.com/sitewalk/sitewalk/internal/git"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// A ContentFile contains the facts of a content file, and the file of the page that the generator
// makes from it.
type ContentFile struct {
	*facts.Content
	exclusion   *Exclusion     // why the file leaves its page out, or nil
	publishDate sitemap.Date   // the date before which the page is not listed
	lang        string         // language that the generator gives the file, as in the generator's settings
	key         string         // key that the file shares with its translations, or ""
	Output      string         // the page file that the generator writes, or "" if that is unknown
	Note        string         // why Output is unknown, or how it was found
	ending      mapping.Ending // ending of the page's address as the generator writes it
}

// findOutputFiles sets w.ContentFiles. For each content file, it finds the page file that the
// generator writes, the exclusion, and the facts that depend on the generator, such as the
// language.
func (w *World) findOutputFiles() {
	w.Mapping = w.Options.Mapping.WithIndexFiles(w.contentFacts())
	w.ContentFiles = make([]*ContentFile, len(w.Facts.Contents))
	m := w.Mapping
	files.ParallelRanges(len(w.ContentFiles), func(from, to int) {
		var scratch page.Facts
		for i := from; i < to; i++ {
			src := &ContentFile{Content: w.Facts.Contents[i]}
			f := src.AllFacts(&scratch)
			src.Output, src.Note, _ = m.OutputFile(src.File, f)
			src.ending = m.LinkEnding(src.File, src.Output, f)
			src.publishDate = m.PublishDate(src.File, f)
			src.lang, src.key = m.Translation(src.File, f)
			src.exclusion = w.timelessContentExclusion(src.File, f)
			w.ContentFiles[i] = src
		}
	})
}

func (w *World) contentFacts() iter.Seq2[string, *page.Facts] {
	return func(yield func(string, *page.Facts) bool) {
		var scratch page.Facts
		for _, c := range w.Facts.Contents {
			if !yield(c.File, c.AllFacts(&scratch)) {
				return
			}
		}
	}
}

// timelessContentExclusion returns the exclusion that a content file, such as a draft, causes for
// its page. It ignores reasons that depend on the time, such as a date of publication. It returns
// nil if there is no other reason. file is the content file, and f its facts.
func (w *World) timelessContentExclusion(file string, f *page.Facts) *Exclusion {
	first := f.Skips.First()
	reason, pos, note := first.Reason, first.Pos, first.Note
	if reason == page.Listed {
		reason, pos, note = w.Mapping.GeneratorSkipReason(file, f)
	}
	if reason == page.Listed {
		return nil
	}
	if pos.File == "" {
		pos.File = w.Options.Content.DisplayName(file)
	}
	return &Exclusion{Reason: reason, Pos: pos, Text: note}
}

// makePagesFromContent sets w.pages and w.pairs to one page for each content file, on a site
// without a pages tree. It skips files from which the generator makes no page. It does not skip
// drafts and other excluded files.
func (w *World) makePagesFromContent() {
	for _, src := range w.ContentFiles {
		if src.exclusion == nil && !src.isPage() {
			continue
		}
		if src.Output == "" {
			w.reportUnknownURL(src)
		}
		w.pairs = append(w.pairs, src)
	}
	pageFile := func(src *ContentFile) string { return cmp.Or(src.Output, src.File) }
	slices.SortStableFunc(w.pairs, func(a, b *ContentFile) int { return cmp.Compare(pageFile(a), pageFile(b)) })
	w.pages = make([]*facts.Page, len(w.pairs))
	for i, src := range w.pairs {
		f := w.Facts.Parts.NewPage(pageFile(src))
		w.pages[i] = &f
	}
}

// isPage reports whether the generator makes a page from a content file. A file without front
// matter is a page unless it is an HTML or text file.
func (src *ContentFile) isPage() bool {
	if src.Front {
		return true
	}
	switch path.Ext(src.File) {
	case ".html", ".htm", ".xhtml", ".txt":
		return false
	}
	return true
}

func (w *World) reportUnknownURL(src *ContentFile) {
	if src.exclusion != nil {
		return
	}
	src.exclusion = &Exclusion{Reason: page.NotRendered, Text: src.Note}
	w.findings.Warnf(diag.Pos{File: w.Options.Content.DisplayName(src.File)}, "unknown-url",
		"name the publish directory too, because the built page shows its address",
		"the address of its page cannot be known: %s", src.Note)
}

// pairContentFiles sets w.pairs to the content file of each page: the file from which the generator
// writes the page. A page stays without a content file if two content files fit, or if the content
// file fits two pages.
func (w *World) pairContentFiles() {
	outs := make([]string, len(w.ContentFiles))
	for i, src := range w.ContentFiles {
		outs[i] = src.Output
	}
	files := make([]string, len(w.pages))
	for i, f := range w.pages {
		files[i] = f.File
	}
	var scratch page.Facts
	undated := func(i int) string {
		src := w.ContentFiles[i]
		return w.Mapping.UndatedOutput(src.File, src.AllFacts(&scratch))
	}
	for i, j := range generator.PairPages(files, outs, undated) {
		if j < 0 {
			continue
		}
		w.pairs[i] = w.ContentFiles[j]
		w.pairs[i].Output, w.pairs[i].Note = files[i], ""
	}
}

// pairByEditLinks finds source files by the "edit this page" links of pages without a content file,
// and stores them in w.Edited. A link counts only if its URL ends in the path of an existing file
// in the repository. If the file is in the content tree, it becomes the content file of the page.
func (w *World) pairByEditLinks(ctx context.Context) error {
	w.Edited = map[string]string{}
	root := cmp.Or(git.FindWorkTree(w.Options.Content.Dir), w.Options.Content.Dir)
	for i, f := range w.pages {
		if w.pairs[i] != nil || f.OwnReason != page.Listed {
			continue
		}
		links, err := w.Facts.EditLinks(ctx, f)
		if err != nil {
			return err
		}
		if file := editLinkTarget(root, links); file != "" {
			w.Edited[f.File], w.pairs[i] = file, w.contentFileAt(file)
		}
	}
	w.dropSharedSources()
	return nil
}

// EditedFileName returns the source file that the page's edit link names, as the user would type
// its path. The page must be a key of w.Edited.
func (w *World) EditedFileName(p *Page) string {
	file, content := w.Edited[p.Facts.File], w.Options.Content
	rel, err := filepath.Rel(content.Dir, file)
	if err != nil {
		return file
	}
	return content.DisplayName(filepath.ToSlash(rel))
}

// editLinkTarget returns the operating system path of the file below root that the edit links of a
// page name. It returns "" if they name no existing file, or different files.
func editLinkTarget(root string, links []string) (edited string) {
	for _, link := range links {
		file := fileOfEditLink(root, link)
		if edited != "" && file != "" && file != edited {
			return ""
		}
		edited = cmp.Or(edited, file)
	}
	return edited
}

// dropSharedSources removes a page from w.Edited if another page has the same source file. The edit
// link of such a page edits a shared file, for example the navigation, and not the page.
func (w *World) dropSharedSources() {
	pages := map[string]int{} // number of pages by source
	for i, f := range w.pages {
		if w.Edited[f.File] != "" || w.pairs[i] != nil {
			pages[w.historyFile(&Page{Facts: f, Content: w.pairs[i]})]++
		}
	}
	for i, f := range w.pages {
		if file := w.Edited[f.File]; file != "" && pages[file] > 1 {
			delete(w.Edited, f.File)
			w.pairs[i] = nil
		}
	}
}

// contentFileAt returns the content file with the operating system path file, or nil.
func (w *World) contentFileAt(file string) *ContentFile {
	rel, err := filepath.Rel(w.Options.Content.Dir, file)
	if file == "" || err != nil || !filepath.IsLocal(rel) {
		return nil
	}
	return w.ContentFile(filepath.ToSlash(rel))
}

// fileOfEditLink returns the operating system path of the file that an edit link names. For
// https://github.com/owner/site/edit/main/docs/a.md, this is docs/a.md below the folder root. It
// returns "" if there is no such file.
func fileOfEditLink(root, link string) string {
	for _, name := range page.RepositoryPaths(link) {
		name = filepath.FromSlash(name)
		if !filepath.IsLocal(name) {
			continue
		}
		file := filepath.Join(root, name)
		if info, err := os.Lstat(file); err == nil && info.Mode().IsRegular() {
			return file
		}
	}
	return ""
}
