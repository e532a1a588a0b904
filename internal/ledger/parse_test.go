package ledger

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

func TestParseLedgerReadsEntries(t *testing.T) {
	const file = start + "/a/ A 2024-01-01\n/b/ B -\n/c/ - 2024-01-02 gone=2024-02-03\n" + endLine + "\n"
	written := string(parse(t, file).AppendTo(nil))
	for name, c := range map[string]struct {
		text string
		want string // the lines of pages, or the error
	}{
		"as written":             {written, "/a/ A 2024-01-01; /b/ B -; /c/ - 2024-01-02 gone=2024-02-03"},
		"without checksum":       {file, "/a/ A 2024-01-01; /b/ B -; /c/ - 2024-01-02 gone=2024-02-03"},
		"CRLF and BOM":           {"\ufeff" + strings.ReplaceAll(written, "\n", "\r\n"), "/a/ A 2024-01-01; /b/ B -; /c/ - 2024-01-02 gone=2024-02-03"},
		"hyphen first":           {start + "/a/ -A -\n" + endLine, "/a/ -A -"},
		"no last newline":        {strings.TrimSuffix(written, "\n"), "/a/ A 2024-01-01; /b/ B -; /c/ - 2024-01-02 gone=2024-02-03"},
		"comment":                {start + "# mine\n/a/ A -\n" + endLine, "/a/ A -"},
		"empty":                  {"", "it is empty"},
		"blank":                  {" \n\n", "it is empty"},
		"out of order":           {start + "/b/ B -\n/a/ A -\n" + endLine, "a line is not a page, or is out of order"},
		"duplicate path":         {start + "/a/ A -\n/a/ A -\n" + endLine, "a line is not a page, or is out of order"},
		"no fields":              {start + "hello\n" + endLine, "a line is not a page, or is out of order"},
		"invalid day":            {start + "/a/ A 2024-02-30\n" + endLine, "a line is not a page, or is out of order"},
		"gone without day":       {start + "/a/ A - gone=-\n" + endLine, "a line is not a page, or is out of order"},
		"truncated in a day":     {start + "/a/ A 2024-01-01\n/b/ B 2024-0", "a line is not a page, or is out of order"},
		"truncated after a line": {start + "/a/ A 2024-01-01\n", "it is cut off"},
		"line after the end":     {file + "/z/ Z -\n", "it goes on after its last line"},
		"edited":                 {strings.Replace(written, "/a/ A 2024-01-01", "/a/ A 2024-01-02", 1), "its checksum is wrong"},
		"conflict":               {start + "<<<<<<< HEAD\n/a/ A -\n=======\n/a/ X -\n>>>>>>> side\n" + endLine, "it has a merge conflict"},
		"conflict in header":     {"<<<<<<< HEAD\n" + start, "it has a merge conflict"},
	} {
		t.Run(name, func(t *testing.T) {
			l, err := parseLedger(c.text)
			if err == nil {
				if got := body(l); got != c.want {
					t.Errorf("got  %s\nwant %s", got, c.want)
				}
				return
			}
			if _, damaged := errors.AsType[damagedError](err); !damaged || err.Error() != c.want {
				t.Errorf("got error %v, want %s", err, c.want)
			}
		})
	}
}

func TestParseLedgerRejectsOtherFiles(t *testing.T) {
	for text, want := range map[string]string{
		"<!DOCTYPE html><p>404": errHTML.Error(), "\n <html>": errHTML.Error(), "<?xml version='1.0'?>": errHTML.Error(),
		"# My site\n\nhello": errNotLedger.Error(), "hello": errNotLedger.Error(), "\x00\xff\xfe": errNotLedger.Error(), "{}": errNotLedger.Error(),
		headVersion + "7\n" + endLine: "it has version 7 of the format, and this sitewalk reads version 1; use the sitewalk that wrote it",
	} {
		_, err := parseLedger(text)
		if _, damaged := errors.AsType[damagedError](err); damaged || err == nil || err.Error() != want {
			t.Errorf("%q: got error %v, want %v", text, err, want)
		}
	}
}

// FuzzParseLedger parses a file. If parseLedger accepts the file, the test writes, parses and
// writes the ledger again. Both written files must be equal. An updated ledger must also be valid.
func FuzzParseLedger(f *testing.F) {
	f.Add([]byte(start + "/a/ A 2024-01-01\n/b%20/ - - gone=2024-02-03\n" + endLine))
	f.Add([]byte("\ufeff" + start + "/a/ B 0001-01-01\r\n" + endLine))
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := parseLedger(string(data))
		if err != nil {
			return
		}
		once := l.AppendTo(nil)
		again, err := parseLedger(string(once))
		if err != nil {
			t.Fatalf("written file: got error %v\n%q", err, once)
		}
		if twice := again.AppendTo(nil); !bytes.Equal(once, twice) {
			t.Fatalf("read and written again: got\n%q\nwant\n%q", twice, once)
		}
		next := again.Update(pages("/a/=A /b/=B /c/"), dayOf(t, "06-01"), UpdateOptions{FingerprintVersion: "1"})
		if _, err := parseLedger(string(next.AppendTo(nil))); err != nil {
			t.Errorf("after Update: got error %v\n%q", err, next.AppendTo(nil))
		}
	})
}

func TestPercentEncode(t *testing.T) {
	for s, want := range map[string]string{
		"/a/": "/a/", "/a b": "/a%20b", "/100%": "/100%25", "/ü%20": "/ü%2520", "\x00\x7f\n\r\t": "%00%7F%0A%0D%09", "": "",
	} {
		if got := percentEncode(s); got != want {
			t.Errorf("percentEncode(%q): got %q, want %q", s, got, want)
		}
	}
}

// TestParseLedgerFindsDamage changes each byte of a ledger file. parseLedger must return an error
// or the unchanged pages.
func TestParseLedgerFindsDamage(t *testing.T) {
	l := new(Ledger)
	for i, content := range []string{"/=A /about/=B /gone/=D", "/=A /about/=X /gone/=D", "/=A /about/=B /new%20page/=C"} {
		l = l.Update(pages(content), dayOf(t, []string{"05-01", "05-02", "05-03"}[i]), UpdateOptions{FingerprintVersion: "1"})
	}
	file := l.AppendTo(nil)
	for i := range file {
		for mask := 1; mask < 256; mask += testsite.Repeat(11, 1) {
			damaged := bytes.Clone(file)
			damaged[i] ^= byte(mask)
			if got, err := parseLedger(string(damaged)); err == nil && body(got) != body(l) {
				t.Errorf("byte %d set to %q: got %s, want %s or an error", i, damaged[i], body(got), body(l))
			}
		}
	}
}
