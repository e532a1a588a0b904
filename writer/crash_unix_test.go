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

// TestMain also runs the helper processes of newHelperProcess, which are killed or have a full
// disk.
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

// crashSites is the number of different sites of crashSite.
const crashSites = 5

// crashSite returns site number i modulo crashSites and its options. The sites differ in size,
// split, formats and dates.
func crashSite(i int, dir string) (entryList, Options) {
	s := site(append(append(pagePaths("blog", 300), pagePaths("docs", 120)...), "", "about")...)
	o := fullOptions(dir)
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

// newHelperProcess returns a command that runs the test binary as helper run with the folder dir.
func newHelperProcess(t *testing.T, run, dir string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), "SITEWALK_TEST_RUN="+run, "SITEWALK_TEST_DIR="+dir)
	return cmd
}

// TestWriteAfterKill kills a process that writes sites. After each kill, the files must be
// consistent, and Write must write the same files as into an empty folder.
func TestWriteAfterKill(t *testing.T) {
	kills := testsite.Repeat(6, 100)
	fresh := make([]map[string]string, crashSites)
	for i := range fresh {
		s, o := crashSite(i, testsite.MemoryDir(t))
		mustWrite(t, s, o)
		fresh[i] = readTree(t, o.Dir)
	}
	dir := testsite.MemoryDir(t)
	r := rand.New(rand.NewPCG(1, 1))
	numUnfinished := 0 // number of kills that left temporary files
	// On a busy machine, many processes are killed before they write.
	for k := 0; k < kills || numUnfinished < kills/5 && k < 20*kills; k++ {
		killWriter(t, dir, time.Duration(r.IntN(60_000))*time.Microsecond)
		if requireConsistentFiles(t, dir, fresh) {
			numUnfinished++
		}
		s, o := crashSite(k, dir)
		mustWrite(t, s, o)
		got := readTree(t, dir)
		for name, text := range fresh[k%crashSites] {
			if got[name] != text && name != robotsFile {
				t.Fatalf("kill %d: %s differs from that of a fresh run", k, name)
			}
		}
		for name := range got {
			if strings.HasPrefix(filepath.Base(name), files.TempPrefix) {
				t.Errorf("kill %d: got temporary file %s, want none", k, name)
			}
		}
		if t.Failed() {
			return
		}
	}
	if t.Logf("%d kills left temporary files", numUnfinished); numUnfinished < kills/5 {
		t.Errorf("got %d kills during a write, want at least %d", numUnfinished, kills/5)
	}
}

// killWriter starts a process that writes one site after another, and kills the process after the
// given time.
func killWriter(t *testing.T, dir string, after time.Duration) {
	t.Helper()
	cmd := newHelperProcess(t, "forever", dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	if line, err := lines.ReadString('\n'); err != nil || line != "0\n" {
		t.Fatalf("output of the process: got %q, error %v, want 0", line, err)
	}
	time.AfterFunc(after, func() { _ = cmd.Process.Kill() })
	rest, _ := io.ReadAll(lines)
	_ = cmd.Wait()
	if strings.Contains(string(rest), " ") {
		t.Fatalf("output of the process: got %s, want only numbers", rest)
	}
}

// requireConsistentFiles checks that each file in dir is a file of one of the sites, and that each
// index names existing files. It reports whether there are temporary files.
func requireConsistentFiles(t *testing.T, dir string, fresh []map[string]string) (unfinished bool) {
	t.Helper()
	found := readTree(t, dir)
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
			t.Fatalf("%s is not a file of any site:\n%s", name, text)
		}
	}
	checkIndexes(t, found)
	return unfinished
}

// TestWriteKeepsFilesOnFullDisk checks that a failed write on a full disk changes and adds no file.
func TestWriteKeepsFilesOnFullDisk(t *testing.T) {
	dir := testsite.MemoryDir(t)
	s, o := crashSite(0, dir)
	mustWrite(t, s, o)
	before := readTree(t, dir)
	out, err := newHelperProcess(t, "full", dir).Output()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(out), syscall.EFBIG.Error()) || strings.Contains(string(out), files.TempPrefix) {
		t.Errorf("output of the process: got %s, want %v", out, syscall.EFBIG)
	}
	after := readTree(t, dir)
	for name, text := range before {
		if after[name] != text {
			t.Errorf("%s has changed", name)
		}
	}
	if len(after) != len(before) {
		t.Errorf("got files %s, want %s", fileNames(after), fileNames(before))
	}
}

func TestPrintReportsFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no /dev/full")
	}
	defer full.Close()
	for _, gz := range []string{"", "only"} {
		if _, err := Print(full, site(pagePaths("a", 100)...), Options{Base: base, Gzip: gz}); err == nil {
			t.Errorf("gzip %q: got no error, want one", gz)
		}
	}
}

// TestConcurrentWrites writes two sites into one folder at the same time. Afterwards, all files
// must belong to the same site.
func TestConcurrentWrites(t *testing.T) {
	t.Parallel()
	fresh := make([]map[string]string, crashSites)
	for i := range fresh {
		s, o := crashSite(i, testsite.MemoryDir(t))
		mustWrite(t, s, o)
		fresh[i] = readTree(t, o.Dir)
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
		got := readTree(t, dir)
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
			t.Fatalf("round %d: got files %s, want those of one run", round, fileNames(got))
		}
	}
}
