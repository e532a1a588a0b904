package sitemap

import (
	"cmp"
	"time"
)

// A Precision is the precision of a Date: no date, a day, or a time with or without a fraction of a
// second.
type Precision uint8

// The precisions in ascending order. There is no precision for minutes: ParseDate reads the time
// "15:04" as "15:04:00".
const (
	None Precision = iota // no date
	Day
	Second
	Fraction // printed with as many digits as it needs, at most nine
)

// A Date is a W3C Datetime: a day such as "2006-01-02", or a time with a zone such as
// "2006-01-02T15:04:05+07:00". Its year is 1 to 9999. The zero Date means "no date". Two Dates are
// equal (==) if and only if their String results are equal.
type Date struct {
	unix   int64  // seconds since 1970-01-01T00:00:00Z; for a Day, its midnight in UTC
	nsec   uint32 // nanoseconds; not 0 if and only if prec is Fraction
	offset int16  // zone in minutes east of UTC; 0 for a Day
	prec   Precision
}

const (
	minUnix   = -62135596800 // 0001-01-01T00:00:00
	maxUnix   = 253402300799 // 9999-12-31T23:59:59
	maxOffset = 14 * 60      // maximum offset of a zone in minutes (XML Schema part 2, section 3.2.7.3)
)

// DayOf returns the day of t in the zone of t. It returns the zero Date if the year of t is not 1
// to 9999.
func DayOf(t time.Time) Date {
	_, off := t.Zone()
	return newDay(t.Unix() + int64(off))
}

// DateOf returns t with the precision p, in the zone of t. Even if p is Fraction, a time with whole
// seconds gets the precision Second. A zone of more than 14 hours becomes UTC, and the seconds of
// other zones are dropped; the moment does not change. DateOf returns the zero Date if p is None,
// or if the year is not 1 to 9999.
func DateOf(t time.Time, p Precision) Date {
	switch p {
	case None:
		return Date{}
	case Day:
		return DayOf(t)
	case Second:
		t = t.Truncate(time.Second)
	}
	_, seconds := t.Zone()
	if seconds < -maxOffset*60 || seconds > maxOffset*60 {
		seconds = 0
	}
	d := Date{unix: t.Unix(), nsec: uint32(t.Nanosecond()), offset: int16(seconds / 60), prec: Second}
	if local := d.unix + int64(d.offset)*60; local < minUnix || local > maxUnix {
		return Date{}
	}
	if d.nsec > 0 {
		d.prec = Fraction
	}
	return d
}

// newDay returns the day that contains a local time. localSeconds is the local time, as the number
// of seconds since 1970-01-01T00:00:00 local time. newDay returns the zero Date if the year is not
// 1 to 9999.
func newDay(localSeconds int64) Date {
	if localSeconds < minUnix || localSeconds > maxUnix {
		return Date{}
	}
	const day = 24 * 60 * 60
	return Date{unix: localSeconds - ((localSeconds%day)+day)%day, prec: Day}
}

// IsZero reports whether d is the zero Date.
func (d Date) IsZero() bool { return d.prec == None }

// Precision returns the precision of d.
func (d Date) Precision() Precision { return d.prec }

// Time returns the first moment of d, in the zone of d. For the precision Day, that is midnight
// UTC. For the zero Date, the result is meaningless.
func (d Date) Time() time.Time {
	t := time.Unix(d.unix, int64(d.nsec))
	if d.offset == 0 {
		return t.UTC()
	}
	return t.In(time.FixedZone("", int(d.offset)*60))
}

// Unix returns the result of Time as a Unix time, in seconds.
func (d Date) Unix() int64 { return d.unix }

// DayOnly returns the day of d in the zone of d, without the time.
func (d Date) DayOnly() Date {
	if d.prec <= Day {
		return d
	}
	return newDay(d.unix + int64(d.offset)*60)
}

// After reports whether d.Time() is after t. For the zero Date, the result is meaningless.
func (d Date) After(t time.Time) bool { return time.Unix(d.unix, int64(d.nsec)).After(t) }

// Compare compares the first moments of d and e, as returned by Time. It returns -1 if d is
// earlier, +1 if d is later, and 0 if they are equal. The zero Date is before all others.
func (d Date) Compare(e Date) int {
	return cmp.Or(
		cmp.Compare(min(d.prec, Day), min(e.prec, Day)),
		cmp.Compare(d.unix, e.unix),
		cmp.Compare(d.nsec, e.nsec),
	)
}

// String returns d in the format of the protocol, such as "2006-01-02", "2006-01-02T15:04:05Z" or
// "2006-01-02T15:04:05.5+07:00". It returns "" for the zero Date.
func (d Date) String() string { return string(d.AppendTo(nil)) }

// Day returns the day of d in the zone of d, in the format "2006-01-02". It returns "" for the zero
// Date.
func (d Date) Day() string { return d.DayOnly().String() }

// AppendTo appends d.String() to b.
func (d Date) AppendTo(b []byte) []byte {
	n := len(b)
	b = d.appendRFC3339(b)
	if d.prec == Day {
		b = b[:n+len(time.DateOnly)]
	}
	return b
}

// appendRFC3339 appends d with a time, as Atom requires (RFC 4287, section 3.3). For the precision
// Day, the time is midnight UTC. For the zero Date, it appends nothing.
func (d Date) appendRFC3339(b []byte) []byte {
	if d.IsZero() {
		return b
	}
	return d.Time().AppendFormat(b, time.RFC3339Nano)
}

// appendRFC1123 appends d in the format of RSS 2.0, such as "Mon, 02 Jan 2006 15:04:05 -0700",
// without fractions of a second. For the precision Day, the time is midnight UTC. For the zero
// Date, it appends nothing.
func (d Date) appendRFC1123(b []byte) []byte {
	if d.IsZero() {
		return b
	}
	return d.Time().AppendFormat(b, time.RFC1123Z)
}
