package writer

import (
	"context"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/outline"
)

// people drafts the page for people, or reports that its name is taken.
func (r *job) people(ctx context.Context) error {
	if info, _ := r.dir.stat(r.Page); r.dir.check(r.Page) != nil || info != nil && !r.past.ours(r.Page) {
		r.Diags.Errorf(diag.Pos{File: r.Page}, "output-taken", "give output.page another name, or remove that file",
			"the page for people would overwrite a file that sitewalk did not write, and is not written")
		return nil
	}
	site := r.site()
	page, err := site.People(ctx)
	if err != nil {
		return err
	}
	return r.putPlain(r.dir, r.Page, page, 0)
}

// site returns the site for who reads it as a whole.
func (r *job) site() outline.Site {
	all := r.published(r.entrance())
	return outline.Site{Entries: r.entries, Base: r.Base, Title: r.title(), Lang: r.Lang, All: all, AllURL: r.url(all)}
}

// entrance returns the file that crawlers start at.
func (r *job) entrance() string {
	if len(r.whole) > 0 && !r.xml {
		return r.file("", r.whole[0].name)
	}
	return r.Name
}
