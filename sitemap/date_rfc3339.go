package sitemap

// rfc3339 reads a date as RFC 3339 writes it, without a fraction: 2006-01-02,
// 2006-01-02T15:04:05Z or 2006-01-02T15:04:05+07:00. What it accepts the parser
// reads the same way, in ten times the time; it is false for all else.
func rfc3339[T string | []byte](s T) (Date, bool) {
	if len(s) != len("2006-01-02") && len(s) != len("2006-01-02T15:04:05Z") && len(s) != len("2006-01-02T15:04:05+07:00") {
		return Date{}, false
	}
	year, month, day := two(s, 0)*100+two(s, 2), two(s, 5), two(s, 8)
	if s[4] != '-' || s[7] != '-' || year < 1 || month < 1 || month > 12 || day < 1 || day > 28 && day > daysIn(year, month) {
		return Date{}, false
	}
	midnight := daysBefore(year, month, day) * (24 * 60 * 60)
	if len(s) == len("2006-01-02") {
		return newDay(midnight), true
	}
	hour, minute, sec := two(s, 11), two(s, 14), two(s, 17)
	if s[10] != 'T' || s[13] != ':' || s[16] != ':' || uint(hour) > 23 || uint(minute) > 59 || uint(sec) > 59 {
		return Date{}, false
	}
	offset, ok := rfc3339Zone(s[19:])
	d := newDate(midnight+int64(hour*3600+minute*60+sec-offset*60), 0, offset)
	return d, ok && !d.IsZero()
}

// rfc3339Zone reads Z or +07:00, in minutes.
func rfc3339Zone[T string | []byte](s T) (offset int, ok bool) {
	if len(s) == 1 {
		return 0, s[0] == 'Z'
	}
	hour, minute := two(s, 1), two(s, 4)
	if s[3] != ':' || hour < 0 || uint(minute) > 59 || hour*60+minute > maxOffset {
		return 0, false
	}
	offset = hour*60 + minute
	if s[0] == '-' {
		offset = -offset
	}
	return offset, s[0] == '+' || s[0] == '-'
}

// two returns the number that two digits write, and one below zero, however it
// is multiplied and added, when either is none.
func two[T string | []byte](s T, at int) int {
	a, b := s[at]-'0', s[at+1]-'0'
	if a > 9 || b > 9 {
		return -1 << 20
	}
	return int(a)*10 + int(b)
}

// daysBefore returns how many days lie between 1970-01-01 and a day of the
// Gregorian calendar, of which the year begins in March here, so that the day
// that leap years add is its last.
func daysBefore(year, month, day int) int64 {
	if month < 3 {
		year, month = year-1, month+12
	}
	const march1970 = 719469 // from March 1 of the year 0 to 1970-01-01, and one
	return int64(365*year + year/4 - year/100 + year/400 + (153*(month-3)+2)/5 + day - march1970)
}
