package page

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A content collects the text of a body for the fingerprint, reduced to words. White space and
// block tags become one space. Inline tags, comments, scripts and hidden elements are dropped.
type content struct {
	include, exclude []selector

	regions    []region
	outside    region // properties of text outside of all regions
	bestLevel  level  // the highest level with content
	out        []byte // the text at bestLevel
	blockStart int    // offset in out of the current block
	isBlank    bool   // a space precedes the next word
	inFragment bool   // inside a link whose address begins with #

	lead      []byte // text of the first paragraph at bestLevel
	inLead    bool
	ownHost   string
	unescaped []byte // buffer for text without character references
	pictures  pictures
	edits     editLinks
}

// maxCopyright is the maximum length, in bytes, of a text block in which versions and copyright
// years are ignored.
const maxCopyright = 512

// Bytes that structure the text to hash. No text contains them.
const (
	markLink    = 1 + iota // precedes the target of a link
	markLinkEnd            // follows the target of a link
	markAlt                // precedes the alternative text of an image
	markHead               // precedes the title and the description
)

// resetBody prepares r for the body of the next page.
func (r *Reader) resetBody() {
	r.regions = r.regions[:0]
	r.bestLevel = levelBody
	r.inFragment, r.inLead = false, false
	r.pictures.reset()
	r.edits.reset()
	r.dropText()
}

// dropText drops the text collected so far.
func (r *Reader) dropText() {
	r.lead, r.out = r.lead[:0], r.out[:0]
	r.blockStart, r.isBlank = 0, false
}

// isContent reports whether text at the current position is content: it is not ignored, and its
// level is at least bestLevel.
func (r *Reader) isContent() bool { return !r.region().isIgnored && r.region().level >= r.bestLevel }

// addText adds text of the page to the content. b may contain character references.
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

// onlyLetters returns b without symbols, such as the # in the link of a heading to itself. Letters,
// digits and white space remain.
func onlyLetters(b []byte) []byte {
	return bytes.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) || unicode.IsSpace(c) {
			return c
		}
		return -1
	}, b)
}

// addWords adds the words of b to the content, separated by single spaces.
func (r *Reader) addWords(b []byte) {
	first, _ := utf8.DecodeRune(b)
	r.isBlank = r.isBlank || unicode.IsSpace(first)
	last, _ := utf8.DecodeLastRune(b)
	for w := range bytes.FieldsSeq(b) {
		r.raiseBestLevel()
		if r.isBlank && len(r.out) > 0 {
			r.out = append(r.out, ' ')
		}
		r.out = append(r.out, w...)
		r.isBlank = true
	}
	r.isBlank = r.isBlank && (unicode.IsSpace(last) || len(b) == 0)
}

// addMark adds the bytes b to the content without a space.
func (r *Reader) addMark(b ...byte) {
	r.raiseBestLevel()
	r.out = append(r.out, b...)
}

// raiseBestLevel sets bestLevel to the level of the current region if that is higher. The text
// collected so far, which is from lower levels, is then dropped.
func (r *Reader) raiseBestLevel() {
	if at := r.region().level; at > r.bestLevel {
		r.bestLevel = at
		r.dropText()
	}
}

// endBlock ends the current block of text, such as a paragraph. It removes the parts of the block
// that change with each build.
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

// setFingerprint sets Facts.Fingerprint to a hash of the content, the title and the description.
func (r *Reader) setFingerprint() {
	r.regions = r.regions[:0]
	r.endBlock()
	for _, s := range [...]string{withoutCommit(r.f.Title), r.f.Summary} {
		r.out = append(r.out, markHead)
		r.out = append(r.out, s...)
	}
	sum := sha256.Sum256(r.out)
	r.f.Fingerprint = base64.RawURLEncoding.EncodeToString(sum[:12])
}

// minLeadWords is the minimum number of words of the first paragraph. Shorter paragraphs are
// probably labels and are skipped.
const minLeadWords = 4

// startLead starts to collect the first paragraph of the content if the last tag is a p that may
// begin it.
func (r *Reader) startLead() {
	r.endLead()
	g := r.region()
	r.inLead = r.o.Lead && !g.isIgnored && (g.level > r.bestLevel || len(r.lead) == 0) && equalFold(r.name(), "p")
}

// endLead ends the collection of the first paragraph. It drops a paragraph that is too short, so
// that the next one is collected.
func (r *Reader) endLead() {
	if r.inLead && len(bytes.Fields(r.lead)) < minLeadWords {
		r.lead = r.lead[:0]
	}
	r.inLead = false
}

// firstSentence returns the first sentence of b as one line. A period, exclamation mark or question
// mark ends the sentence if it follows a word of several letters, and a space and no lower-case
// letter or digit follow it.
func firstSentence(b []byte) string {
	s := toPlainText(b)
	word := 0 // number of letters and digits since the last other character
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
	shortHash     = regexp.MustCompile(`\bg?[0-9a-f]{7,40}\b`)
	commitHash    = regexp.MustCompile(`\b[0-9a-f]{40}\b`)
	builtBy       = regexp.MustCompile(`\b(built|created|made|generated|powered|rendered) (with|using|by)\b|\btheme\b`)
	years         = regexp.MustCompile(`(19|20)\d\d[ ,–-]*`)
	versionNumber = regexp.MustCompile(`\bv?\d+(\.\d+)+[\w.+-]*`)
)

// withoutBuildNoise removes from a block of text, in place, what may differ between two builds of
// the same source. These are memory addresses, times, commit hashes, the version in a line about
// the generator or theme, and the years in a copyright line.
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

// withoutCommit returns title without commit hashes. Sphinx writes the version of a project, which
// may contain a hash, into titles.
func withoutCommit(title string) string {
	return shortHash.ReplaceAllStringFunc(title, func(s string) string {
		if strings.ContainsAny(s, "0123456789") && strings.ContainsAny(s, "abcdef") {
			return ""
		}
		return s // a number or a word
	})
}

func containsAny(b []byte, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return bytes.Contains(b, []byte(w)) })
}

// removeAll removes all matches of re from b, in place.
func removeAll(b []byte, re *regexp.Regexp) []byte {
	out, from := b[:0], 0
	for _, m := range re.FindAllIndex(b, -1) {
		out = append(out, b[from:m[0]]...)
		from = m[1]
	}
	return append(out, b[from:]...)
}

// words yields the words of an attribute value that are separated by white space, such as the
// classes in class="a b".
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

// FingerprintOptions select the content of a page by selectors. A selector is an element, an #id, a
// .class, or several of them for one element, as in "div.note.small". The case matters for ids and
// classes, but not for elements.
type FingerprintOptions struct {
	// Include selects the elements that are content, instead of main and article. On a page without
	// such an element, the defaults apply.
	Include []string
	// Exclude selects elements whose text is not content.
	Exclude []string
}

// maxSelectors is the maximum number of selectors. The limit bounds the time, because a Reader
// compares each selector with each element.
const maxSelectors = 100

// Check returns an error if a selector is invalid or if there are too many selectors. The error
// names the first invalid selector.
func (f FingerprintOptions) Check() error {
	if n := len(f.Include) + len(f.Exclude); n > maxSelectors {
		return fmt.Errorf("there are %d selectors; at most %d are read", n, maxSelectors)
	}
	for _, s := range slices.Concat(f.Include, f.Exclude) {
		if _, err := parseSelector(s); err != nil {
			return err
		}
	}
	return nil
}

// FingerprintVersion is the version of the fingerprint algorithm. It changes when the algorithm may
// give an unchanged page another fingerprint.
const FingerprintVersion = "2"

// FingerprintSize is the length of a fingerprint in bytes.
const FingerprintSize = 16

// Version returns a string that identifies the algorithm and the options, such as "2". Fingerprints
// of different versions are not comparable.
func (f FingerprintOptions) Version() string {
	if len(f.Include) == 0 && len(f.Exclude) == 0 {
		return FingerprintVersion
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q", f.Include, f.Exclude))
	return FingerprintVersion + "-" + base64.RawURLEncoding.EncodeToString(sum[:6])
}

// Fingerprinter returns a function that computes the fingerprint of a page with these options. src
// is the whole page. The function is not safe for concurrent use.
func (o *Options) Fingerprinter() func(src []byte) string {
	var r *Reader
	return func(src []byte) string {
		if r == nil {
			r = NewReader(Options{Zone: o.Zone, Body: true, Fingerprint: o.Fingerprint})
		}
		var f Facts
		r.Bytes(src, &f)
		return f.Fingerprint
	}
}

// A selector matches elements. An empty field matches every element.
type selector struct {
	element string // name in lower case
	id      string
	classes []string
}

func parseSelector(s string) (sel selector, err error) {
	rest := s
	for i := 0; rest != ""; i++ {
		kind := byte(0)
		if rest[0] == '#' || rest[0] == '.' {
			kind, rest = rest[0], rest[1:]
		}
		n := strings.IndexAny(rest, "#.")
		if n < 0 {
			n = len(rest)
		}
		name := rest[:n]
		rest = rest[n:]
		switch {
		case name == "" || strings.ContainsAny(name, " \t\n\f\r>+~*[]:,()\"'") || kind == 0 && i > 0 || kind == '#' && sel.id != "":
			return sel, selectorError(s)
		case kind == '#':
			sel.id = name
		case kind == '.':
			sel.classes = append(sel.classes, name)
		default:
			sel.element = strings.ToLower(name)
		}
	}
	if s == "" {
		return sel, selectorError(s)
	}
	return sel, nil
}

func selectorError(s string) error {
	return fmt.Errorf("selector %q is none; write an element, #id or .class, as in %q", s, "div.note")
}

// parseSelectors parses a list of selectors. It skips invalid ones.
func parseSelectors(list []string) (out []selector) {
	for _, s := range list {
		if sel, err := parseSelector(s); err == nil {
			out = append(out, sel)
		}
	}
	return out
}

// matchesAny reports whether a selector in list matches the last tag.
func (r *Reader) matchesAny(list []selector) bool {
	for i := range list {
		if r.matches(&list[i]) {
			return true
		}
	}
	return false
}

func (r *Reader) matches(s *selector) bool {
	if s.element != "" && !equalFold(r.name(), s.element) || s.id != "" && string(r.attr(attrID)) != s.id {
		return false
	}
	for _, c := range s.classes {
		if !hasWord(r.attr(attrClass), c) {
			return false
		}
	}
	return true
}

// hasWord reports whether want is one of the words of b.
func hasWord(b []byte, want string) bool {
	for w := range words(b) {
		if string(w) == want {
			return true
		}
	}
	return false
}
