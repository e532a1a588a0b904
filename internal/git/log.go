package git

import (
	"bufio"
	"bytes"
	"cmp"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/sitemap"
)

// commitMark begins a commit in the output of git log. Names stand only where
// a name is due, so that no name can pass for a commit.
const commitMark = "\x01"

// commitFormat is what git log prints of a commit: its name, the author's date and
// the committer's.
const commitFormat = commitMark + "%H\t%ad\t%cd"

// shortName is the length of an abbreviated object name in messages.
const shortName = 12

// An event of a log is a commit, or one change made by the commit before it.
type event struct {
	commit    []byte       // the object name; nil for a change
	author    sitemap.Date // zero when it cannot be read
	committer sitemap.Date
	status    byte // A, M, T, D, R or C
	pure      bool // a rename that changes no content
	from      []byte
	name      []byte
}

// A logReader splits the output of git log into events. What an event holds is
// valid until the next read.
type logReader struct {
	tokens  *bufio.Scanner
	started bool
	from    []byte
}

func (l *logReader) read() (event, error) {
	token, err := l.token()
	if err != nil {
		return event{}, err
	}
	if rest, ok := bytes.CutPrefix(token, []byte(commitMark)); ok {
		l.started = true
		return parseCommit(string(rest))
	}
	token = bytes.TrimPrefix(token, []byte{'\n'})
	if !l.started || len(token) == 0 || token[0] < 'A' || token[0] > 'Z' {
		return event{}, errGarbage
	}
	return l.change(token[0], string(token[1:]))
}

// change reads the names that follow a status: two after a rename or a copy.
func (l *logReader) change(status byte, score string) (event, error) {
	e := event{status: status}
	if status == 'R' || status == 'C' {
		from, err := l.token()
		if err != nil {
			return e, torn(err)
		}
		l.from = append(l.from[:0], from...)
		e.from = l.from
		e.pure = status == 'R' && score == "100"
	} else if score != "" {
		return e, errGarbage
	}
	name, err := l.token()
	e.name = name
	return e, torn(err)
}

// torn makes an end in the middle of an event what it is.
func torn(err error) error {
	if err == io.EOF {
		return errGarbage
	}
	return err
}

// token returns the next token, and io.EOF behind the last.
func (l *logReader) token() ([]byte, error) {
	if l.tokens.Scan() {
		return l.tokens.Bytes(), nil
	}
	return nil, cmp.Or(l.tokens.Err(), io.EOF)
}

// date returns the date of a commit, and whether it is the one that is asked for:
// where that cannot be read, the other one takes its place.
func (e *event) date(committer bool) (date sitemap.Date, asked bool) {
	first, second := e.author, e.committer
	if committer {
		first, second = second, first
	}
	if first.IsZero() {
		return second, false
	}
	return first, true
}

// parseCommit reads what commitFormat prints, without its mark.
func parseCommit(s string) (event, error) {
	fields := strings.Split(s, "\t")
	if len(fields) != 3 || len(fields[0]) < 40 {
		return event{}, errGarbage
	}
	return event{commit: []byte(fields[0]), author: parseDate(fields[1]), committer: parseDate(fields[2])}, nil
}

// parseDate reads "seconds zone", the zone as +0200. It returns the zero date for
// what git prints of a line that has none, which is nothing or the second 0, and
// for years that nothing can write.
func parseDate(s string) sitemap.Date {
	seconds, zone, _ := strings.Cut(s, " ")
	sec, err := strconv.ParseInt(seconds, 10, 64)
	z, zerr := strconv.Atoi(zone)
	if err != nil || zerr != nil || sec == 0 {
		return sitemap.Date{}
	}
	offset := z/100*60 + z%100
	when := time.Unix(sec, 0).UTC()
	// XML Schema ends zones at 14 hours; a commit may claim any.
	if offset != 0 && offset >= -14*60 && offset <= 14*60 {
		when = when.In(time.FixedZone("", offset*60))
	}
	return sitemap.DateOf(when, sitemap.Second)
}

// tokenScanner splits at NUL bytes.
func tokenScanner(r io.Reader) *bufio.Scanner {
	s := bufio.NewScanner(r)
	s.Buffer(make([]byte, 0, 64<<10), maxName)
	s.Split(func(data []byte, atEOF bool) (int, []byte, error) {
		if i := bytes.IndexByte(data, 0); i >= 0 {
			return i + 1, data[:i], nil
		}
		if len(data) == maxName || atEOF && len(data) > 0 {
			return 0, nil, errGarbage
		}
		return 0, nil, nil
	})
	return s
}
