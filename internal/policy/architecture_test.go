package policy

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

var (
	qualifiedName = regexp.MustCompile(`^([A-Za-z]\w*)\.([A-Za-z]\w*)$`)
	nameInFile    = regexp.MustCompile("`(\\w+)` in `([\\w/]+\\.go)`")
	callArguments = regexp.MustCompile(`\([^)]*\)$`)
)

// TestArchitecturePage checks that each path and each qualified name in docs/architecture.md exists.
func TestArchitecturePage(t *testing.T) {
	testsite.ChdirToRoot(t)
	src, err := os.ReadFile("docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	text := codeBlock.ReplaceAllString(string(src), "")
	members := goMembers(t)
	checked := 0
	for _, span := range codeSpan.FindAllString(text, -1) {
		span = callArguments.ReplaceAllString(strings.Trim(span, "`"), "")
		isPath := strings.Contains(span, "/") || strings.HasSuffix(span, ".go") || strings.HasSuffix(span, ".example")
		switch {
		case strings.Contains(span, " "): // a command
			continue
		case isPath:
			if _, err := os.Stat(span); err != nil {
				t.Errorf("docs/architecture.md: %v", err)
			}
		case qualifiedName.MatchString(span):
			if !members[span] {
				t.Errorf("docs/architecture.md: no package or type declares %s", span)
			}
		default:
			continue
		}
		checked++
	}
	if checked < 40 {
		t.Errorf("only %d paths and names found", checked)
	}
	for _, m := range nameInFile.FindAllStringSubmatch(text, -1) {
		declaration := regexp.MustCompile(`(?m)^(func (\([^)]*\) )?|type |var |const |\t)` + m[1] + `\b`)
		if src, err := os.ReadFile(m[2]); err != nil || !declaration.Match(src) {
			t.Errorf("docs/architecture.md: %s does not declare %s", m[2], m[1])
		}
	}
}

// goMembers returns the names that the Go files declare: package.Name for each declaration, and
// Type.Name for each method and field.
func goMembers(t *testing.T) map[string]bool {
	t.Helper()
	members := map[string]bool{}
	err := fs.WalkDir(os.DirFS("."), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && (d.Name() == "testdata" || d.Name() == "node_modules") {
			return fs.SkipDir
		}
		if err != nil || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, decl := range file.Decls {
			addMembers(members, file.Name.Name, decl)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return members
}

// addMembers adds the names that one declaration of a package declares.
func addMembers(members map[string]bool, pkg string, decl ast.Decl) {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			members[pkg+"."+d.Name.Name] = true
			return
		}
		recv := d.Recv.List[0].Type
		if star, ok := recv.(*ast.StarExpr); ok {
			recv = star.X
		}
		if id, ok := recv.(*ast.Ident); ok {
			members[id.Name+"."+d.Name.Name] = true
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.ValueSpec:
				for _, id := range s.Names {
					members[pkg+"."+id.Name] = true
				}
			case *ast.TypeSpec:
				members[pkg+"."+s.Name.Name] = true
				addFields(members, s)
			}
		}
	}
}

// addFields adds the fields of a struct type.
func addFields(members map[string]bool, s *ast.TypeSpec) {
	if st, ok := s.Type.(*ast.StructType); ok {
		for _, f := range st.Fields.List {
			for _, id := range f.Names {
				members[s.Name.Name+"."+id.Name] = true
			}
		}
	}
}
