package generator

import (
	"path"
	"strings"
)

var documenter = generator{
	name: "documenter", files: []string{"docs/make.jl", "make.jl", "doc/make.jl"}, read: (*reader).documenter,
	is:      func(c config) bool { return strings.Contains(c.source, "makedocs(") },
	sitemap: "Documenter.jl writes none",
}

// documenter finds the program that makes the documentation of a package of Julia, which
// is not read further: what it says is computed as a rule. Documenter.jl makes the
// pages beside it, of Markdown and of the package's own docstrings, with or without a
// folder for each.
// https://documenter.juliadocs.org/stable/lib/public/#Documenter.makedocs
func (r *reader) documenter(p *Project, c config) {
	p.Publish = []string{path.Join(path.Dir(c.file), "build")}
}
