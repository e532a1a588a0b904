package policy

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

// TestCommentsBeginWithName checks that the comment on a declaration begins with its
// name, as go doc expects. It also checks that every exported declaration has a comment.
func TestCommentsBeginWithName(t *testing.T) {
	testsite.ChdirToRoot(t)
	fset := token.NewFileSet()
	for file := range goFiles(t) {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, file, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range declarations(f) {
			switch first := firstWord(d.doc); {
			case d.doc == nil && d.name.IsExported() && !isWellKnown(d):
				t.Errorf("%s: %s has no comment", fset.Position(d.name.Pos()), d.name.Name)
			case d.doc != nil && first != "" && first != d.name.Name:
				t.Errorf("%s: the comment on %s begins with %q", fset.Position(d.name.Pos()), d.name.Name, first)
			}
		}
	}
}

// A declaration is a named function, method, type, constant or variable at the top level of a
// file, with its comment.
type declaration struct {
	name     *ast.Ident
	doc      *ast.CommentGroup
	isMethod bool
}

// declarations returns the declarations of a file. The comment on a group of constants or
// variables covers the group, so it returns only the members that have their own comment.
func declarations(f *ast.File) (all []declaration) {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil || ast.IsExported(receiverName(d)) {
				all = append(all, declaration{d.Name, d.Doc, d.Recv != nil})
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					doc := spec.Doc
					if doc == nil && len(d.Specs) == 1 {
						doc = d.Doc
					}
					all = append(all, declaration{spec.Name, doc, false})
				case *ast.ValueSpec:
					if len(d.Specs) == 1 && len(spec.Names) == 1 {
						all = append(all, declaration{spec.Names[0], d.Doc, false})
					} else if spec.Doc != nil && len(spec.Names) == 1 {
						all = append(all, declaration{spec.Names[0], spec.Doc, false})
					}
				}
			}
		}
	}
	return all
}

// receiverName returns the name of the type that a method belongs to.
func receiverName(d *ast.FuncDecl) string {
	t := d.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	if index, ok := t.(*ast.IndexExpr); ok {
		t = index.X
	}
	if id, ok := t.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

// isWellKnown reports whether a method implements an interface that every Go reader knows.
func isWellKnown(d declaration) bool {
	switch d.name.Name {
	case "String", "Error", "Unwrap", "Read", "Write", "Close", "UnmarshalText", "MarshalText", "MarshalJSON", "UnmarshalJSON", "Len", "Less", "Swap":
		return d.isMethod
	}
	return false
}

// firstWord returns the first word of a comment after an article. It returns "" if there is no
// comment or if the comment contains only directives.
func firstWord(doc *ast.CommentGroup) string {
	if doc == nil {
		return ""
	}
	words := strings.Fields(doc.Text())
	for len(words) > 1 && (words[0] == "A" || words[0] == "An" || words[0] == "The" || words[0] == "Deprecated:") {
		words = words[1:]
	}
	if len(words) == 0 {
		return ""
	}
	return strings.TrimRight(strings.TrimSuffix(words[0], "'s"), ",.:")
}
