package frontmatter

import (
	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/internal/strict"
	"github.com/sitewalk/sitewalk/sitemap"
)

// A Video is the video entry of a page. Its keys are the elements of the video
// schema; attributes of an element are keys beside it.
type Video struct {
	ThumbnailLoc         string                    `yaml:"thumbnail_loc"`
	Title                string                    `yaml:"title"`
	Description          string                    `yaml:"description"`
	ContentLoc           string                    `yaml:"content_loc"`
	PlayerLoc            string                    `yaml:"player_loc"`
	Duration             int                       `yaml:"duration"`
	ExpirationDate       strict.Value[string]      `yaml:"expiration_date"`
	Rating               strict.Value[float64]     `yaml:"rating"`
	ViewCount            strict.Value[int]         `yaml:"view_count"`
	PublicationDate      strict.Value[string]      `yaml:"publication_date"`
	Tags                 []string                  `yaml:"tags"`
	FamilyFriendly       strict.Value[bool]        `yaml:"family_friendly"`
	Restriction          strict.Value[Restriction] `yaml:"restriction"`
	RequiresSubscription strict.Value[bool]        `yaml:"requires_subscription"`
	Uploader             string                    `yaml:"uploader"`
	UploaderInfo         string                    `yaml:"uploader_info"`
	Platform             strict.Value[Restriction] `yaml:"platform"`
	Live                 strict.Value[bool]        `yaml:"live"`
}

// A Restriction allows or denies a video in the places that it lists.
type Restriction struct {
	Allow strict.Value[[]string] `yaml:"allow"`
	Deny  strict.Value[[]string] `yaml:"deny"`
}

func (v *Video) video(c converter) sitemap.Video {
	return sitemap.Video{
		ThumbnailLoc: v.ThumbnailLoc, Title: v.Title, Description: v.Description,
		ContentLoc: v.ContentLoc, PlayerLoc: v.PlayerLoc,
		Duration: v.Duration, ExpirationDate: c.date(v.ExpirationDate),
		Rating: c.rating(v.Rating), ViewCount: c.count(v.ViewCount),
		PublicationDate: c.date(v.PublicationDate),
		Tags:            v.Tags, FamilyFriendly: yesNo(v.FamilyFriendly),
		Restriction:          c.restriction(v.Restriction),
		RequiresSubscription: yesNo(v.RequiresSubscription), Uploader: v.Uploader, UploaderInfo: v.UploaderInfo,
		Platform: c.restriction(v.Platform), Live: yesNo(v.Live),
	}
}

func yesNo(v strict.Value[bool]) sitemap.YesNo {
	switch {
	case !v.Said():
		return 0
	case v.V:
		return sitemap.Yes
	}
	return sitemap.No
}

func (c converter) rating(v strict.Value[float64]) sitemap.Rating {
	if !v.Said() {
		return 0
	}
	r, err := sitemap.RatingOf(v.V)
	c.bad(v.Pos, err)
	return r
}

func (c converter) count(v strict.Value[int]) sitemap.Count {
	if !v.Said() {
		return 0
	}
	if v.V < 0 {
		c.diags.Errorf(v.Pos, "bad-value", "", "view_count %d is negative", v.V)
		return 0
	}
	return sitemap.CountOf(uint64(v.V))
}

// restriction returns what r says. One that does not say whom it keeps out
// keeps out all: without it the video would be promised to everyone.
func (c converter) restriction(r strict.Value[Restriction]) *sitemap.Restriction {
	allow, deny := r.V.Allow, r.V.Deny
	switch {
	case !r.Said():
		return nil
	case allow.Said() && deny.Said():
		c.diags.Errorf(later(allow.Pos, deny.Pos), "bad-value", "keep one of the two", "a restriction says allow and deny")
	case deny.Said():
		return &sitemap.Restriction{Deny: true, Values: deny.V}
	case !allow.Said():
		c.diags.Errorf(r.Pos, "bad-value", "write {allow: [DE, AT]} or {deny: [US]}", "a restriction says neither allow nor deny")
	default:
		return &sitemap.Restriction{Values: allow.V}
	}
	return &sitemap.Restriction{}
}

func later(a, b diag.Pos) diag.Pos {
	if a.Line > b.Line || a.Line == b.Line && a.Col > b.Col {
		return a
	}
	return b
}
