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

// openers lists the functions that open a file by name, by package. Opening a FIFO this way can
// block, and some of these functions read without a limit.
var openers = map[string][]string{
	"os":      {"Open", "OpenFile", "OpenRoot", "OpenInRoot", "ReadFile", "Create", "CreateTemp", "WriteFile", "DirFS", "CopyFS", "Truncate"},
	"ioutil":  {"ReadFile", "WriteFile", "TempFile"},
	"syscall": {"Open", "Openat"},
	"unix":    {"Open", "Openat", "Openat2"},
	"fs":      {"ReadFile"}, // reads without a limit
}

// openMethods lists the methods that open a file of an os.Root or of a file system. The test does
// not know the type of a receiver, so it matches these names on all types.
var openMethods = []string{"OpenFile", "OpenRoot", "ReadFile", "WriteFile", "Create"}

// mayOpen lists the packages that may open files, with the reason. A key "FILE: CALL" allows
// one call in one file.
var mayOpen = map[string]string{
	"internal/files":    "opens files for all other packages",
	"walker":            "opens the files of a site, thousands at a time",
	"internal/testsite": "is for tests and not part of the program",
}

// TestOpenPolicy checks that a file is opened only where mayOpen allows it, and that every key
// of mayOpen is needed.
func TestOpenPolicy(t *testing.T) {
	testsite.ChdirToRoot(t)
	used := map[string]bool{}
	for file := range goFiles(t) {
		pkg := path.Dir(file)
		if strings.HasSuffix(file, "_test.go") || strings.HasPrefix(pkg, "internal/e2e") {
			continue
		}
		for _, call := range findOpenCalls(t, file) {
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
			t.Errorf("mayOpen lists %s, which opens no file", key)
		}
	}
}

// findOpenCalls returns the uses of openers and openMethods in a file, with or without a call.
func findOpenCalls(t *testing.T, file string) (calls []string) {
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
		case ok && slices.Contains(openers[x.Name], s.Sel.Name), ok && x.Name != "os" && slices.Contains(openMethods, s.Sel.Name):
			calls = append(calls, x.Name+"."+s.Sel.Name)
		case !ok && slices.Contains(openMethods, s.Sel.Name):
			calls = append(calls, "…."+s.Sel.Name)
		}
		return true
	})
	return calls
}
