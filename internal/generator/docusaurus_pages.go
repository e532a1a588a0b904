package generator

import (
	"cmp"
	"path"
	"regexp"
	"strings"

	"github.com/sitewalk/sitewalk/page"
)

var (
	// A number that only sorts, but not a date or a version.
	docusaurusNumber  = regexp.MustCompile(`^\d+\s*[-_.]+\s*([^-_.\s].*)$`)
	docusaurusVersion = regexp.MustCompile(`^\d+[-_.]\d+|^(\d{2}|\d{4})[-_.]\d{2}([-_.](\d{2}|\d{4}))?`)
	// A blog post's date: part of its name, or the folders around it.
	docusaurusPost = regexp.MustCompile(`^(.*)(\d{4}-\d{1,2}-\d{1,2}|\d{4}/\d{1,2}/\d{1,2})[-/]?(.*?)(/index)?$`)
)

type docusaurusRules struct{ plain }

func (docusaurusRules) notRendered(_ *Content, s source) string { return underscoreNote(s) }

// output is for docs, posts and pages.
// https://docusaurus.io/docs/create-doc, https://docusaurus.io/docs/blog,
// getSlug in its plugin for docs
func (d docusaurusRules) output(_ *Content, s source, f *page.Facts) (out, note string) {
	below := strings.Trim(strings.TrimPrefix(s.dir, s.tree.Prefix), "/")
	if s.tree.kind == "blog" {
		return d.file(blogPost(s, below, f), "index"), ""
	}
	dir, name := below, s.name
	if s.tree.numbers {
		dir, name = unnumbered(dir), unnumbered(name)
	}
	switch {
	case f.Slug != "" && f.Slug[0] != '/':
		return d.file(path.Join(s.tree.Prefix, path.Join("/", dir, f.Slug)), "index"), ""
	case f.Slug != "":
		return d.file(path.Join(s.tree.Prefix, f.Slug), "index"), ""
	case strings.EqualFold(s.name, "index"), s.tree.kind == "docs" && categoryIndex(s.name, below):
		return d.file(path.Join(s.tree.Prefix, dir), "index"), ""
	}
	return d.file(path.Join(s.tree.Prefix, dir), cmp.Or(f.ID, name)), ""
}

// categoryIndex reports whether a doc is the page of its folder, beside one that
// is called index: by its name as it is, numbers and all.
func categoryIndex(name, dir string) bool {
	low := strings.ToLower(name)
	return low == "readme" || dir != "" && low == strings.ToLower(path.Base(dir))
}

// blogPost returns the address of a post: its slug, or its date and name.
func blogPost(s source, below string, f *page.Facts) string {
	if f.Slug != "" {
		return path.Join(s.tree.Prefix, f.Slug)
	}
	full := path.Join(below, s.name)
	if m := docusaurusPost.FindStringSubmatch(full); m != nil {
		date := strings.ReplaceAll(m[2], "-", "/")
		return path.Join(s.tree.Prefix, date, m[1], m[3])
	}
	return path.Join(s.tree.Prefix, strings.TrimSuffix(full, "/index"))
}

// unnumbered takes the sorting numbers off the parts of a path.
func unnumbered(p string) string {
	parts := strings.Split(p, "/")
	for i, part := range parts {
		if m := docusaurusNumber.FindStringSubmatch(part); m != nil && !docusaurusVersion.MatchString(part) {
			parts[i] = m[1]
		}
	}
	return strings.Join(parts, "/")
}
