package walker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"golang.org/x/sys/unix"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

// newHostileTree creates a tree with unusual files and changes to its parent folder. The path is
// then short enough for a socket, and the user of runUnprivileged can reach the tree.
func newHostileTree(t *testing.T) (root string) {
	t.Helper()
	base := t.TempDir()
	t.Cleanup(func() {
		filepath.WalkDir(base, func(path string, d fs.DirEntry, _ error) error {
			if d != nil && d.IsDir() {
				os.Chmod(path, 0o755)
			}
			return nil
		})
	})
	must(t, os.Chmod(base, 0o755))
	t.Chdir(base)
	root = "public"
	for _, name := range []string{
		"index.html", "a/index.html", "a/b/c/page.HTM", "a/x.css", "v2/index.html", "v2/deep/page.html", "v2/.git/x.html",
		"names/new\nline.html", "names/esc\x1b[31m.html", "names/\xff\xfe.html", "names/\xff dir/x.html", "names/-rf.html",
		"names/ .html", "names/a&b<c>\"'%#?.html", "names/\u00fc.html", "names/u\u0308.html", "names/back\\slash.html",
		"names/dir.html/page.html", ".git/x.html", "node_modules/x.html", ".well-known/x.html", ".x.html", "names/..x.html",
		"locked/x.html", "locked/y/z.html", "unlisted/x.html", "private.html", "../outside/secret.html",
	} {
		must(t, writeFile(root, name))
	}
	for link, target := range map[string]string{
		"latest": "v2", "stable": "latest", "link.html": "a/index.html", "a/up.html": "../v2/index.html", "v2/nested": "../a",
		"loop": ".", "a/loop": "..", "a/b/loop": "../../a", "self": "self", "self.html": "self.html", "ping.html": "pong.html",
		"pong.html": "ping.html", "broken": "nowhere", "broken.html": "nowhere.html", "out": "../outside", "out.html": "../outside/secret.html",
		"detour.html": "../public/index.html", "hidden.html": ".git/x.html", "folder.html": "a", "pipelink.html": "pipe.html",
		"style.css": "../outside/secret.html", "devnull.html": "/dev/null", "long.html": strings.Repeat("./", 1500) + "index.html",
	} {
		must(t, os.Symlink(target, filepath.Join(root, link)))
	}
	must(t, syscall.Mkfifo(filepath.Join(root, "pipe.html"), 0o666))
	must(t, syscall.Mkfifo(filepath.Join(root, "pipe"), 0o666))
	if l, err := net.Listen("unix", filepath.Join(root, "s.html")); err == nil {
		t.Cleanup(func() { l.Close() })
	}
	addDeepFolders(t, root)
	must(t, os.Chmod(filepath.Join(root, "locked"), 0))
	must(t, os.Chmod(filepath.Join(root, "unlisted"), 0o311))
	must(t, os.Chmod(filepath.Join(root, "private.html"), 0))
	return root
}

// addDeepFolders creates nested folders, until their path is much longer than maxPath.
func addDeepFolders(t *testing.T, root string) {
	t.Helper()
	at, err := os.OpenRoot(root)
	must(t, err)
	name := "deep" + strings.Repeat("d", 196)
	for range 40 {
		must(t, at.Mkdir(name, 0o755))
		below, err := at.OpenRoot(name)
		must(t, err)
		f, err := below.Create("page.html")
		must(t, err)
		f.Close()
		at.Close()
		at = below
	}
	at.Close()
}

// runUnprivileged runs f as a user that cannot read all files, even if the test runs as root.
func runUnprivileged(t *testing.T, f func()) {
	t.Helper()
	if os.Geteuid() == 0 {
		must(t, syscall.Setreuid(-1, 65534))
		defer func() { must(t, syscall.Setreuid(-1, 0)) }()
	}
	f()
}

// A walkResult contains the content of each visited file, or the reason why it cannot be read, and
// the findings of a walk.
type walkResult struct {
	files map[string]string
	diags []string
}

// record adds the file f.
func (s *walkResult) record(mu *sync.Mutex, f *File) {
	data, err := io.ReadAll(f)
	content := string(data)
	switch {
	case errors.Is(err, fs.ErrPermission):
		content = "permission denied"
	case err != nil:
		content = "cannot be read"
	}
	if info, err := f.Stat(); err == nil && info.Size() != int64(len(data)) {
		content += ", other size in Stat"
	}
	mu.Lock()
	defer mu.Unlock()
	if _, ok := s.files[f.Path]; ok {
		content += ", visited twice"
	}
	s.files[f.Path] = content
}

// walkTree walks tree and returns the result.
func walkTree(t *testing.T, tree Tree, o Options) walkResult {
	t.Helper()
	s := walkResult{files: map[string]string{}}
	var mu sync.Mutex
	diags, err := tree.Walk(context.Background(), o, func(_ int, f *File) { s.record(&mu, f) })
	must(t, err)
	for _, d := range diags {
		s.diags = append(s.diags, d.Pos.File+": "+d.Code)
	}
	return s
}

// withValidUTF8 returns the files and findings with valid UTF-8 paths. Package fs allows no others.
func (s walkResult) withValidUTF8() walkResult {
	isInvalid := func(path string) bool { return !utf8.ValidString(path) }
	s.files = maps.Clone(s.files)
	maps.DeleteFunc(s.files, func(path, _ string) bool { return isInvalid(path) })
	s.diags = slices.DeleteFunc(slices.Clone(s.diags), isInvalid)
	return s
}

// requireEqualResults fails the test if the two results differ.
func requireEqualResults(t *testing.T, name string, got, want walkResult) {
	t.Helper()
	for _, path := range slices.Sorted(maps.Keys(want.files)) {
		if g, ok := got.files[path]; !ok || g != want.files[path] {
			t.Errorf("%s: %q: got %q (%v), want %q", name, path, g, ok, want.files[path])
		}
	}
	for _, path := range slices.Sorted(maps.Keys(got.files)) {
		if _, ok := want.files[path]; !ok {
			t.Errorf("%s: got a visit of %q, want none", name, path)
		}
	}
	for _, d := range want.diags {
		if !slices.Contains(got.diags, d) {
			t.Errorf("%s: got no finding %.99q, want one", name, d)
		}
	}
	for _, d := range got.diags {
		if !slices.Contains(want.diags, d) {
			t.Errorf("%s: got finding %.99q, want none", name, d)
		}
	}
	if len(got.diags) != len(want.diags) {
		t.Errorf("%s: got %d findings, want %d", name, len(got.diags), len(want.diags))
	}
}

// hostilePages are the pages of the hostile tree, except those in the deep folders.
var hostilePages = map[string]string{
	"index.html": "content of index.html", "a/index.html": "content of index.html", "a/b/c/page.HTM": "content of page.HTM",
	"a/up.html": "content of index.html", "v2/index.html": "content of index.html", "v2/deep/page.html": "content of page.html",
	"v2/nested/index.html": "content of index.html", "v2/nested/b/c/page.HTM": "content of page.HTM",
	"v2/nested/up.html": "content of index.html", "latest/index.html": "content of index.html",
	"latest/deep/page.html": "content of page.html", "stable/index.html": "content of index.html",
	"stable/deep/page.html": "content of page.html", "folder.html/index.html": "content of index.html",
	"folder.html/b/c/page.HTM": "content of page.HTM", "folder.html/up.html": "content of index.html",
	"link.html": "content of index.html", "detour.html": "content of index.html", "long.html": "content of index.html",
	"hidden.html": "content of x.html", ".well-known/x.html": "content of x.html", "private.html": "permission denied",
	"names/new\nline.html": "content of new\nline.html", "names/esc\x1b[31m.html": "content of esc\x1b[31m.html",
	"names/\xff\xfe.html": "content of \xff\xfe.html", "names/\xff dir/x.html": "content of x.html", "names/-rf.html": "content of -rf.html",
	"names/ .html": "content of  .html", "names/a&b<c>\"'%#?.html": "content of a&b<c>\"'%#?.html", "names/\u00fc.html": "content of \u00fc.html",
	"names/u\u0308.html": "content of u\u0308.html", "names/back\\slash.html": "content of back\\slash.html",
	"names/dir.html/page.html": "content of page.html",
}

// wantHostileTree returns the expected result of a walk of the hostile tree.
func wantHostileTree() walkResult {
	s := walkResult{files: maps.Clone(hostilePages)}
	name := "deep" + strings.Repeat("d", 196)
	path := name
	for ; len(path) <= maxPath; path += "/" + name {
		s.files[path+"/page.html"] = ""
	}
	s.diags = []string{
		"a/b/loop: link-loop", "a/loop: link-loop", "broken.html: broken-link", path + ": path-too-long", "devnull.html: outside-link",
		"folder.html/b/loop: link-loop", "folder.html/loop: link-loop", "latest/nested: nested-link", "locked: unreadable-folder",
		"loop: link-loop", "out.html: outside-link", "out: outside-link", "ping.html: broken-link", "pipe.html: special-file",
		"pipelink.html: special-file", "pong.html: broken-link", "s.html: special-file", "self.html: broken-link",
		"stable/nested: nested-link", "unlisted: unreadable-folder", "v2/nested/b/loop: link-loop", "v2/nested/loop: link-loop",
	}
	return s
}

// TestWalkSurvivesHostileTree checks the visited files and the findings of a walk of the hostile
// tree.
func TestWalkSurvivesHostileTree(t *testing.T) {
	root := newHostileTree(t)
	want := wantHostileTree()
	for i := range testsite.Repeat(300, 10_000) {
		path := fmt.Sprintf("many/%d.html", i)
		must(t, writeFile(root, path))
		want.files[path] = fmt.Sprintf("content of %d.html", i)
	}
	device := os.Geteuid() == 0 && unix.Mknod(filepath.Join(root, "device.html"), syscall.S_IFCHR|0o666, 0x103) == nil
	if device {
		want.diags = append(want.diags, "device.html: special-file")
	}
	slices.Sort(want.diags)
	runUnprivileged(t, func() {
		for name, tree := range hostileTrees(root) {
			for _, jobs := range []int{0, 1, 2} {
				got := walkTree(t, tree, Options{Jobs: jobs})
				slices.Sort(got.diags)
				want := want
				if name == "portable" {
					got, want = got.withValidUTF8(), want.withValidUTF8()
				}
				requireEqualResults(t, name, got, want)
			}
		}
	})
}

// hostileTrees returns each kind of Tree for the folder root.
func hostileTrees(root string) map[string]Tree {
	untyped := untypedSource{Dir(root).source}
	return map[string]Tree{"native": Dir(root), "untyped": {untyped, root}, "portable": portableDir(root)}
}

// TestVisitFileFindsFilesOfWalk checks that VisitFile finds each file that a walk of the hostile
// tree visits, and no other path.
func TestVisitFileFindsFilesOfWalk(t *testing.T) {
	root := newHostileTree(t)
	want := wantHostileTree()
	missing := []string{
		"", ".", "..", "/", "/index.html", "a//index.html", "a/", "a", "a/./index.html", "../outside/secret.html", "missing.html", "a/index.html/x.html",
		"loop/index.html", "a/loop/index.html", "out/secret.html", "out.html", "latest/nested/index.html", "broken.html", "pipe.html",
		"locked/x.html", "unlisted/x.html", "a/x.css", "node_modules/x.html", ".git/x.html", "names/dir.html", "link.html/x.html",
	}
	runUnprivileged(t, func() {
		for name, tree := range hostileTrees(root) {
			got := walkResult{files: map[string]string{}}
			var mu sync.Mutex
			visit := func(f *File) { got.record(&mu, f) }
			for path := range want.files {
				found, _, err := tree.VisitFile(context.Background(), Options{}, path, visit)
				if err != nil || !found && (name != "portable" || utf8.ValidString(path)) {
					t.Errorf("%s: VisitFile(%q): got found %v, error %v, want true", name, path, found, err)
				}
			}
			for _, path := range missing {
				if found, _, err := tree.VisitFile(context.Background(), Options{}, path, visit); found || err != nil {
					t.Errorf("%s: VisitFile(%q): got found %v, error %v, want false", name, path, found, err)
				}
			}
			want := walkResult{files: want.files}
			if name == "portable" {
				got, want = got.withValidUTF8(), want.withValidUTF8()
			}
			requireEqualResults(t, name, got, want)
		}
	})
}

// TestVisitFileReportsFindings checks the findings of VisitFile about the visited path.
func TestVisitFileReportsFindings(t *testing.T) {
	root := newHostileTree(t)
	runUnprivileged(t, func() {
		for path, code := range map[string]string{
			"locked/x.html": "unreadable-folder", "out/secret.html": "outside-link", "out.html": "outside-link", "pipe.html": "special-file",
			"a/loop/index.html": "link-loop", "index.html": "", "missing.html": "",
		} {
			for name, tree := range hostileTrees(root) {
				_, diags, err := tree.VisitFile(context.Background(), Options{}, path, func(*File) {})
				must(t, err)
				var codes []string
				for _, d := range diags {
					codes = append(codes, d.Code)
				}
				if strings.Join(codes, " ") != code {
					t.Errorf("%s: %s: got %q, want %q", name, path, codes, code)
				}
			}
		}
	})
}

// TestWalkKeepsAccessTimes checks that a walk does not change the access times of files and
// folders.
func TestWalkKeepsAccessTimes(t *testing.T) {
	root := t.TempDir()
	must(t, writeFile(root, "a/index.html"))
	old := time.Unix(1_000_000_000, 0)
	for _, name := range []string{"a/index.html", "a"} {
		must(t, os.Chtimes(filepath.Join(root, name), old, time.Now()))
	}
	walkTree(t, Dir(root), Options{})
	for _, name := range []string{"a/index.html", "a"} {
		var st unix.Stat_t
		must(t, unix.Stat(filepath.Join(root, name), &st))
		if got := time.Unix(st.Atim.Unix()); !got.Equal(old) {
			t.Errorf("%s: got access time %v, want %v", name, got, old)
		}
	}
}

type (
	rawSource = source
	rawFolder = folder
)

// An untypedSource is a source for a file system whose folder entries have no kind.
type untypedSource struct{ rawSource }

func (s untypedSource) openFolderAt(real string) (folder, error) {
	return untyped(s.rawSource.openFolderAt(real))
}

func untyped(d folder, err error) (folder, error) {
	if err != nil {
		return nil, err
	}
	return untypedFolder{d}, nil
}

type untypedFolder struct{ rawFolder }

func (d untypedFolder) readNextEntries(buf *buffer) error {
	err := d.rawFolder.readNextEntries(buf)
	for i := range buf.entries {
		buf.entries[i].kind = unknown
	}
	return err
}

func (d untypedFolder) openFolder(name string) (folder, error) {
	return untyped(d.rawFolder.openFolder(name))
}
