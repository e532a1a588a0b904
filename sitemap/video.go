package sitemap

import (
	"slices"
	"strconv"
)

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

type videos struct{}

var videoNotation = notation{
	name: "video", prefix: "video", space: NamespaceVideo, root: "video",
	once: []string{
		"thumbnail_loc", "title", "description", "content_loc", "player_loc", "duration", "expiration_date", "rating",
		"view_count", "publication_date", "category", "family_friendly", "restriction", "gallery_loc",
		"requires_subscription", "uploader", "tvshow", "platform", "live",
	},
	many: []string{"content_segment_loc", "tag", "price", "id"},
	// since August 2022, and without a word content_segment_loc and id
	obsolete: []string{"category", "content_segment_loc", "gallery_loc", "id", "player_loc@allow_embed", "player_loc@autoplay", "price", "tvshow"},
}

func (videos) notation() *notation { return &videoNotation }

func (videos) values(u *URL) []string {
	return words(u.Videos, func(v Video) string { return v.Title })
}

func (videos) addresses(u *URL, edit func(*string)) {
	u.Videos = slices.Clone(u.Videos)
	for i := range u.Videos {
		v := &u.Videos[i]
		edit(&v.ThumbnailLoc)
		edit(&v.ContentLoc)
		edit(&v.PlayerLoc)
		edit(&v.UploaderInfo)
	}
}

func (videos) appendTo(b []byte, u *URL) []byte {
	for i := range u.Videos {
		b = u.Videos[i].appendTo(b)
	}
	return b
}

func (videos) check(c *checker, u *URL) { u.Videos = keepValid(c, u.Videos, c.video) }

func (v *Video) appendTo(b []byte) []byte {
	b = append(b, "<video:video>"...)
	b = appendElement(b, "video:thumbnail_loc", v.ThumbnailLoc)
	b = appendElement(b, "video:title", v.Title)
	b = appendElement(b, "video:description", v.Description)
	b = appendElement(b, "video:content_loc", v.ContentLoc)
	b = appendElement(b, "video:player_loc", v.PlayerLoc)
	b = appendElement(b, "video:duration", positive(v.Duration))
	b = appendDate(b, "video:expiration_date", v.ExpirationDate)
	b = appendElement(b, "video:rating", v.Rating.String())
	b = appendElement(b, "video:view_count", v.ViewCount.String())
	b = appendDate(b, "video:publication_date", v.PublicationDate)
	for _, t := range v.Tags {
		b = appendElement(b, "video:tag", t)
	}
	b = appendElement(b, "video:family_friendly", v.FamilyFriendly.String())
	b = v.Restriction.appendTo(b, "video:restriction")
	b = appendElement(b, "video:requires_subscription", v.RequiresSubscription.String())
	b = appendWith(b, "video:uploader", v.Uploader, "info", v.UploaderInfo)
	b = v.Platform.appendTo(b, "video:platform")
	b = appendElement(b, "video:live", v.Live.String())
	return append(b, "</video:video>"...)
}

func (r *Restriction) appendTo(b []byte, name string) []byte {
	if r == nil {
		return b
	}
	b = append(b, '<')
	b = append(b, name...)
	b = appendAttr(b, "relationship", r.relationship())
	b = append(b, '>')
	for i, v := range r.Values {
		if i > 0 {
			b = append(b, ' ')
		}
		b = appendEscaped(b, v)
	}
	return appendEndTag(b, name)
}

func (r *Restriction) relationship() string {
	if r.Deny {
		return "deny"
	}
	return "allow"
}

// appendWith appends <name attr="value">text</name>, or nothing when there is
// no text.
func appendWith(b []byte, name, text, attr, value string) []byte {
	if text == "" {
		return b
	}
	b = append(b, '<')
	b = append(b, name...)
	b = appendAttr(b, attr, value)
	b = append(b, '>')
	b = appendEscaped(b, text)
	return appendEndTag(b, name)
}

// positive returns the digits of n, or "" for a number that says nothing.
func positive(n int) string {
	if n <= 0 {
		return ""
	}
	return strconv.Itoa(n)
}
