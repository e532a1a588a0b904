package frontmatter

import (
	"strconv"
	"strings"

	"github.com/sitewalk/sitewalk/internal/strict"
	"github.com/sitewalk/sitewalk/page"
	"gopkg.in/yaml.v3"
)

// truth reads a switch: true or false, also as text or as a number, as Hugo reads
// what a template or a tool has put into quotes.
func truth(n *yaml.Node) (v, ok bool) {
	if v, ok := strict.Bool(n); ok {
		return v, true
	}
	if n.Kind != yaml.ScalarNode {
		return false, false
	}
	text := strings.ToLower(strings.TrimSpace(n.Value))
	switch text {
	case "yes", "on":
		return true, true
	case "no", "off":
		return false, true
	}
	if len(text) > len("false") {
		return false, false // and no error, which for each date of a site is a tenth of all memory
	}
	v, err := strconv.ParseBool(text)
	return v, err == nil
}

// flag reads true or false; anything else is a finding.
func (m *matter) flag(n *yaml.Node) (v bool) {
	v, ok := truth(n)
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

// skipAt reads a switch that leaves the page out at one of its positions. Anything but
// true and false says nothing: a date under published is read by dates.
func (m *matter) skipAt(out bool, why page.Reason, key string, n *yaml.Node) {
	if v, ok := truth(n); ok && v == out {
		m.skip(why, n, key+": "+strconv.FormatBool(out))
	}
}

func (m *matter) optOut(key string, n *yaml.Node) { m.skipAt(true, page.OptedOut, key, n) }

// build is Hugo's build options: a page that is not rendered does not exist,
// and one that is in no list wants to be in none.
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
