package generator

import (
	"go/scanner"
	gotoken "go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// allowedFiles contains the files of other packages that name a generator, with the reason.
var allowedFiles = map[string]string{
	"frontmatter/matter.go":      "eleventyExcludeFromCollections is a key of front matter",
	"internal/hosting/detect.go": ".nojekyll is a file of GitHub Pages",
	"internal/hosting/hosts.go":  ".nojekyll is a file of GitHub Pages",
	"internal/cli/watch.go":      "an example in the help",
	"internal/site/canonical.go": "an example in a hint",
	"internal/hosting/vercel.go": "x-nextjs-data is a header in rules of Vercel",
}

// TestOtherPackagesDoNotNameGenerators checks that identifiers and strings of other packages do
// not contain the name of a generator.
func TestOtherPackagesDoNotNameGenerators(t *testing.T) {
	words := append(generatorNames(), "11ty", "nextjs", "next.js", "next.config")
	seen := map[string]bool{}
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(file string, e fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(root, file)
		rel = filepath.ToSlash(rel)
		switch {
		case err != nil:
			return err
		case e.IsDir() && (slices.Contains([]string{".git", "testdata", "node_modules"}, e.Name()) || slices.Contains([]string{"internal/generator", "internal/e2e", "tools"}, rel)):
			return filepath.SkipDir
		case e.IsDir() || !strings.HasSuffix(rel, ".go") || strings.HasSuffix(rel, "_test.go"):
			return nil
		}
		src, err := os.ReadFile(file)
		for _, word := range findWords(src, words) {
			if seen[rel] = true; allowedFiles[rel] == "" {
				t.Errorf("%s names a generator in %s; move the code to internal/generator", rel, word)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for file, why := range allowedFiles {
		if !seen[file] {
			t.Errorf("%s names no generator (%s); remove the file from allowedFiles", file, why)
		}
	}
}

// generatorNames returns the names of all generators except Next.js, whose name is a common word.
func generatorNames() (all []string) {
	for _, g := range generators {
		if g.name != "next" {
			all = append(all, g.name)
		}
	}
	return all
}

// findWords returns the identifiers and strings of a Go file that contain one of words, in any
// case.
func findWords(src []byte, words []string) (all []string) {
	files := gotoken.NewFileSet()
	var s scanner.Scanner
	s.Init(files.AddFile("", files.Base(), len(src)), src, nil, 0)
	for {
		_, tok, text := s.Scan()
		if tok == gotoken.EOF {
			return all
		}
		if tok != gotoken.IDENT && tok != gotoken.STRING {
			continue
		}
		lower := strings.ToLower(text)
		if slices.ContainsFunc(words, func(word string) bool { return strings.Contains(lower, word) }) {
			all = append(all, text)
		}
	}
}
