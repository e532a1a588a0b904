package policy

import (
	"bytes"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

// TestPublicTypes checks that the exported names of public packages use no type of an internal
// package. An importer cannot name such a type.
func TestPublicTypes(t *testing.T) {
	testsite.ChdirToRoot(t)
	exports := exportData(t)
	lookup := func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) }
	load := importer.ForCompiler(token.NewFileSet(), "gc", lookup)
	for path := range exports {
		if path != module && !strings.HasPrefix(path, module+"/") || isInternal(path) {
			continue
		}
		pkg, err := load.Import(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range pkg.Scope().Names() {
			if o := pkg.Scope().Lookup(name); o.Exported() {
				s := surface{seen: map[types.Type]bool{}, report: func(where, hidden string) { t.Errorf("%s has the internal type %s", where, hidden) }}
				s.visitObject(path+"."+name, o)
			}
		}
	}
}

// exportData returns the names of the files with the compiler's export data, by import path.
func exportData(t *testing.T) map[string]string {
	cmd := exec.CommandContext(t.Context(), "go", "list", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}", "./...")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.String())
	}
	files := map[string]string{}
	for line := range strings.Lines(string(out)) {
		if path, file, _ := strings.Cut(strings.TrimSpace(line), "\t"); file != "" {
			files[path] = file
		}
	}
	return files
}

func isInternal(path string) bool {
	return strings.HasPrefix(path, module+"/") && strings.Contains(path+"/", "/internal/")
}

// A surface visits the types that an importer sees through an exported name.
type surface struct {
	seen   map[types.Type]bool
	report func(where, hidden string)
}

// visitObject visits the type of o. If o is a type, it also visits the definition and the methods.
func (s surface) visitObject(where string, o types.Object) {
	s.visitType(where, o.Type())
	if _, ok := o.(*types.TypeName); !ok {
		return
	}
	if named, ok := types.Unalias(o.Type()).(*types.Named); ok && named.Obj().Pkg() == o.Pkg() {
		s.visitType(where, named.Underlying())
		for m := range named.Methods() {
			if m.Exported() {
				s.visitType(where+"."+m.Name(), m.Type())
			}
		}
	}
}

// visitType visits a type and its parts. It does not visit the definition of a named type, because
// visitObject does so for the types of a public package.
func (s surface) visitType(where string, t types.Type) {
	if s.seen[t] {
		return
	}
	s.seen[t] = true
	switch t := t.(type) {
	case *types.Alias:
		s.checkName(where, t.Obj())
		s.visitType(where, t.Rhs())
	case *types.Named:
		s.checkName(where, t.Obj())
		for a := range t.TypeArgs().Types() {
			s.visitType(where, a)
		}
	case *types.Signature:
		s.visitType(where, t.Params())
		s.visitType(where, t.Results())
	case *types.Tuple:
		for v := range t.Variables() {
			s.visitType(where, v.Type())
		}
	case *types.Struct:
		for f := range t.Fields() {
			if f.Exported() || f.Embedded() {
				s.visitType(where+"."+f.Name(), f.Type())
			}
		}
	case *types.Interface:
		for m := range t.Methods() {
			s.visitType(where+"."+m.Name(), m.Type())
		}
	case *types.Map:
		s.visitType(where, t.Key())
		s.visitType(where, t.Elem())
	case interface{ Elem() types.Type }: // pointers, slices, arrays, channels
		s.visitType(where, t.Elem())
	}
}

// checkName reports a type that is declared in an internal package.
func (s surface) checkName(where string, o *types.TypeName) {
	if o.Pkg() != nil && isInternal(o.Pkg().Path()) {
		s.report(where, o.Pkg().Path()+"."+o.Name())
	}
}
