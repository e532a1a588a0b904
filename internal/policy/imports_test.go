// Package policy checks rules for the whole repository: the imports of each package, the packages
// that open files, the types in public APIs, comments, file names and the length of sentences.
package policy

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

const module = "github.com/sitewalk/sitewalk"

// importPolicy lists the imports that each package may have: ours are packages of this module,
// theirs are packages of other modules. Every package may import the standard library, and every
// package except sitemap may import diag. docs/architecture.md describes the purpose of each package.
var importPolicy = map[string]struct{ ours, theirs []string }{
	".":             {ours: []string{"internal/cli"}},
	"walker":        {ours: []string{"internal/glob"}, theirs: []string{"golang.org/x/sys"}},
	"internal/glob": {theirs: []string{"github.com/bmatcuk/doublestar/v4"}},
	"page":          {ours: []string{"sitemap"}, theirs: []string{"golang.org/x/net/html", "golang.org/x/net/html/charset", "golang.org/x/text"}},
	"sitemap":       {theirs: []string{"golang.org/x/text"}},
	"frontmatter": {
		ours:   []string{"internal/strict", "page", "sitemap"},
		theirs: []string{"github.com/adrg/frontmatter", "gopkg.in/yaml.v3"},
	},
	"mapping": {
		ours:   []string{"internal/glob", "sitemap"},
		theirs: []string{"golang.org/x/net/idna"},
	},
	"internal/facts": {ours: []string{"internal/glob", "frontmatter", "mapping", "page", "sitemap", "walker"}},
	"internal/site": {ours: []string{
		"internal/facts", "internal/files", "page", "mapping", "sitemap", "walker",
		"internal/generator", "internal/hosting", "internal/git", "internal/ledger",
	}},
	"internal/explain": {ours: []string{"internal/facts", "internal/generator", "internal/hosting", "internal/strict", "mapping", "page", "internal/site", "sitemap", "walker"}},
	"watch":            {ours: []string{"internal/files"}, theirs: []string{"github.com/fsnotify/fsnotify"}},
	"writer":           {ours: []string{"internal/files", "internal/llms", "internal/robots", "sitemap"}, theirs: []string{"github.com/klauspost/compress"}},
	"internal/config": {
		ours:   []string{"frontmatter", "internal/facts", "internal/files", "internal/generator", "internal/git", "internal/glob", "internal/hosting", "internal/ledger", "internal/report", "internal/site", "internal/strict", "mapping", "page", "sitemap", "walker", "writer"},
		theirs: []string{"gopkg.in/yaml.v3"},
	},
	"internal/cli": {
		ours:   []string{"internal/files", "internal/config", "internal/engine", "internal/explain", "internal/facts", "internal/fetch", "internal/audit", "internal/live", "internal/strict", "internal/report", "internal/site", "internal/submit", "page", "sitemap", "watch", "writer"},
		theirs: []string{"github.com/spf13/cobra", "github.com/spf13/pflag", "golang.org/x/term"},
	},
	"internal/engine": {ours: []string{
		"internal/config", "mapping", "internal/facts", "page", "internal/site", "sitemap", "writer", "internal/fetch", "internal/files", "internal/ledger", "internal/git", "internal/robots", "watch",
	}},
	"diag":            {},
	"internal/strict": {ours: []string{"sitemap"}, theirs: []string{"gopkg.in/yaml.v3", "github.com/pelletier/go-toml/v2"}},
	"internal/generator": {
		ours:   []string{"frontmatter", "mapping", "internal/files", "internal/glob", "internal/strict", "page", "sitemap"},
		theirs: []string{"golang.org/x/text", "gopkg.in/yaml.v3"},
	},
	"internal/llms":   {ours: []string{"sitemap"}},
	"internal/robots": {ours: []string{"mapping"}},
	"internal/hosting": {
		ours:   []string{"page", "mapping", "internal/glob", "internal/robots", "internal/strict"},
		theirs: []string{"gopkg.in/yaml.v3"},
	},
	"internal/git":      {ours: []string{"internal/files", "sitemap"}},
	"internal/ledger":   {ours: []string{"internal/fetch", "internal/files", "sitemap"}},
	"internal/testsite": {theirs: []string{"golang.org/x/sys"}},
	"internal/report":   {ours: []string{"internal/files", "page"}},
	"internal/fetch":    {ours: []string{"internal/files", "sitemap"}, theirs: []string{"github.com/bmatcuk/doublestar/v4", "golang.org/x/net"}},
	"internal/files":    {theirs: []string{"golang.org/x/sys"}},
	"internal/audit": {ours: []string{
		"internal/config", "internal/engine", "internal/explain", "internal/facts", "internal/fetch", "internal/files", "internal/generator", "internal/glob", "internal/hosting", "internal/live", "internal/llms", "internal/strict",
		"internal/report", "internal/robots", "internal/site", "mapping", "page", "sitemap", "walker", "writer",
	}},
	"internal/submit": {ours: []string{
		"internal/config", "mapping", "sitemap", "internal/engine", "internal/fetch", "internal/files", "internal/audit",
		"internal/hosting", "internal/live", "internal/report",
	}, theirs: []string{"golang.org/x/oauth2"}},
	"internal/live": {ours: []string{"internal/fetch", "internal/robots", "mapping", "page", "sitemap"}},
}

// TestImportPolicy checks that each package imports only packages that importPolicy allows, and
// that importPolicy allows no import that a package does not have.
func TestImportPolicy(t *testing.T) {
	testsite.ChdirToRoot(t)
	seen := map[string][]string{}
	for file := range goFiles(t) {
		pkg := path.Dir(file)
		if strings.HasSuffix(file, "_test.go") || strings.HasPrefix(pkg, "internal/e2e") || strings.HasPrefix(pkg, "testdata") {
			continue
		}
		seen[pkg] = append(seen[pkg], parseImports(t, file)...)
		policy, known := importPolicy[pkg]
		if !known {
			t.Errorf("%s is in a package that the table does not list; give the package a row here and in docs/architecture.md", file)
			continue
		}
		for _, imported := range parseImports(t, file) {
			if !isAllowed(pkg, policy.ours, policy.theirs, imported) {
				t.Errorf("%s imports %s, which the table does not allow for %s", file, imported, pkg)
			}
		}
	}
	for pkg, policy := range importPolicy {
		if _, ok := seen[pkg]; !ok {
			t.Errorf("the table has a row for %s, which has no Go files", pkg)
		}
		for _, own := range policy.ours {
			if !slices.Contains(seen[pkg], module+"/"+own) {
				t.Errorf("the table allows %s to import %s, which it does not", pkg, own)
			}
		}
		for _, other := range policy.theirs {
			if !slices.ContainsFunc(seen[pkg], func(p string) bool { return isWithin(p, other) }) {
				t.Errorf("the table allows %s to import %s, which it does not", pkg, other)
			}
		}
	}
}

// TestPackageStability checks that the comment of each public package ends with a promise to
// importers. All packages except sitemap may state instead that their API is not stable.
func TestPackageStability(t *testing.T) {
	testsite.ChdirToRoot(t)
	promises := map[string]bool{}
	for file := range goFiles(t) {
		pkg := path.Dir(file)
		if pkg == "." || strings.HasPrefix(pkg, "internal/") || strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		_, promise, _ := strings.Cut(f.Doc.Text(), "\nPromised to importers before version 1: ")
		mayChange := pkg != "sitemap" && strings.HasSuffix(f.Doc.Text(), "\nThe API of this package is not stable; only package sitemap promises a stable API.\n")
		promises[pkg] = promises[pkg] || mayChange || strings.HasSuffix(promise, ".\n")
	}
	for pkg, made := range promises {
		if !made {
			t.Errorf("the comment of package %s lacks its last paragraph, \"Promised to importers before version 1: ...\"", pkg)
		}
	}
}

// isAllowed reports whether pkg may import a package. ours and theirs are the lists of its policy.
func isAllowed(pkg string, ours, theirs []string, imported string) bool {
	if own, ok := strings.CutPrefix(imported, module+"/"); ok {
		return slices.Contains(ours, own) || own == "diag" && pkg != "sitemap"
	}
	first, _, _ := strings.Cut(imported, "/")
	if !strings.Contains(first, ".") {
		return true
	}
	return slices.ContainsFunc(theirs, func(p string) bool { return isWithin(imported, p) })
}

// isWithin reports whether the imported path is p or below p.
func isWithin(imported, p string) bool { return imported == p || strings.HasPrefix(imported, p+"/") }

// goFiles returns the Go files of the module, without testdata folders and the folder tools.
func goFiles(t *testing.T) map[string]bool {
	files := map[string]bool{}
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || name == "tools") {
			return filepath.SkipDir
		}
		if strings.HasSuffix(name, ".go") {
			files[filepath.ToSlash(name)] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// parseImports returns the import paths of a Go file.
func parseImports(t *testing.T, file string) []string {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, spec := range f.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, p)
	}
	return out
}

// TestModuleFileNames checks that every file name is valid in a Go module. With an invalid name,
// "go install" fails for every version: https://pkg.go.dev/golang.org/x/mod/module#CheckFilePath
func TestModuleFileNames(t *testing.T) {
	testsite.ChdirToRoot(t)
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name == ".git" || d.IsDir() && name == "tools" { // tools is a separate module
			return filepath.SkipDir
		}
		if strings.ContainsAny(d.Name(), "\"'*<>?`|\\:;") || name != "." && strings.HasSuffix(d.Name(), ".") {
			t.Errorf("the file name %q is not valid in a Go module", name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
