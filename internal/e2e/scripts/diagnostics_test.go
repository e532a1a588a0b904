package scripts

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

// TestDiagnosticScripts runs the example of each finding code in testdata/diagnostics. An example
// is a minimal site with a command that prints the finding.
func TestDiagnosticScripts(t *testing.T) {
	testsite.ChdirToRoot(t)
	t.Parallel()
	runScripts(t, "testdata/diagnostics", "true")
}

// slowCodes maps the codes whose example would take too long to the folder of their tests.
var slowCodes = map[string]string{"git-timeout": "internal/git", "front-matter-too-long": "frontmatter"}

// TestDiagnosticsManual checks that docs/diagnostics.md lists the codes in the source, sorted and
// with their severities, and that each code has an example that prints it.
func TestDiagnosticsManual(t *testing.T) {
	testsite.ChdirToRoot(t)
	source := codesInSource(t)
	rows := codesInManual(t)
	for _, code := range slices.Sorted(maps.Keys(source)) {
		severities := strings.Join(slices.Sorted(maps.Keys(source[code])), ", ")
		if row, ok := rows[code]; !ok {
			t.Errorf("docs/diagnostics.md has no row for %s", code)
		} else if row != severities {
			t.Errorf("docs/diagnostics.md: the severity of %s is %q, want %q as in the source", code, row, severities)
		}
		if !hasExample(code) {
			t.Errorf(`testdata/diagnostics/%s.txtar is missing, or has no "stderr" line with [%[1]s]`, code)
		}
	}
	for code := range rows {
		if source[code] == nil {
			t.Errorf("docs/diagnostics.md: no source file has the code %s", code)
		}
	}
	examples, _ := filepath.Glob("testdata/diagnostics/*.txtar")
	for _, name := range examples {
		if code := strings.TrimSuffix(filepath.Base(name), ".txtar"); source[code] == nil {
			t.Errorf("%s: no source file has the code %s", name, code)
		}
	}
}

// hasExample reports whether an example prints the code, or for slow codes, whether a test names it.
func hasExample(code string) bool {
	if dir, ok := slowCodes[code]; ok {
		tests, _ := filepath.Glob(dir + "/*_test.go")
		return slices.ContainsFunc(tests, func(name string) bool { return fileContains(name, strconv.Quote(code)) })
	}
	src, _ := os.ReadFile("testdata/diagnostics/" + code + ".txtar")
	return regexp.MustCompile(`(?m)^stderr .*\\\[` + code + `\\\]`).Match(src)
}

func fileContains(name, text string) bool {
	src, err := os.ReadFile(name)
	return err == nil && strings.Contains(string(src), text)
}

// codesInManual returns the severities of each code in docs/diagnostics.md. The heading above a
// list names the severity.
func codesInManual(t *testing.T) map[string]string {
	src, err := os.ReadFile("docs/diagnostics.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{}
	row := regexp.MustCompile("^- \\[?`([a-z0-9-]+)`(?:\\]\\(([^)]*)\\))?: .+\n$")
	severity, last := "", ""
	for line := range strings.Lines(string(src)) {
		if heading, ok := strings.CutPrefix(line, "### "); ok {
			severity, last = strings.ReplaceAll(strings.ToLower(strings.TrimSpace(heading)), " or ", ", "), ""
		}
		m := row.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		code := m[1]
		if code <= last {
			t.Errorf("docs/diagnostics.md: %s comes after %s; sort the codes", code, last)
		}
		if want := "../testdata/diagnostics/" + code + ".txtar"; slowCodes[code] == "" && m[2] != want {
			t.Errorf("docs/diagnostics.md: %s links to %q, want %q", code, m[2], want)
		}
		if rows[code] != "" {
			t.Errorf("docs/diagnostics.md names %s twice", code)
		}
		rows[code], last = severity, code
	}
	return rows
}

// severities maps the functions that take a code to the severity of the finding. A function that is
// not listed here creates warnings.
var severities = map[string]string{"Notef": "note", "addNote": "note", "Errorf": "error", "addErrorf": "error", "newErrorProblem": "error", "reportError": "error", "rejectValue": "error", "newFinding": "error, warning"}

// codesInSource returns the codes of all findings in the source with their severities. A code is a
// string literal that is passed as a parameter named code, or assigned to a field named Code. The
// only other expressions allowed there are names that end the same way: code and Code.
func codesInSource(t *testing.T) map[string]map[string]bool {
	set := token.NewFileSet()
	sources := parseSources(t, set)
	codeParams := map[string]int{} // index of the parameter, by function
	for file, f := range sources {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				if i := codeParameter(fn.Type); i >= 0 {
					codeParams[scopedName(file, fn.Name.Name)] = i
				}
			}
		}
	}
	codes := map[string]map[string]bool{}
	for file, f := range sources {
		ast.Inspect(f, func(n ast.Node) bool {
			severity, at := codeIn(n, file, codeParams)
			switch lit := at.(type) {
			case nil:
			case *ast.BasicLit:
				code, _ := strconv.Unquote(lit.Value)
				if codes[code] == nil {
					codes[code] = map[string]bool{}
				}
				codes[code][severity] = true
			default:
				if s := exprName(at); s != "code" && s != "Code" {
					t.Errorf("%s: pass the code of a finding as a string literal; no other parameter is called code", set.Position(at.Pos()))
				}
			}
			return true
		})
	}
	return codes
}

// codeIn returns the expression of the code in a call or a composite literal, and the severity of
// its finding. It returns a nil expression if n has no code.
func codeIn(n ast.Node, file string, codeParams map[string]int) (severity string, code ast.Expr) {
	switch n := n.(type) {
	case *ast.CallExpr:
		name := exprName(n.Fun)
		if sel, ok := n.Fun.(*ast.SelectorExpr); ok && exprName(sel.X) == "fmt" {
			return "", nil
		}
		if i, ok := codeParams[scopedName(file, name)]; ok && i < len(n.Args) {
			if severity = severities[name]; severity == "" {
				severity = "warning"
			}
			return severity, n.Args[i]
		}
	case *ast.CompositeLit:
		if name := exprName(n.Type); name != "Diagnostic" && name != "Problem" && name != "Kind" {
			break
		}
		for _, e := range n.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok && exprName(kv.Key) == "Code" {
				return "warning", kv.Value
			}
		}
	}
	return "", nil
}

// scopedName returns a key for a function: its name if the name is exported, or else the folder of
// its package and its name.
func scopedName(file, name string) string {
	if ast.IsExported(name) {
		return name
	}
	return filepath.Dir(file) + "." + name
}

// exprName returns the last identifier of an identifier or a selector, or "".
func exprName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

// codeParameter returns the index of the parameter named code, or -1. Only the code of a finding
// has this name.
func codeParameter(fn *ast.FuncType) int {
	var names []string
	for _, field := range fn.Params.List {
		for _, n := range field.Names {
			names = append(names, n.Name)
		}
	}
	return slices.Index(names, "code")
}

// parseSources parses the Go files of the program, by file name.
func parseSources(t *testing.T, set *token.FileSet) map[string]*ast.File {
	files := map[string]*ast.File{}
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && (slices.Contains([]string{"testdata", "e2e", "testsite", "node_modules"}, d.Name()) || strings.HasPrefix(d.Name(), ".")):
			return filepath.SkipDir
		case filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		files[name], err = parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
