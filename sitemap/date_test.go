package sitemap

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"
	"unsafe"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

// TestNoDate parses the zero time of Go, which templates print for a page without a date.
func TestNoDate(t *testing.T) {
	for _, s := range []string{"0001-01-01", "0001-01-01T00:00:00Z", "0001-01-01T00:00:00+00:00", "0001-01-01 00:00:00 +0000 UTC"} {
		if d, err := ParseDate(s, nil); !d.IsZero() || err != nil {
			t.Errorf("%q: %v, %v", s, d, err)
		}
	}
}

func TestParseDate(t *testing.T) {
	for in, want := range map[string]string{
		// W3C Datetime and variants.
		"2024-01-02":                       "2024-01-02",
		" 2024-01-02\n":                    "2024-01-02",
		"2024-1-2":                         "2024-01-02",
		"2024-01-02T10:00:00Z":             "2024-01-02T10:00:00Z",
		"2024-01-02t10:00:00z":             "2024-01-02T10:00:00Z",
		"2024-01-02T10:00Z":                "2024-01-02T10:00:00Z",
		"2024-01-02T10:00:00+02:00":        "2024-01-02T10:00:00+02:00",
		"2024-01-02T10:00:00-00:00":        "2024-01-02T10:00:00Z",
		"2024-01-02T10:00:00+0200":         "2024-01-02T10:00:00+02:00",
		"2024-01-02T10:00:00.000Z":         "2024-01-02T10:00:00Z",
		"2024-01-02T10:00:00.5-03:30":      "2024-01-02T10:00:00.5-03:30",
		"2024-01-02T10:00:00.120+02:00":    "2024-01-02T10:00:00.12+02:00",
		"2024-01-02T10:00:00,000000001Z":   "2024-01-02T10:00:00.000000001Z",
		"2024-01-02T10:00:00.1234567899Z":  "2024-01-02T10:00:00.123456789Z",
		"2024-01-02Z":                      "2024-01-02",
		"2024-01-02+02:00":                 "2024-01-02",
		"2024-01-02T23:59:59+14:00":        "2024-01-02T23:59:59+14:00",
		"0001-01-02T00:00:00+14:00":        "0001-01-02T00:00:00+14:00",
		"9999-12-31T23:59:59-14:00":        "9999-12-31T23:59:59-14:00",
		"2024-02-29":                       "2024-02-29",
		"2000-02-29":                       "2000-02-29",
		"20240102":                         "2024-01-02",
		"20240102T100000Z":                 "2024-01-02T10:00:00Z",
		"20240102T1000+0200":               "2024-01-02T10:00:00+02:00",
		"20240102100000":                   "2024-01-02T10:00:00+01:00",
		"20240102T100000+02:00":            "2024-01-02T10:00:00+02:00",
		"20240102 100000 +0200":            "2024-01-02T10:00:00+02:00",
		"20240102 1000":                    "2024-01-02T10:00:00+01:00",
		"20240102T10:00:00":                "2024-01-02T10:00:00+01:00",
		"Tue Jan  2 10:00:00 2024 UTC":     "2024-01-02T10:00:00Z",
		"Tue Jul 2 10:00:00 2024 GMT":      "2024-07-02T10:00:00Z",
		"Jan 2 10:00:00 2024 +0200":        "2024-01-02T10:00:00+02:00",
		"2024-01-02T10:00:00":              "2024-01-02T10:00:00+01:00",
		"2024-07-02T10:00:00":              "2024-07-02T10:00:00+02:00",
		"2024-03-31T02:30:00":              "2024-03-31T03:30:00+02:00", // the clocks skip this time
		"2024-01-02 10:00:00":              "2024-01-02T10:00:00+01:00",
		"2024-01-02 10:00":                 "2024-01-02T10:00:00+01:00",
		"2024-01-02 9:05":                  "2024-01-02T09:05:00+01:00",
		"2024-01-02  10:00:00.250":         "2024-01-02T10:00:00.25+01:00",
		"2024-01-02, 10:00":                "2024-01-02T10:00:00+01:00",
		"2024-01-02 10:00:00 +0200":        "2024-01-02T10:00:00+02:00",
		"2024-01-02 10:00:00 +02:00":       "2024-01-02T10:00:00+02:00",
		"2024-01-02 10:00:00 +02":          "2024-01-02T10:00:00+02:00",
		"2024-01-02 10:00:00+02:00":        "2024-01-02T10:00:00+02:00",
		"2024-01-02 10:00:00Z":             "2024-01-02T10:00:00Z",
		"2024-01-02 10:00 -0800":           "2024-01-02T10:00:00-08:00",
		"2024-01-02 10:00:00 UTC":          "2024-01-02T10:00:00Z",
		"2024-01-02 10:00:00 EST":          "2024-01-02T10:00:00-05:00",
		"2024-01-02 10:00:00 cet":          "2024-01-02T10:00:00+01:00",
		"2024-01-02 10:00:00.5 +0200 CEST": "2024-01-02T10:00:00.5+02:00",
		"2024-01-02 10:00:00 +0300 +03":    "2024-01-02T10:00:00+03:00",
		"2024-01-02 12:30 AM":              "2024-01-02T00:30:00+01:00",
		"2024-01-02 12:30pm":               "2024-01-02T12:30:00+01:00",
		"2024-01-02 10:00:30 pm +0200":     "2024-01-02T22:00:30+02:00",
		"2024/01/02":                       "2024-01-02",
		"2024/1/2 10:00":                   "2024-01-02T10:00:00+01:00",
		"2024.01.02":                       "2024-01-02",
		"2024-Jan-02":                      "2024-01-02",
		"Tue, 02 Jan 2024 10:00:00 GMT":    "2024-01-02T10:00:00Z",
		"Tue, 02 Jan 2024 10:00:00 +0200":  "2024-01-02T10:00:00+02:00",
		"Tue, 2 Jan 2024 10:00:00 MST":     "2024-01-02T10:00:00-07:00",
		"tue 2 jan 2024 10:00":             "2024-01-02T10:00:00+01:00",
		"02 Jan 24 10:00 -0700":            "2024-01-02T10:00:00-07:00",
		"02 Jan 68 10:00 GMT":              "2068-01-02T10:00:00Z",
		"02 Jan 69 10:00 GMT":              "1969-01-02T10:00:00Z",
		"Tuesday, 02-Jan-24 10:00:00 UTC":  "2024-01-02T10:00:00Z",
		"Tue Jan  2 10:00:00 2024":         "2024-01-02T10:00:00+01:00",
		"Tue Jan  2 10:00:00 PST 2024":     "2024-01-02T10:00:00-08:00",
		"Tue Jan 02 10:00:00 -0700 2024":   "2024-01-02T10:00:00-07:00",
		"Tue Jan 2 2024 10:00:00 GMT+0200 (Central European Summer Time)": "2024-01-02T10:00:00+02:00",
		"2 Jan 2024":                    "2024-01-02",
		"Tue Jan 2 10:00:00 2024 +0200": "2024-01-02T10:00:00+02:00",
		"2024 Jan 2":                    "2024-01-02",
		"Jan-02-2024":                   "2024-01-02",
		"02 Jan -9":                     "is not a date",
		"02-Jan-2024":                   "2024-01-02",
		"2nd January 2024":              "2024-01-02",
		"21st of May":                   "is not a date",
		"January 2, 2024":               "2024-01-02",
		"Jan. 2nd, 2024":                "2024-01-02",
		"Sept 30 2024":                  "2024-09-30",
		"January 2, 2024 at 10:00 PM":   "2024-01-02T22:00:00+01:00",
		"31/12/2024":                    "2024-12-31",
		"31.12.2024 10:00":              "2024-12-31T10:00:00+01:00",
		"05/05/2024":                    "2024-05-05",

		// Texts that may mean several days, or that are not dates.
		"":                           "is not a date",
		"2024":                       "is not a date",
		"2024-01":                    "is not a date",
		"2024/01":                    "is not a date",
		"January 2024":               "is not a date",
		"Jan 2":                      "is not a date",
		"2 Jan":                      "is not a date",
		"2024-W01-2":                 "is not a date",
		"2024-002":                   "is not a date",
		"24-01-02":                   "is not a date",
		"03/04/2024":                 "may name either of two days",
		"10/15/2024":                 "is not a date",
		"1704189600":                 "is not a date",
		"99999999999999999999999999": "is not a date",
		"10:00":                      "is not a date",
		"10:00AM":                    "is not a date",
		"today":                      "is not a date",
		"true":                       "is not a date",
		"-2024-01-02":                "is not a date",
		"10000-01-01":                "is not a date",
		"2024-01-02/2024-01-03":      "is not a date",
		"2024-01/02":                 "is not a date",
		"2024-01-02T":                "is not a date",
		"2024-01-02T10":              "is not a date",
		"2024-01-02T10:00:00.":       "is not a date",
		"2024-01-02T10:00:00+2":      "is not a date",
		"2024-01-02T10:00:00 Z Z":    "is not a date",
		"2024-01-02 10:00:00 IST":    "an unknown time or zone",
		"2024-01-02 10:00:00 foo":    "an unknown time or zone",
		"0000-01-01":                 "years 1 to 9999",
		"2024-00-10":                 "is not a date",
		"2024-13-01":                 "is not a date",
		"2024-01-00":                 "is not a date",
		"2024-01-32":                 "is not a date",
		"2023-02-29":                 "is not a date",
		"1900-02-29":                 "is not a date",
		"2024-01-02T24:00:00Z":       "an unknown time or zone",
		"2024-01-02T10:60:00Z":       "an unknown time or zone",
		"2024-01-02T10:00:60Z":       "an unknown time or zone",
		"2024-01-02 13:00 PM":        "an unknown time or zone",
		"2024-01-02 0:30 am":         "hour 0 with am or pm",
		"2024-01-02 00:30:00 pm":     "hour 0 with am or pm",
		"2024-01-02T10:00:00+14:01":  "an unknown time or zone",
		"2024-01-02T10:00:00+02:60":  "an unknown time or zone",
		"2024-01-02T10:00:00+99:99":  "an unknown time or zone",
	} {
		got, err := ParseDate(in, berlin)
		switch {
		case want[0] >= '0' && want[0] <= '9':
			if err != nil || got.String() != want {
				t.Errorf("ParseDate(%q) = %v, %v; want %s", in, got, err, want)
			}
		case err == nil || !got.IsZero():
			t.Errorf("ParseDate(%q) = %v; want an error", in, got)
		case !strings.Contains(err.Error(), want):
			t.Errorf("ParseDate(%q): %v; want it to say %q", in, err, want)
		}
	}
}

// berlin is the zone Europe/Berlin. The test imports time/tzdata, because not every machine has zone
// files.
var berlin = func() *time.Location {
	loc, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		panic(err)
	}
	return loc
}()

// TestParseDateHugoLayouts parses dates in the layouts of github.com/spf13/cast, the date library
// of Hugo. It leaves out layouts without a day, and layouts with only the name of a zone.
func TestParseDateHugoLayouts(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, layout := range []string{
		"2006-01-02", time.RFC3339, "2006-01-02T15:04:05", time.RFC1123Z, time.RFC822Z,
		"2006-01-02 15:04:05.999999999 -0700 MST", "2006-01-02T15:04:05-0700",
		"2006-01-02 15:04:05Z0700", "2006-01-02 15:04:05", time.ANSIC, time.RubyDate,
		"2006-01-02 15:04:05Z07:00", "02 Jan 2006", "2006-01-02 15:04:05 -07:00",
		"2006-01-02 15:04:05 -0700", time.RFC3339Nano,
	} {
		for range 500 {
			zone := time.FixedZone("XYZ", (rnd.IntN(113)-56)*15*60)
			when := time.Unix(rnd.Int64N(3e9), rnd.Int64N(3)*5e8).In(zone)
			in := when.Format(layout)
			want, err := time.ParseInLocation(layout, in, berlin)
			if err != nil {
				t.Fatal(err)
			}
			got, err := ParseDate(in, berlin)
			if err != nil {
				t.Fatalf("layout %s: %v", layout, err)
			}
			if got.Precision() == Day {
				if got.String() != want.Format(time.DateOnly) {
					t.Fatalf("layout %s: ParseDate(%q) = %v", layout, in, got)
				}
			} else if !got.Time().Equal(want) {
				t.Fatalf("layout %s: ParseDate(%q) = %v, want %v", layout, in, got, want)
			}
		}
	}
}

func TestDateString(t *testing.T) {
	day := time.Date(2024, 3, 9, 8, 7, 6, 50, time.FixedZone("", -3*3600-1800))
	for _, test := range []struct {
		p                           Precision
		want, day, rfc3339, rfc1123 string
	}{
		{None, "", "", "", ""},
		{Day, "2024-03-09", "2024-03-09", "2024-03-09T00:00:00Z", "Sat, 09 Mar 2024 00:00:00 +0000"},
		{Second, "2024-03-09T08:07:06-03:30", "2024-03-09", "2024-03-09T08:07:06-03:30", "Sat, 09 Mar 2024 08:07:06 -0330"},
		{Fraction, "2024-03-09T08:07:06.00000005-03:30", "2024-03-09", "2024-03-09T08:07:06.00000005-03:30", "Sat, 09 Mar 2024 08:07:06 -0330"},
	} {
		d := DateOf(day, test.p)
		if got := d.String(); got != test.want {
			t.Errorf("String() = %q, want %q", got, test.want)
		}
		if got := d.Day(); got != test.day {
			t.Errorf("Day() = %q, want %q", got, test.day)
		}
		if got := string(d.appendRFC3339(nil)); got != test.rfc3339 {
			t.Errorf("appendRFC3339() = %q, want %q", got, test.rfc3339)
		}
		if got := string(d.appendRFC1123(nil)); got != test.rfc1123 {
			t.Errorf("appendRFC1123() = %q, want %q", got, test.rfc1123)
		}
	}
}

// TestDateEveryDay checks that every valid day prints as package time prints it.
func TestDateEveryDay(t *testing.T) {
	var buf, want []byte
	for unix := int64(minUnix); unix <= maxUnix; unix += 86400 * int64(testsite.Repeat(13, 1)) {
		buf = newDay(unix).AppendTo(buf[:0])
		want = time.Unix(unix, 0).UTC().AppendFormat(want[:0], time.DateOnly)
		if string(buf) != string(want) {
			t.Fatalf("day of %d: %s, want %s", unix, buf, want)
		}
	}
}

func TestDateOutOfRange(t *testing.T) {
	east, west := time.FixedZone("", 14*3600), time.FixedZone("", -14*3600)
	for _, when := range []time.Time{
		time.Date(0, 12, 31, 23, 59, 59, 0, time.UTC),
		time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC),
		time.Date(9999, 12, 31, 23, 0, 0, 0, time.UTC).In(east),
		time.Date(1, 1, 1, 1, 0, 0, 0, time.UTC).In(west),
		time.Date(math.MaxInt32, 1, 1, 0, 0, 0, 0, time.UTC),
	} {
		for p := Day; p <= Fraction; p++ {
			if d := DateOf(when, p); !d.IsZero() {
				t.Errorf("DateOf(%v, %d) = %v, want nothing", when, p, d)
			}
		}
	}
	odd := time.Date(2024, 1, 2, 3, 4, 5, 0, time.FixedZone("", 20*3600))
	if got := DateOf(odd, Second).String(); got != "2024-01-01T07:04:05Z" {
		t.Errorf("a zone that W3C Datetime cannot write: %s", got)
	}
}

func TestDateSize(t *testing.T) {
	if size := unsafe.Sizeof(Date{}); size != 16 {
		t.Errorf("a Date has %d bytes, want 16", size)
	}
}

// TestDateProperties checks that ParseDate(d.String()) equals d, that == agrees with String, and
// that Compare orders dates by their first moments.
func TestDateProperties(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	dates := []Date{{}}
	for range 300 {
		dates = append(dates, randomDate(rnd))
	}
	for _, d := range dates {
		if !d.IsZero() {
			got, err := ParseDate(d.String(), berlin)
			if err != nil || got != d {
				t.Fatalf("ParseDate(%q) = %v, %v", d, got, err)
			}
		}
		for _, e := range dates {
			if (d == e) != (d.String() == e.String()) {
				t.Fatalf("%v == %v is %v", d, e, d == e)
			}
			if d.Compare(e) != -e.Compare(d) {
				t.Fatalf("Compare(%v, %v) is no order", d, e)
			}
			if !d.IsZero() && !e.IsZero() && d.Compare(e) != d.Time().Compare(e.Time()) {
				t.Fatalf("Compare(%v, %v) = %d", d, e, d.Compare(e))
			}
		}
		if want := min(1, int(d.Precision())); d.Compare(Date{}) != want {
			t.Fatalf("Compare(%v, nothing) = %d", d, d.Compare(Date{}))
		}
	}
}

func randomDate(rnd *rand.Rand) Date {
	zone := time.FixedZone("", (rnd.IntN(2*maxOffset)-maxOffset)*60)
	when := time.Unix(rnd.Int64N(4e9)-1e9, rnd.Int64N(1e9)).In(zone)
	if rnd.IntN(8) == 0 {
		when = time.Unix(minUnix+86400+rnd.Int64N(maxUnix-minUnix-2*86400), 0).In(zone)
	}
	return DateOf(when, Day+Precision(rnd.IntN(3)))
}
