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
	maxDepth    = 100    // maximum levels of nesting; without a limit, decoding an alias inside its own anchor would never end
	maxAliased  = 100000 // maximum number of values read through aliases
	maxFindings = 1000   // maximum number of findings; decoding stops after them
)

// Options configure a Decoder. With the zero Options, the decoder reports unknown keys, and
// distinguishes upper and lower case in keys.
type Options struct {
	Lenient  bool   // ignore unknown keys
	FoldCase bool   // ignore the case of keys
	Top      string // name of the top-level value in findings, "the front matter"; "" means "the file"
	// Suggest returns the path of the key that an unknown key probably means, such as
	// "pages.exclude" for "ignore". It returns "" if it has no suggestion. Suggest may be nil.
	Suggest func(key string) string
	Types   Types // decoding functions of types that do not implement Custom
}

// Decode decodes n into v, which is a pointer, and returns the findings. name is the name of the
// file in findings. n may be nil. Decode sets struct fields with a yaml or key tag. It does not
// change a field whose value in n is missing or has the wrong type. An invalid item of a list or
// map is left out, even if the list or map is then empty. A single value counts as a list with one
// item.
//
// A bool accepts the words yes, no, on and off of YAML 1.1. A null value counts as missing. Merge
// keys ("<<") are resolved.
func (o Options) Decode(name string, n *yaml.Node, v any) diag.List {
	d := &Decoder{Options: o, name: name}
	if n != nil {
		d.Decode(n, v)
	}
	return d.diags
}

// A Custom type decodes itself. DecodeNode decodes n into the receiver, and reports whether n has a
// valid value. The decoder does not call it with a null value or an alias.
type Custom interface {
	DecodeNode(d *Decoder, n *yaml.Node) bool
}

// A Value is a value of type T in a file, with its position. The zero Value means that the file has
// no valid value.
type Value[T any] struct {
	V   T
	Pos diag.Pos
}

// IsSet reports whether the file has a valid value for v.
func (v Value[T]) IsSet() bool { return v.Pos != diag.Pos{} }

// DecodeNode decodes n into v.V, and sets v.Pos to the position of n. If n has no valid value, it
// returns false and does not set v.Pos.
func (v *Value[T]) DecodeNode(d *Decoder, n *yaml.Node) bool {
	if !d.Decode(n, &v.V) {
		return false
	}
	v.Pos = d.Pos(n)
	return true
}

// A Decoder decodes the nodes of one file into Go values, and collects the findings.
type Decoder struct {
	Options
	name    string
	path    []string // keys and list items around the current value: "rules", "[1]", "url"
	depth   int      // levels of nesting around the current value
	aliased int      // number of values read through aliases so far
	inAlias int      // number of aliases around the current value
	stopped bool     // a limit was exceeded
	diags   diag.List
}

// Pos returns the position of n: the file, the line and the column.
func (d *Decoder) Pos(n *yaml.Node) diag.Pos {
	return diag.Pos{File: d.name, Line: n.Line, Col: n.Column}
}

// Path returns the path of the key whose value is being decoded, such as "output.max_urls" or
// "rules[1].url". Items of lists are counted from 1.
func (d *Decoder) Path() string {
	return strings.ReplaceAll(strings.Join(d.path, "."), ".[", "[")
}

// Errorf adds an error at the position of n to the findings, with the given code and hint. After
// maxFindings findings, it adds nothing and stops the decoder.
func (d *Decoder) Errorf(n *yaml.Node, code, hint, format string, args ...any) {
	if len(d.diags) == maxFindings {
		d.stopped = true
		return
	}
	d.diags.Errorf(d.Pos(n), code, hint, format, args...)
}

// ReportWrongType adds the finding that n does not have the wanted type. want describes the type:
// "a whole number". The result is always false, so that a decoding function can return it.
func (d *Decoder) ReportWrongType(n *yaml.Node, want string) bool {
	d.Errorf(n, "wrong-type", quotingHint(n, want), "%s is %s; it must be %s", cmp.Or(d.Path(), d.Top, "the file"), describeNode(n), want)
	return false
}

// Decode decodes n into v, which is a pointer. It reports whether n has a valid value.
func (d *Decoder) Decode(n *yaml.Node, v any) bool {
	return d.decodeValue(n, reflect.ValueOf(v).Elem())
}

// ForEachEntry calls visit for every key of the mapping n whose value is not null. It reports
// whether n is a mapping. If n is not a mapping, it adds a finding.
func (d *Decoder) ForEachEntry(n *yaml.Node, visit func(key string, value *yaml.Node)) bool {
	pairs, ok := d.mappingPairs(n)
	for _, p := range pairs {
		d.WithKey(p.key.Value, func() {
			d.enterNode(p.value, func(v *yaml.Node) bool {
				visit(p.name, v)
				return true
			})
		})
	}
	return ok
}

// WithKey calls f. While f runs, key is the last element of Path.
func (d *Decoder) WithKey(key string, f func()) {
	d.path = append(d.path, key)
	f()
	d.path = d.path[:len(d.path)-1]
}

// enterNode calls f with n, and returns the result of f. If n is an alias, it calls f with the
// target of the alias. It returns false without calling f if n is null, or if a limit was exceeded.
func (d *Decoder) enterNode(n *yaml.Node, f func(n *yaml.Node) bool) bool {
	depth, inAlias := d.depth, d.inAlias
	defer func() { d.depth, d.inAlias = depth, inAlias }()
	d.depth++
	if n.Kind == yaml.AliasNode {
		d.inAlias++
		n = n.Alias
	}
	return d.checkLimits(n) && !IsNull(n) && f(n)
}

// checkLimits reports whether the decoder may decode n. If the nesting or the number of values in
// aliases exceeds a limit, it adds a finding and stops the decoder. It returns false if the decoder
// has stopped.
func (d *Decoder) checkLimits(n *yaml.Node) bool {
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
	return d.enterNode(n, func(n *yaml.Node) bool {
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
	if n.Kind == yaml.MappingNode && isScalarType(v.Type().Elem()) {
		return d.ReportWrongType(n, "a list")
	}
	items := ListItems(n)
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
	pairs, ok := d.mappingPairs(n)
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
	fields := keyedFields(v.Type())
	pairs, ok := d.mappingPairs(n)
	for _, p := range pairs {
		i := slices.IndexFunc(fields, func(f field) bool { return d.foldKey(f.name) == p.name })
		if i < 0 {
			d.reportUnknownKey(p.key, fields)
			continue
		}
		d.WithKey(fields[i].name, func() { d.decodeValue(p.value, v.FieldByIndex(fields[i].index)) })
	}
	return ok
}

// foldKey returns key in lower case if the option FoldCase is set. Otherwise it returns key
// unchanged.
func (d *Decoder) foldKey(key string) string {
	if d.FoldCase {
		return strings.ToLower(key)
	}
	return key
}

func (d *Decoder) reportUnknownKey(key *yaml.Node, fields []field) {
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
	guess := NearestWord(key.Value, names)
	if guess == "" && d.Suggest != nil {
		guess = d.Suggest(key.Value)
	}
	switch guess {
	case "":
		d.Errorf(key, "unknown-key", hint, "unknown key %q%s", key.Value, where)
	case key.Value:
		d.Errorf(key, "unknown-key", "move it to the left, where no other key is around it", "unknown key %q%s; it belongs to the top level", key.Value, where)
	default:
		d.Errorf(key, "unknown-key", hint, "unknown key %q%s, did you mean %q?", key.Value, where, guess)
	}
}

// A pair is one key of a mapping, and the value of that key.
type pair struct {
	name       string // the key, in lower case if case is ignored
	key, value *yaml.Node
}

// mappingPairs returns the keys and values of the mapping n. Each key occurs once. The keys from
// merge keys ("<<") come last. If n is not a mapping, mappingPairs adds a finding, and ok is false.
func (d *Decoder) mappingPairs(n *yaml.Node) (pairs []pair, ok bool) {
	if n.Kind != yaml.MappingNode {
		return nil, d.ReportWrongType(n, "a map of keys and values")
	}
	c := pairCollector{d: d, lines: make(map[string]int, len(n.Content)/2)}
	c.addMapping(n, false)
	return c.pairs, true
}

// A pairCollector collects the keys and values of one mapping, including those from merge keys.
type pairCollector struct {
	d     *Decoder
	pairs []pair
	lines map[string]int // line of each key that was added
}

// addMapping adds the keys and values of the mapping n. merged is true if n is the value of a merge
// key.
func (p *pairCollector) addMapping(n *yaml.Node, merged bool) {
	var merges []*yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		switch {
		case key.Kind != yaml.ScalarNode:
			p.d.Errorf(key, "wrong-type", "", "a key is %s; it must be text", describeNode(key))
		case key.ShortTag() == "!!merge":
			merges = append(merges, value)
		default:
			p.addPair(key, value, merged)
		}
	}
	for _, m := range merges {
		p.addMergeValue(m)
	}
}

// addPair adds a key and its value. If the key was added before, addPair ignores the new value. A
// repeated key is a finding, unless merged is true.
func (p *pairCollector) addPair(key, value *yaml.Node, merged bool) {
	name := p.d.foldKey(key.Value)
	line, exists := p.lines[name]
	switch {
	case !exists:
		p.lines[name] = key.Line
		p.pairs = append(p.pairs, pair{name, key, value})
	case !merged:
		p.d.Errorf(key, "duplicate-key", "keep one of the two", "key %q is set here for the second time, first in line %d", key.Value, line)
	}
}

// addMergeValue adds the keys and values in n, the value of a merge key. n is a mapping or a list
// of mappings. Null is ignored, and any other value is a finding.
func (p *pairCollector) addMergeValue(n *yaml.Node) {
	p.d.inAlias++
	p.d.enterNode(n, func(n *yaml.Node) bool {
		switch n.Kind {
		case yaml.MappingNode:
			p.d.aliased += len(n.Content) / 2
			p.addMapping(n, true)
		case yaml.SequenceNode:
			for _, item := range n.Content {
				p.addMergeValue(item)
			}
		default:
			p.d.Errorf(n, "wrong-type", "", "a merge key is %s; it must be a map or a list of maps", describeNode(n))
		}
		return true
	})
	p.d.inAlias--
}
