package generator

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/frontmatter"
	"github.com/sitewalk/sitewalk/mapping"
)

var antora = generator{
	name: "antora", read: (*reader).antora,
	publish: namedFolder{"output.dir", "build/site"}, base: "site.url",
	files:   []string{"antora-playbook.yml", "antora-playbook.yaml", "antora-playbook.json", "local-antora-playbook.yml"},
	sitemap: "remove site.url from the playbook",
	front:   frontmatter.Conventions{Headers: true},
}

// antora reads an Antora playbook, and the components in the project's own
// folders: those of other repositories are not at hand.
// https://docs.antora.org/antora/latest/playbook/
func (r *reader) antora(p *Project, c config) {
	style := p.setting("urls.html_extension_style", c.at("urls", "html_extension_style"))
	m := &p.Mapping
	components, all := r.antoraComponents(p, c)
	for _, one := range components {
		m.Trees = append(m.Trees, r.antoraTrees(one, antoraSegment(p, c.at("urls"), one, components, all))...)
	}
	ends := mapping.FileName
	if style == "drop" {
		ends = mapping.Bare
	}
	m.by = antoraRules{plain{flat: style != "indexify", ends: ends, only: []string{".adoc"}, underscore: true}}
}

// A component is a version of one of Antora's components, in a folder of the
// project.
type component struct{ dir, name, version string }

// antoraComponents reads the components in the project's own folders; all says that
// there are no others, of other repositories or in other branches.
func (r *reader) antoraComponents(p *Project, c config) (components []component, all bool) {
	all = true
	for _, source := range c.at("content", "sources").items() {
		url := source.at("url").str()
		branches := first(source.at("branches"), c.at("content", "branches")).str()
		all = all && (branches == "HEAD" || branches == ".")
		if url != "." && !strings.HasPrefix(url, "./") && !strings.HasPrefix(url, "../") {
			all = false
			continue
		}
		for _, start := range append(source.at("start_paths").strs(), source.at("start_path").str()) {
			dir := path.Join(cleanFolder(url, "."), start)
			d := r.config(path.Join(dir, "antora.yml"))
			if d == nil || strings.HasPrefix(dir, "../") {
				continue
			}
			version := d.at("version")
			if _, branch := version.bool(); branch || version != nil && version.kind == table {
				all = false
				p.Settings = append(p.Settings, Setting{"version", "that of a branch, which is not read; write it into antora.yml", d.pos})
				continue
			}
			components = append(components, component{dir, d.at("name").str(), version.str()})
		}
	}
	return components, all
}

// antoraSegment returns the part of the addresses that is for a component's
// version: its own, or what stands for the latest one, which the only one is; "?"
// where that is not known.
// https://docs.antora.org/antora/latest/playbook/urls-latest-version-segment/
func antoraSegment(p *Project, urls *value, one component, components []component, all bool) string {
	symbol, ok := urls.at("latest_version_segment").text()
	if one.version == "" || one.version == "master" {
		return ""
	}
	if !ok || urls.at("latest_version_segment_strategy").str() == "redirect:from" {
		return one.version
	}
	sibling := func(c component) bool { return c.name == one.name && c != one }
	if !all || slices.ContainsFunc(components, sibling) { // which of them is the latest is for Antora to say
		p.Settings = append(p.Settings, Setting{"latest version of " + one.name, "for Antora to say; it is not read", urls.at("latest_version_segment").pos})
		return "?"
	}
	return symbol
}

// antoraTrees returns the folders of the pages of a component, by its modules.
// https://docs.antora.org/antora/latest/page/page-urls/
func (r *reader) antoraTrees(c component, segment string) (trees []Tree) {
	modules, err := fs.ReadDir(r.root, path.Join(c.dir, "modules"))
	if c.name == "" || err != nil || segment == "?" {
		return nil
	}
	prefix := ""
	if c.name != "ROOT" {
		prefix = c.name
	}
	for _, module := range modules {
		t := Tree{Dir: path.Join(c.dir, "modules", module.Name(), "pages"), Prefix: path.Join(prefix, segment)}
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

// alias is a page's former place, in the same module.
func (a antoraRules) alias(_ *Content, s source, alias, _ string) string {
	if strings.ContainsAny(alias, ":@") {
		return ""
	}
	return a.file(s.tree.Prefix, strings.TrimSuffix(alias, ".adoc"))
}
