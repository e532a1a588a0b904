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

// TestSchemaIsUpToDate compares docs/sitemap.schema.json and docs/schemastore.json with the code.
// Editors use the schema to complete and check sitemap.yaml. The other file is the entry for
// their catalogue. UPDATE=1 writes both files.
func TestSchemaIsUpToDate(t *testing.T) {
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

// A schemaBuilder makes the JSON schema of a settings file from the fields of File and from the
// manual.
type schemaBuilder struct {
	t           *testing.T
	manual      string
	path        []string     // keys from the top of the file to the current field
	definitions schemaObject // schemas of list items by the path of the list
}

type schemaObject = map[string]any

func newSchema(t *testing.T) schemaObject {
	src, err := os.ReadFile("../../docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	s := &schemaBuilder{t: t, manual: string(src), definitions: schemaObject{}}
	o := s.schemaOf(reflect.TypeFor[File]())
	o["definitions"] = s.definitions
	o["$schema"] = "http://json-schema.org/draft-07/schema#" // the draft that the catalogue requires
	o["$id"] = schemaURL
	o["title"] = "sitemap.yaml of sitewalk"
	return o
}

// schemaOf returns the schema of typ. Every schema accepts null, which sets nothing.
func (s *schemaBuilder) schemaOf(typ reflect.Type) schemaObject {
	anyOf := func(alternatives ...schemaObject) schemaObject { return schemaObject{"anyOf": alternatives} }
	text := schemaObject{"type": []string{"string", "number", "null"}}
	switch typ {
	case reflect.TypeFor[[]sitemap.Alternate]():
		return anyOf(schemaObject{"type": "object", "additionalProperties": text}, s.listSchema(typ))
	case reflect.TypeFor[sitemap.Image](), reflect.TypeFor[Extra]():
		return anyOf(text, s.structSchema(typ))
	case reflect.TypeFor[Ledger]():
		return anyOf(text, schemaObject{"const": false}, s.structSchema(typ))
	case reflect.TypeFor[Word]():
		return s.enumSchema(schemaObject{"enum": []any{nil, false}}, schemaObject{"type": []string{"string", "number", "boolean", "null"}})
	}
	if strings.HasPrefix(typ.Name(), "Value[") {
		return s.schemaOf(typ.Field(0).Type)
	}
	if as := strict.SitemapTypes(nil)[typ].FileType; as != nil {
		return s.schemaOf(as)
	}
	switch typ.Kind() {
	case reflect.Pointer:
		return s.schemaOf(typ.Elem())
	case reflect.Slice:
		return s.listSchema(typ)
	case reflect.Map:
		return schemaObject{"type": []string{"object", "null"}, "propertyNames": schemaObject{"pattern": "^[a-z0-9-]+$"}, "additionalProperties": schemaObject{"enum": append([]any{nil, false}, toAny(diag.LevelNames)...)}}
	case reflect.Struct:
		return s.structSchema(typ)
	case reflect.Bool:
		return schemaObject{"type": []string{"boolean", "null"}}
	case reflect.Int:
		return s.numberSchema("integer")
	case reflect.Float64:
		return s.numberSchema("number")
	case reflect.String:
		return s.enumSchema(schemaObject{"enum": []any{nil}}, text)
	}
	s.t.Fatalf("%s has the type %s, which schemaOf does not support", strings.Join(s.path, "."), typ)
	return nil
}

// listSchema returns the schema of a slice: one item, or an array of items.
func (s *schemaBuilder) listSchema(typ reflect.Type) schemaObject {
	path := strings.Join(s.path, ".")
	if s.definitions[path] == nil {
		s.definitions[path] = s.schemaOf(typ.Elem())
	}
	item := schemaObject{"$ref": "#/definitions/" + path}
	return schemaObject{"anyOf": []schemaObject{item, {"type": "array", "items": item}}}
}

// structSchema returns the schema of a struct, with a description of each key.
func (s *schemaBuilder) structSchema(typ reflect.Type) schemaObject {
	properties := schemaObject{}
	for _, f := range reflect.VisibleFields(typ) {
		name := strict.FieldKey(f)
		if name == "" {
			continue
		}
		s.path = append(s.path, name)
		p := s.schemaOf(f.Type)
		p["description"] = s.description()
		properties[name] = p
		s.path = s.path[:len(s.path)-1]
	}
	return schemaObject{"type": []string{"object", "null"}, "properties": properties, "additionalProperties": false}
}

// enumSchema adds the allowed values of the current key to the enum of o. It finds the values in
// the error about another value. If there is no such error, enumSchema returns other.
func (s *schemaBuilder) enumSchema(o, other schemaObject) schemaObject {
	m := regexp.MustCompile(`"no-such-word" is not one of ([^;\[]+)`).FindStringSubmatch(s.resolveValue("no-such-word"))
	if m == nil {
		return other
	}
	words := strings.Split(strings.TrimSpace(m[1]), ", ")
	if slices.Contains(words, "true") {
		o["enum"] = append(o["enum"].([]any), true)
	}
	o["enum"] = append(o["enum"].([]any), toAny(slices.DeleteFunc(words, func(w string) bool { return w == "false" || w == "true" }))...)
	return o
}

func toAny(words []string) (out []any) {
	for _, w := range words {
		out = append(out, w)
	}
	return out
}

// numberSchema returns the schema of a number. It finds the limits in the error about a large
// number.
func (s *schemaBuilder) numberSchema(typ string) schemaObject {
	o := schemaObject{"type": []string{typ, "null"}}
	if m := regexp.MustCompile(`is not between ([\d.]+) and ([\d.]+)`).FindStringSubmatch(s.resolveValue("987654321")); m != nil {
		o["minimum"], o["maximum"] = json.Number(m[1]), json.Number(m[2])
	}
	return o
}

// resolveValue returns the findings about a file that sets the current key to value.
func (s *schemaBuilder) resolveValue(value string) string {
	p := newTestProject(s.t, map[string]string{"sitemap.yaml": settingsWith(s.path, value), "public/index.html": ""})
	_, diags, _ := p.resolve()
	return fmt.Sprint(diags)
}

// settingsWith returns a sitemap.yaml that sets the key at path to value. It also sets a key that
// ledger or extra requires.
func settingsWith(path []string, value string) string {
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

// description returns the text about the current key in the manual.
func (s *schemaBuilder) description() string {
	path := strings.Join(s.path, ".")
	if rest, ok := strings.CutPrefix(path, "extra."); ok && rest != "loc" {
		path = "rules." + rest
	}
	name := regexp.QuoteMeta("`" + path + "`")
	for _, pattern := range []string{
		"(?m)^### " + name + "\n\n(.+?[.:])(?: |\n)",                            // the first sentence of a section
		"(?m)^- [^:]*" + name + "[^:]*: (.*)$",                                  // a list item about the key
		"(?m)^- [^:]*: (.*" + name + ".*)$",                                     // a list item that names the key in its text
		"(?m)^\\|[^|]*" + name + "[^|]*\\| ([^|]*) \\|",                         // a table row about the key
		"(?m)^\\|[^|]*\\| ([^|]*" + name + "[^|]*) \\|",                         // a table row that names the key in its text
		"(?:^|[.!:;|] |\n)(" + name + " .*?[.;])(?: |\n)",                       // a sentence that begins with the key
		"(?:^|[.!:;|] |\n)((?:[^.:\n]|\\.[^ \n])*?" + name + ".*?[.;])(?: |\n)", // a sentence that contains the key
	} {
		if m := regexp.MustCompile(pattern).FindStringSubmatch(s.manual); m != nil {
			parent := path[:strings.LastIndexByte(path, '.')+1]
			return strings.ReplaceAll(plainText(m[1]), cmp.Or(parent, "\n"), "")
		}
	}
	s.t.Errorf("docs/configuration.md has no sentence about %s", path)
	return ""
}

var markdownLink = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)

// plainText removes the Markdown of links and code, and the punctuation at the end.
func plainText(s string) string {
	s = strings.NewReplacer("`", "", `\|`, "|").Replace(markdownLink.ReplaceAllString(s, "$1"))
	return strings.TrimRight(strings.TrimSpace(s), ".:;")
}

// schemaAccepts reports whether the settings file src conforms to schema.
func schemaAccepts(t *testing.T, schema *jsonschema.Schema, src string) bool {
	t.Helper()
	var v any
	if err := yaml.Unmarshal([]byte(src), &v); err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	return schema.Validate(toJSON(v)) == nil
}

// toJSON returns the YAML value v with dates as text, because JSON has no dates.
func toJSON(v any) any {
	switch v := v.(type) {
	case time.Time:
		return v.Format(time.DateOnly)
	case []any:
		for i := range v {
			v[i] = toJSON(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = toJSON(v[key])
		}
	}
	return v
}

func loadSchema(t *testing.T) *jsonschema.Schema {
	schema, err := jsonschema.NewCompiler().Compile("../../docs/sitemap.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// TestSchemaMatchesResolve sets every key to values of all types. The schema must reject unknown
// keys and values of a wrong type. It must accept every file that Resolve accepts.
func TestSchemaMatchesResolve(t *testing.T) {
	schema := loadSchema(t)
	values := []string{"1", "0.5", "-1", "1000000000", "x", "true", "~", "[]", "{}", "[x]", "[[x]]", "{x: y}", "[{x: y}]", "2024-05-01", "{lang: de, href: /de/}", "[{loc: /a.jpg}]", "false"}
	stride := testsite.Repeat(4, 1) // test one of this number of values
	for k, key := range Keys() {
		for v, value := range values {
			if (k+v)%stride != 0 {
				continue
			}
			src := settingsWith(strings.Split(key, "."), value)
			_, diags := Load("sitemap.yaml", []byte(src))
			codes := map[string]bool{}
			for _, d := range diags {
				codes[d.Code] = true
			}
			isWrong, isAccepted := codes["wrong-type"] || codes["unknown-key"], schemaAccepts(t, schema, src)
			if isWrong && isAccepted {
				t.Errorf("the schema accepts %sfindings %v", src, diags)
			}
			if !isWrong && !isAccepted && !isRejected(t, src) {
				t.Errorf("the schema rejects the valid file %s", src)
			}
		}
	}
}

// isRejected reports whether Resolve finds an error in the settings file src.
func isRejected(t *testing.T, src string) bool {
	p := newTestProject(t, map[string]string{"sitemap.yaml": src, "public/index.html": "", "content/a.md": ""})
	_, diags, _ := p.resolve()
	return slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return d.Severity == diag.Error })
}

// TestSchemaAcceptsTestFiles checks that the schema accepts the example and all files in
// testdata/config, except the files that Resolve rejects.
func TestSchemaAcceptsTestFiles(t *testing.T) {
	schema := loadSchema(t)
	files := map[string]string{"the example": Example, "the uncommented example": uncomment(Example)}
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
			continue // an editor reports invalid YAML without the schema
		}
		if err := schema.Validate(toJSON(v)); err != nil && !isRejected(t, files[name]) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if schemaAccepts(t, schema, "exclude: [a]\n") || schemaAccepts(t, schema, "output: {split: never}\n") {
		t.Error("the schema accepts an unknown key or value")
	}
}
