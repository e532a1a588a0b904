package sitemap

import "bytes"

// nextBrief reads the entry ahead if it is one that AppendURL wrote and needs no
// decoding; else it consumes the ends of lines before it at most.
func (r *Reader) nextBrief() bool {
	x := r.xml
	for c, err := x.peek(); err == nil && c == '\n'; c, err = x.peek() {
		x.consume(1)
	}
	entry := x.entryLine()
	rest, ok := bytes.CutPrefix(entry, []byte("<url><loc>"))
	loc, rest, closed := bytes.Cut(rest, []byte("</loc>"))
	if !ok || !closed || len(loc) == 0 || bytes.ContainsAny(loc, "<>& \t\r") || x.checkChars(loc) != nil {
		return false
	}
	var date Date
	if rest, ok = bytes.CutPrefix(rest, []byte("<lastmod>")); ok {
		text, _, closed := bytes.Cut(rest, []byte("</lastmod>"))
		d, err := ParseDateBytes(text, nil)
		if !closed || err != nil {
			return false
		}
		date = d
	}
	r.item.Line, r.item.Col = x.line, x.col()
	if r.item.LastMod, r.item.Loc = date, r.intern(loc); r.item.Loc == "" {
		r.item.Loc = string(loc)
	}
	x.consume(len(entry) + len("\n"))
	return true
}

// entryLine returns the line ahead without its end, nil when it does not end an
// entry.
func (x *xmlScanner) entryLine() []byte {
	for from := 0; !x.pending; {
		if i := bytes.IndexByte(x.buf[x.pos+from:x.end], '\n'); i >= 0 {
			line := x.buf[x.pos : x.pos+from+i]
			if !bytes.HasSuffix(line, []byte("</url>")) {
				return nil
			}
			return line
		}
		from = x.end - x.pos
		if x.fill() != nil {
			return nil
		}
	}
	return nil
}
