package sitemap

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// pick returns one of the choices.
func pick[T any](rnd *rand.Rand, choices ...T) T { return choices[rnd.IntN(len(choices))] }

// randomSlice returns up to limit random elements, or nil.
func randomSlice[T any](rnd *rand.Rand, limit int, element func(*rand.Rand) T) []T {
	var out []T
	for range rnd.IntN(limit + 1) {
		out = append(out, element(rnd))
	}
	return out
}

// randomText returns words with characters that are difficult to escape or are not allowed in XML.
func randomText(rnd *rand.Rand) string {
	words := randomSlice(rnd, 5, func(rnd *rand.Rand) string {
		return pick(rnd, "a", "Größe", "日本", "𝄞", "&", "<b>", "]]>", `"`, "'", "&amp;", "é", "\t", "\n", "\r\n",
			"\x00", "\x1b[31m", "\x7f", "\u0085", "\xff\xfe", "\uFFFE", "\uFFFD", " ", "\u00a0", "?>", "-->", ",")
	})
	return strings.Join(words, pick(rnd, "", " "))
}

func randomLoc(rnd *rand.Rand) string {
	return pick(rnd, "https://example.com/", "https://example.com/a?b=1&c='2'", "http://example.com/%C3%A4;x,y", "HTTPS://[::1]:80/",
		"https://example.com/p/"+fmt.Sprint(rnd.IntN(5)), "", "/a", "ftp://example.com/", "https://example.com/ä", "https://example.com/a b")
}

func randomAlternate(rnd *rand.Rand) Alternate {
	return Alternate{
		Lang: pick(rnd, "de", "en-GB", "en-UK", "zh-Hant-TW", "x-default", "xx", "en_US", "fil", "es-419", "", "de-"),
		Href: randomLoc(rnd),
	}
}

func randomImage(rnd *rand.Rand) Image {
	return Image{Loc: randomLoc(rnd)}
}

func randomNews(rnd *rand.Rand) *News {
	if rnd.IntN(2) == 0 {
		return nil
	}
	return &News{
		Publication:     Publication{randomText(rnd), pick(rnd, "de", "zh-cn", "pt-BR", "fil", "")},
		PublicationDate: pick(rnd, Date{}, randomDate(rnd)), Title: randomText(rnd),
	}
}

func randomRestriction(rnd *rand.Rand, values ...string) *Restriction {
	if rnd.IntN(2) == 0 {
		return nil
	}
	return &Restriction{
		Deny:   rnd.IntN(2) == 0,
		Values: randomSlice(rnd, 2, func(rnd *rand.Rand) string { return pick(rnd, values...) }),
	}
}

func randomVideo(rnd *rand.Rand) Video {
	v := Video{
		ThumbnailLoc: "https://example.com/t.jpg", Title: "t" + randomText(rnd), Description: "d" + randomText(rnd),
		ContentLoc: randomLoc(rnd), PlayerLoc: randomLoc(rnd),
		Duration: rnd.IntN(60000) - 20000, ExpirationDate: pick(rnd, Date{}, randomDate(rnd)),
		ViewCount: pick(rnd, 0, CountOf(0), CountOf(1<<40)), PublicationDate: pick(rnd, Date{}, randomDate(rnd)),
		Tags:           randomSlice(rnd, 40, randomText),
		FamilyFriendly: pick(rnd, 0, Yes, No), RequiresSubscription: pick(rnd, 0, Yes, No), Live: pick(rnd, 0, Yes, No),
		Restriction: randomRestriction(rnd, "DE", "US", "GB", "AT", "FR", "germany"),
		Platform:    randomRestriction(rnd, "web", "tv", "mobile", "fridge"),
		Uploader:    randomText(rnd), UploaderInfo: pick(rnd, "", "https://example.com/u", "https://example.org/u"),
	}
	v.Rating, _ = RatingOf(float64(rnd.IntN(60)) / 10)
	if rnd.IntN(8) == 0 {
		v.Title = strings.Repeat("ä ", 80)
	}
	return v
}

// randomURL returns a URL with a valid loc. Its other values may be invalid.
func randomURL(rnd *rand.Rand) URL {
	u := URL{
		Loc:        pick(rnd, "https://example.com/", "https://example.com/a?b=1&c='2'", "https://example.com/%E2%82%AC"),
		LastMod:    pick(rnd, Date{}, randomDate(rnd)),
		ChangeFreq: ChangeFreq(rnd.IntN(8)),
		Alternates: randomSlice(rnd, 4, randomAlternate),
		Images:     randomSlice(rnd, 3, randomImage),
		Videos:     randomSlice(rnd, 2, randomVideo),
		News:       randomNews(rnd),
	}
	if rnd.IntN(2) == 0 {
		u.Priority, _ = PriorityOf(rnd.Float64())
	}
	return u
}
