package mapping

import (
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

// docusaurusOutput is for the classic preset's docs, blog and pages.
// https://docusaurus.io/docs/create-doc, https://docusaurus.io/docs/blog
func (c *Content) docusaurusOutput(s source, f *page.Facts) (out, note string) {
	if note := underscored(s); note != "" {
		return "", note
	}
	below := strings.Trim(strings.TrimPrefix(s.dir, s.tree.Prefix), "/")
	if s.tree.Blog {
		return c.plainFile(c.blogPost(s, below, f), "index"), ""
	}
	dir, name := below, s.name
	if c.Plain.Numbers && s.tree.Prefix == c.Plain.Route {
		dir, name = unnumbered(dir), unnumbered(name)
	}
	if low := strings.ToLower(name); low == "readme" || low == strings.ToLower(path.Base(dir)) && dir != "" {
		name = "index"
	}
	if strings.HasPrefix(f.Slug, "/") {
		return c.plainFile(path.Join(s.tree.Prefix, f.Slug), "index"), ""
	}
	if f.Slug != "" {
		return c.plainFile(path.Join(s.tree.Prefix, dir, f.Slug), "index"), ""
	}
	return c.plainFile(path.Join(s.tree.Prefix, dir), name), ""
}

// blogPost returns the address of a post: its slug, or its date and name.
func (c *Content) blogPost(s source, below string, f *page.Facts) string {
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
