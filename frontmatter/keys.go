package frontmatter

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sitewalk/sitewalk/internal/strict"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
	"gopkg.in/yaml.v3"
)

// sitemap reads the key "sitemap". Its value is false for jekyll-sitemap, and a map for Hugo and
// for Eleventy's plugin.
// See https://gohugo.io/templates/sitemap/
func (m *matter) sitemap(key string, n *yaml.Node) {
	m.f.CascadeKeys = append(m.f.CascadeKeys, key)
	if _, ok := parseSwitch(n); ok {
		m.skipIf(false, page.OptedOut, key, n)
		return
	}
	var s struct {
		Disable yaml.Node `yaml:"disable"`
		Exclude yaml.Node `yaml:"exclude"`
		Ignore  yaml.Node `yaml:"ignore"`
		sitemap.URL
	}
	if !m.d.Decode(n, &s) {
		return
	}
	m.optOut(key+".disable", &s.Disable)
	m.optOut(key+".exclude", &s.Exclude)
	m.optOut(key+".ignore", &s.Ignore)
	if !s.LastMod.IsZero() {
		m.f.LastModBy = key + ".lastmod"
	}
	m.f.URL = s.URL.Or(m.f.URL)
}

// images reads the image URLs of the page: a URL, or a list of URLs and of maps with a key such
// as "src". It ignores any other value.
func (m *matter) images(_ string, n *yaml.Node) {
	if m.f.URL.Images != nil {
		return
	}
	for _, item := range strict.ListItems(n) {
		if loc := imageLoc(item); loc != "" {
			m.f.URL.Images = append(m.f.URL.Images, sitemap.Image{Loc: loc})
		}
	}
}

func imageLoc(n *yaml.Node) string {
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!str" {
		return text(n)
	}
	for _, key := range []string{"loc", "url", "src", "path"} {
		if v := inner(n, key); v != nil && text(v) != "" {
			return text(v)
		}
	}
	return ""
}

// inner returns the value of a key in the map n, regardless of case. It returns nil if n is not a
// map or has no such key.
func inner(n *yaml.Node, key string) *yaml.Node {
	if n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if strings.EqualFold(n.Content[i].Value, key) {
			return n.Content[i+1]
		}
	}
	return nil
}

// videos reads a list of maps with the elements of Google's video schema. It ignores any other
// value, such as a list of video names.
func (m *matter) videos(_ string, n *yaml.Node) {
	ours := slices.ContainsFunc(strict.ListItems(n), func(n *yaml.Node) bool {
		return inner(n, "thumbnail_loc") != nil || inner(n, "content_loc") != nil || inner(n, "player_loc") != nil
	})
	if !ours || m.f.URL.Videos != nil {
		return
	}
	m.d.Decode(n, &m.f.URL.Videos)
}

// news reads a map with the elements of Google's news schema. It ignores any other value.
func (m *matter) news(_ string, n *yaml.Node) {
	if inner(n, "publication") == nil && inner(n, "publication_date") == nil || m.f.URL.News != nil {
		return
	}
	m.d.Decode(n, &m.f.URL.News)
}

// parseSwitch parses a boolean: true, yes, on, 1 and their opposites, also in quotes. The result
// ok is false for any other value.
func parseSwitch(n *yaml.Node) (v, ok bool) {
	if v, ok := strict.ParseBool(n); ok {
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

// flag parses a boolean. It adds a finding for any other value.
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

// skipIf leaves the page out if the value of a key is the boolean out. It ignores a value that is
// not a boolean, because "published" may be a date.
func (m *matter) skipIf(out bool, why page.Reason, key string, n *yaml.Node) {
	if v, ok := parseSwitch(n); ok && v == out {
		m.skip(why, n, key+": "+strconv.FormatBool(out))
	}
}

func (m *matter) optOut(key string, n *yaml.Node) { m.skipIf(true, page.OptedOut, key, n) }

// build reads Hugo's build options. Hugo writes no page for "render: never". It writes a page
// with "list: never", but does not list it in its sitemap.
// See https://gohugo.io/content-management/build-options/
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
	for _, item := range strict.ListItems(n) {
		if text(item) != "" && page.ParseRobots(text(item)).NoIndex() {
			m.skip(page.NoIndex, item, key+": "+text(item))
		}
	}
}

func (m *matter) redirect(key string, n *yaml.Node) {
	all := strict.ListItems(n)
	if len(all) > 0 && text(all[0]) != "" { // jekyll-redirect-from uses only the first URL
		m.f.Refresh = text(all[0])
		m.skip(page.Redirect, all[0], key+": "+text(all[0]))
	}
}
