package sitemap

import "time"

// String returns d as the protocol and its schema have it, 2006-01-02 or
// 2006-01-02T15:04:05+07:00, or "" for the zero Date.
func (d Date) String() string {
	var buf [len("2006-01-02T15:04:05.999999999+07:00")]byte
	return string(d.AppendTo(buf[:0]))
}

// Day returns the day that d falls on in its own zone, 2006-01-02, or "".
func (d Date) Day() string {
	var buf [len("2006-01-02")]byte
	return string(newDayOf(d).AppendTo(buf[:0]))
}

func newDayOf(d Date) Date {
	if d.IsZero() {
		return d
	}
	return newDay(d.local())
}

// local returns the second that d's own clock shows, counted as if it were UTC.
func (d Date) local() int64 { return d.unix + int64(d.offset)*60 }

// AppendTo appends what String returns. It does not allocate.
func (d Date) AppendTo(b []byte) []byte {
	if d.IsZero() {
		return b
	}
	if d.prec == Day {
		return appendDay(b, d.unix)
	}
	return d.appendTime(appendDay(b, d.local()))
}

// AppendRFC3339 appends d with a time, as Atom requires (RFC 4287, section
// 3.3): a Day begins at midnight UTC.
func (d Date) AppendRFC3339(b []byte) []byte {
	if d.IsZero() {
		return b
	}
	return d.appendTime(appendDay(b, d.local()))
}

// AppendRFC1123 appends d as RSS 2.0 requires, Mon, 02 Jan 2006 15:04:05 -0700:
// a Day begins at midnight UTC.
func (d Date) AppendRFC1123(b []byte) []byte {
	if d.IsZero() {
		return b
	}
	return d.Time().AppendFormat(b, time.RFC1123Z)
}

// appendDay appends the day of a second that is counted as if it were UTC.
func appendDay(b []byte, local int64) []byte {
	y, m, d := civil(local)
	return append(b,
		byte('0'+y/1000), byte('0'+y/100%10), byte('0'+y/10%10), byte('0'+y%10), '-',
		byte('0'+m/10), byte('0'+m%10), '-',
		byte('0'+d/10), byte('0'+d%10))
}

// civil returns the day of a second after 0001-01-01. The arithmetic is that
// of Howard Hinnant's civil_from_days, whose years begin in March.
func civil(local int64) (year, month, day int) {
	const daysTo1970 = 719468 // from 0000-03-01
	z := int((local-minUnix)/86400) + daysTo1970 + minUnix/86400
	era := z / 146097
	doe := z % 146097
	yoe := (doe - doe/1460 + doe/36524 - doe/146096) / 365
	doy := doe - (365*yoe + yoe/4 - yoe/100)
	mp := (5*doy + 2) / 153
	day = doy - (153*mp+2)/5 + 1
	month = mp + 3
	if month > 12 {
		month -= 12
	}
	year = yoe + era*400
	if month <= 2 {
		year++
	}
	return year, month, day
}

func (d Date) appendTime(b []byte) []byte {
	s := int((d.local() - minUnix) % 86400)
	b = append(b, 'T')
	b = append2(b, s/3600)
	b = append(b, ':')
	b = append2(b, s/60%60)
	b = append(b, ':')
	b = append2(b, s%60)
	if d.prec == Fraction {
		b = append(b, '.')
		for n, unit := d.nsec, uint32(1e8); n > 0; n, unit = n%unit, unit/10 {
			b = append(b, byte('0'+n/unit))
		}
	}
	return d.appendZone(b)
}

func (d Date) appendZone(b []byte) []byte {
	off := int(d.offset)
	switch {
	case off == 0:
		return append(b, 'Z')
	case off < 0:
		b, off = append(b, '-'), -off
	default:
		b = append(b, '+')
	}
	b = append2(b, off/60)
	b = append(b, ':')
	return append2(b, off%60)
}

func append2(b []byte, n int) []byte { return append(b, byte('0'+n/10), byte('0'+n%10)) }
