package walker

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// benchPages is the number of pages in the tree of the benchmarks. Each page has its own folder.
const benchPages = 7000

// benchTree creates a tree with benchPages pages and returns its folder.
func benchTree(b *testing.B) string {
	b.Helper()
	root := b.TempDir()
	page := []byte(strings.Repeat("<p>A line of some length to read.</p>\n", 320))
	for i := range benchPages {
		dir := filepath.Join(root, fmt.Sprint("section-", i/7%8), fmt.Sprint("topic-", i/7), fmt.Sprint("page-", i))
		if err := os.MkdirAll(dir, 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "index.html"), page, 0o644); err != nil {
			b.Fatal(err)
		}
	}
	return root
}

// reportTimePerPage reports the time for each page of the tree.
func reportTimePerPage(b *testing.B) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchPages, "ns/page")
}

func BenchmarkList(b *testing.B) {
	root := benchTree(b)
	for name, tree := range map[string]Tree{"native": Dir(root), "portable": portableDir(root)} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				walkAll(b, tree, Options{}, func(int, *File) {})
			}
			reportTimePerPage(b)
		})
	}
	b.Run("filepath.WalkDir", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := filepath.WalkDir(root, func(string, fs.DirEntry, error) error { return nil }); err != nil {
				b.Fatal(err)
			}
		}
		reportTimePerPage(b)
	})
}

// BenchmarkJobs compares numbers of jobs. The results, and those with cold caches in
// docs/performance.md, are the reason for the value of defaultJobs.
func BenchmarkJobs(b *testing.B) {
	tree := Dir(benchTree(b))
	for _, jobs := range []int{1, 2, defaultJobs, 16, 32, 64} {
		b.Run(fmt.Sprint(jobs), func(b *testing.B) { readAll(b, tree, jobs) })
	}
}

func BenchmarkReadPortable(b *testing.B) { readAll(b, portableDir(benchTree(b)), 0) }

func readAll(b *testing.B, tree Tree, jobs int) {
	o := Options{Jobs: jobs}
	buffers := make([][8 << 10]byte, NumWorkers(o))
	b.ReportAllocs()
	for b.Loop() {
		walkAll(b, tree, o, func(worker int, f *File) {
			if n, err := f.Read(buffers[worker][:]); n == 0 || err != nil {
				b.Error(f.Path, err)
			}
		})
	}
	reportTimePerPage(b)
}

func walkAll(b *testing.B, tree Tree, o Options, visit func(int, *File)) {
	if _, err := tree.Walk(context.Background(), o, visit); err != nil {
		b.Fatal(err)
	}
}

func BenchmarkMatch(b *testing.B) {
	for name, include := range map[string][]string{"defaults": nil, "suffix": {"**/*.html"}, "folder": {"docs/**/*.html"}} {
		f, err := NewFilter(include, []string{"drafts/**"}[:len(include)])
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				f.Match("docs/topic-7/page-12/index.html")
			}
		})
	}
}
