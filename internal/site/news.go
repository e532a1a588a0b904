package site

import (
	"time"

	"github.com/sitewalk/sitewalk/sitemap"
)

// newsAge is how long after its publication date an article is news.
// https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap
const newsAge = 48 * time.Hour

// isNews reports whether an article is not older than newsAge. A day counts from its
// beginning in UTC. What has no date is for the pass check.
func (c *clock) isNews(n *sitemap.News) bool {
	if n.PublicationDate.IsZero() {
		return true
	}
	end := n.PublicationDate.Time().Add(newsAge)
	if c.now.Before(end) {
		c.note(end)
		return true
	}
	return false
}

// OldNews reports whether all say of a page that it is news, and its article is too old.
func (r *Result) OldNews(p *Page) bool {
	if p.Entry.News != nil {
		return false
	}
	said := r.World.FullEntry(p)
	return said.News != nil && !(&clock{now: r.now}).isNews(said.News)
}
