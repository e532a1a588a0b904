package hosting

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
)

// An apacheSite is what the .htaccess files of a site say, under way.
// https://httpd.apache.org/docs/2.4/mod/directives.html
type apacheSite struct {
	*loader
	inFiles   []ruleOf[header]   // headers of sections, which come after all others
	denials   []ruleOf[redirect] // rules that come before all redirects
	moves     []ruleOf[redirect]
	fallbacks []ruleOf[redirect] // what is answered where nothing is
	slashes   map[string]bool    // by folder: DirectorySlash
	grants    []pattern          // the files of sections that are let in
	bare      []pattern          // the folders where FallbackResource is off
	skipped   []directive        // directives that are not evaluated
	lines     int                // directives of all files so far
}

// A directive is a line of a .htaccess.
type directive struct {
	pos  diag.Pos
	text string
}

// An htaccess is one of those files.
type htaccess struct {
	*apacheSite
	file     file
	in       string // the path of its folder, "" for the top
	sections []section
	access   *redirect    // what keeps visitors out of the folder; status 0 lets them in; nil where it does not say
	rewrites *rewriteFile // nil without any
}

// A section is <Files>, <IfModule>, or one of which nothing is known.
type section struct {
	files *pattern // of the names of files that it is for
	skip  bool     // what stands in it does not count
}

// apache reads the .htaccess files of the publish directory: redirects by path,
// headers, who is let in, and what a folder's address is. What needs more of the
// server is one finding. What a folder's file says holds in that folder: its redirects
// come before those of the folders around it, its headers after them.
func (l *loader) apache() {
	l.site.redirects.below = strings.TrimSuffix(l.Base.Prefix(), "/")
	l.site.headers.below = l.site.redirects.below
	l.site.redirects.folders, l.site.filesFirst = true, true
	a := apacheSite{loader: l, slashes: map[string]bool{"": true}}
	all := a.read()
	a.deny(all)
	a.addRewrites(all)
	a.limitFallbacks()
	for _, r := range slices.Concat(a.denials, a.moves, a.fallbacks) {
		l.site.redirects.add(r.pattern, r.rule)
	}
	for _, r := range a.inFiles {
		l.site.headers.add(r.pattern, r.rule)
	}
	l.site.handling = a.serve
	a.report()
}

// read reads the files, of outer folders first.
func (a *apacheSite) read() (all []*htaccess) {
	for _, dir := range a.htaccessFolders() {
		f, ok := a.fromPublish(path.Join(dir, ".htaccess"))
		if !ok {
			continue
		}
		h := &htaccess{apacheSite: a, file: f}
		if dir != "." {
			h.in = a.site.redirects.below + "/" + dir
		}
		moves, fallbacks := a.moves, a.fallbacks
		a.moves, a.fallbacks = nil, nil
		h.read()
		a.moves, a.fallbacks = append(a.moves, moves...), append(a.fallbacks, fallbacks...)
		all = append(all, h)
	}
	return all
}

// limitFallbacks keeps each FallbackResource out of the folders below it that turn it off.
func (a *apacheSite) limitFallbacks() {
	for i := range a.fallbacks {
		r := &a.fallbacks[i]
		r.but = slices.DeleteFunc(slices.Clone(a.bare), func(p pattern) bool { return !strings.HasPrefix(p.in+"/", r.in+"/") })
	}
}

// report reports the directives that are not evaluated, at the first of them.
func (a *apacheSite) report() {
	if len(a.skipped) == 0 {
		return
	}
	slices.SortFunc(a.skipped, func(a, b directive) int {
		return cmp.Or(cmp.Compare(a.pos.File, b.pos.File), cmp.Compare(a.pos.Line, b.pos.Line))
	})
	first, others := clip(a.skipped[0].text), ""
	if len(a.skipped) > 1 {
		others = fmt.Sprintf(" (and %d more such lines)", len(a.skipped)-1)
	}
	a.diags.Notef(a.skipped[0].pos, "undecidable-rule",
		"exclude the pages by a rule of sitemap.yaml if no crawler can reach them; urls: sets how addresses end",
		"%s is not evaluated%s: only the server knows what it answers; the pages stay in", first, others).Subject = first
}

// htaccessFolders returns the folders of the publish directory that have a .htaccess,
// each before those in it.
func (l *loader) htaccessFolders() (dirs []string) {
	fs.WalkDir(l.Publish, ".", func(name string, d fs.DirEntry, err error) error {
		base := path.Base(name)
		switch {
		case err != nil:
			return fs.SkipDir // the walker of the pages says what cannot be read
		case !d.IsDir() && base == ".htaccess":
			dirs = append(dirs, path.Dir(name))
		case d.IsDir() && name != "." && base != ".well-known" && (base[0] == '.' || base == "node_modules"):
			return fs.SkipDir
		}
		return nil
	})
	slices.Sort(dirs)
	return dirs
}

// skip records a directive that is not evaluated.
func (a *apacheSite) skip(pos diag.Pos, text string) {
	a.skipped = append(a.skipped, directive{pos, text})
}

// deny adds what keeps visitors out of folders. Of several folders around a page the
// innermost one that says anything decides.
func (a *apacheSite) deny(all []*htaccess) {
	for _, h := range all {
		if h.access == nil || h.access.status == 0 {
			continue
		}
		p := everything(h.in)
		p.but = slices.Clone(a.grants)
		for _, other := range all {
			if other.access != nil && strings.HasPrefix(other.in, h.in+"/") {
				p.but = append(p.but, everything(other.in))
			}
		}
		a.denials = append(a.denials, ruleOf[redirect]{p, *h.access})
	}
}

// serve is plainFiles, but does nothing with a folder without its slash where
// DirectorySlash is off.
func (a *apacheSite) serve(r request) (file, to string) {
	file, to = plainFiles(r)
	if to != "" && !a.addsSlash(r.urlPath) {
		return "", ""
	}
	return file, to
}

// addsSlash reports whether DirectorySlash is on in the innermost folder that says
// anything of it.
func (a *apacheSite) addsSlash(dir string) bool {
	for ; dir != ""; dir = dir[:strings.LastIndexByte(dir, '/')] {
		if on, says := a.slashes[a.site.redirects.below+dir]; says {
			return on
		}
	}
	return a.slashes[""]
}
