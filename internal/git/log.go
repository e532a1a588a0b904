package git

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/sitemap"
)

// commitMark is the first byte of each commit in the output of git log. It cannot be confused with
// the first byte of a file name, because the parser expects a file name only after a status.
const commitMark = "\x01"

// commitFormat is the format for git log: object name, author date and committer date of a
// commit, separated by tabs.
const commitFormat = commitMark + "%H\t%ad\t%cd"

// logArgs returns the arguments of a git log command whose output logReader can parse. The output
// does not depend on the configuration of the repository. logArgs appends args, further arguments
// of git log.
func logArgs(args ...string) []string {
	return append([]string{
		"log", "-z", "--format=tformat:" + commitFormat, "--date=raw", "--ignore-submodules=all", "--encoding=UTF-8",
		"--no-ext-diff", "--no-textconv", "--no-show-signature", "--no-notes", "--no-decorate",
	}, args...)
}

// visitLog runs "git log" with args and calls visit for its output. For each commit, it first
// calls visit with the commit and a zero change. It then calls visit for each change of the
// commit, with nil in place of the commit. It returns an error if git fails or its output cannot
// be parsed.
func (g git) visitLog(ctx context.Context, visit func(*Commit, change), args ...string) error {
	return g.run(ctx, func(r io.Reader) error {
		l := logReader{tokens: newTokenScanner(r)}
		for {
			commit, c, err := l.next()
			if err == io.EOF {
				return nil
			}
			if err != nil {
				return err
			}
			visit(commit, c)
		}
	}, logArgs(args...)...)
}

// shortName is the length of an abbreviated object name, in hexadecimal digits.
const shortName = 12

// A Commit contains the two dates of a commit. A date is zero if git's output has no valid date.
type Commit struct {
	Author, Committer sitemap.Date

	name string // object name in hexadecimal digits
}

// HasDate reports whether d is the author date or the committer date of c. If d is only a day, the
// time is ignored.
func (c Commit) HasDate(d sitemap.Date) bool {
	if d.Precision() == sitemap.Day {
		return d == c.Author.DayOnly() || d == c.Committer.DayOnly()
	}
	return d.Unix() == c.Author.Unix() || d.Unix() == c.Committer.Unix()
}

// date returns the committer date of c if committer is true, and otherwise the author date. If the
// requested date is zero, it returns the other one.
func (c Commit) date(committer bool) sitemap.Date {
	if committer {
		return cmp.Or(c.Committer, c.Author)
	}
	return cmp.Or(c.Author, c.Committer)
}

// A change describes one file that a commit changed.
type change struct {
	status byte   // letter of git log: A (added), M, T, D (deleted), R (renamed) or C (copied)
	isPure bool   // the commit renamed the file without changing its content
	from   string // earlier name if the file was renamed or copied
	name   string
}

// A logReader parses the output of git log into commits and changes.
type logReader struct {
	tokens  *bufio.Scanner
	started bool
}

// next returns the next commit, or the next change of the current commit. After the last commit and
// its changes, it returns io.EOF. For unexpected output, it returns errGarbage.
func (l *logReader) next() (*Commit, change, error) {
	token, err := l.nextToken()
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

// readChange reads the file names after a status letter: two names after R or C, otherwise one.
func (l *logReader) readChange(status byte, score string) (change, error) {
	c := change{status: status}
	if status == 'R' || status == 'C' {
		from, err := l.nextToken()
		if err != nil {
			return c, err
		}
		c.from, c.isPure = string(from), status == 'R' && score == "100"
	} else if score != "" {
		return c, errGarbage
	}
	name, err := l.nextToken()
	c.name = string(name)
	return c, err
}

// nextToken returns the next token of the output. After the last token, it returns io.EOF.
func (l *logReader) nextToken() ([]byte, error) {
	if l.tokens.Scan() {
		return l.tokens.Bytes(), nil
	}
	return nil, cmp.Or(l.tokens.Err(), io.EOF)
}

// parseCommit parses a commit in commitFormat, without commitMark.
func parseCommit(s string) (*Commit, error) {
	fields := strings.Split(s, "\t")
	if len(fields) != 3 || len(fields[0]) < 40 {
		return nil, errGarbage
	}
	return &Commit{name: fields[0], Author: parseDate(fields[1]), Committer: parseDate(fields[2])}, nil
}

// parseDate parses a date in git's raw format, such as "1700000000 +0200". It returns the zero date
// if s is not a date. It also returns the zero date for "0 +0000", which git prints for a commit
// without a date.
func parseDate(s string) sitemap.Date {
	seconds, zone, _ := strings.Cut(s, " ")
	sec, err := strconv.ParseInt(seconds, 10, 64)
	z, zerr := strconv.Atoi(zone)
	if err != nil || zerr != nil || sec == 0 {
		return sitemap.Date{}
	}
	offset := z/100*60 + z%100
	when := time.Unix(sec, 0).UTC()
	// A time zone of a commit may have any offset, but XML Schema allows at most 14 hours. A date
	// with a larger offset is converted to UTC.
	if offset != 0 && offset >= -14*60 && offset <= 14*60 {
		when = when.In(time.FixedZone("", offset*60))
	}
	return sitemap.DateOf(when, sitemap.Second)
}

// newTokenScanner returns a scanner that splits the output of git at NUL bytes. If a token is too
// long or has no NUL byte at its end, the scanner returns errGarbage.
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
