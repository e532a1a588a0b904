package site

import (
	"context"
	"fmt"
	"slices"

	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
)

// A LinkStyle describes the ending of most links in a part of the site, such as .html or a slash.
// The links are to page files of one form: a.html or a/index.html; see fileForms.
type LinkStyle struct {
	Dir              string         // folder of the part; "" is the site itself
	ToFolders        bool           // the links are to pages a/index.html, not a.html
	ServesHTMLEnding bool           // the host also serves the addresses with .html
	Ending           mapping.Ending // ending of most links; NoEnding if there are none
	Links            int            // number of links with this ending
	Of               int            // number of links to files of this form
	Pages            int            // number of pages whose links were counted
}

// Setting returns the setting with which all URLs end in l.Ending: its key, such as "urls.html",
// and its value, such as "strip".
func (l LinkStyle) Setting() (key, value string) {
	switch {
	case l.Ending == mapping.FileName:
		return "urls.html", "keep"
	case l.Ending == mapping.Bare && l.ServesHTMLEnding:
		return "urls.html", "strip"
	case l.Ending == mapping.Bare:
		return "urls.slash", "remove"
	}
	return "urls.slash", "add"
}

// String describes the style, such as "9 of 10 links in 3 pages have no .html".
func (l LinkStyle) String() string {
	how := [...]string{mapping.FileName: "end in .html", mapping.Slashed: "end in a slash", mapping.Bare: "have no slash"}[l.Ending]
	if l.Ending == mapping.Bare && l.ServesHTMLEnding {
		how = "have no .html"
	}
	what := "links"
	if l.ToFolders {
		what = "links to folders"
	}
	return fmt.Sprintf("%d of %d %s in %d pages %s", l.Links, l.Of, what, l.Pages, how)
}

// maxSample is the maximum number of pages, in addition to the home page, whose links are read to
// find out how links end. linksOutsideVersions also returns the links of at most maxSample pages.
const maxSample = 64

// inferLinkStyles reads the links of some pages to find out which ending of URLs the site uses,
// such as .html or a slash. It does so only for parts whose host serves a page at several
// addresses. It skips a part if every page with several addresses states its own address, for
// example by a canonical link. It also passes the links to preferLinkedCopies.
func (w *World) inferLinkStyles(ctx context.Context) error {
	for i := range w.Parts {
		part := &w.Parts[i]
		open := [...]bool{part.hasSeveralEndings(0), part.hasSeveralEndings(1)}
		var sample [][]string // the URL paths that each page links to
		for _, f := range w.samplePages(uint8(i), open) {
			paths, err := w.Facts.LinkPaths(ctx, f)
			if err != nil {
				return err
			}
			sample = append(sample, paths)
		}
		w.preferLinkedCopies(i, sample)
		for form := range open {
			if !open[form] || len(sample) == 0 {
				continue
			}
			if part.linkStyles[form] = part.countEndings(sample, form); part.linkStyles[form].Ending != mapping.NoEnding {
				w.linkStyles = append(w.linkStyles, part.linkStyles[form])
			}
		}
	}
	return nil
}

// hasSeveralEndings reports whether the host serves files of the given form, an index in fileForms,
// at several addresses that the settings allow, such as /a and /a.html.
func (part *Part) hasSeveralEndings(form int) bool {
	usual := part.Style.Ending(fileForms[form])
	n := 0
	for _, e := range part.endings[form] {
		if part.allowsEnding(fileForms[form], usual, e) {
			n++
		}
	}
	return n > 1
}

// samplePages returns the home page of a part, and up to maxSample other pages. index is the index
// of the part. undecidedForms[form] tells that the links must decide the URLs of files of this
// form. samplePages returns nil if every page with a file of such a form states its own address,
// for example by a canonical link.
func (w *World) samplePages(index uint8, undecidedForms [2]bool) []*facts.Page {
	var home, others []*facts.Page
	isNeeded := false // at least one page does not state its own address
	for i, f := range w.pages {
		if f.Part != index || f.OwnReason != page.Listed {
			continue
		}
		file, _ := w.Parts[index].Below(f.File)
		form, several := fileForm(file)
		isNeeded = isNeeded || several && undecidedForms[form] && f.CanonicalEnding == mapping.NoEnding && f.OGEnding == mapping.NoEnding &&
			(w.pairs[i] == nil || w.pairs[i].ending == mapping.NoEnding)
		if file == "index.html" {
			home = append(home, f)
		} else {
			others = append(others, f)
		}
	}
	if !isNeeded {
		return nil
	}
	return append(home, sampleEvenly(others, maxSample)...)
}

// sampleEvenly returns at most max of the items, at equal distances.
func sampleEvenly[T any](items []T, max int) (sample []T) {
	for i := 0; i < len(items); i += (len(items)-1)/max + 1 {
		sample = append(sample, items[i])
	}
	return sample
}

// linkedFile returns the file that the host serves at urlPath, the URL path of a link. It returns
// "" if there is no such file, or if the host is unknown and may serve one of two files.
func (part *Part) linkedFile(urlPath string) string {
	if part.Hosting.IsKnown() {
		file, _ := part.Hosting.ServedFile(urlPath, part.Exists)
		return file
	}
	file := part.likelyFile(urlPath)
	if name := urlPath[1:]; file == name+".html" && part.Exists(name+"/index.html") {
		return "" // some hosts serve a.html at /a, and others a/index.html
	}
	return file
}

// countEndings counts the endings, such as .html, of links to files of the given form, an index in
// fileForms. The result contains the most frequent ending. If two endings are equally frequent, the
// usual ending of the part wins. sample contains, for each page of the sample, the URL paths in its
// links.
func (part *Part) countEndings(sample [][]string, form int) LinkStyle {
	l := LinkStyle{Dir: part.Dir, ToFolders: form == 1, ServesHTMLEnding: slices.Contains(part.endings[form], mapping.FileName), Pages: len(sample)}
	var ends [mapping.Slashed + 1]int
	for _, paths := range sample {
		for _, urlPath := range paths {
			file := part.linkedFile(urlPath)
			if of, several := fileForm(file); file != "" && several && of == form {
				ends[mapping.EndingOf(file, urlPath)]++
			}
		}
	}
	usual := part.Style.Ending(fileForms[form])
	for _, e := range part.endings[form] {
		l.Of += ends[e]
		if n := ends[e]; n > l.Links || n > 0 && n == l.Links && e == usual {
			l.Ending, l.Links = e, n
		}
	}
	return l
}
