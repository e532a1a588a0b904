package ledger

import (
	"cmp"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
)

var (
	errHTML      = errors.New("it is a web page, not a ledger")
	errNotLedger = errors.New("it is not a ledger")
)

// decode reads a ledger's file, which findings call name. Every line that can
// be used is; one that cannot be is kept as a comment that begins with "#?".
// What has text but no line of a ledger is an error.
func decode(name, file string) (*Ledger, *diag.Report, error) {
	d := decoder{name: name, Ledger: &Ledger{exists: true}, findings: new(diag.Report)}
	d.pages = make(table, 0, len(file)/usualLine)
	for line := range strings.Lines(strings.TrimPrefix(file, "\ufeff")) {
		d.lineNo++
		text := strings.TrimRight(line, " \t\r\n")
		d.line(strings.TrimLeft(text, " \t"), strings.HasSuffix(line, "\n"))
	}
	if err := d.refuse(file); err != nil {
		return nil, nil, err
	}
	d.finish()
	return d.Ledger, d.findings, nil
}

// usualLine is how long a line of the file is, or less.
const usualLine = 64

// A decoder reads one file.
type decoder struct {
	*Ledger
	name     string
	lineNo   int
	version  int // 0 is none seen
	ended    bool
	conflict conflict
	findings *diag.Report
	disputed bool // the head names several fingerprints
}

// A conflict is where the reader stands between the marks of a merge.
type conflict uint8

const (
	noConflict conflict = iota
	ours
	base // what both sides had before, shown by merge.conflictStyle diff3
	theirs
)

// refuse returns an error for what was never a ledger, so that it is not
// replaced by one.
func (d *decoder) refuse(file string) error {
	start := strings.TrimLeft(file, "\ufeff \t\r\n")
	switch {
	case d.version > 0 || len(d.pages) > 0 || len(start) == 0:
		return nil
	case start[0] == '<':
		return errHTML
	}
	return errNotLedger
}

// finish says what can be said when all lines are read.
func (d *decoder) finish() {
	if d.conflict != noConflict {
		d.warn(d.lineNo, "ledger-conflict", "the last conflict is not closed: the file was cut off", "")
	}
	switch {
	case d.lineNo == 0 || d.version == 0 && len(d.pages) == 0:
		d.exists = false
		d.warn(0, "ledger-empty", "the ledger is empty, as on a first run: new pages get no date", "restore it from a backup or an older deploy if it was not empty before")
	case d.version == 0:
		d.warn(1, "ledger-header", fmt.Sprintf("the first line does not say %q", headVersion+strconv.Itoa(Version)),
			"put the line back, or let the next run write it")
	case d.version > Version:
		d.warn(1, "ledger-version", fmt.Sprintf("version %d of the format is newer than this sitewalk, which writes version %d", d.version, Version),
			"use the sitewalk that wrote it, or a newer one")
	}
	if d.exists && !d.ended {
		d.lossy = true
		d.warn(d.lineNo, "ledger-truncated", fmt.Sprintf("the last line is not %q: lines may be missing, so that new pages get no date this time", endLine),
			"restore the file from a backup or an older deploy if pages are missing from it")
	}
	if d.disputed {
		d.fingerprint = ""
	}
	d.pages.sort()
	d.dedupe()
}

// line reads one line, without the white space around it.
func (d *decoder) line(text string, whole bool) {
	switch {
	case len(text) == 0 || d.mark(text):
	case d.conflict == base:
	case strings.HasPrefix(text, headFingerprint):
		d.kind(text)
	case text[0] == '#' && (strings.HasPrefix(text, keptLine) || !isSummed(text)):
		d.head(text)
	default:
		d.checkedPage(text, whole)
	}
}

func (d *decoder) checkedPage(text string, whole bool) {
	line, sum, summed := cutSum(text)
	switch {
	case summed && !matches(line, sum):
		d.bad(text, whole, "does not match its sum", "delete the sum if you edited the line; else restore the file from a backup or an older deploy")
	case !d.page(line, whole):
		d.bad(text, whole, "is not a path, fingerprint and day", "correct the line, or delete it")
	}
}

func isSummed(text string) bool {
	_, _, summed := cutSum(text)
	return summed
}

// cutSum returns a line without the check sum at its end, if there is one. No comment
// has one, but a page's line of which the first byte is damaged.
func cutSum(text string) (line, sum string, found bool) {
	i := strings.LastIndexByte(text, '=') + 1 - len(sumKey)
	if i < 1 || !strings.HasPrefix(text[i:], sumKey) || !isBlank(text[i-1]) || strings.ContainsAny(text[i:], " \t") {
		return text, "", false
	}
	return strings.TrimRight(text[:i], " \t"), text[i+len(sumKey):], true
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// matches reports whether a line is what its check sum was made of, but for the
// white space between its fields.
func matches(line, sum string) bool {
	want, err := strconv.ParseUint(sum, 16, 32)
	same := func(line string) bool { return err == nil && uint32(want) == crc32.ChecksumIEEE([]byte(line)) }
	return same(line) || same(strings.Join(strings.Fields(line), " "))
}

// mark reads the marks of a merge conflict; see git-merge(1).
func (d *decoder) mark(text string) bool {
	switch mark, _, _ := strings.Cut(text, " "); {
	case mark == "<<<<<<<":
		d.conflict = ours
		d.warn(d.lineNo, "ledger-conflict", "a merge conflict: both sides are used, and where they disagree the one that matches the page's content",
			"run the build again; it writes the file without the conflict")
	case d.conflict == noConflict:
		return false
	case mark == "|||||||":
		d.conflict = base
	case mark == "=======":
		d.conflict = theirs
	case mark == ">>>>>>>":
		d.conflict = noConflict
	default:
		return false
	}
	return true
}

// head reads a line that begins with "#": one of the file's own, or a comment.
func (d *decoder) head(text string) {
	switch {
	case text == endLine:
		d.ended = true
	case text == headFields:
	case strings.HasPrefix(text, headVersion):
		v, err := strconv.Atoi(text[len(headVersion):])
		if err != nil || v < 1 {
			d.comments = append(d.comments, text)
			return
		}
		d.version = max(d.version, v)
	case strings.HasPrefix(text, headWriter):
		d.writer = phrase(text[len(headWriter):], canon)
	default:
		d.comments = append(d.comments, text)
	}
}

// kind reads of which kind the fingerprints are. The line of an earlier build is one
// word and has no sum: what has more, or is no word, is damaged.
func (d *decoder) kind(text string) {
	line, sum, summed := cutSum(text)
	f := phrase(strings.TrimPrefix(line, strings.TrimSpace(headFingerprint)), canon)
	if summed && !matches(line, sum) || !summed && strings.ContainsAny(f, " =") {
		d.warn(d.lineNo, "ledger-line", fmt.Sprintf("%q does not match its sum; no page that changed gets a new date this time", shorten(text)),
			"restore the file from a backup or an older deploy")
		return
	}
	d.disputed = d.disputed || d.fingerprint != "" && d.fingerprint != f
	d.fingerprint = f
}

// page reads "path fingerprint day", and after them key=value fields.
func (d *decoder) page(text string, whole bool) bool {
	fields := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '\t' })
	if len(fields) < 3 || fields[0][0] != '/' {
		return false
	}
	// A day that is cut short is no day, but the last of further fields may be.
	if !whole && len(fields) > 3 {
		return false
	}
	e := entry{path: canon(fields[0]), gone: noDay}
	if d.conflict == noConflict {
		e.line = int32(min(d.lineNo, math.MaxInt32))
	}
	var ok bool
	if e.day, ok = parseDay(fields[2]); !ok {
		return false
	}
	var extra []string
	for _, f := range fields[3:] {
		since, isGone := strings.CutPrefix(f, "gone=")
		switch {
		case isGone:
			if e.gone, _ = parseDay(since); e.gone == noDay {
				return false
			}
		case strings.IndexByte(f, '=') < 1:
			return false
		default:
			extra = append(extra, canon(f))
		}
	}
	if fields[1] != "-" {
		e.fingerprint = escapeFingerprint(unescape(fields[1]))
	}
	e.extra = strings.Join(extra, " ")
	d.pages = append(d.pages, e)
	return true
}

// canon returns a field as it is written. What a hand or another program wrote
// may need other escapes.
func canon(field string) string {
	if plain(field) {
		return field
	}
	return escape(unescape(field))
}

// keptLine begins a comment that was a line of no use.
const keptLine = "#? "

// bad keeps a line that is of no use as a comment, unless it was cut off.
func (d *decoder) bad(text string, whole bool, why, hint string) {
	d.lossy = true
	if !whole {
		return // reported as the end of a truncated file
	}
	d.comments = append(d.comments, keptLine+text)
	d.warn(d.lineNo, "ledger-line", fmt.Sprintf("%q %s; it is kept as a comment, and new pages get no date this time", shorten(text), why), hint)
}

func shorten(text string) string {
	if len(text) > 60 {
		return text[:60] + "…"
	}
	return text
}

// dedupe leaves of one path one entry for each fingerprint: that of a page that
// is there before that of one that is gone, and the later day.
func (d *decoder) dedupe() {
	kept := d.pages[:0]
	for i := 0; i < len(d.pages); {
		group := d.pages.group(i)
		if len(group) > 1 {
			d.duplicate(group)
		}
		start := len(kept)
		for _, e := range group {
			kept = d.merge(kept, start, e)
		}
		i += len(group)
	}
	d.pages = kept
}

// merge adds e to the entries of its path, which begin at start, the latest day
// first.
func (d *decoder) merge(kept table, start int, e entry) table {
	same := func(k entry) bool { return k.fingerprint == e.fingerprint }
	i := slices.IndexFunc(kept[start:], same)
	if i < 0 {
		return append(kept, e)
	}
	if k := &kept[start+i]; k.gone != noDay && (e.gone == noDay || e.gone > k.gone) {
		k.gone = e.gone
	}
	return kept
}

// duplicate reports a path that has several lines, unless a conflict explains
// it.
func (d *decoder) duplicate(group table) {
	first := slices.MinFunc(group, func(a, b entry) int { return cmp.Compare(a.line, b.line) })
	if first.line == 0 {
		return
	}
	for _, e := range group {
		if e.line != first.line {
			d.warn(int(e.line), "ledger-duplicate", fmt.Sprintf("%s is already in line %d; the line that matches the page's content is used, else the later day", shorten(e.path), first.line),
				"run the build again; it writes the path once")
		}
	}
}

func (d *decoder) warn(line int, code, message, hint string) {
	d.findings.Add(diag.Warnf(diag.Pos{File: d.name, Line: line}, code, hint, "%s", message))
}
