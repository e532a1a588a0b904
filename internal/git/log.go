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

// commitMark is the first byte of each commit in the output of git log. It cannot be confused with
// the first byte of a file name, because the parser expects a file name only after a status.
const commitMark = "\x01"

// commitFormat is the format for git log: object name, author date and committer date of a
// commit, separated by tabs.
const commitFormat = commitMark + "%H\t%ad\t%cd"

// logArgs returns the arguments of a git log command whose output parseLog can parse. The output
// does not depend on the configuration of the repository. logArgs appends args, further arguments
// of git log.
func logArgs(args ...string) []string {
	return append([]string{
		"log", "-z", "--format=tformat:" + commitFormat, "--date=raw", "--ignore-submodules=all", "--encoding=UTF-8",
		"--no-ext-diff", "--no-textconv", "--no-show-signature", "--no-notes", "--no-decorate",
	}, args...)
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
// requested date is zero, it returns the other date.
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

// parseLog parses the output of git log. For each commit, it first calls visit with the commit and a
// zero change. It then calls visit for each change of the commit, with nil in place of the commit.
// parseLog returns the first error of visit, and errGarbage for unexpected output.
func parseLog(r io.Reader, visit func(*Commit, change) error) error {
	tokens, started := newTokenScanner(r), false
	for tokens.Scan() {
		var commit *Commit
		var c change
		var err error
		if rest, ok := bytes.CutPrefix(tokens.Bytes(), []byte(commitMark)); ok {
			started = true
			commit, err = parseCommit(string(rest))
		} else if started {
			c, err = readChange(tokens)
		} else {
			return errGarbage
		}
		if err == nil {
			err = visit(commit, c)
		}
		if err != nil {
			return err
		}
	}
	return tokens.Err()
}

// readChange returns the change whose status is the current token of tokens. It reads the file names
// after the status: two names after R or C, otherwise one.
func readChange(tokens *bufio.Scanner) (c change, err error) {
	status := string(bytes.TrimPrefix(tokens.Bytes(), []byte{'\n'}))
	if status == "" || status[0] < 'A' || status[0] > 'Z' {
		return c, errGarbage
	}
	c.status = status[0]
	if c.status == 'R' || c.status == 'C' {
		if !tokens.Scan() {
			return c, cmp.Or(tokens.Err(), errGarbage)
		}
		c.from, c.isPure = tokens.Text(), status == "R100"
	} else if len(status) > 1 {
		return c, errGarbage
	}
	if !tokens.Scan() {
		return c, cmp.Or(tokens.Err(), errGarbage)
	}
	c.name = tokens.Text()
	return c, nil
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
