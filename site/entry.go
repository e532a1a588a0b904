package site

import (
	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/sitemap"
)

// entry fills *e with all that is known of a listed page, without what no
// sitemap may hold; each such thing is reported.
func (l List) entry(r *record, e *sitemap.Entry, report func(code, message, hint string)) {
	l.view.url(r, &e.URL)
	e.Title, e.Summary, e.Published = "", "", sitemap.Date{}
	if l.view.o.Page.Titles {
		e.Title, e.Summary, e.Published = r.title(), r.summary(), r.published()
	}
	checked := sitemap.Extensions(0)
	if r.group != nil {
		e.Alternates = r.group.alts
		if r.group.right {
			checked = sitemap.Hreflang
		}
	}
	if e.Title != "" || e.Summary != "" || e.Extensions()&^checked != 0 {
		e.Check(report)
	}
}

// entries reports what may not be written of the listed pages.
func (f *fold) entries() { stretches(f, f.listed, (*fold).check) }

func (f *fold) check(pages []*record) {
	l := List{f.view, pages}
	var e sitemap.Entry
	for _, r := range pages {
		if !f.o.Page.Titles && (r.group == nil || r.group.right) && f.extensions(r)&^sitemap.Hreflang == 0 {
			continue // a group was checked as a whole
		}
		l.entry(r, &e, func(code, message, hint string) {
			f.report.Add(diag.Diagnostic{
				Pos: f.pos(r), Severity: diag.Warning, Code: code, Message: message, Hint: hint,
			})
		})
	}
}

func ignore(_, _, _ string) {}
