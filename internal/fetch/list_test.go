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

const xmlHeader = `<?xml version="1.0" encoding="UTF-8"?>` + "\n"

// formatURLSet returns a sitemap with the URLs locs.
func formatURLSet(locs ...string) string {
	s := xmlHeader + `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n"
	for _, l := range locs {
		s += "<url><loc>" + l + "</loc><lastmod>2024-01-02</lastmod></url>\n"
	}
	return s + "</urlset>\n"
}

// formatIndex returns a sitemap index that lists the sitemaps locs.
func formatIndex(locs ...string) string {
	var b strings.Builder
	b.WriteString(xmlHeader + `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n")
	for _, l := range locs {
		b.WriteString("<sitemap><loc>" + l + "</loc></sitemap>\n")
	}
	return b.String() + "</sitemapindex>\n"
}

// gzipText returns s compressed by gzip.
func gzipText(s string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write([]byte(s))
	_ = w.Close()
	return b.String()
}

// writeFiles writes files to a temporary folder, and returns the folder.
func writeFiles(t *testing.T, files map[string]string) string {
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
		name      string
		files     map[string]string
		from      string
		want      []string
		wantCodes []string
		wantErr   string
	}{
		{name: "sitemap", files: map[string]string{"s.xml": formatURLSet(a, b)}, from: "s.xml", want: []string{a, b}},
		{name: "gzip", files: map[string]string{"s.xml.gz": gzipText(formatURLSet(a))}, from: "s.xml.gz", want: []string{a}},
		{name: "text", files: map[string]string{"s.txt": a + "\n" + b + "\n"}, from: "s.txt", want: []string{a, b}},
		{
			name: "glob", files: map[string]string{"x/s.xml": formatURLSet(a), "y/s.xml": formatURLSet(b, a)}, from: "*/s.xml",
			want: []string{a, b, a},
		},
		{
			name: "index", from: "sitemap.xml", want: []string{a, b},
			files: map[string]string{
				"sitemap.xml": formatIndex("https://example.com/docs/s-1.xml", "https://example.com/docs/sub/s-2.xml.gz"),
				"s-1.xml":     formatURLSet(a), "sub/s-2.xml.gz": gzipText(formatURLSet(b)),
			},
		},
		{
			name: "index that lists itself and a missing sitemap", from: "s.xml", want: []string{a}, wantCodes: []string{"missing-sitemap"},
			files: map[string]string{"s.xml": formatIndex("https://example.com/s.xml", "https://example.com/t.xml"), "t.xml": formatURLSet(a)},
		},
		{
			name: "index with the names before compression or decompression", from: "s.xml", want: []string{a, b},
			files: map[string]string{
				"s.xml":    formatIndex("https://example.com/1.xml", "https://example.com/2.xml.gz"),
				"1.xml.gz": gzipText(formatURLSet(a)), "2.xml": formatURLSet(b),
			},
		},
		{
			name: "indexes that list each other", from: "s.xml", want: []string{a},
			files: map[string]string{"s.xml": formatIndex("https://example.com/t.xml"), "t.xml": formatIndex("https://example.com/s.xml", "https://example.com/u.xml"), "u.xml": formatURLSet(a)},
		},
		{
			name: "missing child", files: map[string]string{"s.xml": formatIndex("https://example.com/gone.xml", "https://example.com/t.xml"), "t.xml": formatURLSet(c)},
			from: "s.xml", want: []string{c}, wantCodes: []string{"missing-sitemap"},
		},
		{name: "missing file", from: "s.xml", wantErr: "no such file"},
		{name: "not a sitemap", files: map[string]string{"s.xml": "<html><body>404</body></html>"}, from: "s.xml", wantErr: "s.xml"},
		{
			name: "incomplete index", from: "s.xml", want: []string{a}, wantCodes: []string{"missing-sitemap"}, wantErr: "s.xml: line",
			files: map[string]string{"s.xml": strings.TrimSuffix(formatIndex("https://example.com/gone.xml", "https://example.com/t.xml"), "</sitemapindex>\n"), "t.xml": formatURLSet(a)},
		},
		{name: "incomplete sitemap", want: []string{a, b}, files: map[string]string{"s.xml": strings.TrimSuffix(formatURLSet(a, b), "</urlset>\n")}, from: "s.xml", wantErr: "s.xml"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := writeFiles(t, tt.files)
			var got, codes []string
			var report diag.Report
			err := ReadList(t.Context(), filepath.Join(dir, tt.from), ListOptions{}, &report, func(e Entry) { got = append(got, e.Loc) })
			if tt.wantErr != "" {
				if err == nil || !strings.Contains(err.Error(), tt.wantErr) {
					t.Fatalf("error: got %v, want %q", err, tt.wantErr)
				}
			} else if err != nil {
				t.Fatal(err)
			}
			for _, k := range report.Kinds() {
				codes = append(codes, k.Code)
			}
			if !slices.Equal(got, tt.want) || !slices.Equal(codes, tt.wantCodes) {
				t.Errorf("got URLs %q and findings %q, want %q and %q", got, codes, tt.want, tt.wantCodes)
			}
		})
	}
}

func TestReadListOfStandardInput(t *testing.T) {
	var report diag.Report
	var files []string
	err := ReadList(t.Context(), "-", ListOptions{Stdin: strings.NewReader(gzipText(formatURLSet("https://example.com/")))}, &report, func(e Entry) {
		files = append(files, e.Pos.File)
	})
	if err != nil || len(report.Kinds()) > 0 || !slices.Equal(files, []string{"standard input"}) {
		t.Errorf("got files %q, findings %v, error %v, want standard input", files, report.Kinds(), err)
	}
}

// TestReadListChargesFingerprints checks that the fingerprints in a JSON report count towards the
// memory budget.
func TestReadListChargesFingerprints(t *testing.T) {
	fingerprint := strings.Repeat("f", 1<<20)
	dir := writeFiles(t, map[string]string{"a.json": `{"pages": [{"url": "https://example.com/", "listed": true, "content": "` + fingerprint + `"}]}`})
	for budget, want := range map[int64]bool{1 << 20: true, 1<<20 + 1<<10: false} {
		o := ListOptions{Budget: &Budget{maxRead, budget}}
		err := ReadList(t.Context(), filepath.Join(dir, "a.json"), o, &diag.Report{}, func(Entry) {})
		if _, exceeded := errors.AsType[budgetError](err); exceeded != want {
			t.Errorf("budget of %d bytes: got error %v, want budgetError %v", budget, err, want)
		}
	}
}
