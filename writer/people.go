package writer

import (
	"cmp"
	"context"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/llms"
	"github.com/sitewalk/sitewalk/sitemap"
)

// people drafts the page for people, or reports that its name is taken.
func (r *job) people(ctx context.Context) error {
	if r.dir.Check(r.Page) != nil || !r.mayReplace(r.Page) {
		r.Diags.Errorf(diag.Pos{File: r.Page}, "output-taken", "give output.page another name, or remove that file",
			"the page for people would overwrite a file that sitewalk did not write, and is not written")
		return nil
	}
	site := r.site()
	page, err := site.People(ctx)
	if err != nil {
		return err
	}
	return r.stage(place{r.dir, r.Page}, page, File{})
}

// site returns the site for who reads it as a whole.
func (r *job) site() llms.Site {
	all := r.Name // the file that crawlers start at
	if len(r.whole) > 0 && !r.xml {
		all = r.file("", r.whole[0])
	}
	s := llms.Site{
		Entries: r.entries, Base: r.Base, Given: r.Feed.Title, Own: r.Title, Title: r.title(), Lang: r.Lang,
		All: all, AllURL: r.url(all), Mark: markComment,
	}
	if r.Gzip == "only" {
		s.All += ".gz"
	}
	return s
}

// title returns what the site is called.
func (r *job) title() string {
	return cmp.Or(r.Feed.Title, r.Title, sitemap.HostOf(r.Base))
}
