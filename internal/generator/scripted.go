package generator

import (
	"path"

	"github.com/sitewalk/sitewalk/mapping"
)

// eleventy reads an Eleventy project: the directories that its configuration
// returns, exports or sets as literals.
// https://www.11ty.dev/docs/config/
func (r *reader) eleventy() *Project {
	var s *script
	for _, stem := range []string{".eleventy", "eleventy.config"} {
		if s == nil {
			s = r.script(stem)
		}
	}
	if s == nil {
		return nil
	}
	p := &Project{}
	dir := s.exported().at("dir").merge(s.named("config").at("dir"))
	in := p.folder("dir.input", first(s.calls("setInputDirectory"), dir.at("input")), ".")
	p.Publish = []string{p.folder("dir.output", first(s.calls("setOutputDirectory"), dir.at("output")), "_site")}
	p.Content = []string{in}
	p.Mapping.Trees = []mapping.Tree{{Dir: in}}
	p.Mapping.Plain.Indexes = []string{"index"}
	return p
}

// first returns the first value that is there.
func first(values ...*value) *value {
	for _, v := range values {
		if v.str() != "" {
			return v
		}
	}
	return nil
}

// astro reads an Astro project.
// https://docs.astro.build/en/reference/configuration-reference/
func (r *reader) astro() *Project {
	s := r.script("astro.config")
	if s == nil {
		return nil
	}
	c, p := s.exported(), &Project{Server: `"astro dev" writes no pages; run "astro build" after a change`}
	src := p.folder("srcDir", c.at("srcDir"), "src")
	p.Publish = []string{p.folder("outDir", c.at("outDir"), "dist")}
	r.baseURL(p, "site", c.at("site"), p.found("base", c.at("base")))
	format := p.found("build.format", c.at("build", "format"))
	p.found("trailingSlash", c.at("trailingSlash"))
	p.Content = []string{path.Join(src, "pages")}
	p.Mapping.Trees = []mapping.Tree{{Dir: p.Content[0]}}
	p.Mapping.Plain = mapping.Plain{
		Flat: format == "file" || format == "preserve", FoldIndex: format == "file", Indexes: []string{"index"},
	}
	return p
}

// next reads a Next.js project that is exported as files.
// https://nextjs.org/docs/app/guides/static-exports
func (r *reader) next() *Project {
	s := r.script("next.config")
	if s == nil {
		return nil
	}
	c, p := s.exported(), &Project{Server: `"next dev" writes no pages; run "next build" after a change`}
	if p.found("output", c.at("output")) != "export" {
		return nil
	}
	out := p.folder("distDir", c.at("distDir"), "out")
	if out == ".next" {
		out = "out"
	}
	p.Publish = []string{out}
	p.found("basePath", c.at("basePath"))
	p.found("trailingSlash", c.at("trailingSlash"))
	return p
}
