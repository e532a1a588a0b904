package git_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sitewalk/sitewalk/internal/git"
	"github.com/sitewalk/sitewalk/internal/testsite"
)

// newImportedRepository returns a repository with the given number of commits, which add and edit
// files, and the names of the files.
func newImportedRepository(tb testing.TB, commits, files, edits int) (*repository, []string) {
	tb.Helper()
	r := newRepository(tb)
	random := rand.New(rand.NewPCG(1, 2))
	var stream bytes.Buffer
	var names []string
	for c := range commits {
		fmt.Fprintf(&stream, "commit refs/heads/main\nauthor A <a@example.com> %d +0200\ncommitter A <a@example.com> %d +0100\ndata 1\nx\n",
			1500000000+c*3600, 1500000000+c*3600)
		for range edits {
			if len(names) > 0 {
				put(&stream, names[random.IntN(len(names))], c)
			}
		}
		for len(names) < (c+1)*files/commits {
			names = append(names, fmt.Sprintf("content/%02d/page-%d.md", len(names)%40, len(names)))
			put(&stream, names[len(names)-1], c)
		}
		stream.WriteByte('\n')
	}
	r.gitIn(stream.Bytes(), nil, "fast-import", "--quiet")
	r.git("reset", "-q", "--hard", "main")
	return r, names
}

// put writes a file with text of this commit to a stream for "git fast-import".
func put(b *bytes.Buffer, name string, commit int) {
	content := fmt.Sprintf("%s at %d", name, commit)
	fmt.Fprintf(b, "M 100644 inline %s\ndata %d\n%s\n", name, len(content), content)
}

// lastCommitDate returns the date of the last commit of one file. It starts one git process.
func lastCommitDate(tb testing.TB, dir, name string) string {
	tb.Helper()
	cmd := exec.Command("git", "log", "-1", "--no-merges", "--format=%aI", "--", name)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		tb.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// TestReadDatesEqualsOneProcessPerFile compares the dates with those of one git process for each
// file.
func TestReadDatesEqualsOneProcessPerFile(t *testing.T) {
	t.Parallel()
	r, names := newImportedRepository(t, 60, testsite.Repeat(20, 80), 3)
	got, diags := readDates(context.Background(), names, git.Options{Dir: r.dir})
	requireNoFindings(t, diags)
	for _, name := range names {
		if want := lastCommitDate(t, r.dir, name); got[name].Date.String() != want {
			t.Errorf("%s: got %s, want %s", name, got[name].Date, want)
		}
	}
}

// BenchmarkOnePassAgainstOneProcessPerFile compares one run of readDates with one git process for
// each file. The repository has 2,500 commits and 10,000 files. Only every hundredth file gets
// its own process.
func BenchmarkOnePassAgainstOneProcessPerFile(b *testing.B) {
	r, names := newImportedRepository(b, 2500, 10000, 4)
	var pass, each time.Duration
	for b.Loop() {
		start := time.Now()
		got, diags := readDates(context.Background(), names, git.Options{Dir: r.dir})
		pass += time.Since(start)
		requireNoFindings(b, diags)
		start = time.Now()
		for i := 0; i < len(names); i += 100 {
			if want := lastCommitDate(b, r.dir, names[i]); got[names[i]].Date.String() != want {
				b.Errorf("%s: got %s, want %s", names[i], got[names[i]].Date, want)
			}
		}
		each += time.Since(start) * 100
	}
	b.ReportMetric(pass.Seconds()/float64(b.N), "pass-s/op")
	b.ReportMetric(each.Seconds()/float64(b.N), "each-s/op")
	b.ReportMetric(each.Seconds()/pass.Seconds(), "times-faster")
}

// BenchmarkUntracked measures the search for the repository of untracked files: a publish directory
// with a folder for each page.
func BenchmarkUntracked(b *testing.B) {
	r := newRepository(b)
	var names []string
	for i := range 2000 {
		name := fmt.Sprintf("public/%d/index.html", i)
		r.write(name, "")
		names = append(names, filepath.FromSlash(name))
	}
	for b.Loop() {
		readDates(context.Background(), names, git.Options{Dir: r.dir})
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/2000, "µs/file")
}
