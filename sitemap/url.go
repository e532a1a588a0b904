package sitemap

// A URL is one entry of a sitemap. Zero fields say nothing, so a partial URL is
// also what a rule, a front matter block and an HTML head hold.
type URL struct {
	Loc        string     // absolute, percent-encoded, not XML-escaped
	LastMod    Date       // when the page's content last changed
	ChangeFreq ChangeFreq // a hint
	Priority   Priority   // relative within one site
	Alternates []Alternate
	Images     []Image
	Videos     []Video
	News       *News
}

// Or returns u with each field that says nothing taken from v.
func (u URL) Or(v URL) URL {
	u.Fill(&v)
	return u
}

// Plain reports whether u says no more than where a page is and when it changed.
func (u *URL) Plain() bool {
	return u.ChangeFreq == 0 && u.Priority == 0 && u.Alternates == nil && u.Images == nil && u.Videos == nil && u.News == nil
}

// Fill takes each field of u that says nothing from v.
func (u *URL) Fill(v *URL) {
	if u.Loc == "" {
		u.Loc = v.Loc
	}
	if u.LastMod.IsZero() {
		u.LastMod = v.LastMod
	}
	if u.ChangeFreq == 0 {
		u.ChangeFreq = v.ChangeFreq
	}
	if u.Priority == 0 {
		u.Priority = v.Priority
	}
	if u.Alternates == nil {
		u.Alternates = v.Alternates
	}
	if u.Images == nil {
		u.Images = v.Images
	}
	if u.Videos == nil {
		u.Videos = v.Videos
	}
	if u.News == nil {
		u.News = v.News
	}
}

// An Entry is one listed page: its URL, and what feeds and people read of it.
type Entry struct {
	URL
	Title, Summary string // plain text, not escaped
	Published      Date   // when the page first appeared
}
