package site

import (
	"cmp"
	"iter"
	"net/http"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/hosting"
	"github.com/sitewalk/sitewalk/mapping"
)

// A Part is a part of the site with its own base URL and host. Its pages have a sitemap of their
// own.
type Part struct {
	facts.Part
	Host      *hosting.Site
	overrides StyleOverrides

	Exists func(file string) bool // whether the folder holds the page file

	endings    [len(fileKinds)][]mapping.Ending // endings of addresses that the host serves
	linkStyles [len(fileKinds)]LinkStyle        // how links end
	agreed     [len(fileKinds)]mapping.Ending   // of all canonical links, if the host is only guessed
}

// StyleOverrides tells which parts of a style the user set. Pages cannot change these.
type StyleOverrides struct{ HTML, Slash bool }

// newPart returns a part of a site. exists reports whether the site has a page file.
func newPart(of facts.Part, host *hosting.Site, o StyleOverrides, exists func(file string) bool) Part {
	p := Part{Part: of, Host: host, overrides: o, Exists: exists}
	if p.Dir != "" {
		p.Exists = func(file string) bool { return exists(p.inSite(file)) }
	}
	p.endings[0], p.endings[1] = host.Endings()
	return p
}

// inSite returns the path of one of the part's files relative to the whole site.
func (p *Part) inSite(file string) string {
	if p.Dir == "" {
		return file
	}
	return p.Dir + "/" + file
}

// fileKinds are examples of files that a host may serve at several addresses.
var fileKinds = [...]string{"a.html", "a/index.html"}

// fileKind returns the index in fileKinds of a file. It returns false for a file with only one
// address.
func fileKind(file string) (int, bool) {
	if isIndexFile(file) {
		return 1, file != "index.html"
	}
	return 0, strings.HasSuffix(file, ".html")
}

func isIndexFile(file string) bool {
	return file == "index.html" || strings.HasSuffix(file, "/index.html")
}

// PathOf returns the URL path of a URL below the base without its query. It is "/" if no file can
// have the path.
func (p *Part) PathOf(loc string) string {
	if i := strings.IndexAny(loc, "?#"); i >= 0 {
		loc = loc[:i]
	}
	if urlPath, ok := p.Base.Path(loc); ok {
		return urlPath
	}
	return "/"
}

// Resolve returns the URL of a location that the user wrote: an absolute URL, or a path below the
// part's base URL.
func (p *Part) Resolve(loc string) (string, error) {
	if strings.Contains(loc, "://") || strings.HasPrefix(loc, "//") {
		return p.Base.Resolve(loc, p.Base.String(), "")
	}
	return p.Base.Resolve("./"+strings.TrimPrefix(loc, "/"), p.Base.String(), "")
}

// OtherAddresses returns the other addresses at which the host serves the page's file, because a
// rule of the host may name any of them: /a for /a.html, and /a.html for /a. The result includes
// the host's usual address with or without a slash, unless the page's canonical link names the
// listed address.
func (p *Part) OtherAddresses(f *facts.Page) (all []string) {
	if !p.Host.HasRules() {
		return nil
	}
	file, _ := p.Below(f.File)
	k, several := fileKind(file)
	if !several || f.Ending == mapping.AnyEnding || !slices.Contains(p.endings[k], f.Ending) {
		return nil
	}
	usual := p.Style.Ending(file)
	for _, e := range p.endings[k] {
		named := e == mapping.FileName && f.Ending == mapping.Bare || e == mapping.Bare && f.Ending == mapping.FileName
		slash := e == usual && e != mapping.FileName && f.Ending != mapping.FileName && f.CanonicalEnding != f.Ending
		if e != f.Ending && (named || slash) {
			all = append(all, e.Style().URLPath(file))
		}
	}
	return all
}

// FileAt returns the page file that the host serves at urlPath or at another spelling of urlPath.
// For an unknown host, or without such a file, it returns a file that another host would serve
// there. With ruled, it also does so if a rule of the host hides the file. It returns "" if there
// is none.
func (p *Part) FileAt(urlPath string, ruled bool) string {
	if !p.Host.IsKnown() {
		return p.likelyFile(urlPath)
	}
	v := p.Host.Answer(urlPath, p.Exists)
	for hops := 0; hops < maxRespelled && v.To != "" && mapping.Spelling(v.To) == mapping.Spelling(urlPath); hops++ {
		v = p.Host.Answer(v.To, p.Exists)
	}
	missing := v.Status == http.StatusNotFound && v.Pos.File == ""
	switch {
	case !missing && v.File != "" && mapping.Spelling("/"+v.File) == mapping.Spelling(urlPath):
		return v.File
	case missing || ruled:
		return p.likelyFile(urlPath)
	}
	return "" // what a rule serves there may have no other address
}

// maxRespelled is the maximum number of redirects to another spelling that are followed: from
// /a/index.html to /a/, and from there to /a.
const maxRespelled = 2

// FilesAt yields the page files that hosts may serve at a URL path, the likeliest first.
func FilesAt(urlPath string) iter.Seq[string] {
	return func(yield func(string) bool) {
		switch name, slash := strings.CutSuffix(urlPath[1:], "/"); {
		case name == "":
			yield("index.html")
		case slash:
			_ = yield(name+"/index.html") && yield(name+".html")
		default:
			_ = yield(name) && yield(name+".html") && yield(name+"/index.html")
		}
	}
}

// likelyFile returns the page file that some host would serve at a URL path, or "".
func (p *Part) likelyFile(urlPath string) string {
	for file := range FilesAt(urlPath) {
		if p.Exists(file) {
			return file
		}
	}
	return ""
}

// Canonical returns the canonical link of a page of the part, or "" if the page has none or names the
// address at which it is listed.
func (p *Part) Canonical(f *facts.Page) string {
	if f.Rest != nil && f.Rest.Canonical != "" {
		return f.Rest.Canonical
	}
	if f.CanonicalEnding == mapping.AnyEnding || f.CanonicalEnding == f.Ending {
		return ""
	}
	file, _ := p.Below(f.File)
	_, loc, _ := p.Base.FileURL(f.CanonicalEnding.Style(), file)
	return loc
}

func (p *Part) hostName() string {
	if !p.Host.IsKnown() {
		return "a plain file server"
	}
	return p.Host.Name()
}

// findParts finds the parts of the site.
func (w *World) findParts() {
	for i, part := range w.Options.Parts() {
		host := w.Options.Host
		if i > 0 {
			host = w.Options.Hosts[i-1]
		}
		host = cmp.Or(host, hosting.Unknown)
		w.hosted = w.hosted || host.IsKnown() || host.HasRules()
		w.Parts = append(w.Parts, newPart(part, host, w.Options.Overrides, w.Exists))
	}
}

// Path returns the URL path of the page's file, or of its URL if it has no file.
func (w *World) Path(r *Page) string {
	if r.Facts.File == "" {
		return w.PartOf(r).PathOf(r.Entry.Loc)
	}
	return r.Facts.Path
}

// PartOf returns the part that a page belongs to.
func (w *World) PartOf(r *Page) *Part { return &w.Parts[r.Facts.Part] }

// FileURL returns the URL that the page's file determines.
func (w *World) FileURL(r *Page) (string, error) {
	if r.Facts.FileLoc != "" {
		return r.Facts.FileLoc, nil
	}
	return w.PartOf(r).Base.Loc(w.Path(r))
}

// PartOnHost returns the part whose host is the host of loc, or nil.
func (w *World) PartOnHost(loc string) *Part {
	if i, ok := w.Facts.Parts.Hosting(loc); ok {
		return &w.Parts[i]
	}
	return nil
}

// key returns the page's key in the ledger, which does not depend on the domain.
func (w *World) key(r *Page) (string, bool) {
	p := w.PartOf(r)
	urlPath, ok := w.Path(r), true
	if r.moved() {
		urlPath, ok = p.Base.Path(r.Entry.Loc)
	}
	return keyOf(p, urlPath), ok
}

// keyOf returns the ledger key of a URL path of a part.
func keyOf(p *Part, urlPath string) string {
	if p.Dir == "" {
		return urlPath
	}
	return "/" + p.Dir + urlPath
}

// PartIndex returns the index of the part that may list a URL. It returns 0 for a URL below no
// part.
func (w *World) PartIndex(loc string) uint8 {
	for i := range w.Parts {
		if strings.HasPrefix(loc, w.Parts[i].Base.String()) {
			return uint8(i)
		}
	}
	return 0
}

// FindPart returns the part with the longest base URL above loc, and the path of loc in that part.
// If there is none, or if no file can have the path, it returns the site itself and false.
func (w *World) FindPart(loc string) (p *Part, urlPath string, ok bool) {
	p = &w.Parts[w.PartIndex(loc)]
	urlPath, ok = p.Base.Path(loc)
	return p, urlPath, ok
}

// Canonical returns the canonical address that a page names, or "" if it names none or the
// address at which it is listed.
func (w *World) Canonical(r *Page) string { return w.PartOf(r).Canonical(r.Facts) }
