package page

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"hash"
	"iter"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/sitewalk/sitewalk/sitemap"
)

// content reads a body: where it is, and the text that counts so far.
//
// The text is reduced to its words: every stretch of white space, and every tag
// that begins or ends a block, is one blank. Neither markup within a block nor
// comments, scripts and what else is not shown leave a trace.
type content struct {
	include, exclude []selector
	selective        bool // there are selectors

	regions   []region
	level     level
	ignoring  bool
	inForeign bool
	inHeader  bool // in a header within the content
	inTime    bool
	inPicture bool
	inlines   bool // a region is an element within words
	fragment  bool // in a link to a place in the page itself

	best     level // the highest that held anything
	blank    bool  // white space or a block's border waits to be written
	out      []byte
	from     int  // of the block that out ends with
	long     bool // of which a part has been hashed
	some     bool // something has been hashed
	digits   bool // the block holds digits
	hash     hash.Hash
	sum      [sha256.Size]byte
	plain    []byte // text with its character references replaced
	lead     []byte // of the first paragraph at the best level
	leading  bool   // in that paragraph
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
	c.selective = len(c.include)+len(c.exclude) > 0
	c.hash = sha256.New()
}

// resetBody forgets the page before.
func (r *Reader) resetBody() {
	r.regions = r.regions[:0]
	r.place()
	r.inTime, r.fragment, r.inPicture, r.leading = false, false, false, false
	r.best, r.ownHost = levelBody, strings.ToLower(sitemap.HostOf(r.f.Canonical))
	r.edits.reset()
	r.forget()
}

// forget drops the text that has been gathered.
func (r *Reader) forget() {
	r.hash.Reset()
	r.lead = r.lead[:0]
	r.out, r.from = r.out[:0], 0
	r.long, r.some, r.blank, r.digits = false, false, false, false
}

// bodyText takes in text, with its character references.
func (r *Reader) bodyText(b []byte) {
	if r.edits.listening {
		r.edits.listen(b)
	}
	if r.ignoring || r.level < r.best || len(b) == 0 {
		return
	}
	if bytes.IndexByte(b, '&') >= 0 || bytes.IndexByte(b, 0) >= 0 { // as appendText does, wherever a read cuts the text
		r.content.plain = appendText(r.content.plain[:0], b, false)
		b = r.content.plain
	}
	if r.inHeader && r.inTime {
		return
	}
	if r.fragment {
		b = onlyLetters(b)
	}
	r.words(b)
	if r.leading && len(r.lead) < maxText {
		r.lead = append(r.lead, b[:min(len(b), maxText)]...)
	}
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

// words writes the words of b, and before each the blank that waits.
func (r *Reader) words(b []byte) {
	i := 0
	for i < len(b) {
		n := spaceAt(b, i)
		if n == 0 {
			break
		}
		r.blank = true
		i += n
	}
	if i == len(b) {
		return
	}
	r.raise()
	if r.o.Body {
		r.write(b[i:])
	}
}

// write is words for b that begins with a word.
func (r *Reader) write(b []byte) {
	blank := r.blank && (len(r.out) > 0 || r.some)
	r.out = slices.Grow(r.out, len(b)+1)
	out := r.out[len(r.out) : len(r.out)+len(b)+1]
	w, seen := 0, uint8(0)
	for i := 0; i < len(b); i++ {
		c := b[i]
		k := classes[c]
		if k&(space|oddSpace) != 0 {
			if n := spaceAt(b, i); n > 0 {
				blank = true
				i += n - 1
				continue
			}
		}
		seen |= k
		if blank {
			out[w] = ' '
			w++
			blank = false
		}
		out[w] = c
		w++
	}
	r.blank = blank
	r.digits = r.digits || seen&digit != 0
	r.out = r.out[:len(r.out)+w]
	r.cutLong()
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

// mark writes bytes that no text contains.
func (r *Reader) mark(b ...byte) {
	r.raise()
	r.out = append(r.out, b...)
	r.cutLong()
}

// cutLong hashes what there is of a block that is too long to wait for its end.
func (r *Reader) cutLong() {
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
	if !long && r.digits {
		r.out = r.out[:r.from+len(withoutBuildNoise(r.out[r.from:]))]
	}
	r.from, r.digits = len(r.out), false
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

var (
	memoryAddress = regexp.MustCompile(`\b0x[0-9a-fA-F]{6,16}\b`)
	timestamp     = regexp.MustCompile(`\b(\d{4}-\d\d-\d\d[T ])?\d\d?:\d\d(:\d\d(\.\d+)?)( ?(UTC|GMT|Z|[+-]\d\d:?\d\d)\b)?|\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d( ?(UTC|GMT|Z|[+-]\d\d:?\d\d)\b)?`)
	commitHash    = regexp.MustCompile(`\b[0-9a-f]{40}\b`)
	builtBy       = regexp.MustCompile(`(?i)\b(built|created|made|generated|powered|rendered) (with|using|by)\b|\btheme\b`)
	versionNumber = regexp.MustCompile(`\bv?\d+(\.\d+)+[\w.+-]*`)
)

// withoutBuildNoise removes from a block, in place, what differs between two builds of the same
// source: addresses in memory, times, hashes of commits, the versions in a line about the
// generator or the theme, and the years of a copyright line.
func withoutBuildNoise(b []byte) []byte {
	if bytes.Contains(b, []byte("0x")) {
		b = removeAll(b, memoryAddress)
	}
	if bytes.IndexByte(b, ':') >= 0 {
		b = removeAll(b, timestamp)
	}
	if len(b) > maxCopyright {
		return b
	}
	b = removeAll(b, commitHash)
	if builtBy.Match(b) {
		b = removeAll(b, versionNumber)
	}
	return withoutYears(b)
}

// removeAll removes the matches of an expression from b, in place.
func removeAll(b []byte, re *regexp.Regexp) []byte {
	out, from := b[:0], 0
	for _, m := range re.FindAllIndex(b, -1) {
		out = append(out, b[from:m[0]]...)
		from = m[1]
	}
	return append(out, b[from:]...)
}

// withoutYears removes the years from b, in place, when b is a copyright line,
// with the dashes, commas and blanks behind them: 2024, 2023-2024.
func withoutYears(b []byte) []byte {
	i := 0
	for i < len(b) && !isYear(b[i:]) {
		i++
	}
	if i == len(b) || !isCopyright(b) {
		return b
	}
	out := b[:i]
	for i < len(b) {
		if !isYear(b[i:]) {
			out = append(out, b[i])
			i++
			continue
		}
		for i += 4; i < len(b) && isYearsSeparator(b[i]); i++ {
		}
	}
	return out
}

// isYear reports whether b begins with one of the years in which there are web pages.
func isYear(b []byte) bool {
	return len(b) >= 4 && (b[0] == '2' && b[1] == '0' || b[0] == '1' && b[1] == '9') && is(b[2], digit) && is(b[3], digit)
}

// isYearsSeparator reports whether c stands between years, or is a byte of an en dash.
func isYearsSeparator(c byte) bool {
	return c == ' ' || c == '-' || c == ',' || c == 0xe2 || c == 0x80 || c == 0x93
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
	r.f.Lead = firstSentence(r.lead)
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
	var text [FingerprintSize]byte
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
