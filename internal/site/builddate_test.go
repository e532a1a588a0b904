package site

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/sitewalk/sitewalk/sitemap"
)

func second(t time.Time) sitemap.Date { return sitemap.DateOf(t, sitemap.Second) }

var buildNoon = time.Date(2025, 3, 4, 12, 0, 0, 0, time.UTC)

func TestBuildTimeMatches(t *testing.T) {
	build := buildTime{uint32(buildNoon.Unix()), uint32(buildNoon.Add(5 * time.Minute).Unix())}
	for name, tt := range map[string]struct {
		named sitemap.Date
		want  bool
	}{
		"meanwhile":                    {second(buildNoon.Add(time.Minute)), true},
		"an hour before":               {second(buildNoon.Add(-time.Hour + time.Second)), false},
		"a round time":                 {second(buildNoon), false},
		"a day":                        {sitemap.DayOf(buildNoon), false},
		"just within ten before":       {second(buildNoon.Add(-10*time.Minute + time.Second)), true},
		"ten minutes before, not less": {second(buildNoon.Add(-10 * time.Minute)), false},
		"just within ten after":        {second(buildNoon.Add(15*time.Minute - time.Second)), true},
		"ten minutes after, not less":  {second(buildNoon.Add(15*time.Minute + time.Second)), false},
	} {
		if got := build.Matches(tt.named); got != tt.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if (buildTime{}).Matches(second(time.Unix(1, 0))) {
		t.Error("an unknown build names a date")
	}
}

func TestFindBuildTime(t *testing.T) {
	for name, tt := range map[string]struct {
		written []uint32
		want    buildTime
	}{
		"nothing":           {nil, buildTime{}},
		"one":               {[]uint32{5}, buildTime{5, 5}},
		"half":              {[]uint32{5000, 10, 2000, 20}, buildTime{}},
		"more than half":    {[]uint32{5000, 10, 30, 2000, 20}, buildTime{10, 30}},
		"all":               {[]uint32{100, 400, 200, 300}, buildTime{100, 400}},
		"one after another": {[]uint32{0, 600, 1200, 1800}, buildTime{}},
	} {
		if got, ok := findBuildTime(tt.written); got != tt.want || ok != (tt.want != buildTime{}) {
			t.Errorf("%s: %v %v", name, got, ok)
		}
	}
}

func TestSharedSecondsByLanguage(t *testing.T) {
	pages := func(unix int64, langs ...string) (all []pageMoment) {
		for _, l := range langs {
			all = append(all, pageMoment{unix, l})
		}
		return all
	}
	for name, tt := range map[string]struct {
		all  []pageMoment
		want []int64
	}{
		"nothing":                 {nil, nil},
		"two":                     {pages(7, "", ""), nil},
		"three":                   {pages(7, "", "", ""), []int64{7}},
		"translations of a page":  {pages(7, "de", "en", "fr"), nil},
		"few of many, long ago":   {append(pages(7, "", "", ""), distant(40)...), nil},
		"a tenth, long ago":       {append(pages(7, "", "", ""), distant(20)...), []int64{7}},
		"few of many, the newest": {append(pages(1<<40, "", "", ""), distant(40)...), []int64{1 << 40}},
	} {
		if got := slices.Sorted(maps.Keys(sharedSeconds(tt.all))); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// distant returns n moments that are all different.
func distant(n int) (all []pageMoment) {
	for i := range n {
		all = append(all, pageMoment{Unix: int64(i+1) * 1e6})
	}
	return all
}

func TestDominantDay(t *testing.T) {
	dates := func(n, others, none int) (all []sitemap.Date) {
		for range n {
			all = append(all, sitemap.DayOf(buildNoon))
		}
		for i := range others {
			all = append(all, sitemap.DayOf(buildNoon.AddDate(0, 0, i+1)))
		}
		return append(all, make([]sitemap.Date, none)...)
	}
	for name, tt := range map[string]struct {
		dates []sitemap.Date
		want  int
	}{
		"nothing":          {nil, 0},
		"few":              {dates(maxAlikeByChance, 0, 0), 0},
		"all":              {dates(maxAlikeByChance+1, 0, 0), maxAlikeByChance + 1},
		"nine of ten":      {dates(90, 10, 0), 0},
		"more than that":   {dates(91, 9, 0), 91},
		"many without one": {dates(20, 0, 20), 0},
	} {
		_, count, of := DominantDay(slices.Values(tt.dates), func(d sitemap.Date) sitemap.Date { return d })
		if count != tt.want || of != len(tt.dates) {
			t.Errorf("%s: %d of %d", name, count, of)
		}
	}
}

func TestWhyImpossibleDate(t *testing.T) {
	old := sitemap.DayOf(time.Date(1989, 12, 31, 0, 0, 0, 0, time.UTC))
	for want, got := range map[string]string{
		"":                   WhyImpossibleDate(sitemap.DayOf(buildNoon), false) + WhyImpossibleDate(sitemap.Date{}, true),
		"lies before 1990":   WhyImpossibleDate(old, false),
		"lies in the future": WhyImpossibleDate(sitemap.DayOf(buildNoon), true),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
