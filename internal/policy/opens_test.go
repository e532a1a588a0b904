package policy

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

// openers are the functions of the standard library that open a file by its name, and
// with that wait for the other end of a FIFO or read without a limit.
var openers = map[string][]string{
	"os":      {"Open", "OpenFile", "OpenRoot", "OpenInRoot", "ReadFile", "Create", "CreateTemp", "WriteFile", "DirFS", "CopyFS", "Truncate"},
	"ioutil":  {"ReadFile", "WriteFile", "TempFile"},
	"syscall": {"Open", "Openat"},
	"unix":    {"Open", "Openat", "Openat2"},
	"fs":      {"ReadFile"}, // without a limit, even of a file system that does not wait
}

// methods open a file of a root or of a file system; whose is not known without types.
var methods = []string{"OpenFile", "OpenRoot", "ReadFile", "WriteFile", "Create"}

// mayOpen are the packages that open files on their own, and what others may.
var mayOpen = map[string]string{
	"internal/files":    "opens for all others",
	"walker":            "opens a site's files, thousands at a time",
	"internal/testsite": "is for tests and is not in the program",
}

// TestFilesAreOpenedInOnePackage checks that no other package opens a file.
func TestFilesAreOpenedInOnePackage(t *testing.T) {
	testsite.ChdirToRoot(t)
	used := map[string]bool{}
	for file := range goFiles(t) {
		pkg := path.Dir(file)
		if strings.HasSuffix(file, "_test.go") || strings.HasPrefix(pkg, "internal/e2e") {
			continue
		}
		for _, call := range opensIn(t, file) {
			if mayOpen[pkg] != "" {
				used[pkg] = true
			} else if key := file + ": " + call; mayOpen[key] != "" {
				used[key] = true
			} else {
				t.Errorf("%s calls %s; open files with internal/files", file, call)
			}
		}
	}
	for key := range mayOpen {
		if !used[key] {
			t.Errorf("the list has %s, which opens nothing", key)
		}
	}
}

// opensIn returns the calls, or the mentions, of openers in a file.
func opensIn(t *testing.T, file string) (calls []string) {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		s, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		x, ok := s.X.(*ast.Ident)
		switch {
		case ok && slices.Contains(openers[x.Name], s.Sel.Name), ok && x.Name != "os" && slices.Contains(methods, s.Sel.Name):
			calls = append(calls, x.Name+"."+s.Sel.Name)
		case !ok && slices.Contains(methods, s.Sel.Name):
			calls = append(calls, "…."+s.Sel.Name)
		}
		return true
	})
	return calls
}
