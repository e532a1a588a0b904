package page

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"hash"
	"iter"
	"unicode"
)

// content reads a body: where it is, and the text that counts so far.
//
// The text is reduced to its words: every stretch of white space, and every tag
// that begins or ends a block, is one blank. Neither markup within a block nor
// comments, scripts and whatever else is not shown leave a trace.
type content struct {
	include, exclude []selector

	regions   []region
	level     level
	ignoring  bool
	inForeign bool
	inHeader  bool // in a header within the content
	inTime    bool
	inPicture bool
	fragment  bool // in a link to a place in the page itself

	best     level // the highest that held anything
	blank    bool  // white space or a block's border waits to be written
	out      []byte
	from     int  // of the block that out ends with
	long     bool // of which a part has been hashed
	some     bool // something has been hashed
	hash     hash.Hash
	sum      [sha256.Size]byte
	text     []byte // with its character references replaced
	ownHost  string
	pictures pictures
	edits    edits
}

const (
	maxOut       = 4 << 10 // bytes of content that wait to be hashed
	maxCopyright = 512     // bytes in a block that may be a copyright line
)

// Marks in the hashed text, which no text contains: what stands for a link's
// target and for a picture, and where the head's part begins.
const (
	markLink = 1 + iota
	markLinkEnd
	markAlt
	markHead
)

func (c *content) init(o *Options) {
	c.include = parseSelectors(o.Fingerprint.Include)
	c.exclude = parseSelectors(o.Fingerprint.Exclude)
	c.hash = sha256.New()
}

// resetBody forgets the page before.
func (r *Reader) resetBody() {
	r.regions = r.regions[:0]
	r.place()
	r.inTime, r.fragment, r.inPicture = false, false, false
	r.best, r.ownHost = levelBody, hostOf(r.f.Canonical)
	r.edits.reset()
	r.forget()
}

// forget drops the text that has been gathered.
func (r *Reader) forget() {
	r.hash.Reset()
	r.out, r.from = r.out[:0], 0
	r.long, r.some, r.blank = false, false, false
}

// bodyText takes in text, with its character references.
func (r *Reader) bodyText(b []byte) {
	if r.edits.listening {
		r.edits.listen(b)
	}
	if r.ignoring || r.level < r.best || len(b) == 0 {
		return
	}
	if bytes.IndexByte(b, '&') >= 0 {
		r.text = appendText(r.text[:0], b, false)
		b = r.text
	}
	if r.inHeader && r.inTime {
		return
	}
	if r.fragment {
		b = onlyLetters(b)
	}
	r.words(b)
}

// onlyLetters drops what is neither letter nor digit nor white space from b, in
// place: the sign that a heading shows as the link to itself.
func onlyLetters(b []byte) []byte {
	return bytes.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) || unicode.IsSpace(c) {
			return c
		}
		return -1
	}, b)
}

// words writes the words of b.
func (r *Reader) words(b []byte) {
	for i := 0; i < len(b); {
		if n := spaceAt(b, i); n > 0 {
			r.blank = true
			i += n
			continue
		}
		lo := i
		for i++; i < len(b) && classes[b[i]]&space == 0 && b[i] != 0xc2; i++ {
		}
		r.put(b[lo:i])
	}
}

// spaceAt returns the length of the white space at b[i]: also of a no-break space.
func spaceAt(b []byte, i int) int {
	switch {
	case classes[b[i]]&space != 0:
		return 1
	case b[i] == 0xc2 && i+1 < len(b) && b[i+1] == 0xa0:
		return 2
	}
	return 0
}

// put writes a part of a word, and before it the blank that waits.
func (r *Reader) put(b []byte) {
	r.raise()
	if !r.o.Body {
		return
	}
	if r.blank && (len(r.out) > 0 || r.some) {
		r.out = append(r.out, ' ')
	}
	r.blank = false
	r.append(b)
}

func (r *Reader) append(b []byte) {
	r.out = append(r.out, b...)
	if len(r.out)-r.from > maxOut {
		r.long = true
		r.flush(len(r.out))
	}
}

// raise forgets what has been gathered at a lower level than this.
func (r *Reader) raise() {
	if r.level > r.best {
		r.best = r.level
		r.forget()
	}
}

// block notes the border of a block.
func (r *Reader) block() {
	if r.ignoring {
		return
	}
	r.blank = true
	long := r.long
	r.long = false
	if r.from == len(r.out) {
		return
	}
	if !long && len(r.out)-r.from <= maxCopyright {
		r.out = r.out[:r.from+len(withoutYears(r.out[r.from:]))]
	}
	r.from = len(r.out)
	if r.from > maxOut {
		r.flush(r.from)
	}
}

// flush hashes out[:n].
func (r *Reader) flush(n int) {
	r.hash.Write(r.out[:n])
	r.some = true
	r.out = r.out[:copy(r.out, r.out[n:])]
	r.from = len(r.out)
}

// withoutYears removes the years from b, in place, when b is a copyright line,
// with the dashes, commas and blanks behind them: 2024, 2023-2024.
func withoutYears(b []byte) []byte {
	i := bytes.IndexAny(b, "0123456789")
	if i < 0 || !isCopyright(b) {
		return b
	}
	out := b[:0]
	for i := 0; i < len(b); {
		n := 0
		for i+n < len(b) && '0' <= b[i+n] && b[i+n] <= '9' {
			n++
		}
		if n == 4 && (b[i] == '1' && b[i+1] == '9' || b[i] == '2' && b[i+1] == '0') {
			for i += n; i < len(b) && (b[i] == ' ' || b[i] == '-' || b[i] == ',' || b[i] == 0xe2 || b[i] == 0x80 || b[i] == 0x93); i++ {
			}
			continue
		}
		n = max(n, 1)
		out = append(out, b[i:i+n]...)
		i += n
	}
	return out
}

func isCopyright(b []byte) bool {
	if bytes.Contains(b, []byte("©")) || bytes.Contains(b, []byte("(c)")) || bytes.Contains(b, []byte("(C)")) {
		return true
	}
	const word = "copyright"
	for i := 0; i+len(word) <= len(b); i++ {
		if b[i]|0x20 == 'c' && fold(b[i:i+len(word)], word) {
			return true
		}
	}
	return false
}

// finishBody draws the conclusions that need the whole page.
func (r *Reader) finishBody() {
	r.endAnchor()
	r.endPicture()
	r.f.EditLinks = r.edits.best()
	if r.o.Images {
		r.f.URL.Images = r.pictures.of(r.best)
	}
	if !r.o.Body {
		return
	}
	r.ignoring = false
	r.block()
	for _, s := range [...]string{r.f.Title, r.f.Summary} {
		r.out = append(r.out, markHead)
		r.out = append(r.out, s...)
	}
	r.flush(len(r.out))
	sum := r.hash.Sum(r.sum[:0])
	var text [16]byte
	base64.RawURLEncoding.Encode(text[:], sum[:12])
	r.f.Fingerprint = string(text[:])
}

// words yields the words of an attribute's value.
func words(b []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for b = trim(b); len(b) > 0; b = trim(b) {
			n := bytes.IndexFunc(b, isSpaceRune)
			if n < 0 {
				n = len(b)
			}
			if !yield(b[:n]) {
				return
			}
			b = b[n:]
		}
	}
}
