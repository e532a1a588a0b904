package sitemap

// A Video is one video:video of a page.
type Video struct{}
