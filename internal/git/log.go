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

// commitMark begins a commit in the output of git log. The reader knows where a name is due,
// so a file of that name is no commit.
const commitMark = "\x01"

// commitFormat makes git log print the name of a commit, the author's date and the committer's.
const commitFormat = commitMark + "%H\t%ad\t%cd"

// shortName is the length of an abbreviated object name in messages.
const shortName = 12

// A Commit has the two dates of a commit. A date that cannot be read is zero.
type Commit struct {
	Author, Committer sitemap.Date

	name string
}

// Has reports whether d is one of the commit's dates, or its day.
func (c Commit) Has(d sitemap.Date) bool {
	if d.Precision() == sitemap.Day {
		return d == c.Author.DayOnly() || d == c.Committer.DayOnly()
	}
	return d.Unix() == c.Author.Unix() || d.Unix() == c.Committer.Unix()
}

// date returns the date of the wanted kind, or the other one if it cannot be read.
func (c Commit) date(committer bool) sitemap.Date {
	if committer {
		return cmp.Or(c.Committer, c.Author)
	}
	return cmp.Or(c.Author, c.Committer)
}

// A change is one changed file of a commit.
type change struct {
	status byte   // A, M, T, D, R or C
	isPure bool   // a rename that changes no content
	from   string // older name after a rename or copy
	name   string
}

// A logReader splits the output of git log into commits and changes.
type logReader struct {
	tokens  *bufio.Scanner
	started bool
}

// read returns the next commit, or the next change of the last commit.
func (l *logReader) read() (*Commit, change, error) {
	token, err := l.token()
	if err != nil {
		return nil, change{}, err
	}
	if rest, ok := bytes.CutPrefix(token, []byte(commitMark)); ok {
		l.started = true
		c, err := parseCommit(string(rest))
		return c, change{}, err
	}
	token = bytes.TrimPrefix(token, []byte{'\n'})
	if !l.started || len(token) == 0 || token[0] < 'A' || token[0] > 'Z' {
		return nil, change{}, errGarbage
	}
	c, err := l.readChange(token[0], string(token[1:]))
	if err == io.EOF {
		err = errGarbage
	}
	return nil, c, err
}

// readChange reads the names that follow a status: two after a rename or a copy.
func (l *logReader) readChange(status byte, score string) (change, error) {
	c := change{status: status}
	if status == 'R' || status == 'C' {
		from, err := l.token()
		if err != nil {
			return c, err
		}
		c.from, c.isPure = string(from), status == 'R' && score == "100"
	} else if score != "" {
		return c, errGarbage
	}
	name, err := l.token()
	c.name = string(name)
	return c, err
}

// token returns the next token, and io.EOF after the last one.
func (l *logReader) token() ([]byte, error) {
	if l.tokens.Scan() {
		return l.tokens.Bytes(), nil
	}
	return nil, cmp.Or(l.tokens.Err(), io.EOF)
}

// parseCommit reads the output of commitFormat without its mark.
func parseCommit(s string) (*Commit, error) {
	fields := strings.Split(s, "\t")
	if len(fields) != 3 || len(fields[0]) < 40 {
		return nil, errGarbage
	}
	return &Commit{name: fields[0], Author: parseDate(fields[1]), Committer: parseDate(fields[2])}, nil
}

// parseDate reads "seconds zone" with a zone such as +0200. It returns the zero date for a
// commit without a date, for which git prints nothing or the second 0.
func parseDate(s string) sitemap.Date {
	seconds, zone, _ := strings.Cut(s, " ")
	sec, err := strconv.ParseInt(seconds, 10, 64)
	z, zerr := strconv.Atoi(zone)
	if err != nil || zerr != nil || sec == 0 {
		return sitemap.Date{}
	}
	offset := z/100*60 + z%100
	when := time.Unix(sec, 0).UTC()
	// The zones of XML Schema end at 14 hours. A commit may have any.
	if offset != 0 && offset >= -14*60 && offset <= 14*60 {
		when = when.In(time.FixedZone("", offset*60))
	}
	return sitemap.DateOf(when, sitemap.Second)
}

// newTokenScanner splits the output of git at NUL bytes.
func newTokenScanner(r io.Reader) *bufio.Scanner {
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
