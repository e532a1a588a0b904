package generator

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/frontmatter"
	"github.com/sitewalk/sitewalk/page"
)

// readHugoLanguages reads the languages of the site into p.Mapping, sorted by weight, and their
// permalinks into h. It sets Multihost if there are several languages, and at least one has a base
// URL. Disabled languages are only added to p.Mapping.DisabledLanguages.
// See https://gohugo.io/configuration/languages/
func (r *reader) readHugoLanguages(p *Project, h *hugoRules, c *value) {
	m := &p.Mapping
	m.DefaultLanguage = strings.ToLower(cmp.Or(p.addSetting("defaultContentLanguage", c.at("defaultcontentlanguage")), "en"))
	m.DefaultInSubdir = c.at("defaultcontentlanguageinsubdir").isTrue()
	disabled := c.at("disablelanguages").stringList()
	hasBaseURL := false
	c.at("languages").eachEntry(func(name string, v *value) {
		if v.at("disabled").isTrue() || slices.Contains(disabled, name) {
			m.DisabledLanguages = append(m.DisabledLanguages, name)
			return
		}
		hasBaseURL = hasBaseURL || v.at("baseurl").str() != ""
		p.addLanguage(name, cmp.Or(v.at("locale").str(), v.at("languagecode").str()), v)
		h.permalinks = append(readHugoPermalinks(v.at("permalinks"), name), h.permalinks...)
	})
	m.Multihost = hasBaseURL && len(m.Languages) > 1
	weight := func(l Language) int {
		n, _ := strconv.Atoi(c.at("languages", l.Name, "weight").str())
		return n
	}
	slices.SortStableFunc(m.Languages, func(a, b Language) int { return cmp.Compare(weight(a), weight(b)) })
}

// readHugoBaseURLs sets p.BaseURL to the base URL of the default language. With Multihost, it also
// adds each language to p.Sites. A language without a base URL uses the base URL of the site.
// See https://gohugo.io/configuration/languages/#multihost
func (r *reader) readHugoBaseURLs(p *Project, c *value) {
	baseURLOf := func(lang string) *value { return firstString(c.at("languages", lang, "baseurl"), c.at("baseurl")) }
	r.setBaseURL(p, "baseURL", baseURLOf(p.Mapping.DefaultLanguage), "")
	if !p.Mapping.Multihost {
		return
	}
	for _, l := range p.Mapping.Languages {
		v, one := baseURLOf(l.Name), Project{}
		r.setBaseURL(&one, "baseURL", v, "")
		p.Sites = append(p.Sites, Site{l.Name, one.BaseURL, cmp.Or(v, c.at("languages", l.Name)).position()})
	}
}

// readHugoTrees adds the content folders of module mounts to p.Mapping.Trees. If there are none, it
// adds the content folder of each language. For a language without a content folder, and for a site
// without languages, it adds the content folder of the site.
// See https://gohugo.io/configuration/module/#mounts
func readHugoTrees(p *Project, c *value) {
	m := &p.Mapping
	content := p.resolveFolder("contentDir", c.at("contentdir"), "content")
	for _, v := range c.at("module", "mounts").items() {
		target := path.Clean(v.at("target").str())
		if below, ok := strings.CutPrefix(target+"/", "content/"); ok {
			lang := v.at("lang").str()
			if in := v.at("sites", "matrix", "languages").stringList(); len(in) == 1 {
				lang = in[0]
			}
			m.Trees = append(m.Trees, Tree{Dir: p.resolveFolder("mount", v.at("source"), content), Prefix: strings.Trim(below, "/"), Lang: strings.ToLower(lang)})
		}
	}
	if len(m.Trees) > 0 {
		return
	}
	isShared := len(m.Languages) == 0
	for _, l := range m.Languages {
		if v := c.at("languages", l.Name, "contentdir"); v != nil {
			m.Trees = append(m.Trees, Tree{Dir: p.resolveFolder("contentDir", v, content), Lang: l.Name})
		} else {
			isShared = true
		}
	}
	if isShared {
		m.Trees = append(m.Trees, Tree{Dir: content})
	}
}

// outermostDirs returns the folders of trees, each of them once. It leaves out a folder that is
// inside another folder of trees.
func outermostDirs(trees []Tree) []string {
	var dirs []string
	for _, t := range trees {
		inner := slices.ContainsFunc(trees, func(o Tree) bool {
			return o.Dir != t.Dir && (o.Dir == "." || strings.HasPrefix(t.Dir, o.Dir+"/"))
		})
		if !inner && !slices.Contains(dirs, t.Dir) {
			dirs = append(dirs, t.Dir)
		}
	}
	return dirs
}

// A sectionCascade is a value of Hugo's key "cascade", which applies to all pages of the section in
// the folder dir. The dir "" means the whole site.
type sectionCascade struct {
	dir string
	page.Cascade
}

// readHugoCascades reads v, the value of the key "cascade" in the configuration.
// See https://gohugo.io/configuration/cascade/
func readHugoCascades(v *value) (all []sectionCascade) {
	items := v.items()
	if v.asTable() != nil {
		items = []*value{v}
	}
	for _, item := range items {
		for _, c := range frontmatter.ReadCascades(item.node) {
			c.Pos.File = item.pos.File
			all = append(all, sectionCascade{"", c})
		}
	}
	return all
}

// skipReason returns page.Listed, or the reason why a page is not listed: its file is in no content
// folder although m.Root contains one, or a cascade excludes the page. The front matter of the page
// overrides cascades, and the cascade of an inner section overrides the cascades of outer sections.
func (h *hugoRules) skipReason(m *Mapping, s source, f *page.Facts) (r page.Reason, pos diag.Pos, note string) {
	inRoot := func(t Tree) bool { _, ok := cutDir(t.Dir, cmp.Or(m.Root, ".")); return ok || t.Dir == m.Root }
	if _, _, ok := m.innermostTree(s.file); !ok && slices.ContainsFunc(m.Trees, inRoot) {
		return page.NotRendered, diag.Pos{}, "the file is in no content folder of the configuration"
	}
	p := h.newPage(s, f)
	decided := map[string]string{} // by key: folder of the section whose cascade decides
	for _, cascade := range m.cascades {
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

// matches reports whether the page p meets the conditions in the cascade's target. sitewalk assumes
// that the environment is "production".
func (s *sectionCascade) matches(p *hugoPage) bool {
	return matchesGlob(s.Path, p.path) && matchesGlob(s.Kind, p.kind) && matchesGlob(s.Lang, p.lang) && matchesGlob(s.Environment, "production")
}
