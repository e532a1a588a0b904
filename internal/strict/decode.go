package strict

import (
	"cmp"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"gopkg.in/yaml.v3"
)

const (
	maxDepth    = 100    // levels of nesting; also ends an alias that contains itself
	maxAliased  = 100000 // values read through aliases
	maxFindings = 1000   // decoding stops there
	maxGuesses  = 100    // findings up to which an unknown key is compared with the known ones
)

// Options configure a decoding. The zero Options forgive nothing.
type Options struct {
	Lenient  bool   // ignore unknown keys
	FoldCase bool   // ignore the case of keys
	Top      string // name of the whole value in findings; "the file" by default
	// Suggest returns the path of a key of another map that an unknown key probably
	// means, or "". It may be nil.
	Suggest func(key string) string
	Types   Types // types of other packages
}

// Decode fills v, a pointer, from n by the yaml or key tags of its fields, and returns the
// findings in the file called name. Fields without a valid value stay unchanged. n may be nil.
//
// A bool accepts yes, no, on and off of YAML 1.1, and a slice accepts a single value. A null
// value counts as missing. Merge keys are followed.
func (o Options) Decode(name string, n *yaml.Node, v any) diag.List {
	d := &Decoder{Options: o, name: name}
	if n != nil {
		d.Decode(n, v)
	}
	return d.diags
}

// A Custom type decodes itself. DecodeNode reports whether the node has a valid value.
type Custom interface {
	DecodeNode(d *Decoder, n *yaml.Node) bool
}

// A Value is a T with its place in the file. The zero Value is not set.
type Value[T any] struct {
	V   T
	Pos diag.Pos
}

// IsSet reports whether the file sets v.
func (v Value[T]) IsSet() bool { return v.Pos != diag.Pos{} }

// DecodeNode implements Custom.
func (v *Value[T]) DecodeNode(d *Decoder, n *yaml.Node) bool {
	if !d.Decode(n, &v.V) {
		return false
	}
	v.Pos = d.Pos(n)
	return true
}

// A Decoder is the state of decoding one file.
type Decoder struct {
	Options
	name    string
	path    []string // keys, and list items as "[1]"
	depth   int
	aliased int // values read through aliases
	inAlias int
	stopped bool
	diags   diag.List
}

// Pos returns the place of n.
func (d *Decoder) Pos(n *yaml.Node) diag.Pos {
	return diag.Pos{File: d.name, Line: n.Line, Col: n.Column}
}

// Path returns the path of the key that is being decoded: "output.max_urls".
func (d *Decoder) Path() string {
	return strings.ReplaceAll(strings.Join(d.path, "."), ".[", "[")
}

// Errorf reports a mistake at n.
func (d *Decoder) Errorf(n *yaml.Node, code, hint, format string, args ...any) {
	if len(d.diags) == maxFindings {
		d.stopped = true
		return
	}
	d.diags.Errorf(d.Pos(n), code, hint, format, args...)
}

// WrongType reports that n is not of the wanted type, such as "a whole number". It returns
// false.
func (d *Decoder) WrongType(n *yaml.Node, want string) bool {
	d.Errorf(n, "wrong-type", quotingHint(n, want), "%s is %s; it must be %s", cmp.Or(d.Path(), d.Top, "the file"), describeNode(n), want)
	return false
}

// Decode fills v, a pointer, from n, and reports whether n has a valid value.
func (d *Decoder) Decode(n *yaml.Node, v any) bool {
	return d.decodeValue(n, reflect.ValueOf(v).Elem())
}

// DecodeByTags is Decode without regard to Types for v itself.
func (d *Decoder) DecodeByTags(n *yaml.Node, v any) bool {
	return d.decodeByKind(n, reflect.ValueOf(v).Elem())
}

// EachEntry calls each for the entries of a mapping that have a value. It reports whether n is
// a mapping.
func (d *Decoder) EachEntry(n *yaml.Node, each func(key string, value *yaml.Node)) bool {
	pairs, ok := d.pairs(n)
	for _, p := range pairs {
		d.WithKey(p.key.Value, func() {
			d.descend(p.value, func(v *yaml.Node) bool {
				each(p.name, v)
				return true
			})
		})
	}
	return ok
}

// WithKey runs f with key added to the path in findings.
func (d *Decoder) WithKey(key string, f func()) {
	d.path = append(d.path, key)
	f()
	d.path = d.path[:len(d.path)-1]
}

// descend calls f one level deeper, with the target of an alias. It returns false for null,
// and beyond the limits of a document.
func (d *Decoder) descend(n *yaml.Node, f func(n *yaml.Node) bool) bool {
	depth, inAlias := d.depth, d.inAlias
	defer func() { d.depth, d.inAlias = depth, inAlias }()
	d.depth++
	if n.Kind == yaml.AliasNode {
		d.inAlias++
		n = n.Alias
	}
	return d.isWithinLimits(n) && !IsNull(n) && f(n)
}

// isWithinLimits counts a value that was read through an alias.
func (d *Decoder) isWithinLimits(n *yaml.Node) bool {
	if d.inAlias > 0 {
		d.aliased++
	}
	if !d.stopped && (d.depth > maxDepth || d.aliased > maxAliased) {
		d.Errorf(n, "too-deep", "write the values out", "aliases or nesting go further than %d levels or %d values", maxDepth, maxAliased)
		d.stopped = true
	}
	return !d.stopped
}

func (d *Decoder) decodeValue(n *yaml.Node, v reflect.Value) bool {
	return d.descend(n, func(n *yaml.Node) bool {
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
		return d.decodeByKind(n, v)
	})
}

func (d *Decoder) decodeByKind(n *yaml.Node, v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer:
		p := reflect.New(v.Type().Elem())
		if !d.decodeValue(n, p.Elem()) {
			return false
		}
		v.Set(p)
		return true
	case reflect.Struct:
		return d.decodeStruct(n, v)
	case reflect.Map:
		return d.decodeMap(n, v)
	case reflect.Slice:
		return d.decodeList(n, v)
	}
	return d.decodeScalar(n, v)
}

func (d *Decoder) decodeList(n *yaml.Node, v reflect.Value) bool {
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
		decode := func() {
			if d.decodeValue(item, e) {
				out, ok = reflect.Append(out, e), true
			}
		}
		if n.Kind == yaml.SequenceNode {
			d.WithKey("["+strconv.Itoa(i+1)+"]", decode)
		} else {
			decode()
		}
	}
	v.Set(out)
	return ok
}

func (d *Decoder) decodeMap(n *yaml.Node, v reflect.Value) bool {
	pairs, ok := d.pairs(n)
	if !ok {
		return false
	}
	m := reflect.MakeMap(v.Type())
	for _, p := range pairs {
		e := reflect.New(v.Type().Elem()).Elem()
		d.WithKey(p.key.Value, func() {
			if d.decodeValue(p.value, e) {
				m.SetMapIndex(reflect.ValueOf(p.name).Convert(v.Type().Key()), e)
			}
		})
	}
	v.Set(m)
	return true
}

func (d *Decoder) decodeStruct(n *yaml.Node, v reflect.Value) bool {
	fields := fieldsOf(v.Type())
	pairs, ok := d.pairs(n)
	for _, p := range pairs {
		i := slices.IndexFunc(fields, func(f field) bool { return d.foldCase(f.name) == p.name })
		if i < 0 {
			d.reportUnknown(p.key, fields)
			continue
		}
		d.WithKey(fields[i].name, func() { d.decodeValue(p.value, v.FieldByIndex(fields[i].index)) })
	}
	return ok
}

// foldCase returns a key in lower case if case is ignored.
func (d *Decoder) foldCase(key string) string {
	if d.FoldCase {
		return strings.ToLower(key)
	}
	return key
}

func (d *Decoder) reportUnknown(key *yaml.Node, fields []field) {
	if d.Lenient {
		return
	}
	var names []string
	for _, f := range fields {
		names = append(names, f.name)
	}
	where, hint := "", "the keys here are "+strings.Join(names, ", ")
	if len(names) == 1 {
		hint = "the only key here is " + names[0]
	}
	if p := d.Path(); p != "" {
		where = " in " + p
	}
	switch guess := d.guessKey(key.Value, names); guess {
	case "":
		d.Errorf(key, "unknown-key", hint, "unknown key %q%s", key.Value, where)
	case key.Value:
		d.Errorf(key, "unknown-key", "move it to the left, where no other key is around it", "unknown key %q%s; it belongs to the top level", key.Value, where)
	default:
		d.Errorf(key, "unknown-key", hint, "unknown key %q%s, did you mean %q?", key.Value, where, guess)
	}
}

// guessKey returns the known key that an unknown one probably means, or "".
func (d *Decoder) guessKey(key string, names []string) string {
	if len(d.diags) >= maxGuesses {
		return ""
	}
	guess := NearestWord(key, names)
	if guess == "" && d.Suggest != nil {
		guess = d.Suggest(key)
	}
	return guess
}
