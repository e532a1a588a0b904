package site

import (
	"cmp"
	"iter"
	"net/http"
	"strings"

	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/hosting"
	"github.com/sitewalk/sitewalk/mapping"
)

// A Part is the whole site, or a folder of the publish directory that is served as a separate site.
// Each part has its own base URL, host and sitemap.
type Part struct {
	facts.Part
	Hosting   *hosting.Host
	overrides StyleOverrides

	Exists func(file string) bool // reports whether the part's folder contains a page file

	endings          [len(fileForms)][]mapping.Ending // by form of the file: endings of the addresses at which the host serves a file
	linkStyles       [len(fileForms)]LinkStyle        // by form of the file: how the links of the site end
	canonicalEndings [len(fileForms)]mapping.Ending   // by form of the file: ending of all canonical links, if the host is only guessed
}

// StyleOverrides tells which fields of a mapping.Style the user set. sitewalk does not change these
// fields to match the links in the pages.
type StyleOverrides struct{ HTML, Slash bool }

// newPart returns the part in the folder place.Dir. exists reports whether the whole site has a
// page file with a given path.
func newPart(place facts.Part, host *hosting.Host, o StyleOverrides, exists func(file string) bool) Part {
	part := Part{Part: place, Hosting: host, overrides: o, Exists: exists}
	if part.Dir != "" {
		part.Exists = func(file string) bool { return exists(part.pathInSite(file)) }
	}
	part.endings[0], part.endings[1] = host.Endings()
	return part
}

// pathInSite converts a path relative to the part's folder to a path relative to the publish
// directory.
func (part *Part) pathInSite(file string) string {
	if part.Dir == "" {
		return file
	}
	return part.Dir + "/" + file
}

// fileForms lists the two forms of file names that hosts serve at several addresses. Each form is
// given as an example.
var fileForms = [...]string{"a.html", "a/index.html"}

// fileForm returns the form of a file name as an index in fileForms. severalAddresses reports
// whether hosts serve such files at different addresses, so that sitewalk must choose one. It is
// false for index.html at the top of the site, and for files whose names do not end in .html.
func fileForm(file string) (form int, severalAddresses bool) {
	if isIndexFile(file) {
		return 1, file != "index.html"
	}
	return 0, strings.HasSuffix(file, ".html")
}

func isIndexFile(file string) bool {
	return file == "index.html" || strings.HasSuffix(file, "/index.html")
}

// ResolveURL returns the normalized URL for loc, which the user wrote as an absolute URL or as a
// path below the part's base URL. It returns an error if the URL is not valid.
func (part *Part) ResolveURL(loc string) (string, error) {
	if strings.Contains(loc, "://") || strings.HasPrefix(loc, "//") {
		return part.Base.Resolve(loc, part.Base.String(), "")
	}
	return part.Base.Resolve("./"+strings.TrimPrefix(loc, "/"), part.Base.String(), "")
}

// FileAt returns the page file that the host serves at urlPath, or at another spelling of urlPath
// such as /a/ for /a. The file is relative to the folder of the part. If the host is unknown or has
// no file there, FileAt returns the file that some host would serve there, or "". If a rule of the
// host redirects or hides the file, FileAt returns the file only if withHidden is set.
func (part *Part) FileAt(urlPath string, withHidden bool) string {
	if !part.Hosting.IsKnown() {
		return part.likelyFile(urlPath)
	}
	v := part.Hosting.Answer(urlPath, part.Exists)
	for hops := 0; hops < maxRespelled && v.To != "" && mapping.SpellingKey(v.To) == mapping.SpellingKey(urlPath); hops++ {
		v = part.Hosting.Answer(v.To, part.Exists)
	}
	missing := v.Status == http.StatusNotFound && v.Pos.File == ""
	switch {
	case !missing && v.File != "" && mapping.SpellingKey("/"+v.File) == mapping.SpellingKey(urlPath):
		return v.File
	case missing || withHidden:
		return part.likelyFile(urlPath)
	}
	return "" // a rule decides what is served at urlPath
}

// maxRespelled is the maximum number of redirects that FileAt follows between spellings of one URL
// path, such as from /a/index.html to /a/, and from /a/ to /a.
const maxRespelled = 2

// PossibleFilesAt yields the page files that a host may serve at a URL path, the most likely file
// first. For "/a", these are a, a.html and a/index.html.
func PossibleFilesAt(urlPath string) iter.Seq[string] {
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

// likelyFile returns the first file of PossibleFilesAt that exists, or "" if none exists.
func (part *Part) likelyFile(urlPath string) string {
	for file := range PossibleFilesAt(urlPath) {
		if part.Exists(file) {
			return file
		}
	}
	return ""
}

// describeHost returns the name of the part's host for a message, such as "nginx", or "a plain file
// server" if the host is unknown.
func (part *Part) describeHost() string {
	if !part.Hosting.IsKnown() {
		return "a plain file server"
	}
	return part.Hosting.Name()
}

// addParts sets w.Parts to the site itself and the folders that are separate sites, each with its
// host.
func (w *World) addParts() {
	for i, part := range w.Options.Parts() {
		host := w.Options.Hosting
		if i > 0 {
			host = w.Options.SiteHostings[i-1]
		}
		host = cmp.Or(host, hosting.Unknown)
		w.Parts = append(w.Parts, newPart(part, host, w.Options.Overrides, w.HasPageFile))
	}
}

// PartOf returns the part that a page belongs to.
func (w *World) PartOf(p *Page) *Part { return &w.Parts[p.Facts.Part] }

// PartOnHost returns the first part whose base URL has the host of loc, or nil.
func (w *World) PartOnHost(loc string) *Part {
	if i, ok := w.Facts.Parts.FindByHost(loc); ok {
		return &w.Parts[i]
	}
	return nil
}

// FindPart returns the part whose base URL is the longest prefix of loc, and the path of loc below
// this base URL. If there is no such part, part is the site itself, and ok is false. ok is also
// false if no file can have the path.
func (w *World) FindPart(loc string) (part *Part, urlPath string, ok bool) {
	index, _ := w.Facts.Parts.FindByURL(loc)
	part = &w.Parts[index]
	urlPath, ok = part.Base.Path(loc)
	return part, urlPath, ok
}
