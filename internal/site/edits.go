package site

import (
	"cmp"
	"context"
	"os"
	"path/filepath"

	"github.com/sitewalk/sitewalk/internal/git"
	"github.com/sitewalk/sitewalk/page"
)

// pairByEditLinks pairs pages that nothing else pairs by their own "edit this page"
// link, when it ends in the path of a file of the repository. It asks for the bodies of
// those pages and no others.
func (w *World) pairByEditLinks(ctx context.Context) error {
	w.Edited = map[string]string{}
	root := cmp.Or(git.Above(w.Options.Content.Dir), w.Options.Content.Dir)
	for i, f := range w.pages {
		if w.pairs[i] != nil || f.Own != page.Listed {
			continue
		}
		links, err := w.Facts.EditLinks(ctx, f)
		if err != nil {
			return err
		}
		if file := editedBy(root, links); file != "" {
			w.Edited[f.File], w.pairs[i] = file, w.contentAt(file)
		}
	}
	w.onePageEach()
	return nil
}

// ShowEdited returns the file that the page's edit link names, as the user would type it.
// The page has such a link.
func (w *World) ShowEdited(r *Page) string {
	file, content := w.Edited[r.Facts.File], w.Options.Content
	rel, err := filepath.Rel(content.Dir, file)
	if err != nil {
		return file
	}
	return content.Show(filepath.ToSlash(rel))
}

// editedBy returns the file that links name, "" when they name none or several.
func editedBy(root string, links []string) (edited string) {
	for _, link := range links {
		file := editedFile(root, link)
		if edited != "" && file != "" && file != edited {
			return ""
		}
		edited = cmp.Or(edited, file)
	}
	return edited
}

// onePageEach takes a source away from pages that share it by their links: a
// link to edit the site's navigation stands on all of them.
func (w *World) onePageEach() {
	pages := map[string]int{} // of each source, how many
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
