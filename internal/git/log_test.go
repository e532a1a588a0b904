package git

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sitewalk/sitewalk/sitemap"
)

// object is the ID of a git object.
const object = "6ac80cb46775c0fd3835439528dcd577603b8f46"

// header returns the line that starts a commit in the log. The commit ID ends in n.
func header(n string) string {
	return commitMark + object[:40-len(n)] + n + "\t1700000000 +0200\t1700000001 +0100\x00"
}

func TestReadLogParsesCommits(t *testing.T) {
	date := Result{Date: sitemap.DateOf(time.Unix(1700000000, 0).In(time.FixedZone("", 7200)), sitemap.Second), Commit: object[:12]}
	added := Result{Date: date.Date, Commit: date.Commit, New: true}
	for name, c := range map[string]struct {
		log  string
		want Result
		err  error
	}{
		"added":                {header("1") + "\nA\x00b\x00A\x00a\x00", added, nil},
		"empty commits":        {header("1") + header("2") + "\nT\x00a\x00", date, nil},
		"renamed":              {header("1") + "\nR100\x00b\x00a\x00" + header("2") + "\nA\x00a\x00M\x00b\x00", date, nil},
		"renamed, edited":      {header("1") + "\nR090\x00b\x00a\x00", date, nil},
		"copied":               {header("1") + "\nC100\x00b\x00a\x00", date, nil},
		"not in the log":       {header("1") + "\nA\x00b\x00", Result{Why: mergedOnly}, nil},
		"deleted":              {header("1") + "\nD\x00a\x00", Result{Why: mergedOnly}, nil},
		"boundary":             {header("ff") + "\nA\x00a\x00", Result{Why: beyond}, nil},
		"name as a commit":     {header("1") + "\nA\x00" + header("2") + header("3") + "\nM\x00a\x00", date, nil},
		"name as a status":     {header("1") + "\nA\x00M\x00A\x00a\x00", added, nil},
		"no commit":            {"M\x00a\x00", Result{}, errGarbage},
		"truncated name":       {header("1") + "\nM\x00a", Result{}, errGarbage},
		"truncated rename":     {header("1") + "\nR100\x00b\x00", Result{}, errGarbage},
		"no dates":             {commitMark + object + "\x00", Result{}, errGarbage},
		"no author's date":     {commitMark + object + "\t\t1700000000 +0200\x00\nM\x00a\x00", date, nil},
		"no readable date":     {commitMark + object + "\tyesterday +0200\t0 +0000\x00\nM\x00a\x00", Result{Why: impossible}, nil},
		"no final NUL":         {"x", Result{}, errGarbage},
		"score without rename": {header("1") + "\nM100\x00a\x00", Result{}, errGarbage},
		"endless name":         {header("1") + "\nM\x00" + strings.Repeat("a", maxName+1), Result{}, errGarbage},
		"before any commit":    {"\x00\x00\x00", Result{}, errGarbage},
	} {
		t.Run(name, func(t *testing.T) {
			w := newSearch([]file{{name: "a"}}, &Options{})
			err := w.readLog(strings.NewReader(c.log), map[string]bool{object[:38] + "ff": true}, false)
			if !errors.Is(err, c.err) || w.files[0].Result != c.want {
				t.Errorf("got %v, error %v; want %v, error %v", w.files[0].Result, err, c.want, c.err)
			}
		})
	}
}

// TestSetResultSkipsEditedFileOfSameName sets the date of two files with the same name. Only the
// file that is not edited must get the date.
func TestSetResultSkipsEditedFileOfSameName(t *testing.T) {
	w := newSearch([]file{{name: "a"}, {name: "a"}}, &Options{})
	w.files[1].isEdited = true // the first file in the list of wanted files
	date := sitemap.DateOf(time.Unix(1700000000, 0), sitemap.Second)
	w.setResult("a", Result{Date: date})
	if w.files[0].Date != date || w.files[1].Why != edited || w.numOpen != 0 {
		t.Errorf("got results %v and %v and %d open files, want a date, no date and none open", w.files[0].Result, w.files[1].Result, w.numOpen)
	}
}

// FuzzReadLog checks that for any output of git, each file has either a date or a reason, unless
// readLog returns an error.
func FuzzReadLog(f *testing.F) {
	f.Add([]byte(header("1") + "\nR100\x00b\x00a\x00" + header("2") + "\nM\x00b\x00D\x00c\x00"))
	f.Add([]byte(header("1") + "\nC075\x00b\x00\n\x00T\x00a\x00"))
	f.Add([]byte(commitMark + object + "\t-99999999999999 -2359\t\x00\nA\x00a\x00"))
	f.Fuzz(func(t *testing.T, log []byte) {
		w := newSearch([]file{{name: "a"}, {name: "b"}, {name: "c"}, {name: "a"}}, &Options{})
		err := w.readLog(bytes.NewReader(log), map[string]bool{object: true}, false)
		answered := 0
		for _, r := range w.files {
			if !r.Date.IsZero() && r.Why != "" {
				t.Errorf("got both date %v and reason %q", r.Date, r.Why)
			}
			if r.Result != (Result{}) {
				answered++
			}
		}
		if answered+w.numOpen != len(w.files) {
			t.Errorf("got %d results and %d open files, want %d in total", answered, w.numOpen, len(w.files))
		}
		if w.numOpen > 0 && !errors.Is(err, errGarbage) {
			t.Errorf("%d open files: got error %v, want errGarbage", w.numOpen, err)
		}
		if w.files[0].Result != w.files[3].Result {
			t.Errorf("files with the same name: got different results: %v", w.files)
		}
	})
}

// FuzzReadTree checks that for any output of git, readTree returns errGarbage or no error, and the
// number of open files is correct.
func FuzzReadTree(f *testing.F) {
	f.Add([]byte("100644 blob " + object + "\ta\x00120000 blob " + object + "\tb\x00"))
	f.Fuzz(func(t *testing.T, out []byte) {
		w := newSearch([]file{{name: "a"}, {name: "b"}}, &Options{})
		if err := w.readTree(bytes.NewReader(out)); err != nil && !errors.Is(err, errGarbage) {
			t.Error(err)
		}
		w.dropUndated(false)
		open := 0
		for _, list := range w.wanted {
			for _, f := range list {
				if !f.hasResult {
					open++
				}
			}
		}
		if open != w.numOpen {
			t.Errorf("open files: got numOpen %d, want %d", w.numOpen, open)
		}
	})
}

// TestReadLogUsesConstantMemory reads a log of 80 MB that contains none of the wanted files. The
// memory must not grow with the log.
func TestReadLogUsesConstantMemory(t *testing.T) {
	commit := []byte(header("1") + "\nM\x00" + strings.Repeat("x", 4000) + "\x00")
	const commits = 20000
	allocations := testing.AllocsPerRun(1, func() {
		source := &repeatedReader{text: commit, left: commits}
		w := newSearch([]file{{name: "a"}}, &Options{})
		if err := w.readLog(source, nil, false); err != nil || source.left != 0 || w.files[0].Why != mergedOnly {
			t.Errorf("got %d unread commits, result %v, error %v; want all commits read", source.left, w.files[0].Result, err)
		}
	})
	if allocations > 5*commits {
		t.Errorf("got %.0f allocations, want at most %d", allocations, 5*commits)
	}
}

// A repeatedReader reads text several times.
type repeatedReader struct {
	text   []byte
	left   int // number of repetitions left
	offset int // in text
}

func (r *repeatedReader) Read(p []byte) (int, error) {
	if r.left == 0 {
		return bytes.NewReader(nil).Read(p)
	}
	n := copy(p, r.text[r.offset:])
	if r.offset += n; r.offset == len(r.text) {
		r.offset = 0
		r.left--
	}
	return n, nil
}

func TestExitErrorNamesCause(t *testing.T) {
	for stderr, want := range map[string]string{
		"warning: x\nfatal: bad object HEAD\nhint: y\n": "bad object HEAD",
		"error: only this\n":                            "error: only this",
		"":                                              "git failed without a message",
	} {
		if got := (&exitError{stderr}).Error(); got != want {
			t.Errorf("stderr %q: got %q, want %q", stderr, got, want)
		}
	}
}

func TestQuoteForShell(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell")
	}
	for _, path := range []string{"/srv/site", "/a b/'c'/$HOME", "/x;y", "/~z", "/ü"} {
		out, err := exec.Command(sh, "-c", "printf %s "+quoteForShell(path)).Output()
		if err != nil || string(out) != path {
			t.Errorf("quoteForShell(%q): the shell prints %q, error %v", path, out, err)
		}
	}
}

// TestTimeLimitDefaultsToTwoMinutes checks the time limit without and with Options.Limit.
func TestTimeLimitDefaultsToTwoMinutes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for limit, want := range map[time.Duration]time.Duration{0: 2 * time.Minute, time.Second: time.Second} {
			o := Options{Limit: limit}
			ctx, cancel := o.withTimeLimit(t.Context())
			start := time.Now()
			<-ctx.Done()
			if got := time.Since(start); got != want || !errors.Is(context.Cause(ctx), errTimeout) {
				t.Errorf("limit %v: the context ends after %v with %v, want errTimeout after %v", limit, got, context.Cause(ctx), want)
			}
			cancel()
		}
	})
}
