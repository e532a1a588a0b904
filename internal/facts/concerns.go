package facts

import (
	"cmp"
	"slices"
	"strings"
)

// Concerns reports whether a change can make a difference: whether it names a
// file that is wanted, or one that is or was a page or a content file.
func (s *Set) Concerns(c Change) bool {
	page := func(f *Page) string { return f.File }
	content := func(c *Content) string { return c.File }
	return s.o.Pages != nil && slices.ContainsFunc(c.Pages, func(p string) bool { return s.o.Pages.Filter.Match(p) || holds(s.Pages, p, page) }) ||
		s.o.Content != nil && slices.ContainsFunc(c.Content, func(p string) bool { return s.o.Content.Filter.Match(p) || holds(s.Contents, p, content) })
}

// holds reports whether a sorted list holds a name or one below it.
func holds[T any](list []T, p string, name func(T) string) bool {
	i, ok := slices.BinarySearchFunc(list, p, func(v T, p string) int { return cmp.Compare(name(v), p) })
	if ok {
		return true
	}
	for ; i < len(list) && strings.HasPrefix(name(list[i]), p); i++ {
		if strings.HasPrefix(name(list[i]), p+"/") {
			return true
		}
	}
	return false
}

// Replaced returns the files of the operating system, of those of a set before,
// whose facts are not in s: they changed or are gone.
func (s *Set) Replaced(before *Set) (files []string) {
	if s.o.Pages != nil {
		files = replaced(files, s.o.Pages, before.Pages, s.Pages, func(f *Page) string { return f.File })
	}
	if s.o.Content != nil {
		files = replaced(files, s.o.Content, before.Contents, s.Contents, func(c *Content) string { return c.File })
	}
	return files
}

func replaced[T any](files []string, t *Tree, before, now []*T, name func(*T) string) []string {
	i := 0
	for _, was := range before {
		for i < len(now) && now[i] != was && name(now[i]) < name(was) {
			i++
		}
		if i == len(now) || now[i] != was {
			files = append(files, t.Path(name(was)))
		}
	}
	return files
}
