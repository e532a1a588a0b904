package sitemap

import "bytes"

// plainEntry returns the texts of the entry ahead, and its length, when it is one
// that AppendURL writes of a URL with a loc and at most a lastmod, or in brief with
// with any text behind these on the line, and needs no decoding; else a length of 0. Most
// entries are such, and to read them as XML takes several times as long. It moves past
// the ends of lines before such an entry.
func (x *xmlScanner) plainEntry(space string, brief bool) (loc, date []byte, length int) {
	if x.pending { // the document element is empty
		return nil, nil, 0
	}
	ahead := bytes.TrimLeft(x.buf[x.pos:x.end], "\n")
	rest, isEntry := bytes.CutPrefix(ahead, []byte("<url><loc>"))
	if !isEntry || !x.isDefault(space) {
		return nil, nil, 0
	}
	loc, rest = cutPlain(rest, "</loc>")
	if dated, ok := bytes.CutPrefix(rest, []byte("<lastmod>")); ok {
		date, rest = cutPlain(dated, "</lastmod>")
		if date == nil {
			return nil, nil, 0
		}
	}
	rest, closed := bytes.CutPrefix(rest, urlEnd)
	if brief && !closed && len(rest) > 0 && rest[0] == '<' {
		line, next, _ := bytes.Cut(rest, newline)
		rest, closed = next, bytes.HasSuffix(line, urlEnd)
	}
	if loc == nil || !closed {
		return nil, nil, 0
	}
	x.consume(x.end - x.pos - len(ahead))
	return loc, date, len(ahead) - len(rest)
}

var urlName, urlEnd, newline = []byte("url"), []byte("</url>"), []byte("\n")

// isDefault reports whether names without a prefix are in a namespace.
func (x *xmlScanner) isDefault(space string) bool {
	x.resolve(urlName)
	return x.space == space
}

// cutPlain cuts a text before the end tag, and returns what follows that; nil when
// there is no text, or one that needs decoding or trimming.
func cutPlain(b []byte, end string) (text, rest []byte) {
	i := bytes.IndexByte(b, '<')
	if i <= 0 || !bytes.HasPrefix(b[i:], []byte(end)) {
		return nil, nil
	}
	for _, c := range b[:i] {
		if c <= ' ' || c > '~' || c == '&' || c == '>' {
			return nil, nil
		}
	}
	return b[:i], b[i+len(end):]
}

// nextPlain reads the entry ahead if it is a plain one.
func (r *Reader) nextPlain() bool {
	loc, text, n := r.xml.plainEntry(r.space, r.intern != nil)
	if n == 0 {
		return false
	}
	var date Date
	if text != nil {
		var err error
		if date, err = ParseDate(string(text), nil); err != nil {
			return false
		}
	}
	r.item.Line, r.item.Col = r.xml.line, r.xml.col()
	r.item.Loc, r.item.LastMod = r.locOf(loc), date
	r.xml.consume(n)
	return true
}

// plain consumes the next entry if it is plain and valid.
func (v *Validator) plain() bool {
	loc, date, n := v.xml.plainEntry(v.space, false)
	if n == 0 || len(loc) < shortestLoc || CheckLoc(string(loc)) != nil {
		return false
	}
	if date != nil {
		if valid, zoned := schemaDate(string(date)); !valid || !zoned {
			return false
		}
	}
	v.Entries++
	v.xml.consume(n)
	return true
}
