//go:build unix

package writer

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/testsite"
	"github.com/sitewalk/sitewalk/sitemap"
)

// TestMain lets the test binary be the process that is killed or runs out of
// space.
func TestMain(m *testing.M) {
	dir := os.Getenv("SITEWALK_TEST_DIR")
	switch os.Getenv("SITEWALK_TEST_RUN") {
	case "forever":
		for i := 0; ; i++ {
			s, o := crashSite(i, dir)
			if _, err := Write(context.Background(), s, o); err != nil {
				fmt.Println(err)
				os.Exit(1)
			}
			fmt.Println(i)
		}
	case "full":
		signal.Ignore(syscall.SIGXFSZ)
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 4096, Max: 4096}); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		s, o := crashSite(1, dir)
		_, err := Write(context.Background(), s, o)
		fmt.Println(err)
		os.Exit(0)
	}
	testsite.SpeedUp()
	os.Exit(m.Run())
}

const crashSites = 5

// crashSite returns the i-th site of a round, and how it is written: large and
// small, cut in one way and another.
func crashSite(i int, dir string) (slice, Options) {
	s := site(append(append(many("blog", 300), many("docs", 120)...), "", "about")...)
	o := everything(dir)
	o.MaxURLs = 50
	switch i % crashSites {
	case 1:
		s = s[:200]
	case 2:
		s = s[:3]
	case 3:
		o.Split = "none"
	case 4:
		o.Formats = []string{"rss", "atom"}
	}
	for j := range s {
		s[j].LastMod = sitemap.DayOf(time.Date(2024, 1, 1+i%crashSites, 0, 0, 0, 0, time.UTC))
	}
	return s, o
}

// again starts the test binary again, to do what run says in dir.
func again(t *testing.T, run, dir string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), "SITEWALK_TEST_RUN="+run, "SITEWALK_TEST_DIR="+dir)
	return cmd
}

func TestWriteKilled(t *testing.T) {
	kills := testsite.Repeat(6, 100)
	fresh := make([]map[string]string, crashSites)
	for i := range fresh {
		s, o := crashSite(i, testsite.MemoryDir(t))
		write(t, s, o)
		fresh[i] = tree(t, o.Dir)
	}
	dir := testsite.MemoryDir(t)
	r := rand.New(rand.NewPCG(1, 1))
	cut := 0 // runs that were killed with something unfinished
	// A busy machine lets a process do little before it is killed.
	for k := 0; k < kills || cut < kills/5 && k < 20*kills; k++ {
		kill(t, dir, time.Duration(r.IntN(60_000))*time.Microsecond)
		if consistent(t, dir, fresh) {
			cut++
		}
		s, o := crashSite(k, dir)
		write(t, s, o)
		got := tree(t, dir)
		for name, text := range fresh[k%crashSites] {
			if got[name] != text && name != robotsFile {
				t.Fatalf("kill %d: %s is not what a fresh run writes", k, name)
			}
		}
		for name := range got {
			if strings.HasPrefix(filepath.Base(name), files.TempPrefix) {
				t.Errorf("kill %d: %s is left behind", k, name)
			}
		}
		if t.Failed() {
			return
		}
	}
	if t.Logf("%d kills left something unfinished", cut); cut < kills/5 {
		t.Error("the test proves little")
	}
}

// kill starts a process that writes one site after another, and kills it.
func kill(t *testing.T, dir string, after time.Duration) {
	t.Helper()
	cmd := again(t, "forever", dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	if line, err := lines.ReadString('\n'); err != nil || line != "0\n" {
		t.Fatalf("the process says %q: %v", line, err)
	}
	time.AfterFunc(after, func() { _ = cmd.Process.Kill() })
	rest, _ := io.ReadAll(lines)
	_ = cmd.Wait()
	if strings.Contains(string(rest), " ") {
		t.Fatalf("the process says %s", rest)
	}
}

// consistent fails unless every file of dir is as one of the runs writes it,
// and each index names files that are there. It reports whether the run that
// was killed left something unfinished.
func consistent(t *testing.T, dir string, fresh []map[string]string) (unfinished bool) {
	t.Helper()
	found := tree(t, dir)
	whole := 0
	for name, text := range found {
		if strings.HasPrefix(filepath.Base(name), files.TempPrefix) {
			unfinished = true
			continue
		}
		ok := name == robotsFile
		for _, f := range fresh {
			ok = ok || f[name] == text
		}
		if !ok {
			t.Fatalf("%s is neither old nor new:\n%s", name, text)
		}
		whole++
	}
	checkIndexes(t, found)
	return unfinished
}

// A disk that fills up leaves the old files, and nothing else.
func TestWriteFullDisk(t *testing.T) {
	dir := testsite.MemoryDir(t)
	s, o := crashSite(0, dir)
	write(t, s, o)
	before := tree(t, dir)
	out, err := again(t, "full", dir).Output()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(out), syscall.EFBIG.Error()) || strings.Contains(string(out), files.TempPrefix) {
		t.Errorf("the process says %s", out)
	}
	after := tree(t, dir)
	for name, text := range before {
		if after[name] != text {
			t.Errorf("%s changed", name)
		}
	}
	if len(after) != len(before) {
		t.Errorf("left behind: %s", namesIn(after))
	}
}

func TestPrintFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no /dev/full here")
	}
	defer full.Close()
	for _, gz := range []string{"", "only"} {
		if _, err := Print(full, site(many("a", 100)...), Options{Base: base, Gzip: gz}); err == nil {
			t.Errorf("gzip %q: no error", gz)
		}
	}
}

// Runs with different settings take turns: whatever is there is all of one of them.
func TestWritesAtOnce(t *testing.T) {
	t.Parallel()
	fresh := make([]map[string]string, crashSites)
	for i := range fresh {
		s, o := crashSite(i, testsite.MemoryDir(t))
		write(t, s, o)
		fresh[i] = tree(t, o.Dir)
	}
	dir := testsite.MemoryDir(t)
	for round := range testsite.Repeat(5, 100) {
		var both sync.WaitGroup
		for i := range 2 {
			both.Go(func() {
				s, o := crashSite(round+i, dir)
				if _, err := Write(t.Context(), s, o); err != nil {
					t.Error(err)
				}
			})
		}
		both.Wait()
		got := tree(t, dir)
		same := func(want map[string]string) bool {
			for name := range got {
				if _, ok := want[name]; !ok {
					return false
				}
			}
			for name, text := range want {
				if got[name] != text && name != robotsFile {
					return false
				}
			}
			return true
		}
		if !same(fresh[round%crashSites]) && !same(fresh[(round+1)%crashSites]) {
			t.Fatalf("round %d: files of both: %s", round, namesIn(got))
		}
	}
}
