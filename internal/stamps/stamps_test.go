package stamps

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/sitewalk/sitewalk/sitemap"
)

func second(t time.Time) sitemap.Date { return sitemap.DateOf(t, sitemap.Second) }

var noon = time.Date(2025, 3, 4, 12, 0, 0, 0, time.UTC)

func TestBuildNames(t *testing.T) {
	build := Build{uint32(noon.Unix()), uint32(noon.Add(5 * time.Minute).Unix())}
	for name, tt := range map[string]struct {
		named sitemap.Date
		want  bool
	}{
		"meanwhile":                    {second(noon.Add(time.Minute)), true},
		"an hour before":               {second(noon.Add(-time.Hour + time.Second)), false},
		"a round time":                 {second(noon), false},
		"a day":                        {sitemap.DayOf(noon), false},
		"just within ten before":       {second(noon.Add(-10*time.Minute + time.Second)), true},
		"ten minutes before, not less": {second(noon.Add(-10 * time.Minute)), false},
		"just within ten after":        {second(noon.Add(15*time.Minute - time.Second)), true},
		"ten minutes after, not less":  {second(noon.Add(15*time.Minute + time.Second)), false},
	} {
		if got := build.Names(tt.named); got != tt.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if (Build{}).Names(second(time.Unix(1, 0))) {
		t.Error("an unknown build names a date")
	}
}

func TestBuildOf(t *testing.T) {
	for name, tt := range map[string]struct {
		written []uint32
		want    Build
	}{
		"nothing":           {nil, Build{}},
		"one":               {[]uint32{5}, Build{5, 5}},
		"half":              {[]uint32{5000, 10, 2000, 20}, Build{}},
		"more than half":    {[]uint32{5000, 10, 30, 2000, 20}, Build{10, 30}},
		"all":               {[]uint32{100, 400, 200, 300}, Build{100, 400}},
		"one after another": {[]uint32{0, 600, 1200, 1800}, Build{}},
	} {
		if got, ok := BuildOf(tt.written); got != tt.want || ok != (tt.want != Build{}) {
			t.Errorf("%s: %v %v", name, got, ok)
		}
	}
}

func TestShared(t *testing.T) {
	pages := func(unix int64, langs ...string) (all []Moment) {
		for _, l := range langs {
			all = append(all, Moment{unix, l})
		}
		return all
	}
	for name, tt := range map[string]struct {
		all  []Moment
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
		if got := slices.Sorted(maps.Keys(Shared(tt.all))); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// distant returns n moments that nothing shares.
func distant(n int) (all []Moment) {
	for i := range n {
		all = append(all, Moment{Unix: int64(i+1) * 1e6})
	}
	return all
}

func TestCommonDay(t *testing.T) {
	dates := func(n, others, none int) (all []sitemap.Date) {
		for range n {
			all = append(all, sitemap.DayOf(noon))
		}
		for i := range others {
			all = append(all, sitemap.DayOf(noon.AddDate(0, 0, i+1)))
		}
		return append(all, make([]sitemap.Date, none)...)
	}
	for name, tt := range map[string]struct {
		dates []sitemap.Date
		want  int
	}{
		"nothing":          {nil, 0},
		"few":              {dates(FewAlike, 0, 0), 0},
		"all":              {dates(FewAlike+1, 0, 0), FewAlike + 1},
		"nine of ten":      {dates(90, 10, 0), 0},
		"more than that":   {dates(91, 9, 0), 91},
		"many without one": {dates(20, 0, 20), 0},
	} {
		_, count, of := CommonDay(slices.Values(tt.dates), func(d sitemap.Date) sitemap.Date { return d })
		if count != tt.want || of != len(tt.dates) {
			t.Errorf("%s: %d of %d", name, count, of)
		}
	}
}

func TestDoubt(t *testing.T) {
	old := sitemap.DayOf(time.Date(1989, 12, 31, 0, 0, 0, 0, time.UTC))
	for want, got := range map[string]string{
		"":                   Doubt(sitemap.DayOf(noon), false) + Doubt(sitemap.Date{}, true),
		"lies before 1990":   Doubt(old, false),
		"lies in the future": Doubt(sitemap.DayOf(noon), true),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
