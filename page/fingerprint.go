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

// maxNoiseBlock is the maximum length in bytes of a text block from which removeBuildNoise removes
// commit hashes, versions and years. In a longer block, these are probably part of the content.
const maxNoiseBlock = 512

// Control characters that separate the parts of the text that setFingerprint hashes. Valid HTML
// contains none of them.
const (
	markLink    = 1 + iota // precedes the target of a link
	markLinkEnd            // follows the target of a link
	markAlt                // precedes the alternative text of an image
	markHead               // precedes the title and the description
)

// setFingerprint sets Facts.Fingerprint to a hash of the content, the title and the description of
// the page.
func (r *Reader) setFingerprint() {
	r.openElements = r.openElements[:0]
	r.endBlock()
	for _, s := range [...]string{removeCommitHashes(r.f.Title), r.f.Summary} {
		r.out = append(r.out, markHead)
		r.out = append(r.out, s...)
	}
	sum := sha256.Sum256(r.out)
	r.f.Fingerprint = base64.RawURLEncoding.EncodeToString(sum[:12])
}

// minLeadWords is the minimum number of words in the first paragraph. A shorter paragraph, probably
// a label, is skipped.
const minLeadWords = 4

// startFirstParagraph ends an open paragraph. If the last tag is a p, and no paragraph has been
// collected at the current level or a higher level, it starts to collect the first paragraph of the
// content.
func (r *Reader) startFirstParagraph() {
	r.endFirstParagraph()
	g := r.innermostElement()
	r.inLead = r.o.Lead && !g.isIgnored && (g.level > r.bestLevel || len(r.lead) == 0) && equalFold(r.tagName(), "p")
}

// endFirstParagraph ends the collection of the first paragraph. It drops a paragraph of fewer than
// minLeadWords words, so that the next paragraph is collected instead.
func (r *Reader) endFirstParagraph() {
	if r.inLead && len(bytes.Fields(r.lead)) < minLeadWords {
		r.lead = r.lead[:0]
	}
	r.inLead = false
}

// firstSentence returns the first sentence of b as one line. A sentence ends at 。！？. It also ends
// at . ! ? between a word of two or more characters and a space, unless a lower-case letter or a
// digit follows: it does not end in "e.g. This" or "No. 5". If no sentence ends, firstSentence
// returns the whole text.
func firstSentence(b []byte) string {
	s := toOneLine(b)
	word := 0 // number of letters, digits and closing marks since the last other character
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
		if word++; !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune(`)"”’»`, c) {
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

// removeBuildNoise removes the parts of b, a block of text, that may differ between two builds of
// the same source: memory addresses, and times such as 12:30:05 or 2024-05-01 12:30. If at most
// maxNoiseBlock bytes remain, it also removes commit hashes of 40 digits, versions in text such as
// "built with Hugo 0.120.4", and years in a copyright line. It overwrites b.
func (r *Reader) removeBuildNoise(b []byte) []byte {
	if bytes.Contains(b, []byte("0x")) {
		b = removeMatches(b, memoryAddress)
	}
	if bytes.IndexByte(b, ':') >= 0 {
		b = removeMatches(b, timestamp)
	}
	if len(b) > maxNoiseBlock {
		return b
	}
	if hasLongHexNumber(b) {
		b = removeMatches(b, commitHash)
	}
	r.textBuffer = appendLower(r.textBuffer[:0], b)
	lower := r.textBuffer
	if containsAny(lower, "built", "created", "made", "generated", "powered", "rendered", "theme") && builtBy.Match(lower) {
		b = removeMatches(b, versionNumber)
	}
	if containsAny(lower, "©", "(c)", "copyright") {
		b = removeMatches(b, years)
	}
	return b
}

// hasLongHexNumber reports whether b contains 40 hexadecimal digits in a row, in lower case, which
// may be a commit hash. removeBuildNoise runs the slow expression commitHash only on such blocks,
// which halves the time for reading a body.
func hasLongHexNumber(b []byte) bool {
	digits := 0
	for _, c := range b {
		if digits++; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			digits = 0
		}
		if digits == 40 {
			return true
		}
	}
	return false
}

// removeCommitHashes returns title without commit hashes: words of 7 to 40 hexadecimal digits with
// both a decimal digit and a letter. Sphinx adds the version of the project to titles, and a
// version may contain a hash.
func removeCommitHashes(title string) string {
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

// removeMatches returns b without all matches of re. It overwrites b.
func removeMatches(b []byte, re *regexp.Regexp) []byte {
	out, from := b[:0], 0
	for _, m := range re.FindAllIndex(b, -1) {
		out = append(out, b[from:m[0]]...)
		from = m[1]
	}
	return append(out, b[from:]...)
}

// words yields the words in b, an attribute value. White space separates the words, such as the
// classes in class="a b".
func words(b []byte) iter.Seq[[]byte] { return bytes.FieldsFuncSeq(b, isSpaceRune) }

// FingerprintOptions determine which elements of a page are its content. A selector is the name of
// an element, an #id, a .class, or a combination for one element, such as "div.note.small". Upper
// and lower case differ in ids and classes, but not in names of elements.
type FingerprintOptions struct {
	// Include selects the elements whose text is content, instead of main and article. If a page
	// has no such element with content, main and article count as usual.
	Include []string
	// Exclude selects elements whose text is not content, even inside of included elements. An
	// included element inside of an excluded element is content.
	Exclude []string
}

// maxSelectors is the maximum number of selectors, because a Reader compares each selector with
// each element.
const maxSelectors = 100

// Check returns an error if there are more than 100 selectors, or if a selector is invalid. The
// error names the first invalid selector.
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

// FingerprintVersion is the version of the fingerprint algorithm. It must change whenever the
// algorithm may give an unchanged page another fingerprint.
const FingerprintVersion = "2"

// FingerprintSize is the length in bytes of a fingerprint, which is a base64 string.
const FingerprintSize = 16

// Version returns a string that identifies the algorithm and the selectors, such as "2" without
// selectors and "2-Jx0aB_3k" with selectors. Only fingerprints of the same version are comparable.
func (f FingerprintOptions) Version() string {
	if len(f.Include) == 0 && len(f.Exclude) == 0 {
		return FingerprintVersion
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q", f.Include, f.Exclude))
	return FingerprintVersion + "-" + base64.RawURLEncoding.EncodeToString(sum[:6])
}

// A selector matches elements by name, id and classes. A field without a value matches every
// element.
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
		case name == "" || strings.ContainsAny(name, whiteSpace+">+~*[]:,()\"'") || kind == 0 && i > 0 || kind == '#' && sel.id != "":
			return sel, newSelectorError(s)
		case kind == '#':
			sel.id = name
		case kind == '.':
			sel.classes = append(sel.classes, name)
		default:
			sel.element = strings.ToLower(name)
		}
	}
	if s == "" {
		return sel, newSelectorError(s)
	}
	return sel, nil
}

func newSelectorError(s string) error {
	return fmt.Errorf("%q is not a selector; write an element, #id or .class, as in %q", s, "div.note")
}

// parseSelectors parses a list of selectors, and skips invalid selectors.
func parseSelectors(list []string) (out []selector) {
	for _, s := range list {
		if sel, err := parseSelector(s); err == nil {
			out = append(out, sel)
		}
	}
	return out
}

// matchesAnySelector reports whether one of the selectors in list matches the last tag.
func (r *Reader) matchesAnySelector(list []selector) bool {
	return slices.ContainsFunc(list, r.matchesSelector)
}

// matchesSelector reports whether s matches the last tag.
func (r *Reader) matchesSelector(s selector) bool {
	if s.element != "" && !equalFold(r.tagName(), s.element) || s.id != "" && string(r.attrValue("id")) != s.id {
		return false
	}
	return !slices.ContainsFunc(s.classes, func(c string) bool { return !hasWord(r.attrValue("class"), c) })
}

// hasWord reports whether want is one of the words in b, which white space separates.
func hasWord(b []byte, want string) bool {
	for w := range words(b) {
		if string(w) == want {
			return true
		}
	}
	return false
}
