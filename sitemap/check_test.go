package sitemap

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestCheckLoc(t *testing.T) {
	long := "https://example.com/" + strings.Repeat("a", 2047-20)
	for loc, want := range map[string]string{
		"https://example.com/":             "",
		"http://example.com":               "",
		"HTTP://example.com:8080/a?b#c":    "",
		"https://example.com/%C3%A4~(a)'*": "",
		"https://[2001:db8::1]/":           "",
		long:                               "",
		long + "a":                         "2048 characters",
		"":                                 "does not begin with http",
		"/a":                               "does not begin with http",
		"//example.com/":                   "does not begin with http",
		"ftp://example.com/":               "does not begin with http",
		"file:///etc/passwd":               "does not begin with http",
		"https:///a":                       "no host",
		"https://":                         "no host",
		"https://?a":                       "no host",
		"https://:80/":                     "no host",
		"https://example.com/a b":          "%20",
		"https://example.com/\n":           "%0A",
		"https://example.com/\x00":         "%00",
		"https://example.com/\x7f":         "%7F",
		"https://example.com/ä":            "not percent-encoded",
		"https://example.com/\xff":         "not percent-encoded",
		"https://example.com/%zz":          "%25",
		"https://example.com/100%":         "%25",
		"https://example.com/%2":           "%25",
		"https://example.com/[x]":          "%5B",
		"https://example.com/a|b":          "%7C",
		`https://example.com/"`:            "%22",
		`https://example.com/\`:            "%5C",
		"https://example.com/<":            "%3C",
		"https://example.com/`":            "%60",
	} {
		err := CheckLoc(loc)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("CheckLoc(%.40q) = %v, want %q", loc, err, want)
		}
	}
}

func TestCheckLang(t *testing.T) {
	for lang, want := range map[string]string{
		"de": "", "DE": "", "en-GB": "", "en-gb": "", "x-default": "", "X-Default": "", "zh-Hant": "", "zh-Hant-TW": "",
		"es-419": "", "fil": "", "sr-Latn-RS": "", "de-CH-1996": "", "sq-XK": "",
		"": "language code", "x": "language code", "us": "language code", "english": "language code", "e1": "language code",
		"en_US": `write "en-US"`, "en-UK": "GB", "en-EU": `"EU"`, "es-UN": `"UN"`, "en-": "hyphen", "en--US": "tag",
		"en-ü": "has a", "en-abcdefghi": "tag", "en US": "language code",
	} {
		err := CheckLang(lang)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("CheckLang(%q) = %v, want %q", lang, err, want)
		}
	}
	for _, list := range []string{languages, regions} {
		codes := strings.Fields(list)
		if !slices.IsSorted(codes[:len(codes)-1]) || len(slices.Compact(slices.Sorted(slices.Values(codes)))) != len(codes) {
			t.Errorf("a list of codes is out of order")
		}
		if slices.ContainsFunc(codes, func(code string) bool { return !hasCode(list, code) }) {
			t.Errorf("a code is not found")
		}
	}
}

// validURL returns a URL with one valid value of each extension.
func validURL() URL {
	return URL{
		Loc:        "https://example.com/v/",
		Alternates: []Alternate{{"de", "https://example.com/v/"}, {"en", "https://example.com/en/v/"}},
		Images:     []Image{{Loc: "https://example.com/1.png"}, {Loc: "https://cdn.example.org/2.png"}},
		Videos: []Video{{
			ThumbnailLoc: "https://example.com/t.jpg", Title: "A video", Description: "Of a cat.",
			ContentLoc: "https://example.com/v.mp4", PlayerLoc: "https://example.com/player?v=1",
		}},
		News: &News{Publication: Publication{"The Example", "en"}, PublicationDate: newDay(0), Title: "Cat found"},
	}
}

// TestCheck changes one value of a valid URL in each case. It checks the findings, and the URL
// after Check.
func TestCheck(t *testing.T) {
	video := func(change func(v *Video)) func(u *URL) {
		return func(u *URL) { change(&u.Videos[0]) }
	}
	kept := func(u *URL) bool { return len(u.Videos) == 1 }
	gone := func(u *URL) bool { return u.Videos == nil }
	for name, test := range map[string]struct {
		change func(u *URL)
		codes  string
		holds  func(u *URL) bool
	}{
		"nothing wrong": {func(*URL) {}, "", func(u *URL) bool { return reflect.DeepEqual(*u, validURL()) }},

		"alternate with an underscore": {
			func(u *URL) { u.Alternates[1].Lang = "en_US" }, "bad-alternate",
			func(u *URL) bool { return len(u.Alternates) == 1 && u.Alternates[0].Lang == "de" },
		},
		"alternate without a scheme": {
			func(u *URL) { u.Alternates[0].Href = "/v/" }, "bad-alternate",
			func(u *URL) bool { return len(u.Alternates) == 1 },
		},
		"one language, two pages": {
			func(u *URL) { u.Alternates[1].Lang = "DE" }, "duplicate-alternate",
			func(u *URL) bool { return len(u.Alternates) == 1 && u.Alternates[0].Href == "https://example.com/v/" },
		},
		"one language, one page, twice": {
			func(u *URL) { u.Alternates[1] = u.Alternates[0] }, "",
			func(u *URL) bool { return len(u.Alternates) == 1 },
		},
		"more languages than there are": {
			func(u *URL) { u.Alternates = manyAlternates(1001) }, "too-many-alternates",
			func(u *URL) bool { return u.Alternates == nil },
		},
		"a thousand languages": {
			func(u *URL) { u.Alternates = manyAlternates(1000) }, "",
			func(u *URL) bool { return len(u.Alternates) == 1000 },
		},

		"image by path": {
			func(u *URL) { u.Images[0].Loc = "/1.png" }, "bad-image",
			func(u *URL) bool { return len(u.Images) == 1 && u.Images[0].Loc == "https://cdn.example.org/2.png" },
		},
		"image twice": {
			func(u *URL) { u.Images[1].Loc = u.Images[0].Loc }, "",
			func(u *URL) bool { return len(u.Images) == 1 },
		},
		"images by the ten thousand": {
			func(u *URL) { u.Images = manyImages(10000) }, "too-many-images",
			func(u *URL) bool { return len(u.Images) == 1000 && u.Images[999].Loc == "https://example.com/999.png" },
		},

		"video without a file or a player": {
			video(func(v *Video) { v.ContentLoc, v.PlayerLoc = "", "" }), "bad-video", gone,
		},
		"video by its player alone": {video(func(v *Video) { v.ContentLoc = "" }), "", kept},
		"video by its file alone":   {video(func(v *Video) { v.PlayerLoc = "" }), "", kept},
		"video whose file is the page": {
			video(func(v *Video) { v.ContentLoc = "https://example.com/v/" }), "bad-video",
			func(u *URL) bool { return kept(u) && u.Videos[0].ContentLoc == "" },
		},
		"video whose only player is the page": {
			video(func(v *Video) { v.ContentLoc, v.PlayerLoc = "", "https://example.com/v/" }), "bad-video bad-video", gone,
		},
		"video without a thumbnail":   {video(func(v *Video) { v.ThumbnailLoc = "" }), "bad-video", gone},
		"video without a title":       {video(func(v *Video) { v.Title = " " }), "bad-video", gone},
		"video without a description": {video(func(v *Video) { v.Description = "" }), "bad-video", gone},
		"video title of 100 letters":  {video(func(v *Video) { v.Title = strings.Repeat("ä", 100) }), "", kept},
		"video with every limit met":  {video(func(v *Video) { v.Duration, v.Tags = 28800, make32() }), "", kept},
		"video that takes a day":      {video(func(v *Video) { v.Duration = 86400 }), "bad-video", func(u *URL) bool { return u.Videos[0].Duration == 0 }},
		"video with 33 tags":          {video(func(v *Video) { v.Tags = append(make32(), "z") }), "bad-video", func(u *URL) bool { return len(u.Videos[0].Tags) == 32 }},
		"video with an empty tag":     {video(func(v *Video) { v.Tags = []string{""} }), "", func(u *URL) bool { return u.Videos[0].Tags == nil }},
		"video for a country's name":  {video(func(v *Video) { v.Restriction = &Restriction{Values: []string{"DE", "Austria"}} }), "bad-video", gone},
		"video for small countries":   {video(func(v *Video) { v.Restriction = &Restriction{Values: []string{"de"}} }), "bad-video", gone},
		"video for no country at all": {video(func(v *Video) { v.Restriction = &Restriction{} }), "", kept},
		"video not for fridges":       {video(func(v *Video) { v.Platform = &Restriction{Deny: true, Values: []string{"fridge"}} }), "bad-video", gone},
		"video title of 101 letters": {
			video(func(v *Video) { v.Title = strings.Repeat("ä", 101) }), "bad-video",
			func(u *URL) bool { return u.Videos[0].Title == strings.Repeat("ä", 100) },
		},
		"video uploader from elsewhere": {
			video(func(v *Video) { v.Uploader, v.UploaderInfo = "Me", "https://example.org/me" }), "bad-video",
			func(u *URL) bool { return u.Videos[0].Uploader == "Me" && u.Videos[0].UploaderInfo == "" },
		},

		"news without a date":  {func(u *URL) { u.News.PublicationDate = Date{} }, "bad-news", func(u *URL) bool { return u.News == nil }},
		"news without a title": {func(u *URL) { u.News.Title = "\x01" }, "control-character bad-news", func(u *URL) bool { return u.News == nil }},
		"news by nobody":       {func(u *URL) { u.News.Publication.Name = "" }, "bad-news", func(u *URL) bool { return u.News == nil }},
		"news in pt-BR":        {func(u *URL) { u.News.Publication.Language = "pt-BR" }, "bad-news", func(u *URL) bool { return u.News == nil }},
		"news in zh-tw":        {func(u *URL) { u.News.Publication.Language = "zh-tw" }, "", func(u *URL) bool { return u.News != nil }},
		"news with a title of controls": {
			func(u *URL) { u.News.Title = "A\x00\x01B\u0085" }, "control-character",
			func(u *URL) bool { return u.News.Title == "A B" },
		},
	} {
		u := validURL()
		test.change(&u)
		var codes []string
		u.Check(func(code, message, hint string) {
			codes = append(codes, code)
			if message == "" || hint == "" || strings.HasSuffix(message, ".") {
				t.Errorf("%s: %s: message %q, hint %q", name, code, message, hint)
			}
		})
		if got := strings.Join(codes, " "); got != test.codes {
			t.Errorf("%s: findings %q, want %q", name, got, test.codes)
		}
		if !test.holds(&u) {
			t.Errorf("%s: left %+v", name, u)
		}
	}
}

func TestEntryCheck(t *testing.T) {
	e := Entry{URL: validURL(), Title: "A\x07 title\x00", Summary: "of\tone\xff line"}
	var codes []string
	e.Check(func(code, _, _ string) { codes = append(codes, code) })
	if e.Title != "A title" || e.Summary != "of one line" || len(codes) != 2 {
		t.Errorf("title %q, summary %q, findings %v", e.Title, e.Summary, codes)
	}
}

func manyAlternates(n int) []Alternate {
	var out []Alternate
	for i := range n {
		lang := fmt.Sprintf("de-%c%c%c%c", 'a'+i/676%26, 'a'+i/26%26, 'a'+i%26, 'a')
		out = append(out, Alternate{lang, "https://example.com/" + lang})
	}
	return out
}

func manyImages(n int) []Image {
	var out []Image
	for i := range n {
		out = append(out, Image{Loc: fmt.Sprintf("https://example.com/%d.png", i)})
	}
	return out
}

func make32() []string { return strings.Fields(strings.Repeat("tag ", 32)) }
