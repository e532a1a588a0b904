package site

import (
	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/page"
)

// maxShellPages are as many as a single-page application has: its page, under a second name for
// addresses that are not known, and one to try it.
const maxShellPages = 3

// pageCount are the pages of which one thing is wrong.
type pageCount struct {
	first *Page
	more  int // beside the first
}

func (s *pageCount) add(r *Page) {
	if s.first == nil {
		s.first = r
		return
	}
	s.more++
}

// others says how many more things of a kind a sentence is true of.
func (s *pageCount) others(kind string) string {
	switch s.more {
	case 0:
		return ""
	case 1:
		return ", and so is 1 " + kind
	}
	return ", and so are " + diag.Count(s.more, kind)
}

// files reports, each once for all, the pages that name a local server, the files that
// are parts of pages, and those that are no whole page.
func (l *linter) files() {
	var local, part, broken pageCount
	for r := range l.Files() {
		own, rest := r.Facts.Own, r.Facts.Rest
		if rest != nil && rest.Local != "" {
			local.add(r)
		}
		switch {
		case own == page.Broken:
			broken.add(r)
		case own == page.Fragment && l.World.Included[r.File()] == nil && (rest == nil || !rest.Piece):
			part.add(r)
		case rest != nil && rest.Shell && r.Listed() && len(l.List) <= maxShellPages:
			l.findings.Add(diag.Notef(l.World.Pos(r), "single-page", "render the pages when the site is built; what only a # tells apart has no address of its own",
				"the page has neither text nor links: a script adds its content, which crawlers may not find"))
		}
	}
	if local.first != nil {
		l.localServer(&local)
	}
	if part.first != nil {
		l.findings.Add(diag.Notef(l.World.Pos(part.first), "page-fragment", "give pages a layout; exclude what is none, or keep it out of the publish directory",
			"the file has no html, head, body or title and is left out as a part of a page%s", part.others("other file")))
	}
	if broken.first != nil {
		l.findings.Add(diag.Warnf(l.World.Pos(broken.first), "broken-page", "build the site again; was the disk full, or the build stopped?",
			"%s; the page is left out%s", broken.first.Facts.Rest.Note, broken.others("other broken page")))
	}
}

// localServer reports the pages that name a local server.
func (l *linter) localServer(s *pageCount) {
	more, local := "", s.first.Facts.Rest.Local
	if s.more > 0 {
		more = "; so do " + diag.Count(s.more, "more page")
	}
	l.findings.Add(diag.Warnf(l.World.Pos(s.first), "local-address", "build the site for production before you publish it",
		"it names %s, as a development server writes addresses%s; they are read as %s", local, more, l.World.PartOf(s.first).Base).About(local))
}
