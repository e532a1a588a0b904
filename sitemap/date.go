package sitemap

import "time"

// A Precision says how much of a Date was written.
type Precision uint8

// The precisions, the coarsest first. The protocol's schema accepts a day, or
// a time with seconds and a zone; ParseDate accepts no coarser date than a day.
const (
	None Precision = iota // no date
	Day
	Minute
	Second
	Fraction // printed with as many digits as it needs, at most nine
)

// A Date is a W3C Datetime that keeps the precision and the zone it was written
// with: a day stays a day. The zero Date says nothing. Dates compare with ==
// when they print the same.
type Date struct {
	unix   int64  // seconds since 1970-01-01T00:00:00Z; of a Day, its midnight in UTC
	nsec   uint32 // only with Fraction
	offset int16  // minutes east of UTC; 0 of a Day
	prec   Precision
}

// DayOf returns the day that t falls on in t's own zone.
func DayOf(t time.Time) Date {
	y, m, d := t.Date()
	return Date{unix: time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix(), prec: Day}
}

// DateOf returns t to the precision given, in t's own zone.
func DateOf(t time.Time, p Precision) Date {
	switch p {
	case None:
		return Date{}
	case Day:
		return DayOf(t)
	}
	_, off := t.Zone()
	d := Date{unix: t.Unix(), offset: int16(off / 60), prec: p}
	if p == Fraction {
		d.nsec = uint32(t.Nanosecond())
	}
	return d
}

// IsZero reports whether d says nothing.
func (d Date) IsZero() bool { return d.prec == None }

// Precision returns how much of d was written.
func (d Date) Precision() Precision { return d.prec }

// Time returns the moment that d begins, in the zone it was written with; a
// Day begins at midnight UTC.
func (d Date) Time() time.Time {
	t := time.Unix(d.unix, int64(d.nsec))
	if d.offset == 0 {
		return t.UTC()
	}
	return t.In(time.FixedZone("", int(d.offset)*60))
}

// Compare orders dates by the moment they begin; the zero Date comes first.
func (d Date) Compare(e Date) int {
	if d.IsZero() || e.IsZero() {
		return int(min(d.prec, 1)) - int(min(e.prec, 1))
	}
	return d.Time().Compare(e.Time())
}
