package generator

import (
	"path"
	"regexp"
	"strings"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/mapping"
)

// mkdocs reads an MkDocs project.
// https://www.mkdocs.org/user-guide/configuration/
func (r *reader) mkdocs() *Project {
	c := r.first("mkdocs.yml", "mkdocs.yaml")
	if c == nil {
		return nil
	}
	p := &Project{Server: `"mkdocs serve" builds into a folder of its own; run "mkdocs build" after a change`}
	p.Publish = []string{p.folder("site_dir", c.at("site_dir"), "site")}
	p.Content = []string{p.folder("docs_dir", c.at("docs_dir"), "docs")}
	r.baseURL(p, "site_url", c.at("site_url"), "")
	directories, said := c.at("use_directory_urls").bool()
	p.Mapping.Trees = []mapping.Tree{{Dir: p.Content[0]}}
	p.Mapping.Plain = mapping.Plain{Flat: said && !directories, Indexes: []string{"index", "README"}}
	return p
}

// zola reads a Zola project.
// https://www.getzola.org/documentation/getting-started/configuration/
func (r *reader) zola() *Project {
	c := r.first("zola.toml", "config.toml")
	if c.at("base_url") == nil {
		return nil
	}
	p := &Project{Content: []string{"content"}, Server: `"zola serve" keeps pages in memory; run "zola serve --store-html"`}
	p.Publish = []string{p.folder("output_dir", c.at("output_dir"), "public")}
	r.baseURL(p, "base_url", c.at("base_url"), "")
	m := &p.Mapping
	m.Trees = []mapping.Tree{{Dir: "content"}}
	m.DefaultLanguage = p.found("default_language", c.at("default_language"))
	if m.DefaultLanguage == "" {
		m.DefaultLanguage = "en"
	}
	c.at("languages").each(func(name string, v *value) {
		m.Languages = append(m.Languages, mapping.Language{Name: name, Code: name, Pos: v.position()})
	})
	if len(m.Languages) > 0 {
		m.Languages = append([]mapping.Language{{Name: m.DefaultLanguage, Code: m.DefaultLanguage}}, m.Languages...)
	}
	return p
}

// sphinxDirs are where a Sphinx project's conf.py usually lies.
var sphinxDirs = []string{".", "docs", "doc", "source", "docs/source", "doc/source"}

// confValue matches an assignment of a whole string literal in conf.py.
var confValue = regexp.MustCompile(`^html_baseurl\s*=\s*(?:r|u)?(?:'([^'\\]*)'|"([^"\\]*)")?\s*(?:#.*)?$`)

// sphinx reads a Sphinx project: conf.py is a program, of which only literal
// assignments are believed.
// https://www.sphinx-doc.org/en/master/usage/configuration.html
func (r *reader) sphinx() *Project {
	for _, dir := range sphinxDirs {
		src, name, ok := r.read(path.Join(dir, "conf.py"))
		if ok && strings.Contains(string(src), "extensions") || ok && strings.Contains(string(src), "html_") {
			return r.sphinxAt(dir, string(src), name)
		}
	}
	return nil
}

func (r *reader) sphinxAt(dir, src, name string) *Project {
	outer := strings.TrimSuffix(strings.TrimSuffix(dir, "source"), "/")
	out := r.publish(
		path.Join(outer, "_build/html"), path.Join(outer, "build/html"),
		path.Join(outer, "_build/dirhtml"), path.Join(outer, "build/dirhtml"),
	)
	p := &Project{Publish: out, Content: []string{dir}}
	r.baseURL(p, "html_baseurl", sphinxBase(src, name), "")
	p.Mapping.Trees = []mapping.Tree{{Dir: dir}}
	p.Mapping.Plain = mapping.Plain{Flat: !strings.HasSuffix(out[0], "dirhtml"), Indexes: []string{"index"}}
	return p
}

// sphinxBase returns the html_baseurl of a conf.py that assigns it once, at the
// top level.
func sphinxBase(src, name string) *value {
	var found *value
	line := 0
	for text := range strings.Lines(src) {
		line++
		if !strings.Contains(text, "html_baseurl") || strings.HasPrefix(strings.TrimSpace(text), "#") {
			continue
		}
		m := confValue.FindStringSubmatch(strings.TrimRight(text, "\r\n"))
		if m == nil || found != nil {
			return nil
		}
		found = &value{scalar: m[1] + m[2], pos: diag.Pos{File: name, Line: line, Col: 1}}
	}
	return found
}
