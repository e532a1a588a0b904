package sitemap

// A News is the news:news of a page.
type News struct{}
