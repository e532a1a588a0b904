package audit

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/sitewalk/sitewalk/internal/fetch"
	"github.com/sitewalk/sitewalk/page"
)

// Limits for reading pages to find out where lost pages went.
const (
	maxLostPages  = 20   // pages requested from the live site
	maxAddedPages = 1000 // built pages compared with them
	maxLostTime   = 20 * time.Second
)

// readLostPages sets titles and fingerprints of lost pages that the live site still serves, and
// of the added pages. It stops after the first request without an answer. list is the URL of
// the live sitemap.
func (d *Diff) readLostPages(ctx context.Context, list string, lost, added []*datedURL) {
	from, err := url.Parse(list)
	if err != nil || len(lost) == 0 || len(added) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, maxLostTime)
	defer cancel()
	o := d.Settings.Site.Page
	o.Body, o.Titles, o.NoNotes = true, true, true
	r := lostPageReader{from: fetch.Place{URL: from}, reader: page.NewReader(o)}
	r.o = fetch.Options{Accept: "text/html", Timeout: d.o.Timeout, Client: d.o.Client, Named: d.Settings.BaseURLs()}
	found := false
	for _, u := range lost[:min(len(lost), maxLostPages)] {
		if r.request(ctx, u) != nil {
			break
		}
		found = found || u.Fingerprint != ""
	}
	if !found {
		return
	}
	var src []byte
	for _, u := range added[:min(len(added), maxAddedPages)] {
		if i, ok := d.Result.List.Find(u.Loc); ok && d.Result.List[i].File() != "" {
			src, _ = d.Settings.Site.Pages.Read(ctx, d.Result.List[i].File(), src)
			var f page.Facts
			r.reader.Bytes(src, &f)
			u.Title, u.Fingerprint = f.Title, f.Fingerprint
		}
	}
}

// A lostPageReader reads pages of the live site.
type lostPageReader struct {
	from   fetch.Place
	o      fetch.Options
	reader *page.Reader
}

// request sets the title and the fingerprint of a page. A page that the site does not serve is
// not an error.
func (r *lostPageReader) request(ctx context.Context, u *datedURL) error {
	reply, err := r.from.Ask(ctx, u.Loc, r.o)
	if err != nil {
		return err
	}
	defer reply.Close()
	if reply.Status != http.StatusOK {
		return nil
	}
	var f page.Facts
	err = r.reader.HTML(reply, &f)
	u.Title, u.Fingerprint = f.Title, f.Fingerprint
	return err
}
