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

// named maps the files outside of this package that name a generator to the reason why they do.
var named = map[string]string{
	"frontmatter/matter.go":      "eleventyExcludeFromCollections is a key of front matter",
	"internal/hosting/detect.go": ".nojekyll is a file of GitHub Pages",
	"internal/hosting/hosts.go":  ".nojekyll is a file of GitHub Pages",
	"internal/cli/watch.go":      "an example in the help",
	"internal/site/canonical.go": "an example in a hint",
	"internal/hosting/vercel.go": "x-nextjs-data is a header that rules of Vercel ask for",
}

// TestOtherPackagesNameNoGenerator checks that code outside of this package does not contain the
// name of a generator. Comments do not count.
func TestOtherPackagesNameNoGenerator(t *testing.T) {
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
		for _, word := range codeWith(src, words) {
			if seen[rel] = true; named[rel] == "" {
				t.Errorf("%s names a generator in %s; what is known of one belongs into a file here", rel, word)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for file, why := range named {
		if !seen[file] {
			t.Errorf("%s names none (%s): take it off the list", file, why)
		}
	}
}

func generatorNames() (all []string) {
	for _, g := range generators {
		if g.name != "next" { // too common a word
			all = append(all, g.name)
		}
	}
	return all
}

// codeWith returns the identifiers and strings of a Go file that contain one of words, in any case.
func codeWith(src []byte, words []string) (all []string) {
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
