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

// hostile makes a tree with everything in it that a walk must survive, and goes
// to it: the folders above may be closed to other users, whom asNobody stands
// for, and their names too long for a socket's.
func hostile(t *testing.T) (root string) {
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
		must(t, write(root, name))
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
	deep(t, root)
	must(t, os.Chmod(filepath.Join(root, "locked"), 0))
	must(t, os.Chmod(filepath.Join(root, "unlisted"), 0o311))
	must(t, os.Chmod(filepath.Join(root, "private.html"), 0))
	return root
}

// deep nests folders far beyond what a path may have.
func deep(t *testing.T, root string) {
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

// asNobody runs f without root's right to read everything.
func asNobody(t *testing.T, f func()) {
	t.Helper()
	if os.Geteuid() == 0 {
		must(t, syscall.Setreuid(-1, 65534))
		defer func() { must(t, syscall.Setreuid(-1, 0)) }()
	}
	f()
}

// A seen is what a walk says of a tree: the content of each file, or why it
// cannot be read, and the findings.
type seen struct {
	files map[string]string
	diags []string
}

func (s *seen) visit(mu *sync.Mutex, f *File) {
	data, err := io.ReadAll(f)
	says := string(data)
	switch {
	case errors.Is(err, fs.ErrPermission):
		says = "permission denied"
	case err != nil:
		says = "cannot be read"
	}
	if info, err := f.Stat(); err == nil && info.Size() != int64(len(data)) {
		says += " but has another size"
	}
	mu.Lock()
	defer mu.Unlock()
	if _, twice := s.files[f.Path]; twice {
		says += ", twice"
	}
	s.files[f.Path] = says
}

func survey(t *testing.T, tree Tree, o Options) seen {
	t.Helper()
	s := seen{files: map[string]string{}}
	var mu sync.Mutex
	diags, err := tree.Walk(context.Background(), o, func(_ int, f *File) { s.visit(&mu, f) })
	must(t, err)
	for _, d := range diags {
		s.diags = append(s.diags, d.Pos.File+": "+d.Code)
	}
	return s
}

// portably returns the part with valid UTF-8 paths, as package fs requires.
func (s seen) portably() seen {
	not := func(path string) bool { return !utf8.ValidString(path) }
	s.files = maps.Clone(s.files)
	maps.DeleteFunc(s.files, func(path, _ string) bool { return not(path) })
	s.diags = slices.DeleteFunc(slices.Clone(s.diags), not)
	return s
}

func compare(t *testing.T, name string, got, want seen) {
	t.Helper()
	for _, path := range slices.Sorted(maps.Keys(want.files)) {
		if g, ok := got.files[path]; !ok || g != want.files[path] {
			t.Errorf("%s: %q: got %q (%v), want %q", name, path, g, ok, want.files[path])
		}
	}
	for _, path := range slices.Sorted(maps.Keys(got.files)) {
		if _, ok := want.files[path]; !ok {
			t.Errorf("%s: %q is delivered", name, path)
		}
	}
	for _, d := range want.diags {
		if !slices.Contains(got.diags, d) {
			t.Errorf("%s: no finding %.99q", name, d)
		}
	}
	for _, d := range got.diags {
		if !slices.Contains(want.diags, d) {
			t.Errorf("%s: finding %.99q", name, d)
		}
	}
	if len(got.diags) != len(want.diags) {
		t.Errorf("%s: %d findings, want %d", name, len(got.diags), len(want.diags))
	}
}

// hostilePages are the pages of the hostile tree besides the deep ones.
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

func hostileWant() seen {
	s := seen{files: maps.Clone(hostilePages)}
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

func TestHostileTree(t *testing.T) {
	root := hostile(t)
	want := hostileWant()
	for i := range testsite.Repeat(300, 10_000) {
		path := fmt.Sprintf("many/%d.html", i)
		must(t, write(root, path))
		want.files[path] = fmt.Sprintf("content of %d.html", i)
	}
	device := os.Geteuid() == 0 && unix.Mknod(filepath.Join(root, "device.html"), syscall.S_IFCHR|0o666, 0x103) == nil
	if device {
		want.diags = append(want.diags, "device.html: special-file")
	}
	slices.Sort(want.diags)
	asNobody(t, func() {
		for name, tree := range hostileTrees(root) {
			for _, jobs := range []int{0, 1, 2} {
				got := survey(t, tree, Options{Jobs: jobs})
				slices.Sort(got.diags)
				want := want
				if name == "portable" {
					got, want = got.portably(), want.portably()
				}
				compare(t, name, got, want)
			}
		}
	})
}

func hostileTrees(root string) map[string]Tree {
	untyped := untypedSource{Dir(root).source}
	return map[string]Tree{"native": Dir(root), "untyped": {untyped, root}, "portable": portableDir(root)}
}

// TestVisitHostile compares Visit with Walk for every path that there is.
func TestVisitHostile(t *testing.T) {
	root := hostile(t)
	want := hostileWant()
	no := []string{
		"", ".", "..", "/", "/index.html", "a//index.html", "a/", "a", "a/./index.html", "../outside/secret.html", "missing.html", "a/index.html/x.html",
		"loop/index.html", "a/loop/index.html", "out/secret.html", "out.html", "latest/nested/index.html", "broken.html", "pipe.html",
		"locked/x.html", "unlisted/x.html", "a/x.css", "node_modules/x.html", ".git/x.html", "names/dir.html", "link.html/x.html",
	}
	asNobody(t, func() {
		for name, tree := range hostileTrees(root) {
			got := seen{files: map[string]string{}}
			var mu sync.Mutex
			visit := func(f *File) { got.visit(&mu, f) }
			for path := range want.files {
				found, _, err := tree.Visit(context.Background(), Options{}, path, visit)
				if err != nil || !found && (name != "portable" || utf8.ValidString(path)) {
					t.Errorf("%s: %q is not found: %v", name, path, err)
				}
			}
			for _, path := range no {
				if found, _, err := tree.Visit(context.Background(), Options{}, path, visit); found || err != nil {
					t.Errorf("%s: %q is found: %v, %v", name, path, found, err)
				}
			}
			want := seen{files: want.files}
			if name == "portable" {
				got, want = got.portably(), want.portably()
			}
			compare(t, name, got, want)
		}
	})
}

func TestVisitFindings(t *testing.T) {
	root := hostile(t)
	asNobody(t, func() {
		for path, code := range map[string]string{
			"locked/x.html": "unreadable-folder", "out/secret.html": "outside-link", "out.html": "outside-link", "pipe.html": "special-file",
			"a/loop/index.html": "link-loop", "index.html": "", "missing.html": "",
		} {
			for name, tree := range hostileTrees(root) {
				_, diags, err := tree.Visit(context.Background(), Options{}, path, func(*File) {})
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

// TestReadingLeavesNoTrace reads a file and a folder of its own user's.
func TestReadingLeavesNoTrace(t *testing.T) {
	root := t.TempDir()
	must(t, write(root, "a/index.html"))
	old := time.Unix(1_000_000_000, 0)
	for _, name := range []string{"a/index.html", "a"} {
		must(t, os.Chtimes(filepath.Join(root, name), old, time.Now()))
	}
	survey(t, Dir(root), Options{})
	for _, name := range []string{"a/index.html", "a"} {
		var st unix.Stat_t
		must(t, unix.Stat(filepath.Join(root, name), &st))
		if got := time.Unix(st.Atim.Unix()); !got.Equal(old) {
			t.Errorf("%s was last accessed at %v, want %v", name, got, old)
		}
	}
}

type (
	rawSource = source
	rawFolder = folder
)

// An untypedSource is a source of a file system that does not tell the kinds of entries.
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
