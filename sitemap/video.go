package sitemap

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A Video is a video on a page, written as video:video. ThumbnailLoc, Title and Description are
// required, and at least one of ContentLoc and PlayerLoc. URLs are absolute and percent-encoded.
// See https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps
type Video struct {
	ThumbnailLoc string `key:"thumbnail_loc"`
	Title        string `key:"title"`       // at most 100 characters
	Description  string `key:"description"` // at most 2,048 characters
	ContentLoc   string `key:"content_loc"` // URL of the video file, not of the page
	PlayerLoc    string `key:"player_loc"`  // URL of a player for the video, not of the page
	Duration     int    `key:"duration"`    // length in seconds, 1 to 28,800; 0 means not set

	ExpirationDate       Date         `key:"expiration_date"` // when the video becomes unavailable
	Rating               Rating       `key:"rating"`          // 0.0 to 5.0
	ViewCount            Count        `key:"view_count"`
	PublicationDate      Date         `key:"publication_date"` // when the video was first published
	Tags                 []string     `key:"tags"`             // at most 32
	FamilyFriendly       YesNo        `key:"family_friendly"`
	Restriction          *Restriction `key:"restriction"` // countries as ISO 3166-1 alpha-2 codes, such as "DE"
	RequiresSubscription YesNo        `key:"requires_subscription"`
	Uploader             string       `key:"uploader"`      // at most 255 characters
	UploaderInfo         string       `key:"uploader_info"` // URL about the uploader, on the host of the page
	Platform             *Restriction `key:"platform"`      // platforms: "web", "mobile" or "tv"
	Live                 YesNo        `key:"live"`
}

// A Restriction limits where a video is available. Values lists countries or platforms. The video
// is available only there, or if Deny is true, everywhere else.
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
	{name: "video:uploader", field: func(v *Video) any { return textWithInfo{&v.Uploader, &v.UploaderInfo} }},
	{name: "video:platform", field: func(v *Video) any { return &v.Platform }},
	{name: "video:live", field: func(v *Video) any { return &v.Live }},
}

const maxVideoSeconds = 28800 // eight hours

var platforms = []string{"web", "mobile", "tv"}

// cleanVideo corrects or clears the invalid fields of v, and reports the mistakes. It returns false
// if the video must be left out: if a required field is missing or invalid, or if a restriction is
// invalid. Without its restriction, the video would be available everywhere.
func (c *checker) cleanVideo(v *Video) bool {
	c.dropBadVideoURLs(v)
	c.cleanVideoTexts(v)
	for _, required := range []struct{ name, text string }{
		{"thumbnail_loc", v.ThumbnailLoc}, {"title", v.Title}, {"description", v.Description}, {"content_loc or player_loc", v.ContentLoc + v.PlayerLoc},
	} {
		if required.text == "" {
			c.reportEdit("bad-video", "name its "+required.name, "video %q without a %s is left out", v.name(), required.name)
			return false
		}
	}
	if v.Duration < 0 || v.Duration > maxVideoSeconds {
		c.reportEdit("bad-video", "name the seconds, 1 to 28800", "duration %d of video %q is out of range", v.Duration, v.name())
		v.Duration = 0
	}
	v.Tags = filterValid(c, v.Tags, func(t *string) bool {
		c.cleanText("video tag", t)
		return *t != ""
	})
	v.Tags = truncate(c, "bad-video", "tags of one video", v.Tags, MaxTags)
	return c.checkRestriction("countries", v.Restriction, isCountry) && c.checkRestriction("platforms", v.Platform, isPlatform)
}

// name returns a text that identifies v in messages: its title, or if it has none, one of its URLs.
func (v *Video) name() string { return cmp.Or(v.Title, v.ContentLoc, v.PlayerLoc, v.ThumbnailLoc) }

// dropBadVideoURLs clears and reports each invalid URL in v. A URL of the uploader on another host
// than the page is also invalid.
func (c *checker) dropBadVideoURLs(v *Video) {
	c.dropBadVideoURL(v, "thumbnail_loc", &v.ThumbnailLoc)
	c.dropBadVideoURL(v, "content_loc", &v.ContentLoc)
	c.dropBadVideoURL(v, "player_loc", &v.PlayerLoc)
	c.dropBadVideoURL(v, "uploader info", &v.UploaderInfo)
	if v.UploaderInfo != "" && c.page != "" && !strings.EqualFold(HostOf(v.UploaderInfo), HostOf(c.page)) {
		c.reportEdit("bad-video", "name a page of the site itself", "uploader info %s of video %q is on another host", v.UploaderInfo, v.name())
		v.UploaderInfo = ""
	}
}

// dropBadVideoURL clears and reports *loc if it is not a valid URL. As content_loc or player_loc,
// the URL of the page itself is also invalid. name is the name of the element, such as
// "content_loc", or "uploader info".
func (c *checker) dropBadVideoURL(v *Video, name string, loc *string) {
	if *loc == "" {
		return
	}
	err := CheckLoc(*loc)
	if err == nil && *loc == c.page && (name == "content_loc" || name == "player_loc") {
		err = fmt.Errorf("%s is the page itself", *loc)
	}
	if err != nil {
		c.reportEdit("bad-video", "name the "+name+" by an absolute URL of its own", "%s of video %q: %v", name, v.name(), err)
		*loc = ""
	}
}

// cleanVideoTexts cleans the title, the description and the uploader of v, and shortens them to
// their limits. If the uploader is "", it also clears UploaderInfo.
func (c *checker) cleanVideoTexts(v *Video) {
	for _, t := range []struct {
		name  string
		text  *string
		limit int
	}{{"video title", &v.Title, 100}, {"video description", &v.Description, 2048}, {"video uploader", &v.Uploader, 255}} {
		c.cleanText(t.name, t.text)
		c.limitLength("bad-video", t.name, t.text, t.limit)
	}
	if v.Uploader == "" && v.UploaderInfo != "" { // the info is an attribute of the uploader
		v.UploaderInfo = ""
		c.edits++
	}
}

// checkRestriction reports whether isValid returns true for all values of r. It reports a finding
// about the first other value. A nil r is valid. name is "countries" or "platforms", for the
// message.
func (c *checker) checkRestriction(name string, r *Restriction, isValid func(string) bool) bool {
	if r == nil {
		return true
	}
	for _, value := range r.Values {
		if !isValid(value) {
			c.reportEdit("bad-video", "write countries as DE, GB or US, platforms as web, mobile or tv",
				"restriction to %s names %q; the video is left out", name, value)
			return false
		}
	}
	return true
}

// isCountry reports whether s is a country code in upper case, such as "DE".
func isCountry(s string) bool { return hasCode(regions, s) }

// isPlatform reports whether s is "web", "mobile" or "tv".
func isPlatform(s string) bool { return slices.Contains(platforms, s) }
