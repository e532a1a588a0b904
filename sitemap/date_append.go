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
	return string(d.DayOnly().AppendTo(buf[:0]))
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
// of Cassio Neri and Lorenz Schneider, Euclidean affine functions and their
// application to calendar algorithms, whose years begin in March; it has two
// divisions where others have a dozen, and dates are a third of the encoding.
func civil(local int64) (year, month, day uint32) {
	const daysToYear1 = 306 // from 0000-03-01
	n := 4*(uint32(uint64(local-minUnix)/86400)+daysToYear1) + 3
	century := n / 146097
	p := 2939745 * uint64(n%146097|3)
	dayOfYear := uint32(p) / 2939745 / 4
	q := 2141*dayOfYear + 197913
	year, month, day = 100*century+uint32(p>>32), q>>16, q&0xffff/2141+1
	if dayOfYear >= 306 {
		return year + 1, month - 12, day
	}
	return year, month, day
}

func (d Date) appendTime(b []byte) []byte {
	s := uint32(uint64(d.local()-minUnix) % 86400)
	h, m, s := s/3600, s/60%60, s%60
	b = append(b, 'T', byte('0'+h/10), byte('0'+h%10), ':', byte('0'+m/10), byte('0'+m%10), ':', byte('0'+s/10), byte('0'+s%10))
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
	h, m := off/60, off%60
	return append(b, byte('0'+h/10), byte('0'+h%10), ':', byte('0'+m/10), byte('0'+m%10))
}
