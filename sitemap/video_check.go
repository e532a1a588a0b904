package sitemap

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

const maxVideoSeconds = 28800 // eight hours

var platforms = []string{"web", "mobile", "tv"}

// video reports whether v may stay. It goes when a required field is missing,
// or a restriction cannot be written: without it the video would be promised to
// those who may not see it.
func (c *checker) video(v *Video) bool {
	c.dropBadVideoURLs(v)
	c.videoTexts(v)
	for _, required := range []struct{ name, text string }{
		{"thumbnail_loc", v.ThumbnailLoc}, {"title", v.Title}, {"description", v.Description}, {"content_loc or player_loc", v.ContentLoc + v.PlayerLoc},
	} {
		if required.text == "" {
			c.drop("bad-video", "name its "+required.name, "video %q without a %s is left out", v.name(), required.name)
			return false
		}
	}
	if v.Duration < 0 || v.Duration > maxVideoSeconds {
		c.drop("bad-video", "name the seconds, 1 to 28800", "duration %d of video %q is out of range", v.Duration, v.name())
		v.Duration = 0
	}
	v.Tags = keepValid(c, v.Tags, func(t *string) bool {
		c.text("video tag", t)
		return *t != ""
	})
	v.Tags = truncate(c, "bad-video", "tags of one video", v.Tags, MaxTags)
	return c.restriction("countries", v.Restriction, isCountry) && c.restriction("platforms", v.Platform, isPlatform)
}

// name returns what a reader knows the video by.
func (v *Video) name() string { return cmp.Or(v.Title, v.ContentLoc, v.PlayerLoc, v.ThumbnailLoc) }

// dropBadVideoURLs empties each URL that may not be written.
func (c *checker) dropBadVideoURLs(v *Video) {
	c.videoLoc(v, "thumbnail_loc", &v.ThumbnailLoc)
	c.videoLoc(v, "content_loc", &v.ContentLoc)
	c.videoLoc(v, "player_loc", &v.PlayerLoc)
	c.videoLoc(v, "uploader info", &v.UploaderInfo)
	if v.UploaderInfo != "" && c.page != "" && !strings.EqualFold(HostOf(v.UploaderInfo), HostOf(c.page)) {
		c.drop("bad-video", "name a page of the site itself", "uploader info %s of video %q is on another host", v.UploaderInfo, v.name())
		v.UploaderInfo = ""
	}
}

func (c *checker) videoLoc(v *Video, name string, loc *string) {
	if *loc == "" {
		return
	}
	err := CheckLoc(*loc)
	if err == nil && *loc == c.page && (name == "content_loc" || name == "player_loc") {
		err = fmt.Errorf("%s is the page itself", *loc)
	}
	if err != nil {
		c.drop("bad-video", "name the "+name+" by an absolute URL of its own", "%s of video %q: %v", name, v.name(), err)
		*loc = ""
	}
}

func (c *checker) videoTexts(v *Video) {
	for _, t := range []struct {
		name string
		text *string
		most int
	}{{"video title", &v.Title, 100}, {"video description", &v.Description, 2048}, {"video uploader", &v.Uploader, 255}} {
		c.text(t.name, t.text)
		c.limit("bad-video", t.name, t.text, t.most)
	}
	if v.Uploader == "" && v.UploaderInfo != "" { // an attribute of it
		v.UploaderInfo = ""
		c.edits++
	}
}

func (c *checker) restriction(name string, r *Restriction, valid func(string) bool) bool {
	if r == nil {
		return true
	}
	for _, value := range r.Values {
		if !valid(value) {
			c.drop("bad-video", "write countries as DE, GB or US, platforms as web, mobile or tv",
				"restriction to %s names %q; the video is left out", name, value)
			return false
		}
	}
	return true
}

func isCountry(s string) bool { return s == strings.ToUpper(s) && regionCodes().has(s) }

func isPlatform(s string) bool { return slices.Contains(platforms, s) }
