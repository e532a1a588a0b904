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

// TestDiagnosticScripts runs the example of each code: the smallest site, the
// command, and the line that it prints.
func TestDiagnosticScripts(t *testing.T) {
	testsite.ChdirToRoot(t)
	t.Parallel()
	runScripts(t, "testdata/diagnostics", "true")
}

// slow are the codes whose example would take longer than a test may, and the
// folder whose tests show them.
var slow = map[string]string{"git-timeout": "internal/git", "front-matter-too-long": "frontmatter"}

// TestDiagnosticsManual holds docs/diagnostics.md to the source: the same codes
// with the same severities, sorted, each with an example that prints it.
func TestDiagnosticsManual(t *testing.T) {
	testsite.ChdirToRoot(t)
	said := codesInSource(t)
	rows := codesInManual(t)
	for _, code := range slices.Sorted(maps.Keys(said)) {
		severities := strings.Join(slices.Sorted(maps.Keys(said[code])), ", ")
		if row, ok := rows[code]; !ok {
			t.Errorf("docs/diagnostics.md has no row for %s", code)
		} else if row != severities {
			t.Errorf("docs/diagnostics.md: %s is %q in the manual and %q in the source", code, row, severities)
		}
		if !hasExample(code) {
			t.Errorf(`testdata/diagnostics/%s.txtar is missing, or has no line "stderr" that asks for [%[1]s]`, code)
		}
	}
	for code := range rows {
		if said[code] == nil {
			t.Errorf("docs/diagnostics.md: nothing says %s", code)
		}
	}
	examples, _ := filepath.Glob("testdata/diagnostics/*.txtar")
	for _, name := range examples {
		if code := strings.TrimSuffix(filepath.Base(name), ".txtar"); said[code] == nil {
			t.Errorf("%s: nothing says %s", name, code)
		}
	}
}

func hasExample(code string) bool {
	if dir, ok := slow[code]; ok {
		tests, _ := filepath.Glob(dir + "/*_test.go")
		return slices.ContainsFunc(tests, func(name string) bool { return holds(name, strconv.Quote(code)) })
	}
	src, _ := os.ReadFile("testdata/diagnostics/" + code + ".txtar")
	return regexp.MustCompile(`(?m)^stderr .*\\\[` + code + `\\\]`).Match(src)
}

func holds(name, text string) bool {
	src, err := os.ReadFile(name)
	return err == nil && strings.Contains(string(src), text)
}

// codesInManual returns the severities of each code, which are the headings of the lists.
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
			t.Errorf("docs/diagnostics.md: %s comes after %s", code, last)
		}
		if want := "../testdata/diagnostics/" + code + ".txtar"; slow[code] == "" && m[2] != want {
			t.Errorf("docs/diagnostics.md: %s links to %q, not to %s", code, m[2], want)
		}
		if rows[code] != "" {
			t.Errorf("docs/diagnostics.md names %s twice", code)
		}
		rows[code], last = severity, code
	}
	return rows
}

// severities are those of the functions that take a code; what is not named
// here makes warnings.
var severities = map[string]string{"Notef": "note", "addNote": "note", "Errorf": "error", "addErrorf": "error", "newErrorProblem": "error", "reportError": "error", "rejectValue": "error", "newFinding": "error, warning"}

// codesInSource returns the codes that the program can say, with their
// severities: every string literal that stands where a function takes a
// parameter named code, or where a struct has a field Code. What passes a code
// on calls it code too, so anything else there is a mistake.
func codesInSource(t *testing.T) map[string]map[string]bool {
	set := token.NewFileSet()
	sources := parseSources(t, set)
	takes := map[string]int{} // index of the parameter, by function
	for file, f := range sources {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				if i := codeParameter(fn.Type); i >= 0 {
					takes[scoped(file, fn.Name.Name)] = i
				}
			}
		}
	}
	codes := map[string]map[string]bool{}
	for file, f := range sources {
		ast.Inspect(f, func(n ast.Node) bool {
			severity, at := codeIn(n, file, takes)
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
					t.Errorf("%s: pass the code as a string literal", set.Position(at.Pos()))
				}
			}
			return true
		})
	}
	return codes
}

// codeIn returns the expression of a code in a call or a composite literal.
func codeIn(n ast.Node, file string, takes map[string]int) (severity string, code ast.Expr) {
	switch n := n.(type) {
	case *ast.CallExpr:
		name := exprName(n.Fun)
		if sel, ok := n.Fun.(*ast.SelectorExpr); ok && exprName(sel.X) == "fmt" {
			return "", nil
		}
		if i, ok := takes[scoped(file, name)]; ok && i < len(n.Args) {
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

// scoped is the name of a function among those of all packages: its own where
// it is exported, and that of its package before it where it is not.
func scoped(file, name string) string {
	if ast.IsExported(name) {
		return name
	}
	return filepath.Dir(file) + "." + name
}

func exprName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

// codeParameter returns the index of the parameter named code of a function
// that makes a finding, or -1. A language has a code, too.
func codeParameter(fn *ast.FuncType) int {
	var names []string
	for _, field := range fn.Params.List {
		for _, n := range field.Names {
			names = append(names, n.Name)
		}
	}
	if !slices.ContainsFunc(names, func(s string) bool { return s == "format" || s == "message" || s == "limit" }) {
		return -1
	}
	return slices.Index(names, "code")
}

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
