package hosting

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/robots"
	"github.com/sitewalk/sitewalk/internal/testsite"
	"github.com/sitewalk/sitewalk/mapping"
)

func TestMain(m *testing.M) {
	testsite.SpeedUp()
	m.Run()
}

// A world is a file in testdata/hosts. It contains a project, the input of Load, and the expected
// answer for each path.
type world struct {
	archive       *txtar.Archive
	root, publish fstest.MapFS
	env           map[string]string
	name, base    string
	dir           string // the publish directory
}

func readWorld(t *testing.T, file string) *world {
	t.Helper()
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	w := &world{archive: a, root: fstest.MapFS{}, publish: fstest.MapFS{}, env: map[string]string{}, dir: "public"}
	for _, f := range a.Files {
		text := strings.TrimSpace(string(f.Data))
		if name, ok := strings.CutPrefix(f.Name, "public/"); ok {
			w.publish[name] = &fstest.MapFile{Data: f.Data}
			continue
		}
		switch f.Name {
		case "HOST":
			w.name = text
		case "BASE":
			w.base = text
		case "PUBLISH":
			w.dir = text
		case "ENV":
			for line := range strings.Lines(text) {
				name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
				w.env[name] = value
			}
		case "PAGES":
			for name := range strings.FieldsSeq(text) {
				w.publish[name] = &fstest.MapFile{}
			}
		case "WANT":
		default:
			w.root[f.Name] = &fstest.MapFile{Data: f.Data}
		}
	}
	return w
}

func (w *world) load(t *testing.T) (*Host, diag.List) {
	t.Helper()
	in := Input{
		Root: w.root, Publish: w.publish, RootName: ".", PublishName: w.dir, Name: w.name,
		Getenv: func(name string) string { return w.env[name] },
	}
	if w.base != "" {
		var err error
		if in.Base, err = mapping.ParseBase(w.base); err != nil {
			t.Fatal(err)
		}
	}
	h, diags := Load(in)
	return h, diags
}

func (w *world) exists(file string) bool {
	_, ok := w.publish[file]
	return ok
}

// answer returns the host's answer for a path as one line.
func (w *world) answer(h *Host, urlPath string) string {
	var out []string
	if a, ok := h.OverridingRule(urlPath, w.exists); ok {
		to := a.To
		if a.File != "" {
			to = "to the content of " + a.File
		} else if to == "" {
			to = "nowhere"
		}
		out = append(out, fmt.Sprintf("redirect %s (%s)", to, a.Pos))
	} else if file, ok := h.ServedFile(urlPath, w.exists); ok {
		out = append(out, "200 "+file)
	} else {
		out = append(out, "-")
	}
	if a, ok := h.NoIndexRule(urlPath); ok {
		out = append(out, fmt.Sprintf("noindex (%s)", a.Pos))
	}
	if a, ok := h.DisallowRule(urlPath); ok {
		out = append(out, fmt.Sprintf("robots (%s)", a.Pos))
	}
	return strings.Join(out, ", ")
}

// want returns the new content of the part WANT: the host, the URL of each file, the answer for
// each path that old contains, and the findings.
func (w *world) want(t *testing.T, old string) string {
	h, diags := w.load(t)
	var b strings.Builder
	fmt.Fprintf(&b, "host %s: %s\n", h.Name(), h.Evidence())
	for line := range strings.Lines(old) {
		urlPath, _, ok := strings.Cut(strings.TrimSpace(line), " => ")
		switch {
		case strings.HasPrefix(line, "/"):
			urlPath = strings.TrimSuffix(urlPath, " =>")
			fmt.Fprintf(&b, "%s => %s\n", urlPath, w.answer(h, urlPath))
		case strings.HasPrefix(line, "file "):
			file := strings.TrimSuffix(strings.TrimPrefix(urlPath, "file "), " =>")
			fmt.Fprintf(&b, "file %s => %s\n", file, h.Style().URLPath(file))
		case !ok && (strings.HasPrefix(line, "#") || strings.TrimSpace(line) == ""):
			b.WriteString(line)
		}
	}
	for _, d := range diags.Sorted() {
		fmt.Fprintf(&b, "finding %s\n", d)
	}
	return b.String()
}

func TestHosts(t *testing.T) {
	files, _ := filepath.Glob("testdata/hosts/*.txtar")
	if len(files) < 10 {
		t.Fatalf("only %d files in testdata/hosts", len(files))
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			w := readWorld(t, file)
			for i, f := range w.archive.Files {
				if f.Name != "WANT" {
					continue
				}
				got := w.want(t, string(f.Data))
				if got == string(f.Data) {
					continue
				}
				if testsite.IsUpdating() {
					w.archive.Files[i].Data = []byte(got)
					if err := os.WriteFile(file, txtar.Format(w.archive), 0o644); err != nil {
						t.Fatal(err)
					}
					continue
				}
				t.Errorf("got\n%s\nwant\n%s", got, f.Data)
			}
		})
	}
}

// TestStyleIsServed checks that the host serves each file at the URL that its style gives. It tries
// all hosts and settings, and all subsets of a few files.
func TestStyleIsServed(t *testing.T) {
	files := []string{"index.html", "a.html", "b/index.html", "b/c.html", "v1.2/index.html", "v1.2.html", ".well-known/x/index.html", "d/index.htm", "e.xhtml"}
	for name, in := range settings() {
		h, diags := Load(in)
		if len(diags) > 0 {
			t.Fatalf("%s: %v", name, diags)
		}
		for mask := range 1 << len(files) {
			exists := func(file string) bool {
				for i, f := range files {
					if f == file {
						return mask>>i&1 == 1
					}
				}
				return false
			}
			for i, file := range files {
				urlPath := h.Style().URLPath(file)
				if got, ok := h.ServedFile(urlPath, exists); mask>>i&1 == 1 && (!ok || got != file) && !hasTwinFile(file, exists) {
					t.Errorf("%s: %s is mapped to %s, where the host serves %q, %v", name, file, urlPath, got, ok)
				}
			}
		}
	}
}

// hasTwinFile reports whether both v1.2.html and v1.2/index.html exist and file is one of them.
// Hosts serve only one of the two.
func hasTwinFile(file string, exists func(string) bool) bool {
	return strings.HasPrefix(file, "v1.2") && exists("v1.2.html") && exists("v1.2/index.html")
}

// settings returns inputs for all hosts, with all settings that determine URLs.
func settings() map[string]Input {
	all := map[string]Input{}
	for _, name := range Names()[1:] {
		all[name] = Input{Name: name, Root: fstest.MapFS{}, Publish: fstest.MapFS{}}
	}
	for _, clean := range []string{"", `"cleanUrls": true,`} {
		for _, slash := range []string{"", `"trailingSlash": true,`, `"trailingSlash": false,`} {
			src := "{" + clean + slash + `"version": 2}`
			all["vercel "+src] = Input{Name: "vercel", Root: fstest.MapFS{"vercel.json": {Data: []byte(src)}}}
		}
	}
	for _, v := range []string{"auto-trailing-slash", "force-trailing-slash", "drop-trailing-slash", "none"} {
		src := "[assets]\ndirectory = \"public\"\nhtml_handling = \"" + v + "\"\n"
		all["wrangler "+v] = Input{Name: "cloudflare", Root: fstest.MapFS{"wrangler.toml": {Data: []byte(src)}}}
	}
	for _, clean := range []string{"", `"cleanUrls": true,`} {
		for _, slash := range []string{"", `"trailingSlash": true,`, `"trailingSlash": false,`} {
			src := `{"hosting": {` + clean + slash + `"public": "."}}`
			all["firebase "+src] = Input{Name: "firebase", Root: fstest.MapFS{"firebase.json": {Data: []byte(src)}}}
		}
	}
	for _, v := range []string{"always", "never", "auto"} {
		src := `{"trailingSlash": "` + v + `"}`
		all["azure "+v] = Input{Name: "azure", Root: fstest.MapFS{"staticwebapp.config.json": {Data: []byte(src)}}}
	}
	off := "[build.processing.html]\npretty_urls = false\n"
	all["netlify without pretty URLs"] = Input{Name: "netlify", Root: fstest.MapFS{"netlify.toml": {Data: []byte(off)}}}
	return all
}

func TestUnknown(t *testing.T) {
	h := Unknown
	_, redirect := h.OverridingRule("/", noFile)
	_, hasNoIndex := h.NoIndexRule("/")
	_, disallowed := h.DisallowRule("/")
	_, serves := h.ServedFile("/", noFile)
	if redirect || hasNoIndex || disallowed || serves || h.IsKnown() || h.Name() != "none" || h.Evidence() != "" || h.Style() != (mapping.Style{}) {
		t.Error("an unknown host says something")
	}
}

func TestUnreadableAndOddFiles(t *testing.T) {
	publish := fstest.MapFS{
		"_redirects": {Mode: fs.ModeDir},
		"_headers":   {Mode: fs.ModeNamedPipe},
		"robots.txt": {Data: []byte("User-agent: *\nDisallow: /a\n#" + strings.Repeat("x", robots.MaxBytes) + "\nDisallow: /b\n")},
	}
	h, diags := Load(Input{Name: "netlify", Publish: publish, PublishName: "public"})
	if len(diags) != 1 || diags[0].Code != "oversized" {
		t.Fatalf("%v", diags)
	}
	if _, ok := h.DisallowRule("/a"); !ok {
		t.Error("the line before the limit does not count")
	}
	if _, ok := h.DisallowRule("/b"); ok {
		t.Error("the line after the limit counts")
	}
}

func TestPreview(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		want string
	}{
		{map[string]string{"NETLIFY": "true", "CONTEXT": "deploy-preview"}, "CONTEXT=deploy-preview"},
		{map[string]string{"NETLIFY": "true", "CONTEXT": "production"}, ""},
		{map[string]string{"CONTEXT": "deploy-preview"}, ""},
		{map[string]string{"VERCEL_ENV": "preview"}, "VERCEL_ENV=preview"},
		{map[string]string{"VERCEL_ENV": "production"}, ""},
		{map[string]string{"CF_PAGES_BRANCH": "feature"}, "CF_PAGES_BRANCH=feature"},
		{map[string]string{"CF_PAGES_BRANCH": "main"}, ""},
		{map[string]string{"READTHEDOCS_VERSION_TYPE": "external"}, "READTHEDOCS_VERSION_TYPE=external"},
		{map[string]string{"READTHEDOCS_VERSION_TYPE": "branch"}, ""},
		{map[string]string{"WORKERS_CI_BRANCH": "x"}, "WORKERS_CI_BRANCH=x"},
		{nil, ""},
	} {
		what, yes := IsPreview(func(name string) string { return c.env[name] })
		if what != c.want || yes != (c.want != "") {
			t.Errorf("%v: %q, %v, want %q", c.env, what, yes, c.want)
		}
	}
}
