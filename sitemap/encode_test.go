package sitemap

import (
	"reflect"
	"strings"
	"testing"
	"time"
)

// fullURL returns a URL in which every field of the protocol and its extensions is set.
func fullURL() URL {
	u := validURL()
	when := DateOf(time.Date(2024, 5, 6, 7, 8, 9, 0, time.FixedZone("", 7200)), Second)
	u.LastMod, u.ChangeFreq = when, Monthly
	u.Priority, _ = PriorityOf(0.85)
	u.Images[0] = Image{"https://example.com/1.png"}
	v := &u.Videos[0]
	v.Duration, v.ExpirationDate, v.PublicationDate = 600, when, DayOf(when.Time())
	v.Rating, _ = RatingOf(4.25)
	v.ViewCount, v.Tags = CountOf(0), []string{"cat", `"dog"`}
	v.FamilyFriendly, v.RequiresSubscription, v.Live = Yes, No, No
	v.Restriction = &Restriction{Values: []string{"DE", "AT"}}
	v.Platform = &Restriction{Deny: true, Values: []string{"tv"}}
	v.Uploader, v.UploaderInfo = "Ann", "https://example.com/ann"
	u.News = &News{Publication{"The Example", "en"}, when, "Cat found"}
	return u
}

func TestFullURLSetsEveryField(t *testing.T) {
	u := fullURL()
	for _, v := range []any{u, u.Images[0], u.Videos[0], *u.News} {
		s := reflect.ValueOf(v)
		for i := range s.NumField() {
			if s.Field(i).IsZero() {
				t.Errorf("%T does not set %s", v, s.Type().Field(i).Name)
			}
		}
	}
}

// TestAppendURL checks that the elements are in the order of the schema.
func TestAppendURL(t *testing.T) {
	u := fullURL()
	want := strings.NewReplacer("\n", "", "\t", "").Replace(`
<url>
	<loc>https://example.com/v/</loc>
	<lastmod>2024-05-06T07:08:09+02:00</lastmod>
	<changefreq>monthly</changefreq>
	<priority>0.85</priority>
	<xhtml:link rel="alternate" hreflang="de" href="https://example.com/v/"/>
	<xhtml:link rel="alternate" hreflang="en" href="https://example.com/en/v/"/>
	<image:image>
		<image:loc>https://example.com/1.png</image:loc>
	</image:image>
	<image:image><image:loc>https://cdn.example.org/2.png</image:loc></image:image>
	<video:video>
		<video:thumbnail_loc>https://example.com/t.jpg</video:thumbnail_loc>
		<video:title>A video</video:title>
		<video:description>Of a cat.</video:description>
		<video:content_loc>https://example.com/v.mp4</video:content_loc>
		<video:player_loc>https://example.com/player?v=1</video:player_loc>
		<video:duration>600</video:duration>
		<video:expiration_date>2024-05-06T07:08:09+02:00</video:expiration_date>
		<video:rating>4.25</video:rating>
		<video:view_count>0</video:view_count>
		<video:publication_date>2024-05-06</video:publication_date>
		<video:tag>cat</video:tag>
		<video:tag>&quot;dog&quot;</video:tag>
		<video:family_friendly>yes</video:family_friendly>
		<video:restriction relationship="allow">DE AT</video:restriction>
		<video:requires_subscription>no</video:requires_subscription>
		<video:uploader info="https://example.com/ann">Ann</video:uploader>
		<video:platform relationship="deny">tv</video:platform>
		<video:live>no</video:live>
	</video:video>
	<news:news>
		<news:publication><news:name>The Example</news:name><news:language>en</news:language></news:publication>
		<news:publication_date>2024-05-06T07:08:09+02:00</news:publication_date>
		<news:title>Cat found</news:title>
	</news:news>
</url>`)
	if got := strings.TrimSuffix(string(AppendURL(nil, &u)), "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", strings.ReplaceAll(got, "><", ">\n<"), strings.ReplaceAll(want, "><", ">\n<"))
	}
}

func TestEscapes(t *testing.T) {
	for in, want := range map[string]string{
		`&'"<>`:          "&amp;&apos;&quot;&lt;&gt;",
		"a&b":            "a&amp;b",
		"&amp;":          "&amp;amp;",
		"\t\r\n":         "&#x9;&#xD;&#xA;",
		"\x00a\x1b":      "\uFFFDa\uFFFD",
		"\xffa":          "\uFFFDa",
		"\uFFFEa\uFFFFb": "\uFFFDa\uFFFDb",
		"äß日𝄞\uFFFD":     "äß日𝄞\uFFFD",
		"":               "",
	} {
		if got := string(appendEscaped(nil, in)); got != want {
			t.Errorf("%q is written as %q, want %q", in, got, want)
		}
	}
}

func TestHeads(t *testing.T) {
	const xml = `<?xml version="1.0" encoding="UTF-8"?>` + "\n"
	for _, test := range []struct {
		f    Format
		h    Frame
		want string
	}{
		{FormatURLSet, Frame{}, xml + "<urlset xmlns=\"" + Namespace + "\">\n</urlset>\n"},
		{
			FormatURLSet,
			Frame{Extensions: Hreflang | NewsExt, Stylesheet: "a&b?>", Comments: []string{"a", "b"}},
			xml + "<!-- a -->\n<!-- b -->\n" + `<?xml-stylesheet type="text/css" href="a&amp;b?%3E"?>` + "\n<urlset xmlns=\"" + Namespace +
				`" xmlns:xhtml="` + NamespaceXHTML + `" xmlns:news="` + NamespaceNews + "\">\n</urlset>\n",
		},
		{FormatIndex, Frame{Extensions: ImageExt}, xml + "<sitemapindex xmlns=\"" + Namespace + "\">\n</sitemapindex>\n"},
		{FormatText, Frame{Comments: []string{"a"}}, ""},
	} {
		if got := string(encodeAs(test.f, test.h)); got != test.want {
			t.Errorf("got\n%s\nwant\n%s", got, test.want)
		}
	}
}

func TestScalars(t *testing.T) {
	for v, want := range map[float64]string{0: "0.0", 1: "1.0", 0.5: "0.5", 0.55: "0.55", 0.125: "0.125", 0.999: "0.999", 0.0001: "0.0"} {
		if p, err := PriorityOf(v); err != nil || p.String() != want {
			t.Errorf("PriorityOf(%v) = %q, %v; want %s", v, p, err, want)
		}
	}
	for v, want := range map[float64]string{0: "0.0", 5: "5.0", 4.25: "4.25", 3.1: "3.1", 0.01: "0.01"} {
		if r, err := RatingOf(v); err != nil || r.String() != want {
			t.Errorf("RatingOf(%v) = %q, %v; want %s", v, r, err, want)
		}
	}
	nan := 0.0
	nan /= nan
	for _, v := range []float64{-0.1, 5.1, nan} {
		if _, err := PriorityOf(v); err == nil {
			t.Errorf("PriorityOf(%v) is no error", v)
		}
		if _, err := RatingOf(v); err == nil {
			t.Errorf("RatingOf(%v) is no error", v)
		}
	}
	for _, word := range []string{"always", "hourly", "daily", "weekly", "monthly", "yearly", "never"} {
		if c, err := ParseChangeFreq(word); err != nil || c.String() != word {
			t.Errorf("ParseChangeFreq(%q) = %v, %v", word, c, err)
		}
	}
	for _, word := range []string{"", "Daily", " daily", "sometimes"} {
		if _, err := ParseChangeFreq(word); err == nil || !strings.Contains(err.Error(), "hourly, daily") {
			t.Errorf("ParseChangeFreq(%q): %v", word, err)
		}
	}
	if Priority(0).String() != "" || Priority(0).Float64() != 0.5 || Rating(0).String() != "" || Count(0).String() != "" {
		t.Error("a zero value says something")
	}
}
