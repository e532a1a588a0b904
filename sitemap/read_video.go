package sitemap

import (
	"strconv"
	"strings"
)

func (videos) read(r *Reader) error {
	if string(r.xml.local) != "video" {
		return r.skipUnknown(true)
	}
	r.item.Videos = append(r.item.Videos, Video{})
	return r.children((*Reader).readVideoField)
}

// video returns the video that is being read.
func (r *Reader) video() *Video { return &r.item.Videos[len(r.item.Videos)-1] }

func (r *Reader) readVideoField() error {
	v := r.video()
	if r.xml.space != NamespaceVideo {
		return r.skipUnknown(true)
	}
	switch string(r.xml.local) {
	case "duration":
		return r.readNumber(&v.Duration)
	case "expiration_date":
		return r.readDate(&v.ExpirationDate)
	case "publication_date":
		return r.readDate(&v.PublicationDate)
	case "family_friendly":
		return r.readYesNo(&v.FamilyFriendly)
	case "requires_subscription":
		return r.readYesNo(&v.RequiresSubscription)
	case "live":
		return r.readYesNo(&v.Live)
	case "restriction":
		return r.readRestriction(&v.Restriction)
	case "platform":
		return r.readRestriction(&v.Platform)
	case "rating":
		return r.readRating(v)
	case "view_count":
		return r.readCount(v)
	}
	return r.readVideoText(v)
}

// readVideoText reads the fields that are text, some with attributes.
func (r *Reader) readVideoText(v *Video) error {
	x := r.xml
	var to *string
	switch string(x.local) {
	case "thumbnail_loc":
		to = &v.ThumbnailLoc
	case "title":
		to = &v.Title
	case "description":
		to = &v.Description
	case "content_loc":
		to = &v.ContentLoc
	case "player_loc":
		to = &v.PlayerLoc
		r.leaveObsolete()
	case "tag":
		v.Tags = append(v.Tags, "")
		to = &v.Tags[len(v.Tags)-1]
	case "uploader":
		to, v.UploaderInfo = &v.Uploader, x.attr("info")
	}
	return r.readString(to)
}

// value reads an element whose text is no string.
func (r *Reader) value(set func(line int, text string)) error {
	line := r.xml.tokenLine
	text, err := r.text()
	if err == nil {
		set(line, string(text))
	}
	return err
}

// readNumber reads a number; 0 says nothing.
func (r *Reader) readNumber(to *int) error {
	return r.value(func(line int, text string) {
		n, err := strconv.ParseUint(text, 10, 31)
		switch {
		case err == nil:
			*to = int(n)
		case text != "":
			r.problem(line, "bad-video", "write a whole number", "%.60q is not a whole number", text)
		}
	})
}

func (r *Reader) readYesNo(to *YesNo) error {
	return r.value(func(line int, text string) {
		if *to = r.yesNo(text); *to == 0 {
			r.problem(line, "bad-video", "write yes or no", "%.60q is neither yes nor no", text)
		}
	})
}

// yesNo returns the answer that text gives, in any case, or 0.
func (r *Reader) yesNo(text string) YesNo {
	switch strings.ToLower(text) {
	case "yes":
		return Yes
	case "no":
		return No
	}
	return 0
}

func (r *Reader) readRestriction(to **Restriction) error {
	deny := r.xml.attr("relationship") == "deny"
	return r.value(func(_ int, text string) {
		*to = &Restriction{Deny: deny}
		if text != "" {
			(*to).Values = strings.Fields(text)
		}
	})
}

func (r *Reader) readRating(v *Video) error {
	return r.value(func(line int, text string) {
		f, ok := parseDecimal(text)
		rating, err := RatingOf(f)
		if !ok || err != nil {
			r.problem(line, "bad-video", "write a number from 0.0 to 5.0", "rating %.60q is not between 0.0 and 5.0", text)
			return
		}
		v.Rating = rating
	})
}

func (r *Reader) readCount(v *Video) error {
	return r.value(func(line int, text string) {
		n, err := strconv.ParseUint(text, 10, 63)
		if err != nil {
			r.problem(line, "bad-video", "write a whole number", "view_count %.60q is not a whole number", text)
			return
		}
		v.ViewCount = CountOf(n)
	})
}
