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

// TestPublicTypes looks for exported names of public packages whose types an importer
// cannot name, because they are declared in an internal package.
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
				s := surface{seen: map[types.Type]bool{}, report: func(where, hidden string) { t.Errorf("%s shows %s", where, hidden) }}
				s.object(path+"."+name, o)
			}
		}
	}
}

// exportData returns where the compiler has left the types of each package, by its path.
func exportData(t *testing.T) map[string]string {
	cmd := exec.CommandContext(t.Context(), "go", "list", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}", "./...")
	var wrong bytes.Buffer
	cmd.Stderr = &wrong
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, wrong.String())
	}
	found := map[string]string{}
	for line := range strings.Lines(string(out)) {
		if path, file, _ := strings.Cut(strings.TrimSpace(line), "\t"); file != "" {
			found[path] = file
		}
	}
	return found
}

func isInternal(path string) bool {
	return strings.HasPrefix(path, module+"/") && strings.Contains(path+"/", "/internal/")
}

// A surface is what an importer sees of a name.
type surface struct {
	seen   map[types.Type]bool
	report func(where, hidden string)
}

func (s surface) object(where string, o types.Object) {
	s.typ(where, o.Type())
	if _, ok := o.(*types.TypeName); !ok {
		return
	}
	if named, ok := types.Unalias(o.Type()).(*types.Named); ok && named.Obj().Pkg() == o.Pkg() {
		s.typ(where, named.Underlying())
		for m := range named.Methods() {
			if m.Exported() {
				s.typ(where+"."+m.Name(), m.Type())
			}
		}
	}
}

// typ looks at a type as it is written: what a type of another package has is that
// package's own.
func (s surface) typ(where string, t types.Type) {
	if s.seen[t] {
		return
	}
	s.seen[t] = true
	switch t := t.(type) {
	case *types.Alias:
		s.named(where, t.Obj())
		s.typ(where, t.Rhs())
	case *types.Named:
		s.named(where, t.Obj())
		for a := range t.TypeArgs().Types() {
			s.typ(where, a)
		}
	case *types.Signature:
		s.typ(where, t.Params())
		s.typ(where, t.Results())
	case *types.Tuple:
		for v := range t.Variables() {
			s.typ(where, v.Type())
		}
	case *types.Struct:
		for f := range t.Fields() {
			if f.Exported() || f.Embedded() {
				s.typ(where+"."+f.Name(), f.Type())
			}
		}
	case *types.Interface:
		for m := range t.Methods() {
			s.typ(where+"."+m.Name(), m.Type())
		}
	case *types.Map:
		s.typ(where, t.Key())
		s.typ(where, t.Elem())
	case interface{ Elem() types.Type }: // pointers, slices, arrays, channels
		s.typ(where, t.Elem())
	}
}

func (s surface) named(where string, o *types.TypeName) {
	if o.Pkg() != nil && isInternal(o.Pkg().Path()) {
		s.report(where, o.Pkg().Path()+"."+o.Name())
	}
}
