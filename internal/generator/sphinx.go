package generator

import (
	"path"
	"regexp"
	"strings"

	"github.com/sitewalk/sitewalk/frontmatter"
	"github.com/sitewalk/sitewalk/internal/diag"
)

var sphinx = generator{
	name: "sphinx", detect: (*reader).sphinx,
	sitemap: "Sphinx writes none without sphinx_sitemap among its extensions",
	front:   frontmatter.Conventions{Fences: yamlFences},
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
	p.Mapping.Trees = []Tree{{Dir: dir}}
	p.Mapping.by = plain{flat: !strings.HasSuffix(out[0], "dirhtml"), indexes: []string{"index"}}
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
