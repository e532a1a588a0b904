package strict

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/near"
	"gopkg.in/yaml.v3"
)

const (
	maxDepth    = 100    // levels of nesting, which also ends an alias that holds itself
	maxAliased  = 100000 // values read through aliases
	maxFindings = 1000   // more are not read
)

// Options say how forgiving a decoding is. The zero Options forgive nothing.
type Options struct {
	Lenient  bool   // unknown keys belong to someone else
	FoldCase bool   // keys are the same in any case
	Top      string // what findings call the value as a whole; "the file"
	// Suggest returns the path of the key that an unknown one means and that
	// lies elsewhere, or "". It may be nil.
	Suggest func(key string) string
	Types   Types // those that say so neither by a tag nor as a Custom type
}

// Decode fills v, a pointer, from n by the yaml or key tags of its fields. What the
// node does not say, or says wrongly, stays as it is. Findings name the file
// called name. A nil node says nothing.
//
// A bool takes YAML 1.1's yes, no, on and off too; a slice takes a single value
// for a list of one; null says nothing; merge keys are followed.
func (o Options) Decode(name string, n *yaml.Node, v any) diag.List {
	return (&Decoder{Options: o}).Run(name, n, v)
}

// Run is Options.Decode by a decoder that may have run before.
func (d *Decoder) Run(name string, n *yaml.Node, v any) diag.List {
	*d = Decoder{Options: d.Options, name: name, path: d.path[:0], stack: d.stack[:0]}
	if n != nil {
		d.Decode(n, v)
	}
	return d.diags
}

// A Custom type decodes itself and reports whether the node said something that
// fits. d.Decode reports what does not fit into one of its parts, d.Errorf what
// is wrong otherwise.
type Custom interface {
	DecodeNode(d *Decoder, n *yaml.Node) bool
}

// A Value is a T and the place that says it. The zero Value was not said.
type Value[T any] struct {
	V   T
	Pos diag.Pos
}

// Said reports whether the file says v.
func (v Value[T]) Said() bool { return v.Pos != diag.Pos{} }

// DecodeNode implements Custom.
func (v *Value[T]) DecodeNode(d *Decoder, n *yaml.Node) bool {
	if !d.Decode(n, &v.V) {
		return false
	}
	v.Pos = d.Pos(n)
	return true
}

// A Decoder is a decoding under way, as a Custom type sees it. It may be used
// again, by one goroutine.
type Decoder struct {
	Options
	name     string
	path     []step
	depth    int
	aliased  int // values read through aliases
	inAlias  int
	stopped  bool
	findings int
	unknowns int // unknown keys
	diags    diag.List
	stack    []pair // of the mappings that are being decoded, the innermost last
}

// Pos returns the place of n.
func (d *Decoder) Pos(n *yaml.Node) diag.Pos {
	return diag.Pos{File: d.name, Line: n.Line, Col: n.Column}
}

// A step leads from a value to one of its parts.
type step struct {
	key  string
	item int // of a list, counted from 1; 0 for a key
}

// Path returns the key that is being decoded: "output.max_urls".
func (d *Decoder) Path() string {
	var b strings.Builder
	for _, s := range d.path {
		if s.item > 0 {
			fmt.Fprintf(&b, "[%d]", s.item)
		} else {
			b.WriteString("." + s.key)
		}
	}
	return strings.TrimPrefix(b.String(), ".")
}

// Errorf reports a mistake at n.
func (d *Decoder) Errorf(n *yaml.Node, code, hint, format string, args ...any) {
	if d.counts() {
		d.diags.Errorf(d.Pos(n), code, hint, format, args...)
	}
}

// counts counts a finding, and reports whether it is not one too many.
func (d *Decoder) counts() bool {
	if d.findings == maxFindings {
		d.stopped = true
		return false
	}
	d.findings++
	return true
}

// Decode fills v, a pointer, from n, and reports whether n said something that
// fits.
func (d *Decoder) Decode(n *yaml.Node, v any) bool {
	return d.value(n, reflect.ValueOf(v).Elem())
}

// Plain is Decode for a type that is written in more than one way: as if Types did
// not name it.
func (d *Decoder) Plain(n *yaml.Node, v any) bool { return d.kind(n, reflect.ValueOf(v).Elem()) }

// Text is Decode into a Value of text, which is part of the document and no copy.
func (d *Decoder) Text(n *yaml.Node) (v Value[string]) {
	depth, inAlias := d.depth, d.inAlias
	if n = d.enter(n); n != nil && (isText(n) || d.WrongType(n, "text")) {
		v = Value[string]{n.Value, d.Pos(n)}
	}
	d.depth, d.inAlias = depth, inAlias
	return v
}

// WrongType reports that n is not what it should be: "a whole number".
func (d *Decoder) WrongType(n *yaml.Node, want string) bool {
	if d.counts() {
		path := cmp.Or(d.Path(), d.Top, "the file")
		d.diags.Errorf(d.Pos(n), "wrong-type", unquoted(n, want), "%s is %s; it must be %s", path, describe(n), want)
	}
	return false
}

func (d *Decoder) value(n *yaml.Node, v reflect.Value) bool {
	depth, inAlias := d.depth, d.inAlias
	defer func() { d.depth, d.inAlias = depth, inAlias }()
	if n = d.enter(n); n == nil {
		return false
	}
	if c, ok := v.Addr().Interface().(Custom); ok {
		return c.DecodeNode(d, n)
	}
	if t, ok := d.Types[v.Type()]; ok {
		return t.decode(d, n, v.Addr().Interface())
	}
	if v.Type() == reflect.TypeFor[yaml.Node]() {
		v.Set(reflect.ValueOf(*n))
		return true
	}
	return d.kind(n, v)
}

// enter goes one level deeper and returns n, or what it is an alias of; nil when
// that says nothing.
func (d *Decoder) enter(n *yaml.Node) *yaml.Node {
	d.depth++
	if n.Kind == yaml.AliasNode {
		d.inAlias++
		n = n.Alias
	}
	if !d.within(n) || Null(n) {
		return nil
	}
	return n
}

// within reports whether the document is still within its limits.
func (d *Decoder) within(n *yaml.Node) bool {
	if d.inAlias > 0 {
		d.aliased++
	}
	if d.stopped || d.depth <= maxDepth && d.aliased <= maxAliased {
		return !d.stopped
	}
	d.Errorf(n, "too-deep", "write the values out", "aliases or nesting go further than %d levels or %d values", maxDepth, maxAliased)
	d.stopped = true
	return false
}

func (d *Decoder) kind(n *yaml.Node, v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer:
		p := reflect.New(v.Type().Elem())
		if !d.value(n, p.Elem()) {
			return false
		}
		v.Set(p)
		return true
	case reflect.Struct:
		return d.fields(n, v)
	case reflect.Map:
		return d.entries(n, v)
	case reflect.Slice:
		return d.list(n, v)
	}
	return d.scalar(n, v)
}

func (d *Decoder) list(n *yaml.Node, v reflect.Value) bool {
	if n.Kind == yaml.MappingNode && isScalar(v.Type().Elem()) {
		return d.WrongType(n, "a list")
	}
	items := Items(n)
	out := reflect.MakeSlice(v.Type(), 0, len(items))
	ok := len(items) == 0
	for i, item := range items {
		if d.stopped {
			break
		}
		e := reflect.New(v.Type().Elem()).Elem()
		if n.Kind == yaml.SequenceNode {
			d.path = append(d.path, step{item: i + 1})
		}
		if d.value(item, e) {
			out, ok = reflect.Append(out, e), true
		}
		if n.Kind == yaml.SequenceNode {
			d.path = d.path[:len(d.path)-1]
		}
	}
	v.Set(out)
	return ok
}

// Entries calls each for the entries of a mapping that say something, its keys
// as they stand in a decoded map, and reports whether n is one.
func (d *Decoder) Entries(n *yaml.Node, each func(key string, value *yaml.Node)) bool {
	return d.each(n, func(p pair) {
		d.Under(p.key.Value, func() {
			depth, inAlias := d.depth, d.inAlias
			if v := d.enter(p.value); v != nil {
				each(p.name, v)
			}
			d.depth, d.inAlias = depth, inAlias
		})
	})
}

func (d *Decoder) entries(n *yaml.Node, v reflect.Value) bool {
	m := reflect.MakeMap(v.Type())
	ok := d.each(n, func(p pair) {
		e := reflect.New(v.Type().Elem()).Elem()
		d.Under(p.key.Value, func() {
			if d.value(p.value, e) {
				m.SetMapIndex(reflect.ValueOf(p.name).Convert(v.Type().Key()), e)
			}
		})
	})
	if ok {
		v.Set(m)
	}
	return ok
}

// Under runs f with key added to the path that findings name.
func (d *Decoder) Under(key string, f func()) {
	d.path = append(d.path, step{key: key})
	f()
	d.path = d.path[:len(d.path)-1]
}

func (d *Decoder) fields(n *yaml.Node, v reflect.Value) bool {
	all := fieldsOf(v.Type())
	return d.each(n, func(p pair) {
		i := slices.IndexFunc(all, func(f field) bool { return d.same(f.name, p.key.Value) })
		if i < 0 {
			d.unknown(p.key, all)
			return
		}
		d.Under(all[i].name, func() { d.value(p.value, v.FieldByIndex(all[i].index)) })
	})
}

func (d *Decoder) same(a, b string) bool {
	return a == b || d.FoldCase && strings.EqualFold(a, b)
}

// fold returns a key as it stands in a map: in lower case where case is folded.
func (d *Decoder) fold(key string) string {
	if d.FoldCase {
		return strings.ToLower(key)
	}
	return key
}

func (d *Decoder) unknown(key *yaml.Node, all []field) {
	if d.Lenient {
		return
	}
	var names []string
	for _, f := range all {
		names = append(names, f.name)
	}
	where, hint := "", "the keys here are "+strings.Join(names, ", ")
	if len(names) == 1 {
		hint = "the only key here is " + names[0]
	}
	if p := d.Path(); p != "" {
		where = " in " + p
	}
	if near := d.nearest(key.Value, names); near == key.Value {
		d.Errorf(key, "unknown-key", "move it to the left, where no other key is around it", "unknown key %q%s; it belongs to the top level", key.Value, where)
		return
	} else if near != "" {
		d.Errorf(key, "unknown-key", hint, "unknown key %q%s, did you mean %q?", key.Value, where, near)
		return
	}
	d.Errorf(key, "unknown-key", hint, "unknown key %q%s", key.Value, where)
}

// manyUnknown is how many unknown keys are compared with all that are known.
const manyUnknown = 100

// nearest returns the key that a misspelled one most likely means, or "".
func (d *Decoder) nearest(key string, names []string) string {
	if d.unknowns++; d.unknowns > manyUnknown {
		return ""
	}
	guess := near.Word(key, names)
	if guess == "" && d.Suggest != nil {
		guess = d.Suggest(key)
	}
	return guess
}

// A field is one key that a struct knows.
type field struct {
	name  string
	index []int
}

// Name returns what a field of a struct is called in a file, "" when it is not for
// files: what its tag says, which is key in rooms that know no YAML.
func Name(f reflect.StructField) string {
	name, _, _ := strings.Cut(cmp.Or(f.Tag.Get("yaml"), f.Tag.Get("key")), ",")
	return name
}

// fieldsOf returns the fields of a struct that have a name, with those of embedded
// structs.
func fieldsOf(t reflect.Type) []field {
	var out []field
	for _, f := range reflect.VisibleFields(t) {
		if name := Name(f); name != "" && f.IsExported() {
			out = append(out, field{name, f.Index})
		}
	}
	return out
}
