package fetch

import (
	"bytes"
	"compress/gzip"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/diag"
)

const head = `<?xml version="1.0" encoding="UTF-8"?>` + "\n"

func set(locs ...string) string {
	s := head + `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n"
	for _, l := range locs {
		s += "<url><loc>" + l + "</loc><lastmod>2024-01-02</lastmod></url>\n"
	}
	return s + "</urlset>\n"
}

func index(locs ...string) string {
	var b strings.Builder
	b.WriteString(head + `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n")
	for _, l := range locs {
		b.WriteString("<sitemap><loc>" + l + "</loc></sitemap>\n")
	}
	return b.String() + "</sitemapindex>\n"
}

func zipped(s string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write([]byte(s))
	_ = w.Close()
	return b.String()
}

func folder(t *testing.T, files map[string]string) string {
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestReadListOfFiles(t *testing.T) {
	const a, b, c = "https://example.com/a", "https://example.com/b", "https://example.com/c"
	tests := []struct {
		name  string
		files map[string]string
		from  string
		want  []string
		codes []string
		fails string
	}{
		{name: "url set", files: map[string]string{"s.xml": set(a, b)}, from: "s.xml", want: []string{a, b}},
		{name: "gzip", files: map[string]string{"s.xml.gz": zipped(set(a))}, from: "s.xml.gz", want: []string{a}},
		{name: "text", files: map[string]string{"s.txt": a + "\n" + b + "\n"}, from: "s.txt", want: []string{a, b}},
		{
			name: "glob", files: map[string]string{"x/s.xml": set(a), "y/s.xml": set(b, a)}, from: "*/s.xml",
			want: []string{a, b, a},
		},
		{
			name: "index", from: "sitemap.xml", want: []string{a, b},
			files: map[string]string{
				"sitemap.xml": index("https://example.com/docs/s-1.xml", "https://example.com/docs/sub/s-2.xml.gz"),
				"s-1.xml":     set(a), "sub/s-2.xml.gz": zipped(set(b)),
			},
		},
		{
			name: "index of itself, or of another by the same name", from: "s.xml", want: []string{a}, codes: []string{"missing-sitemap"},
			files: map[string]string{"s.xml": index("https://example.com/s.xml", "https://example.com/t.xml"), "t.xml": set(a)},
		},
		{
			name: "index of files that were compressed or not since", from: "s.xml", want: []string{a, b},
			files: map[string]string{
				"s.xml":    index("https://example.com/1.xml", "https://example.com/2.xml.gz"),
				"1.xml.gz": zipped(set(a)), "2.xml": set(b),
			},
		},
		{
			name: "indexes of each other", from: "s.xml", want: []string{a},
			files: map[string]string{"s.xml": index("https://example.com/t.xml"), "t.xml": index("https://example.com/s.xml", "https://example.com/u.xml"), "u.xml": set(a)},
		},
		{
			name: "child is missing", files: map[string]string{"s.xml": index("https://example.com/gone.xml", "https://example.com/t.xml"), "t.xml": set(c)},
			from: "s.xml", want: []string{c}, codes: []string{"missing-sitemap"},
		},
		{name: "no such file", from: "s.xml", fails: "no such file"},
		{name: "not a sitemap", files: map[string]string{"s.xml": "<html><body>404</body></html>"}, from: "s.xml", fails: "s.xml"},
		{
			name: "cut-off index", from: "s.xml", want: []string{a}, codes: []string{"missing-sitemap"}, fails: "s.xml: line",
			files: map[string]string{"s.xml": strings.TrimSuffix(index("https://example.com/gone.xml", "https://example.com/t.xml"), "</sitemapindex>\n"), "t.xml": set(a)},
		},
		{name: "cut off", want: []string{a, b}, files: map[string]string{"s.xml": strings.TrimSuffix(set(a, b), "</urlset>\n")}, from: "s.xml", fails: "s.xml"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := folder(t, tt.files)
			var got, codes []string
			var found diag.Report
			err := ReadList(t.Context(), filepath.Join(dir, tt.from), ListOptions{}, &found, func(e Entry) { got = append(got, e.Loc) })
			if tt.fails != "" {
				if err == nil || !strings.Contains(err.Error(), tt.fails) {
					t.Fatalf("error %v, want one with %q", err, tt.fails)
				}
			} else if err != nil {
				t.Fatal(err)
			}
			for _, k := range found.Kinds() {
				codes = append(codes, k.Code)
			}
			if !slices.Equal(got, tt.want) || !slices.Equal(codes, tt.codes) {
				t.Errorf("read %q with findings %q, want %q with %q", got, codes, tt.want, tt.codes)
			}
		})
	}
}

func TestReadListOfStandardInput(t *testing.T) {
	var found diag.Report
	var files []string
	err := ReadList(t.Context(), "-", ListOptions{Stdin: strings.NewReader(zipped(set("https://example.com/")))}, &found, func(e Entry) {
		files = append(files, e.Pos.File)
	})
	if err != nil || len(found.Kinds()) > 0 || !slices.Equal(files, []string{"standard input"}) {
		t.Errorf("read from %q, %v, %v", files, found.Kinds(), err)
	}
}

// TestReadListChargesFingerprints checks that the fingerprints in a JSON report count towards the
// memory budget.
func TestReadListChargesFingerprints(t *testing.T) {
	fingerprint := strings.Repeat("f", 1<<20)
	dir := folder(t, map[string]string{"a.json": `[{"url": "https://example.com/", "content": "` + fingerprint + `"}]`})
	for room, fails := range map[int64]bool{1 << 20: true, 1<<20 + 1<<10: false} {
		o := ListOptions{Budget: &Budget{maxRead, room}}
		err := ReadList(t.Context(), filepath.Join(dir, "a.json"), o, &diag.Report{}, func(Entry) {})
		if _, spent := errors.AsType[budgetError](err); spent != fails {
			t.Errorf("with room for %d bytes: %v", room, err)
		}
	}
}
