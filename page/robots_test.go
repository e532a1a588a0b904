package page

import (
	"testing"
	"time"

	"github.com/sitewalk/sitewalk/sitemap"
)

func TestParseRobots(t *testing.T) {
	for _, c := range []struct {
		value       string
		all, google bool   // noindex for all agents, and for googlebot
		unavailable string // UnavailableAfter
	}{
		{"", false, false, ""},
		{"noindex", true, true, ""},
		{"NoIndex, NoFollow", true, true, ""},
		{"none", true, true, ""},
		{" nofollow ,, noindex ", true, true, ""},
		{"noindex nofollow", true, true, ""},
		{"noindex;nofollow", true, true, ""},
		{"index, noindex", true, true, ""},
		{"noindexifembedded", false, false, ""},
		{"no index", false, false, ""},
		{"index, follow, max-snippet:-1, max-image-preview:none, max-video-preview: -1", false, false, ""},
		{"max-snippet:-1, noindex", true, true, ""},
		{"googlebot: noindex", false, true, ""},
		{"GoogleBot : noindex, nofollow", false, true, ""},
		{"otherbot: noindex, nofollow", false, false, ""},
		{"otherbot: noindex, googlebot: none", false, true, ""},
		{"nofollow, otherbot: noindex", false, false, ""},
		{"unavailable_after: 25 Jun 2010 15:00:00 PST", false, false, "25 Jun 2010 15:00:00 PST"},
		{"unavailable_after: Friday, 25-Jun-10 15:00:00 GMT, noindex", true, true, "Friday, 25-Jun-10 15:00:00 GMT"},
		{"noarchive, unavailable_after:2030-01-01T00:00:00Z", false, false, "2030-01-01T00:00:00Z"},
		{"otherbot: unavailable_after: 2030-01-01", false, false, ""},
		{":", false, false, ""},
		{"noindex:", true, true, ""},
	} {
		d := ParseRobots(c.value)
		if d.NoIndex() != c.all || d.NoIndex("googlebot") != c.google || d.UnavailableAfter != c.unavailable {
			t.Errorf("%q: %+v, want %v %v %q", c.value, d, c.all, c.google, c.unavailable)
		}
	}
}

func TestExpiry(t *testing.T) {
	for value, want := range map[string]sitemap.Date{
		"noindex":                      {},
		"unavailable_after:2030-02-03": day("2030-02-03"),
		"unavailable_after: 25 Jun 2010 15:00:00 EST":         day("2010-06-25T15:00:00-05:00"),
		"unavailable_after: 25-Aug-2007 15:00:00 GMT":         day("2007-08-25T15:00:00Z"),
		"unavailable_after: Friday, 25-Jun-10 15:00:00 UTC":   day("2010-06-25T15:00:00Z"),
		"unavailable_after: Fri, 25 Jun 2010 15:00:00 +0200":  day("2010-06-25T15:00:00+02:00"),
		"unavailable_after: 2030-02-03T04:05:06+07:00, index": day("2030-02-03T04:05:06+07:00"),
	} {
		got, err := ParseRobots(value).Expiry(time.UTC)
		if err != nil || got != want {
			t.Errorf("%q: %v, %v, want %v", value, got, err, want)
		}
	}
	if _, err := ParseRobots("unavailable_after: soon").Expiry(nil); err == nil {
		t.Error("no error for what is not a date")
	}
}

func FuzzParseRobots(f *testing.F) {
	f.Add("noindex, unavailable_after: 25 Jun 2010 15:00:00 PST, googlebot: none")
	f.Fuzz(func(t *testing.T, value string) {
		d := ParseRobots(value)
		if strict := ParseRobots("noindex, " + value); !strict.NoIndex() {
			t.Errorf("%q undoes noindex", value)
		}
		if d.NoIndex() && !d.NoIndex("googlebot") {
			t.Error("what holds for all does not hold for one")
		}
		_, _ = d.Expiry(time.UTC)
	})
}

func FuzzParseRefresh(f *testing.F) {
	f.Add("0; url='/a'")
	f.Fuzz(func(t *testing.T, value string) {
		seconds, target, ok := parseRefresh([]byte(value))
		if seconds < 0 || seconds > slowRefresh || !ok && target != nil {
			t.Errorf("%q: %d %q %v", value, seconds, target, ok)
		}
	})
}
