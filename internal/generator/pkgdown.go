package generator

var pkgdown = generator{
	name: "pkgdown", files: []string{"_pkgdown.yml", "_pkgdown.yaml", "pkgdown/_pkgdown.yml", "pkgdown/_pkgdown.yaml", "inst/_pkgdown.yml"}, read: (*reader).pkgdown,
	sitemap: "remove url from the configuration",
}

// pkgdown reads the site of a package of R, whose pages come from its help and vignettes.
// https://pkgdown.r-lib.org/reference/build_site.html
func (r *reader) pkgdown(p *Project, c config) {
	p.Publish = []string{p.folder("destination", c.at("destination"), "docs")}
	r.baseURL(p, "url", c.at("url"), "")
}
