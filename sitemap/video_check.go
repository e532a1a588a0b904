package sitemap

import (
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
	c.videoLocs(v)
	c.text("video title", &v.Title)
	c.text("video description", &v.Description)
	if missing := v.missingField(); missing != "" {
		c.drop("bad-video", "name its "+missing, "video %q without a %s is left out", v.name(), missing)
		return false
	}
	if !c.restriction("countries", v.Restriction, isCountry) || !c.restriction("platforms", v.Platform, isPlatform) {
		return false
	}
	c.videoTexts(v)
	c.videoLimits(v)
	c.videoOrphans(v)
	return true
}

// name returns what a reader knows the video by.
func (v *Video) name() string {
	for _, s := range []string{v.Title, v.ContentLoc, v.PlayerLoc, v.ThumbnailLoc} {
		if s != "" {
			return s
		}
	}
	return ""
}

func (v *Video) missingField() string {
	switch {
	case v.ThumbnailLoc == "":
		return "thumbnail_loc"
	case v.Title == "":
		return "title"
	case v.Description == "":
		return "description"
	case v.ContentLoc == "" && v.PlayerLoc == "":
		return "content_loc or player_loc"
	}
	return ""
}

// videoLocs empties each URL that may not be written.
func (c *checker) videoLocs(v *Video) {
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
	c.text("video uploader", &v.Uploader)
	v.Tags = keepValid(c, v.Tags, func(t *string) bool {
		c.text("video tag", t)
		return *t != ""
	})
	v.Tags = truncate(c, "bad-video", "tags of one video", v.Tags, MaxTags)
}

func (c *checker) videoLimits(v *Video) {
	c.limit("bad-video", "video title", &v.Title, 100)
	c.limit("bad-video", "video description", &v.Description, 2048)
	c.limit("bad-video", "video uploader", &v.Uploader, 255)
	if v.Duration < 0 || v.Duration > maxVideoSeconds {
		c.drop("bad-video", "name the seconds, 1 to 28800", "duration %d of video %q is out of range", v.Duration, v.name())
		v.Duration = 0
	}
}

// videoOrphans empties the attribute of an element that is not there.
func (c *checker) videoOrphans(v *Video) {
	if v.Uploader == "" && v.UploaderInfo != "" {
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
