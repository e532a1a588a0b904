package page

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"iter"
	"regexp"
	"slices"
	"unicode"
	"unicode/utf8"
)

// A content collects the content of a body. The text is reduced to its words. White space, and a
// tag that begins or ends a block, becomes one blank. Tags within words, comments, scripts and
// hidden elements leave no trace.
type content struct {
	include, exclude []selector

	regions    []region
	outside    region // around all regions
	best       level  // the highest level with content
	out        []byte // the text at that level
	blockStart int    // in out, of the current block
	isBlank    bool   // a blank is to be written before the next word
	inFragment bool   // in a link to a place in the page itself

	lead      []byte // of the first paragraph at the best level
	inLead    bool
	ownHost   string
	unescaped []byte // room for text without character references
	pictures  pictures
	edits     edits
}

// maxCopyright is the maximum length of a block with a copyright line.
const maxCopyright = 512

// Marks in the hashed text. They begin a link's target, end it, and begin the text of a picture
// and the part about the head.
const (
	markLink = 1 + iota
	markLinkEnd
	markAlt
	markHead
)

// resetBody forgets the page before.
func (r *Reader) resetBody() {
	r.regions = r.regions[:0]
	r.best = levelBody
	r.inFragment, r.inLead = false, false
	r.pictures.reset()
	r.edits.reset()
	r.dropText()
}

// dropText forgets the text.
func (r *Reader) dropText() {
	r.lead, r.out = r.lead[:0], r.out[:0]
	r.blockStart, r.isBlank = 0, false
}

// isContent reports whether the current region has content.
func (r *Reader) isContent() bool { return !r.region().isIgnored && r.region().level >= r.best }

// addText adds a text, with its character references.
func (r *Reader) addText(b []byte) {
	if !r.isContent() {
		return
	}
	if bytes.IndexByte(b, '&') >= 0 || bytes.IndexByte(b, 0) >= 0 {
		r.unescaped = appendText(r.unescaped[:0], b, false)
		b = r.unescaped
	}
	if r.inFragment {
		b = onlyLetters(b)
	}
	r.addWords(b)
	if r.inLead && len(r.lead) < maxText {
		r.lead = append(r.lead, b[:min(len(b), maxText)]...)
	}
}

// onlyLetters removes signs from b, such as the sign in a heading's link to itself.
func onlyLetters(b []byte) []byte {
	return bytes.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) || unicode.IsSpace(c) {
			return c
		}
		return -1
	}, b)
}

// addWords adds the words of b.
func (r *Reader) addWords(b []byte) {
	first, _ := utf8.DecodeRune(b)
	r.isBlank = r.isBlank || unicode.IsSpace(first)
	last, _ := utf8.DecodeLastRune(b)
	for w := range bytes.FieldsSeq(b) {
		r.raiseLevel()
		if r.isBlank && len(r.out) > 0 {
			r.out = append(r.out, ' ')
		}
		r.out = append(r.out, w...)
		r.isBlank = true
	}
	r.isBlank = r.isBlank && (unicode.IsSpace(last) || len(b) == 0)
}

// addMark adds bytes that no text has.
func (r *Reader) addMark(b ...byte) {
	r.raiseLevel()
	r.out = append(r.out, b...)
}

// raiseLevel forgets the text of a lower level than the current one.
func (r *Reader) raiseLevel() {
	if at := r.region().level; at > r.best {
		r.best = at
		r.dropText()
	}
}

// endBlock ends a block of text.
func (r *Reader) endBlock() {
	if r.region().isIgnored {
		return
	}
	r.isBlank = true
	if block := r.out[r.blockStart:]; bytes.ContainsAny(block, "0123456789") {
		r.out = r.out[:r.blockStart+len(withoutBuildNoise(block))]
	}
	r.blockStart = len(r.out)
}

// setFingerprint sets the fingerprint of the content, the title and the description.
func (r *Reader) setFingerprint() {
	r.regions = r.regions[:0]
	r.endBlock()
	for _, s := range [...]string{r.f.Title, r.f.Summary} {
		r.out = append(r.out, markHead)
		r.out = append(r.out, s...)
	}
	sum := sha256.Sum256(r.out)
	r.f.Fingerprint = base64.RawURLEncoding.EncodeToString(sum[:12])
}

// minLeadWords is the number of words that make a paragraph. Shorter paragraphs are labels.
const minLeadWords = 4

// startLead begins the first paragraph of the content.
func (r *Reader) startLead() {
	r.endLead()
	g := r.region()
	r.inLead = r.o.Lead && !g.isIgnored && (g.level > r.best || len(r.lead) == 0) && fold(r.name(), "p")
}

// endLead ends the first paragraph, and drops a paragraph that is too short.
func (r *Reader) endLead() {
	if r.inLead && len(bytes.Fields(r.lead)) < minLeadWords {
		r.lead = r.lead[:0]
	}
	r.inLead = false
}

// firstSentence returns the first sentence of a text as one line. A point ends a sentence behind a
// word of more than one letter, and before a blank without a small letter or a digit behind it.
func firstSentence(b []byte) string {
	s := plain(b)
	word := 0 // letters since a blank or a point
	for i, c := range s {
		switch c {
		case '。', '！', '？':
			return s[:i+utf8.RuneLen(c)]
		case '.', '!', '?':
			next, n := utf8.DecodeRuneInString(s[i+1:])
			after, _ := utf8.DecodeRuneInString(s[i+1+n:])
			if word > 1 && next == ' ' && !unicode.IsLower(after) && !unicode.IsDigit(after) {
				return s[:i+1]
			}
		}
		if word++; !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != ')' {
			word = 0
		}
	}
	return s
}

var (
	memoryAddress = regexp.MustCompile(`\b0x[0-9a-fA-F]{6,16}\b`)
	timestamp     = regexp.MustCompile(`\b(\d{4}-\d\d-\d\d[T ])?\d\d?:\d\d(:\d\d(\.\d+)?)( ?(UTC|GMT|Z|[+-]\d\d:?\d\d)\b)?|\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d( ?(UTC|GMT|Z|[+-]\d\d:?\d\d)\b)?`)
	commitHash    = regexp.MustCompile(`\b[0-9a-f]{40}\b`)
	builtBy       = regexp.MustCompile(`\b(built|created|made|generated|powered|rendered) (with|using|by)\b|\btheme\b`)
	years         = regexp.MustCompile(`(19|20)\d\d[ ,–-]*`)
	versionNumber = regexp.MustCompile(`\bv?\d+(\.\d+)+[\w.+-]*`)
)

// withoutBuildNoise removes from a block, in place, the parts that differ between two builds of one
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
	lower := bytes.ToLower(b)
	if containsAny(lower, "built", "created", "made", "generated", "powered", "rendered", "theme") && builtBy.Match(lower) {
		b = removeAll(b, versionNumber)
	}
	if containsAny(lower, "©", "(c)", "copyright") {
		b = removeAll(b, years)
	}
	return b
}

func containsAny(b []byte, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return bytes.Contains(b, []byte(w)) })
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
