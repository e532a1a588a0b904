package strict

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// Null reports whether n says nothing.
func Null(n *yaml.Node) bool {
	switch {
	case n.Kind != yaml.ScalarNode:
		return n.Kind == 0
	case n.Tag == "" && len(n.Value) > len("null"):
		return false
	}
	return n.ShortTag() == "!!null"
}

// Items returns the items of a list, and a value that is none as the only one.
func Items(n *yaml.Node) []*yaml.Node {
	if n.Kind == yaml.SequenceNode {
		return n.Content
	}
	return []*yaml.Node{n}
}

// isText reports whether n is a scalar that can be taken for text.
func isText(n *yaml.Node) bool {
	if n.Kind != yaml.ScalarNode || n.Tag == "" && len(n.Value) > len("false") {
		return n.Kind == yaml.ScalarNode
	}
	tag := n.ShortTag()
	return tag != "!!bool" && tag != "!!binary" && !isMark(tag)
}

// isMark reports whether a tag is a name of the document's own, as that of !draft
// is: most likely the beginning of a text.
func isMark(tag string) bool { return len(tag) > 1 && tag[0] == '!' && tag[1] != '!' }

// unquoted returns a hint for what is a pattern to its author and something else
// to YAML, or "".
func unquoted(n *yaml.Node, want string) string {
	const hint = "put a text that begins with %s into quotes"
	switch {
	case want != "text":
	case n.Kind == yaml.SequenceNode && len(n.Content) == 1 && charClass.MatchString(n.Content[0].Value):
		return fmt.Sprintf(hint, "[")
	case n.Kind == yaml.MappingNode && isChoice(n):
		return fmt.Sprintf(hint, "{")
	case isMark(n.Tag):
		return fmt.Sprintf(hint, "!")
	}
	return ""
}

// charClass is what stands between the brackets of a glob: "a-z", "!a".
var charClass = regexp.MustCompile(`^([!^].+|.-.+)$`)

// isChoice reports whether n is what YAML makes of {a,b}: keys without values.
func isChoice(n *yaml.Node) bool {
	for i := 1; i < len(n.Content); i += 2 {
		if !Null(n.Content[i]) {
			return false
		}
	}
	return n.Style&yaml.FlowStyle != 0 && len(n.Content) > 0
}

// describe says in a user's words what n is.
func describe(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a map"
	case yaml.SequenceNode:
		return "a list"
	case yaml.AliasNode:
		return "an alias"
	}
	switch n.ShortTag() {
	case "!!null":
		return "empty"
	case "!!bool":
		return n.Value
	case "!!int", "!!float":
		return "the number " + n.Value
	}
	if isMark(n.Tag) {
		return "marked " + n.Tag
	}
	const most = 40
	if text := []rune(n.Value); len(text) > most {
		return fmt.Sprintf("the text %q…", string(text[:most]))
	}
	return fmt.Sprintf("the text %q", n.Value)
}

// isScalar reports whether a type, or what a Value of it holds, is no list, map
// or struct.
func isScalar(t reflect.Type) bool {
	if isValue(t) {
		t = t.Field(0).Type
	}
	switch t.Kind() {
	case reflect.String, reflect.Bool, reflect.Int, reflect.Int64, reflect.Float64:
		return true
	}
	return false
}

// isValue reports whether a type is a Value.
func isValue(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && strings.HasPrefix(t.Name(), "Value[")
}

func (d *Decoder) scalar(n *yaml.Node, v reflect.Value) bool {
	switch v.Kind() {
	case reflect.String:
		if !isText(n) {
			return d.WrongType(n, "text")
		}
		v.SetString(strings.Clone(n.Value)) // which may be part of a long text
		return true
	case reflect.Bool:
		b, ok := Bool(n)
		if !ok {
			return d.WrongType(n, "true or false")
		}
		v.SetBool(b)
		return true
	case reflect.Int, reflect.Int64:
		return d.number(n, v, "a whole number", "!!int")
	case reflect.Float64:
		return d.number(n, v, "a number", "!!int", "!!float")
	}
	panic("strict: cannot decode into " + v.Type().String())
}

func (d *Decoder) number(n *yaml.Node, v reflect.Value, want string, tags ...string) bool {
	if n.Kind == yaml.ScalarNode && slices.Contains(tags, n.ShortTag()) && n.Decode(v.Addr().Interface()) == nil {
		return true
	}
	return d.WrongType(n, want)
}

// Bool returns the truth value of n, with the words of YAML 1.1; ok is false
// when it has none.
func Bool(n *yaml.Node) (v, ok bool) {
	if n.Kind != yaml.ScalarNode || len(n.Value) > len("false") {
		return false, false
	}
	inQuotes := n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0
	if t := n.ShortTag(); t != "!!bool" && (t != "!!str" || inQuotes) {
		return false, false
	}
	switch strings.ToLower(n.Value) {
	case "true", "yes", "on":
		return true, true
	case "false", "no", "off":
		return false, true
	}
	return false, false
}
