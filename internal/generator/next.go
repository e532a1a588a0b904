package generator

var next = generator{
	name: "next", detect: (*reader).next,
	server:  `"next dev" writes no pages; run "next build" after a change`,
	sitemap: "Next.js writes none without app/sitemap or next-sitemap",
}

// next reads a Next.js project that is exported as files.
// https://nextjs.org/docs/app/guides/static-exports
func (r *reader) next() *Project {
	s := r.script("next.config")
	if s == nil {
		return nil
	}
	c, p := s.exported(), &Project{}
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
