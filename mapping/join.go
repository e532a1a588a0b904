package mapping

import "bytes"

// AppendJoined appends what Resolve returns for a reference without query and
// fragment, where that needs no more than joining paths, and reports whether it
// does: of most links nothing is to be respelled. pageLoc is as Resolve gives it,
// without a query.
func (b Base) AppendJoined(dst []byte, ref []byte, pageLoc string) ([]byte, bool) {
	if b.s == "" || len(ref) == 0 || !isPlain(ref) {
		return dst, false
	}
	origin := b.s[:b.pathAt]
	switch {
	case len(ref) > len(origin) && string(ref[:len(origin)]) == origin && ref[len(origin)] == '/':
		ref = ref[len(origin):]
	case len(pageLoc) <= len(origin) || pageLoc[:len(origin)] != origin || pageLoc[len(origin)] != '/':
		return dst, false
	case ref[0] != '/':
		return appendBelow(dst, ref, origin, pageLoc)
	case len(ref) > 1 && ref[1] == '/':
		return dst, false
	}
	if bytes.Contains(ref, hidingDot) {
		return dst, false
	}
	return append(append(dst, origin...), ref...), true
}

var hidingDot = []byte("/.")

// appendBelow appends a relative path below the folder of a page.
func appendBelow(dst, ref []byte, origin, pageLoc string) ([]byte, bool) {
	if bytes.IndexByte(ref, ':') >= 0 {
		return dst, false
	}
	end := len(pageLoc)
	for pageLoc[end-1] != '/' {
		end--
	}
	for {
		if rest, ok := bytes.CutPrefix(ref, []byte("./")); ok {
			ref = rest
			continue
		}
		rest, ok := bytes.CutPrefix(ref, []byte("../"))
		if !ok {
			break
		}
		if ref = rest; end > len(origin)+1 {
			for end--; pageLoc[end-1] != '/'; end-- {
			}
		}
	}
	if len(ref) > 0 && (ref[0] == '.' || ref[0] == '/') || bytes.Contains(ref, hidingDot) {
		return dst, false
	}
	return append(append(dst, pageLoc[:end]...), ref...), true
}
