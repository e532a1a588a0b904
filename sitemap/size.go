package sitemap

// PlainSize returns how many bytes AppendURL appends for u without its images,
// videos and news, and whether Loc stands there as it is, so that AppendAsIs
// appends the same. It costs less than appending them, and does not allocate.
func PlainSize(u *URL) (n int, asIs bool) {
	n = len("<url><loc></loc></url>\n")
	if asIs = clean(u.Loc) == len(u.Loc); asIs {
		n += len(u.Loc)
	} else {
		n += escapedLen(u.Loc)
	}
	if !u.LastMod.IsZero() {
		n += len("<lastmod></lastmod>") + u.LastMod.size()
	}
	if u.ChangeFreq != 0 {
		n += len("<changefreq></changefreq>") + len(u.ChangeFreq.String())
	}
	if u.Priority != 0 {
		var buf [len("0.125")]byte
		n += len("<priority></priority>") + len(u.Priority.AppendTo(buf[:0]))
	}
	for i := range u.Alternates {
		n += u.Alternates[i].size()
	}
	return n, asIs
}

// size returns how many bytes AppendTo appends.
func (d Date) size() int {
	switch {
	case d.prec == None:
		return 0
	case d.prec == Day:
		return len("2006-01-02")
	case d.prec == Fraction:
		var buf [len("2006-01-02T15:04:05.999999999+07:00")]byte
		return len(d.AppendTo(buf[:0]))
	case d.offset == 0:
		return len("2006-01-02T15:04:05Z")
	}
	return len("2006-01-02T15:04:05+07:00")
}
