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

// readSitemap reads the key "sitemap". For jekyll-sitemap, the value false leaves the page out. For
// Hugo and Eleventy's plugin, the value is a map with keys such as disable, ignore and lastmod.
// See https://gohugo.io/templates/sitemap/
func (m *matter) readSitemap(key string, n *yaml.Node) {
	m.f.CascadeKeys = append(m.f.CascadeKeys, key)
	if _, ok := parseBool(n); ok {
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
	m.skipIfTrue(key+".disable", &s.Disable)
	m.skipIfTrue(key+".exclude", &s.Exclude)
	m.skipIfTrue(key+".ignore", &s.Ignore)
	if !s.LastMod.IsZero() {
		m.f.LastModBy = key + ".lastmod"
	}
	m.f.URL = s.URL.Or(m.f.URL)
}

// readImages reads the URLs of the images of a page. n is a URL, a map with a key such as "src", or
// a list of these. Any other value is ignored. If the key "sitemap" contains images, readImages
// does nothing.
func (m *matter) readImages(_ string, n *yaml.Node) {
	if m.f.URL.Images != nil {
		return
	}
	for _, item := range strict.ListItems(n) {
		if loc := imageURL(item); loc != "" {
			m.f.URL.Images = append(m.f.URL.Images, sitemap.Image{Loc: loc})
		}
	}
}

func imageURL(n *yaml.Node) string {
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!str" {
		return scalarText(n)
	}
	for _, key := range []string{"loc", "url", "src", "path"} {
		if v := mapValue(n, key); v != nil && scalarText(v) != "" {
			return scalarText(v)
		}
	}
	return ""
}

// mapValue returns the value of a key in the map n. The case of keys does not matter. It returns
// nil if n is not a map or has no such key.
func mapValue(n *yaml.Node, key string) *yaml.Node {
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

// readVideos reads a map, or a list of maps, with the elements of Google's video schema, such as
// thumbnail_loc. It ignores any other value, such as a list of video names. If the key "sitemap"
// contains videos, readVideos does nothing.
func (m *matter) readVideos(_ string, n *yaml.Node) {
	ours := slices.ContainsFunc(strict.ListItems(n), func(n *yaml.Node) bool {
		return mapValue(n, "thumbnail_loc") != nil || mapValue(n, "content_loc") != nil || mapValue(n, "player_loc") != nil
	})
	if !ours || m.f.URL.Videos != nil {
		return
	}
	m.d.Decode(n, &m.f.URL.Videos)
}

// readNews reads a map with the elements of Google's news schema, such as publication. It ignores
// any other value. If the key "sitemap" contains news, readNews does nothing.
func (m *matter) readNews(_ string, n *yaml.Node) {
	if mapValue(n, "publication") == nil && mapValue(n, "publication_date") == nil || m.f.URL.News != nil {
		return
	}
	m.d.Decode(n, &m.f.URL.News)
}

// parseBool parses a boolean: true, yes, on, t, 1 or their opposites, also in quotes. ok is
// false for any other value.
func parseBool(n *yaml.Node) (v, ok bool) {
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

// parseBoolOrReport parses a boolean. For any other value, it adds a finding and returns false.
func (m *matter) parseBoolOrReport(n *yaml.Node) (v bool) {
	v, ok := parseBool(n)
	if !ok {
		m.d.Decode(n, &v)
	}
	return v
}

func (m *matter) readDraft(key string, n *yaml.Node) {
	if m.parseBoolOrReport(n) {
		m.addSkipReason(page.Draft, n, key+": true")
	}
}

func (m *matter) readStatus(key string, n *yaml.Node) {
	switch strings.ToLower(scalarText(n)) {
	case "draft", "private", "hidden", "skip":
		m.addSkipReason(page.Draft, n, key+": "+scalarText(n))
	}
}

// skipIf adds r to the reasons to leave the page out, if n, the value of key, is the boolean want.
// It ignores a value that is not a boolean, because "published" may be a date.
func (m *matter) skipIf(want bool, r page.Reason, key string, n *yaml.Node) {
	if v, ok := parseBool(n); ok && v == want {
		m.addSkipReason(r, n, key+": "+strconv.FormatBool(want))
	}
}

func (m *matter) skipIfTrue(key string, n *yaml.Node) { m.skipIf(true, page.OptedOut, key, n) }

// readBuild reads Hugo's build options. With "render: never", Hugo writes no page. With "list:
// never", Hugo writes the page, but does not list it in its own sitemap.
// See https://gohugo.io/content-management/build-options/
func (m *matter) readBuild(key string, n *yaml.Node) {
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
		m.addSkipReason(page.NotRendered, &b.Render, key+".render: "+b.Render.Value)
	}
	switch strings.ToLower(b.List.Value) {
	case "never", "local", "false":
		m.addSkipReason(page.OptedOut, &b.List, key+".list: "+b.List.Value)
	}
}

func (m *matter) readRobots(key string, n *yaml.Node) {
	for _, item := range strict.ListItems(n) {
		if scalarText(item) != "" && page.ParseRobots(scalarText(item)).NoIndex() {
			m.addSkipReason(page.NoIndex, item, key+": "+scalarText(item))
		}
	}
}

func (m *matter) readRedirect(key string, n *yaml.Node) {
	all := strict.ListItems(n)
	if len(all) > 0 && scalarText(all[0]) != "" { // jekyll-redirect-from uses only the first URL
		m.f.Refresh = scalarText(all[0])
		m.addSkipReason(page.Redirect, all[0], key+": "+scalarText(all[0]))
	}
}
