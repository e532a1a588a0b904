package walker

import "unsafe"

// paths hands out strings that share their memory in pieces of up to pathsPiece
// bytes, so that a walk allocates once per some hundred files. A zero byte
// follows each string, as system calls want it. The first piece is small, since
// that is all that one visit takes.
type paths struct{ piece []byte }

const (
	pathsPiece = 16 << 10
	firstPiece = 256
)

// join returns "dir/name", or the name alone when dir is empty.
func (p *paths) join(dir, name string) string { return p.joinBehind("", dir, name) }

// joinBehind is join with a text before it.
func (p *paths) joinBehind(before, dir, name string) string {
	n := len(before) + len(dir) + len(name) + 2
	if cap(p.piece)-len(p.piece) < n {
		p.piece = make([]byte, 0, max(min(2*cap(p.piece), pathsPiece), firstPiece, n))
	}
	from := len(p.piece)
	p.piece = append(p.piece, before...)
	if dir != "" {
		p.piece = append(append(p.piece, dir...), '/')
	}
	p.piece = append(append(p.piece, name...), 0)
	// The bytes below len(p.piece) are never written again unless drop takes
	// them back, and strings.Builder cannot take back.
	s := p.piece[from : len(p.piece)-1]
	return unsafe.String(unsafe.SliceData(s), len(s))
}

// drop takes back the string that join returned last; no one may use it again.
func (p *paths) drop(s string) { p.piece = p.piece[:len(p.piece)-len(s)-1] }
