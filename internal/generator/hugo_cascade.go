package generator

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/page"
)

// A sectionCascade is a cascade of the section in dir; "" is the whole site.
type sectionCascade struct {
	dir string
	page.Cascade
}

// hugoCascades reads the cascade of Hugo's configuration: one map, or a list of maps with
// targets.
// https://gohugo.io/configuration/cascade/
func hugoCascades(v *value) (all []sectionCascade) {
	items := v.items()
	if v != nil && v.kind == table {
		items = []*value{v}
	}
	for _, item := range items {
		target := item.at("target").merge(item.at("_target"))
		c := page.Cascade{
			Path: strings.ToLower(target.at("path").str()), Kind: target.at("kind").str(), Lang: target.at("lang").str(),
			Environment: target.at("environment").str(), Pos: item.position(),
		}
		render, list := item.at("build", "render"), item.at("build", "list")
		switch {
		case render.str() == "never" || render.str() == "link" || render.isFalse():
			c.Skip, c.Note = page.NotRendered, "build.render: "+cmp.Or(render.str(), "false")
		case list.str() == "never" || list.str() == "local" || list.isFalse():
			c.Skip, c.Note = page.OptedOut, "build.list: "+cmp.Or(list.str(), "false")
		}
		if item.has("build") {
			c.Key = "build"
			all = append(all, sectionCascade{"", c})
		}
		if item.has("sitemap") {
			c.Key, c.Skip, c.Note = "sitemap", page.Listed, ""
			if item.at("sitemap", "disable").isTrue() {
				c.Skip, c.Note = page.OptedOut, "sitemap.disable: true"
			}
			all = append(all, sectionCascade{"", c})
		}
	}
	return all
}

// skip returns why a page is left out: its file is in no content folder, or a cascade
// excludes it. The page's own key and the cascade of the innermost section take
// precedence.
func (h *hugoRules) skip(c *Content, s source, f *page.Facts) (r page.Reason, pos diag.Pos, note string) {
	inRoot := func(t Tree) bool { _, ok := cutDir(t.Dir, cmp.Or(c.Root, ".")); return ok || t.Dir == c.Root }
	if _, _, ok := c.tree(s.file); !ok && slices.ContainsFunc(c.Trees, inRoot) {
		return page.NotRendered, diag.Pos{}, "the file is in no content folder of the configuration"
	}
	p := h.page(c, s, f)
	decided := map[string]string{} // the section that decides a key
	for _, cascade := range c.cascades {
		isAround := cascade.dir == "" || cascade.dir == s.dir || strings.HasPrefix(s.dir, cascade.dir+"/")
		if !isAround || !cascade.matches(p) || slices.Contains(f.CascadeKeys, cascade.Key) {
			continue
		}
		if dir, ok := decided[cascade.Key]; ok && dir != cascade.dir {
			continue
		}
		decided[cascade.Key] = cascade.dir
		if cascade.Skip != page.Listed && (r == page.Listed || cascade.Skip < r) {
			r, pos, note = cascade.Skip, cascade.Pos, cascade.Note
		}
	}
	return r, pos, note
}

// matches reports whether the target of a cascade includes a page.
func (c *sectionCascade) matches(p *hugoPage) bool {
	return globbed(c.Path, p.path) && globbed(c.Kind, p.kind) && globbed(c.Lang, p.lang) && globbed(c.Environment, "production")
}
