package config

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/strict"
	"github.com/sitewalk/sitewalk/internal/testsite"
	"github.com/sitewalk/sitewalk/sitemap"
)

const schemaURL = "https://raw.githubusercontent.com/sitewalk/sitewalk/main/docs/sitemap.schema.json"

// TestSchema holds docs/sitemap.schema.json, which editors complete and check
// sitemap.yaml by, and its entry for their catalogue to the code. UPDATE=1 writes
// both.
func TestSchema(t *testing.T) {
	entry := map[string]any{
		"name": "sitewalk", "description": "Configuration of the sitemap generator sitewalk",
		"fileMatch": []string{"sitewalk.yaml"}, "url": schemaURL,
	}
	for name, want := range map[string]any{"sitemap.schema.json": newSchema(t), "schemastore.json": entry} {
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		if err := enc.Encode(want); err != nil {
			t.Fatal(err)
		}
		testsite.CompareWithFile(t, filepath.Join("..", "..", "docs", name), b.String())
	}
}

// A schemer makes a JSON schema of the types that a file is decoded into.
type schemer struct {
	t      *testing.T
	manual string
	path   []string
	items  object // of lists, by the path of the key
}

type object = map[string]any

func newSchema(t *testing.T) object {
	src, err := os.ReadFile("../../docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	s := &schemer{t: t, manual: string(src), items: object{}}
	o := s.of(reflect.TypeFor[File]())
	o["definitions"] = s.items
	o["$schema"] = "http://json-schema.org/draft-07/schema#" // the draft that the catalogue asks for
	o["$id"] = schemaURL
	o["title"] = "sitemap.yaml of sitewalk"
	return o
}

// of returns the schema of a type, which null never breaks: it says nothing.
func (s *schemer) of(typ reflect.Type) object {
	one := func(alternatives ...object) object { return object{"anyOf": alternatives} }
	text := object{"type": []string{"string", "number", "null"}}
	switch typ {
	case reflect.TypeFor[[]sitemap.Alternate]():
		return one(object{"type": "object", "additionalProperties": text}, s.list(typ))
	case reflect.TypeFor[sitemap.Image](), reflect.TypeFor[Extra]():
		return one(text, s.fields(typ))
	case reflect.TypeFor[Ledger]():
		return one(text, object{"const": false}, s.fields(typ))
	case reflect.TypeFor[Word]():
		return s.words(object{"enum": []any{nil, false}}, object{"type": []string{"string", "number", "boolean", "null"}})
	}
	if strings.HasPrefix(typ.Name(), "Value[") {
		return s.of(typ.Field(0).Type)
	}
	if as := strict.SitemapTypes(nil)[typ].FileType; as != nil {
		return s.of(as)
	}
	switch typ.Kind() {
	case reflect.Pointer:
		return s.of(typ.Elem())
	case reflect.Slice:
		return s.list(typ)
	case reflect.Map:
		return object{"type": []string{"object", "null"}, "propertyNames": object{"pattern": "^[a-z0-9-]+$"}, "additionalProperties": object{"enum": append([]any{nil, false}, asAny(diag.LevelNames)...)}}
	case reflect.Struct:
		return s.fields(typ)
	case reflect.Bool:
		return object{"type": []string{"boolean", "null"}}
	case reflect.Int:
		return s.bounded("integer")
	case reflect.Float64:
		return s.bounded("number")
	case reflect.String:
		return s.words(object{"enum": []any{nil}}, text)
	}
	s.t.Fatalf("%s is of the type %s, of which there is no schema", strings.Join(s.path, "."), typ)
	return nil
}

// list returns the schema of a slice, for which one value may stand.
func (s *schemer) list(typ reflect.Type) object {
	path := strings.Join(s.path, ".")
	if s.items[path] == nil {
		s.items[path] = s.of(typ.Elem())
	}
	item := object{"$ref": "#/definitions/" + path}
	return object{"anyOf": []object{item, {"type": "array", "items": item}}}
}

// fields returns the schema of a struct.
func (s *schemer) fields(typ reflect.Type) object {
	properties := object{}
	for _, f := range reflect.VisibleFields(typ) {
		name := strict.FieldKey(f)
		if name == "" {
			continue
		}
		s.path = append(s.path, name)
		p := s.of(f.Type)
		p["description"] = s.described()
		properties[name] = p
		s.path = s.path[:len(s.path)-1]
	}
	return object{"type": []string{"object", "null"}, "properties": properties, "additionalProperties": false}
}

// words returns the words that a key takes, as the program says them to who
// writes another one; other when it says none.
func (s *schemer) words(o, other object) object {
	m := regexp.MustCompile(`"no-such-word" is not one of ([^;\[]+)`).FindStringSubmatch(s.answer("no-such-word"))
	if m == nil {
		return other
	}
	words := strings.Split(strings.TrimSpace(m[1]), ", ")
	if slices.Contains(words, "true") {
		o["enum"] = append(o["enum"].([]any), true)
	}
	o["enum"] = append(o["enum"].([]any), asAny(slices.DeleteFunc(words, func(w string) bool { return w == "false" || w == "true" }))...)
	return o
}

func asAny(words []string) (out []any) {
	for _, w := range words {
		out = append(out, w)
	}
	return out
}

// bounded returns a number with the limits that the program says.
func (s *schemer) bounded(typ string) object {
	o := object{"type": []string{typ, "null"}}
	if m := regexp.MustCompile(`is not between ([\d.]+) and ([\d.]+)`).FindStringSubmatch(s.answer("987654321")); m != nil {
		o["minimum"], o["maximum"] = json.Number(m[1]), json.Number(m[2])
	}
	return o
}

// answer returns what the program says to a value of the key at hand.
func (s *schemer) answer(value string) string {
	w := newWorld(s.t, map[string]string{"sitemap.yaml": document(s.path, value), "public/index.html": ""})
	_, diags, _ := w.resolve()
	return fmt.Sprint(diags)
}

// document returns a sitemap.yaml that says one thing, and what that takes to be
// looked at. One value stands for a list of it.
func document(path []string, value string) string {
	for _, key := range slices.Backward(path) {
		value = "{" + key + ": " + value + "}"
	}
	if len(path) > 1 {
		for top, needed := range map[string]string{"ledger": "read", "extra": "loc"} {
			if path[1] != needed {
				value = strings.Replace(value, "{"+top+": {", "{"+top+": {"+needed+": /a/, ", 1)
			}
		}
	}
	return value + "\n"
}

// described returns what the manual says of the key at hand.
func (s *schemer) described() string {
	path := strings.Join(s.path, ".")
	if rest, ok := strings.CutPrefix(path, "extra."); ok && rest != "loc" {
		path = "rules." + rest
	}
	name := regexp.QuoteMeta("`" + path + "`")
	for _, pattern := range []string{
		"(?m)^### " + name + "\n\n(.+?[.:])(?: |\n)",                            // the first sentence of a section
		"(?m)^- [^:]*" + name + "[^:]*: (.*)$",                                  // an item of a list
		"(?m)^- [^:]*: (.*" + name + ".*)$",                                     // what an item says of a key with parts
		"(?m)^\\|[^|]*" + name + "[^|]*\\| ([^|]*) \\|",                         // a row of a table
		"(?m)^\\|[^|]*\\| ([^|]*" + name + "[^|]*) \\|",                         // what a row says of a key with parts
		"(?:^|[.!:;|] |\n)(" + name + " .*?[.;])(?: |\n)",                       // a sentence that begins with it
		"(?:^|[.!:;|] |\n)((?:[^.:\n]|\\.[^ \n])*?" + name + ".*?[.;])(?: |\n)", // a sentence about it
	} {
		if m := regexp.MustCompile(pattern).FindStringSubmatch(s.manual); m != nil {
			parent := path[:strings.LastIndexByte(path, '.')+1]
			return strings.ReplaceAll(plainWords(m[1]), cmp.Or(parent, "\n"), "")
		}
	}
	s.t.Errorf("the manual has no sentence about %s", path)
	return ""
}

var link = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)

func plainWords(s string) string {
	s = strings.NewReplacer("`", "", `\|`, "|").Replace(link.ReplaceAllString(s, "$1"))
	return strings.TrimRight(strings.TrimSpace(s), ".:;")
}

// accepts reports whether the published schema accepts a sitemap.yaml.
func accepts(t *testing.T, schema *jsonschema.Schema, src string) bool {
	t.Helper()
	var v any
	if err := yaml.Unmarshal([]byte(src), &v); err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	return schema.Validate(jsonOf(v)) == nil
}

// jsonOf returns a value of YAML as one of JSON, which has no dates.
func jsonOf(v any) any {
	switch v := v.(type) {
	case time.Time:
		return v.Format(time.DateOnly)
	case []any:
		for i := range v {
			v[i] = jsonOf(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = jsonOf(v[key])
		}
	}
	return v
}

func published(t *testing.T) *jsonschema.Schema {
	schema, err := jsonschema.NewCompiler().Compile("../../docs/sitemap.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// TestSchemaAgrees writes values of every sort to every key. An editor has to
// accept what the program does, and to refuse what has a wrong type.
func TestSchemaAgrees(t *testing.T) {
	schema := published(t)
	values := []string{"1", "0.5", "-1", "1000000000", "x", "true", "~", "[]", "{}", "[x]", "[[x]]", "{x: y}", "[{x: y}]", "2024-05-01", "{lang: de, href: /de/}", "[{loc: /a.jpg}]", "false"}
	few := testsite.Repeat(4, 1) // one in so many
	for k, key := range Keys() {
		for v, value := range values {
			if (k+v)%few != 0 {
				continue
			}
			src := document(strings.Split(key, "."), value)
			_, diags := Load("sitemap.yaml", []byte(src))
			codes := map[string]bool{}
			for _, d := range diags {
				codes[d.Code] = true
			}
			wrong, got := codes["wrong-type"] || codes["unknown-key"], accepts(t, schema, src)
			if wrong && got {
				t.Errorf("the schema accepts %s%v", src, diags)
			}
			if !wrong && !got && !refused(t, src) {
				t.Errorf("the schema refuses %s", src)
			}
		}
	}
}

// refused reports whether the program finds a mistake in a file.
func refused(t *testing.T, src string) bool {
	w := newWorld(t, map[string]string{"sitemap.yaml": src, "public/index.html": "", "content/a.md": ""})
	_, diags, _ := w.resolve()
	return slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return d.Severity == diag.Error })
}

// TestSchemaOfFiles holds the schema to files as people write them.
func TestSchemaOfFiles(t *testing.T) {
	schema := published(t)
	files := map[string]string{"the example": Example, "the example without #": uncomment(Example)}
	names, _ := filepath.Glob("testdata/config/*.yaml")
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(src)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		var v any
		if yaml.Unmarshal([]byte(files[name]), &v) != nil {
			continue // no editor comes as far as the schema
		}
		if err := schema.Validate(jsonOf(v)); err != nil && !refused(t, files[name]) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if accepts(t, schema, "exclude: [a]\n") || accepts(t, schema, "output: {split: never}\n") {
		t.Error("the schema accepts what is wrong")
	}
}
