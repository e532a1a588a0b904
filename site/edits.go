package site

import (
	"context"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/walker"
)

// followEdits pairs pages that nothing else pairs by their own "edit this page"
// link, when it ends in the path of a file of the repository. It reads the
// bodies of those pages and no others.
func (s *Site) followEdits(ctx context.Context) error {
	if !s.editLinks || s.o.Pages == nil || s.o.Content == nil || s.o.Content.Dir == "" {
		return nil
	}
	o := s.o.Page
	o.EditLinks = true
	reader := page.NewReader(o)
	root := repository(s.o.Content.Dir)
	for _, r := range s.pages {
		if r.rest != nil {
			r.rest.edited = ""
		}
		if r.src != nil || r.own != page.Listed {
			continue
		}
		if err := s.readEdits(ctx, reader, r); err != nil {
			return err
		}
		s.follow(r, root)
	}
	s.onePageEach()
	return nil
}

// readEdits reads the edit links of a page's body, once.
func (s *Site) readEdits(ctx context.Context, reader *page.Reader, r *record) error {
	if r.rest != nil && r.rest.edits != nil {
		return nil
	}
	var f page.Facts
	_, _, err := s.o.Pages.Files.Visit(ctx, s.walkOptions(s.o.Pages), r.file, func(file *walker.File) {
		if reader.HTML(file, &f) != nil {
			f.EditLinks = nil
		}
	})
	r.more().edits = append([]string{}, f.EditLinks...)
	return err
}

// follow finds the file that the page's links name. Links that name different
// files are no pair.
func (s *Site) follow(r *record, root string) {
	files := map[string]bool{}
	for _, link := range r.rest.edits {
		if file := editedFile(root, link); file != "" {
			files[file] = true
		}
	}
	if len(files) != 1 {
		return
	}
	for file := range files {
		r.rest.edited = file
		r.src = s.sourceAt(file)
	}
}

// onePageEach takes a source away from pages that share it by their links: a
// link to edit the site's navigation stands on all of them.
func (s *Site) onePageEach() {
	pages := map[string][]*record{}
	for _, r := range s.pages {
		if file := s.sourceFile(r); r.edited() != "" || r.src != nil {
			pages[file] = append(pages[file], r)
		}
	}
	for _, rs := range pages {
		if len(rs) < 2 {
			continue
		}
		for _, r := range rs {
			if r.edited() != "" {
				r.rest.edited, r.src = "", nil
			}
		}
	}
}

// sourceAt returns the content file at a path of the operating system, or nil.
func (s *Site) sourceAt(file string) *source {
	rel, err := filepath.Rel(s.o.Content.Dir, file)
	if err != nil || !filepath.IsLocal(rel) {
		return nil
	}
	if i, ok := findSource(s.sources, filepath.ToSlash(rel)); ok {
		return s.sources[i]
	}
	return nil
}

// repository returns the folder at or above dir that holds a .git, or dir.
func repository(dir string) string {
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at
		}
		if at == filepath.Dir(at) {
			return dir
		}
	}
}

// editedFile returns the file below root that a link to a forge names: what
// follows /edit/, /blob/ or /tree/ and a branch, whose name may have slashes.
func editedFile(root, link string) string {
	u, err := url.Parse(link)
	if err != nil {
		return ""
	}
	parts := strings.Split(strings.Trim(path.Clean("/"+u.Path), "/"), "/")
	at := slices.IndexFunc(parts, isForgeVerb)
	if at < 0 {
		return ""
	}
	for i := at + 1; i < len(parts); i++ {
		name := filepath.FromSlash(strings.Join(parts[i:], "/"))
		if !filepath.IsLocal(name) {
			return ""
		}
		file := filepath.Join(root, name)
		if info, err := os.Lstat(file); err == nil && info.Mode().IsRegular() {
			return file
		}
	}
	return ""
}

func isForgeVerb(s string) bool {
	switch s {
	case "edit", "_edit", "blob", "tree", "src":
		return true
	}
	return false
}
