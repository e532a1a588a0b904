package sitemap

import (
	"cmp"
	"time"
)

// A Precision tells which parts of a Date were written.
type Precision uint8

// The precisions, the coarsest first. The protocol's schema accepts a day, or
// a time with seconds and a zone and nothing between: minutes are read, and
// written with :00.
const (
	None Precision = iota // no date
	Day
	Second
	Fraction // printed with as many digits as it needs, at most nine
)

// A Date is a W3C Datetime that keeps the precision and the zone it was written
// with: a day stays a day. It lies in the years 1 to 9999. The zero Date says
// nothing. Dates compare with == exactly when they print the same.
type Date struct {
	unix   int64  // seconds since 1970-01-01T00:00:00Z; of a Day, its midnight in UTC
	nsec   uint32 // only with Fraction, and then not 0
	offset int16  // minutes east of UTC; 0 of a Day
	prec   Precision
}

const (
	minUnix   = -62135596800 // 0001-01-01T00:00:00
	maxUnix   = 253402300799 // 9999-12-31T23:59:59
	maxOffset = 14 * 60      // of a zone, in minutes: XML Schema part 2, 3.2.7.3
)

// DayOf returns the day that t falls on in t's own zone.
func DayOf(t time.Time) Date {
	_, off := t.Zone()
	return newDay(t.Unix() + int64(off))
}

// DateOf returns t to the precision given, in t's own zone. A t that W3C
// Datetime cannot write, outside the years 1 to 9999, says nothing.
func DateOf(t time.Time, p Precision) Date {
	switch p {
	case None:
		return Date{}
	case Day:
		return DayOf(t)
	case Second:
		t = t.Truncate(time.Second)
	}
	_, off := t.Zone()
	return newDate(t.Unix(), t.Nanosecond(), off/60)
}

// newDay returns the day that holds the given second, counted as if its zone
// were UTC.
func newDay(local int64) Date {
	if local < minUnix || local > maxUnix {
		return Date{}
	}
	const day = 24 * 60 * 60
	return Date{unix: local - ((local%day)+day)%day, prec: Day}
}

func newDate(unix int64, nsec, offset int) Date {
	if offset < -maxOffset || offset > maxOffset {
		offset = 0
	}
	if local := unix + int64(offset)*60; local < minUnix || local > maxUnix {
		return Date{}
	}
	if nsec == 0 {
		return Date{unix: unix, offset: int16(offset), prec: Second}
	}
	return Date{unix: unix, nsec: uint32(nsec), offset: int16(offset), prec: Fraction}
}

// IsZero reports whether d is the zero Date.
func (d Date) IsZero() bool { return d.prec == None }

// Precision returns how much of d was written.
func (d Date) Precision() Precision { return d.prec }

// Time returns the moment that d begins, in the zone it was written with; a
// Day begins at midnight UTC. The Time of the zero Date means nothing.
func (d Date) Time() time.Time {
	t := time.Unix(d.unix, int64(d.nsec))
	if d.offset == 0 {
		return t.UTC()
	}
	return t.In(time.FixedZone("", int(d.offset)*60))
}

// Unix returns the seconds from 1970 on to the moment that d begins.
func (d Date) Unix() int64 { return d.unix }

// DayOnly returns the day that d falls on in its own zone.
func (d Date) DayOnly() Date {
	if d.prec <= Day {
		return d
	}
	return newDay(d.unix + int64(d.offset)*60)
}

// After reports whether d begins after t.
func (d Date) After(t time.Time) bool { return time.Unix(d.unix, int64(d.nsec)).After(t) }

// Compare orders dates by the moment they begin; the zero Date comes first.
// Dates of one moment in two spellings compare as equal.
func (d Date) Compare(e Date) int {
	return cmp.Or(
		cmp.Compare(min(d.prec, Day), min(e.prec, Day)),
		cmp.Compare(d.unix, e.unix),
		cmp.Compare(d.nsec, e.nsec),
	)
}

// String returns d as the protocol and its schema have it, 2006-01-02 or
// 2006-01-02T15:04:05+07:00, or "" for the zero Date.
func (d Date) String() string { return string(d.AppendTo(nil)) }

// Day returns the day that d falls on in its own zone, 2006-01-02, or "".
func (d Date) Day() string { return d.DayOnly().String() }

// AppendTo appends what String returns.
func (d Date) AppendTo(b []byte) []byte {
	n := len(b)
	b = d.AppendRFC3339(b)
	if d.prec == Day {
		b = b[:n+len(time.DateOnly)]
	}
	return b
}

// AppendRFC3339 appends d with a time, as Atom requires (RFC 4287, section
// 3.3): a Day begins at midnight UTC.
func (d Date) AppendRFC3339(b []byte) []byte {
	if d.IsZero() {
		return b
	}
	return d.Time().AppendFormat(b, time.RFC3339Nano)
}

// AppendRFC1123 appends d as RSS 2.0 requires, Mon, 02 Jan 2006 15:04:05 -0700:
// a Day begins at midnight UTC.
func (d Date) AppendRFC1123(b []byte) []byte {
	if d.IsZero() {
		return b
	}
	return d.Time().AppendFormat(b, time.RFC1123Z)
}
