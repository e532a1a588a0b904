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

// A ContentFile is a content file with the location of its page.
type ContentFile struct {
	*facts.Content
	verdict *Verdict       // why the file leaves its page out, or nil
	since   sitemap.Date   // the page is not listed before
	lang    string         // of the file
	key     string         // shared with its translations
	Output  string         // the file that the generator writes, or "" if that is unknown
	Note    string         // why Output is unknown, or how it was found
	ending  mapping.Ending // of the page's address by the generator
}

// placeContentFiles finds where the generator writes the page of each content file.
func (w *World) placeContentFiles() {
	w.Mapping = w.Options.Mapping.WithIndexFiles(w.contentFacts())
	slab := make([]ContentFile, len(w.Facts.Contents))
	w.ContentFiles = make([]*ContentFile, len(slab))
	for i, c := range w.Facts.Contents {
		slab[i].Content = c
		w.ContentFiles[i] = &slab[i]
	}
	files.ParallelParts(len(slab), func(from, to int) (_ struct{}) {
		w.placeParts(w.ContentFiles[from:to])
		return
	})
}

func (w *World) placeParts(files []*ContentFile) {
	m := w.Mapping
	var scratch page.Facts
	for _, src := range files {
		f := src.All(&scratch)
		src.Output, src.Note, _ = m.OutputFile(src.File, f)
		src.ending = m.LinkEnding(src.File, src.Output, f)
		src.since = m.PublishDate(src.File, f)
		src.lang, src.key = m.Translation(src.File, f)
		src.verdict = w.contentFileVerdict(m, src.File, f)
	}
}

func (w *World) contentFacts() iter.Seq2[string, *page.Facts] {
	return func(yield func(string, *page.Facts) bool) {
		var scratch page.Facts
		for _, c := range w.Facts.Contents {
			if !yield(c.File, c.All(&scratch)) {
				return
			}
		}
	}
}

// contentFileVerdict returns why a content file leaves its page out, or nil.
func (w *World) contentFileVerdict(m *generator.Content, file string, f *page.Facts) *Verdict {
	first := f.Skips.First()
	reason, pos, note := first.Reason, first.Pos, first.Note
	if reason == page.Listed {
		reason, pos, note = m.SkipReason(file, f)
	}
	if reason == page.Listed {
		return nil
	}
	if pos.File == "" {
		pos.File = w.Options.Content.Show(file)
	}
	return &Verdict{Reason: reason, Pos: pos, Text: note}
}

// listContentFiles makes the pages of a site without a pages tree.
func (w *World) listContentFiles() {
	slab := make([]facts.Page, len(w.ContentFiles))
	type pair struct {
		*facts.Page
		src *ContentFile
	}
	all := make([]pair, 0, len(w.ContentFiles))
	for i, src := range w.ContentFiles {
		if src.verdict == nil && !src.isPage() {
			continue
		}
		if src.Output == "" {
			w.reportUnknownURL(src)
		}
		slab[i] = w.Facts.Parts.At(cmp.Or(src.Output, src.File))
		all = append(all, pair{&slab[i], src})
	}
	slices.SortFunc(all, func(a, b pair) int { return cmp.Compare(a.File, b.File) })
	w.pages, w.pairs = make([]*facts.Page, len(all)), make([]*ContentFile, len(all))
	for i, p := range all {
		w.pages[i], w.pairs[i] = p.Page, p.src
	}
}

// isPage reports whether a content file makes a page of its own. A file without front matter is a
// page unless its format has another use.
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
	if src.verdict != nil {
		return
	}
	src.verdict = &Verdict{Reason: page.NotRendered, Text: src.Note}
	w.contentFindings.Warnf(diag.Pos{File: w.Options.Content.Show(src.File)}, "unknown-url",
		"name the publish directory too, so that the built page says where it is",
		"the address of its page cannot be known: %s", src.Note)
}

// pairContentFiles finds the content file of each page, which is the file whose output is the
// page. It ignores pairs that are not one to one.
func (w *World) pairContentFiles() {
	outs := make([]string, len(w.ContentFiles))
	for i, src := range w.ContentFiles {
		outs[i] = src.Output
	}
	files := make([]string, len(w.pages))
	for i, f := range w.pages {
		files[i] = f.File
	}
	for i, j := range generator.Pair(files, outs) {
		if j < 0 {
			continue
		}
		src := w.ContentFiles[j]
		if w.pairs[i] = src; src.Output == files[i] {
			src.Output = files[i] // share the page's string to save memory
		}
	}
}

// pairByEditLinks pairs the remaining pages by their "edit this page" link, if the link ends in the
// path of a file of the repository.
func (w *World) pairByEditLinks(ctx context.Context) error {
	w.Edited = map[string]string{}
	root := cmp.Or(git.FindWorkTree(w.Options.Content.Dir), w.Options.Content.Dir)
	for i, f := range w.pages {
		if w.pairs[i] != nil || f.Own != page.Listed {
			continue
		}
		links, err := w.Facts.EditLinks(ctx, f)
		if err != nil {
			return err
		}
		if file := editLinkTarget(root, links); file != "" {
			w.Edited[f.File], w.pairs[i] = file, w.contentAt(file)
		}
	}
	w.dropSharedSources()
	return nil
}

// ShowEdited returns the path of the file that the page's edit link names, as the user would type
// it. The page must have such a link.
func (w *World) ShowEdited(r *Page) string {
	file, content := w.Edited[r.Facts.File], w.Options.Content
	rel, err := filepath.Rel(content.Dir, file)
	if err != nil {
		return file
	}
	return content.Show(filepath.ToSlash(rel))
}

// editLinkTarget returns the file that the edit links name, or "" if they name no file or several
// files.
func editLinkTarget(root string, links []string) (edited string) {
	for _, link := range links {
		file := editedFile(root, link)
		if edited != "" && file != "" && file != edited {
			return ""
		}
		edited = cmp.Or(edited, file)
	}
	return edited
}

// dropSharedSources removes sources that several pages name in their edit links, such as a link
// to edit the navigation.
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

// contentAt returns the content file at a path of the operating system, or nil.
func (w *World) contentAt(file string) *ContentFile {
	rel, err := filepath.Rel(w.Options.Content.Dir, file)
	if file == "" || err != nil || !filepath.IsLocal(rel) {
		return nil
	}
	return w.ContentFile(filepath.ToSlash(rel))
}

// editedFile returns the file below root that a link to a forge names.
func editedFile(root, link string) string {
	for _, name := range page.ForgePaths(link) {
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
