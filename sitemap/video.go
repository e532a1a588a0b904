package sitemap

// A Video is one video:video of a page. ThumbnailLoc, Title, Description and
// one of ContentLoc and PlayerLoc are required. URLs are absolute and
// percent-encoded.
type Video struct {
	ThumbnailLoc string `key:"thumbnail_loc"`
	Title        string `key:"title"`       // at most 100 characters
	Description  string `key:"description"` // at most 2,048 characters
	ContentLoc   string `key:"content_loc"` // the video file
	PlayerLoc    string `key:"player_loc"`  // a player for it
	Duration     int    `key:"duration"`    // seconds, 1 to 28,800; 0 says nothing

	ExpirationDate       Date         `key:"expiration_date"` // unavailable from then on
	Rating               Rating       `key:"rating"`
	ViewCount            Count        `key:"view_count"`
	PublicationDate      Date         `key:"publication_date"`
	Tags                 []string     `key:"tags"` // at most 32
	FamilyFriendly       YesNo        `key:"family_friendly"`
	Restriction          *Restriction `key:"restriction"` // countries, ISO 3166-1 alpha-2
	RequiresSubscription YesNo        `key:"requires_subscription"`
	Uploader             string       `key:"uploader"`
	UploaderInfo         string       `key:"uploader_info"` // a URL on the page's own host
	Platform             *Restriction `key:"platform"`      // of web, mobile, tv
	Live                 YesNo        `key:"live"`
}

// A Restriction allows a video in the places named and nowhere else, or denies
// it there.
type Restriction struct {
	Deny   bool
	Values []string
}

var videoElements = []element[Video]{
	{name: "video:thumbnail_loc", field: func(v *Video) any { return &v.ThumbnailLoc }},
	{name: "video:title", field: func(v *Video) any { return &v.Title }},
	{name: "video:description", field: func(v *Video) any { return &v.Description }},
	{name: "video:content_loc", field: func(v *Video) any { return &v.ContentLoc }},
	{name: "video:player_loc", field: func(v *Video) any { return &v.PlayerLoc }},
	{name: "video:duration", field: func(v *Video) any { return &v.Duration }},
	{name: "video:expiration_date", field: func(v *Video) any { return &v.ExpirationDate }},
	{name: "video:rating", field: func(v *Video) any { return &v.Rating }},
	{name: "video:view_count", field: func(v *Video) any { return &v.ViewCount }},
	{name: "video:publication_date", field: func(v *Video) any { return &v.PublicationDate }},
	{name: "video:tag", field: func(v *Video) any { return &v.Tags }},
	{name: "video:family_friendly", field: func(v *Video) any { return &v.FamilyFriendly }},
	{name: "video:restriction", field: func(v *Video) any { return &v.Restriction }},
	{name: "video:requires_subscription", field: func(v *Video) any { return &v.RequiresSubscription }},
	{
		name: "video:uploader", field: func(v *Video) any { return &v.Uploader },
		attr: "info", value: func(v *Video) *string { return &v.UploaderInfo },
	},
	{name: "video:platform", field: func(v *Video) any { return &v.Platform }},
	{name: "video:live", field: func(v *Video) any { return &v.Live }},
}

var videos = list[Video]{
	form: notation{
		name: "video", prefix: "video", space: NamespaceVideo, root: "video",
		many: []string{"content_segment_loc", "tag", "price", "id"},
		// since August 2022, and without a word content_segment_loc and id
		obsolete: []string{"category", "content_segment_loc", "gallery_loc", "id", "player_loc@allow_embed", "player_loc@autoplay", "price", "tvshow"},
	},
	elements: videoElements,
	of:       func(u *URL) *[]Video { return &u.Videos },
	word:     func(v *Video) string { return v.Title },
	edit: func(v *Video, edit func(*string)) {
		edit(&v.ThumbnailLoc)
		edit(&v.ContentLoc)
		edit(&v.PlayerLoc)
		edit(&v.UploaderInfo)
	},
	judge: func(c *checker, u *URL) { u.Videos = keepValid(c, u.Videos, c.video) },
}
