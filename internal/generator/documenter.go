package generator

import (
	"bytes"
	"path"

	"github.com/sitewalk/sitewalk/diag"
)

var documenter = generator{
	name: "documenter", files: []string{"docs/make.jl", "make.jl", "doc/make.jl"}, open: (*reader).documenterConfig, read: (*reader).documenter,
	sitemap: "Documenter.jl writes none",
}

// documenterConfig finds the program that makes the documentation of a package of Julia. It
// is not read further: what it says is computed as a rule.
func (r *reader) documenterConfig(files []string) config {
	for _, file := range files {
		if src, _, ok := r.read(file); ok && bytes.Contains(src, []byte("makedocs(")) {
			return config{file: file, value: newTable(diag.Pos{File: path.Join(r.rootName, file)})}
		}
	}
	return config{}
}

// documenter reads where Documenter.jl puts the pages, which it makes of Markdown and of the
// package's own docstrings, with or without a folder for each.
// https://documenter.juliadocs.org/stable/lib/public/#Documenter.makedocs
func (r *reader) documenter(p *Project, c config) {
	p.Publish = []string{path.Join(path.Dir(c.file), "build")}
}
