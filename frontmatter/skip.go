package frontmatter

import (
	"strconv"
	"strings"

	"github.com/sitewalk/sitewalk/internal/strict"
	"github.com/sitewalk/sitewalk/page"
	"gopkg.in/yaml.v3"
)

// parseSwitch reads true or false, also in quotes or as a number, as Hugo does.
func parseSwitch(n *yaml.Node) (v, ok bool) {
	if v, ok := strict.Bool(n); ok {
		return v, true
	}
	if n.Kind != yaml.ScalarNode {
		return false, false
	}
	switch strings.ToLower(strings.TrimSpace(n.Value)) {
	case "true", "yes", "on", "t", "1":
		return true, true
	case "false", "no", "off", "f", "0":
		return false, true
	}
	return false, false
}

// flag reads true or false. Any other value is a finding.
func (m *matter) flag(n *yaml.Node) (v bool) {
	v, ok := parseSwitch(n)
	if !ok {
		m.d.Decode(n, &v)
	}
	return v
}

func (m *matter) draft(key string, n *yaml.Node) {
	if m.flag(n) {
		m.skip(page.Draft, n, key+": true")
	}
}

func (m *matter) status(key string, n *yaml.Node) {
	switch strings.ToLower(text(n)) {
	case "draft", "private", "hidden", "skip":
		m.skip(page.Draft, n, key+": "+text(n))
	}
}

// skipIf reads a switch and leaves the page out if the switch equals out. It ignores any other
// value: published may be a date.
func (m *matter) skipIf(out bool, why page.Reason, key string, n *yaml.Node) {
	if v, ok := parseSwitch(n); ok && v == out {
		m.skip(why, n, key+": "+strconv.FormatBool(out))
	}
}

func (m *matter) optOut(key string, n *yaml.Node) { m.skipIf(true, page.OptedOut, key, n) }

// build reads the build options of Hugo. A page that is not rendered does not exist, and a page
// in no list is not listed in the sitemap either.
// https://gohugo.io/content-management/build-options/
func (m *matter) build(key string, n *yaml.Node) {
	if n.Kind != yaml.MappingNode {
		return
	}
	var b struct {
		Render yaml.Node `yaml:"render"`
		List   yaml.Node `yaml:"list"`
	}
	m.d.Decode(n, &b)
	m.f.CascadeKeys = append(m.f.CascadeKeys, "build")
	switch strings.ToLower(b.Render.Value) {
	case "never", "link", "false":
		m.skip(page.NotRendered, &b.Render, key+".render: "+b.Render.Value)
	}
	switch strings.ToLower(b.List.Value) {
	case "never", "local", "false":
		m.skip(page.OptedOut, &b.List, key+".list: "+b.List.Value)
	}
}

func (m *matter) robots(key string, n *yaml.Node) {
	for _, item := range strict.Items(n) {
		if text(item) != "" && page.ParseRobots(text(item)).NoIndex() {
			m.skip(page.NoIndex, item, key+": "+text(item))
		}
	}
}

func (m *matter) redirect(key string, n *yaml.Node) {
	all := strict.Items(n)
	if len(all) > 0 && text(all[0]) != "" { // jekyll-redirect-from takes the first
		m.f.Refresh = text(all[0])
		m.skip(page.Redirect, all[0], key+": "+text(all[0]))
	}
}
