package generator

import (
	"io/fs"
	"path"
	"strings"

	"github.com/sitewalk/sitewalk/frontmatter"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
)

var antora = generator{
	name: "antora", detect: (*reader).antora,
	sitemap: "Antora writes none where the playbook names no site.url",
	front:   frontmatter.Conventions{Headers: true},
}

// antora reads an Antora playbook, and the components in the project's own
// folders: those of other repositories are not at hand.
// https://docs.antora.org/antora/latest/playbook/
func (r *reader) antora() *Project {
	c := r.first("antora-playbook.yml", "antora-playbook.yaml", "antora-playbook.json", "local-antora-playbook.yml")
	if c == nil {
		return nil
	}
	p := &Project{}
	p.Publish = []string{p.folder("output.dir", c.at("output", "dir"), "build/site")}
	r.baseURL(p, "site.url", c.at("site", "url"), "")
	style := p.found("urls.html_extension_style", c.at("urls", "html_extension_style"))
	latest := c.at("urls", "latest_version_segment")
	m := &p.Mapping
	for _, source := range c.at("content", "sources").items() {
		if url := source.at("url").str(); url != "." && !strings.HasPrefix(url, "./") && !strings.HasPrefix(url, "../") {
			continue
		}
		dir := cleanFolder(source.at("url").str(), ".")
		for _, start := range append(source.at("start_paths").strs(), source.at("start_path").str()) {
			m.Trees = append(m.Trees, r.antoraComponent(path.Join(dir, start), latest)...)
		}
	}
	p.Content = outermost(m.Trees)
	ends := mapping.FileName
	if style == "drop" {
		ends = mapping.Bare
	}
	m.by = antoraRules{plain{flat: style != "indexify", indexes: []string{"index"}, ends: ends}}
	return p
}

// antoraComponent returns the folders of the pages of a component version, by
// its modules.
// https://docs.antora.org/antora/latest/page/page-urls/
func (r *reader) antoraComponent(dir string, latest *value) (trees []Tree) {
	if strings.HasPrefix(dir, "../") {
		return nil
	}
	c := r.config(path.Join(dir, "antora.yml"))
	name := c.at("name").str()
	modules, err := fs.ReadDir(r.root, path.Join(dir, "modules"))
	version := c.at("version")
	if _, fromBranch := version.bool(); name == "" || err != nil || fromBranch || version.at("none") != nil || latest.str() != "" {
		return nil
	}
	prefix := ""
	if name != "ROOT" {
		prefix = name
	}
	for _, module := range modules {
		t := Tree{Dir: path.Join(dir, "modules", module.Name(), "pages"), Prefix: path.Join(prefix, version.str())}
		if module.Name() != "ROOT" {
			t.Prefix = path.Join(t.Prefix, module.Name())
		}
		if r.isDir(t.Dir) {
			trees = append(trees, t)
		}
	}
	return trees
}

type antoraRules struct{ plain }

func (antoraRules) notRendered(_ *Content, s source) string {
	if s.ext != ".adoc" {
		return "Antora makes pages of .adoc files"
	}
	return underscored(s)
}

// alias is a page's former place, in the same module.
func (a antoraRules) alias(_ *Content, s source, alias, _ string) string {
	if strings.ContainsAny(alias, ":@") {
		return ""
	}
	return a.file(s.tree.Prefix, strings.TrimSuffix(alias, ".adoc"))
}

func (a antoraRules) output(_ *Content, s source, _ *page.Facts) (out, note string) {
	return a.file(s.dir, s.name), ""
}
