package strict

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// IsNull reports whether n is null or the zero Node.
func IsNull(n *yaml.Node) bool { return n.ShortTag() == "!!null" }

// Items returns the items of a list. Another value is its only item.
func Items(n *yaml.Node) []*yaml.Node {
	if n.Kind == yaml.SequenceNode {
		return n.Content
	}
	return []*yaml.Node{n}
}

// isText reports whether n is a scalar that can be read as text.
func isText(n *yaml.Node) bool {
	tag := n.ShortTag()
	return n.Kind == yaml.ScalarNode && tag != "!!bool" && tag != "!!binary" && !isLocalTag(tag)
}

// isLocalTag reports whether a tag is local to the document. The tag of !draft is probably the
// beginning of a text.
func isLocalTag(tag string) bool { return len(tag) > 1 && tag[0] == '!' && tag[1] != '!' }

// quotingHint returns a hint for a pattern that YAML reads as a list, a map or a tag, or "".
func quotingHint(n *yaml.Node, want string) string {
	if want == "text" && (n.Style&yaml.FlowStyle != 0 || isLocalTag(n.Tag)) {
		return "put a text that begins with [, { or ! into quotes"
	}
	return ""
}

// describeNode describes the type and value of n for a finding.
func describeNode(n *yaml.Node) string {
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
	if isLocalTag(n.Tag) {
		return "marked " + n.Tag
	}
	const maxRunes = 40
	if text := []rune(n.Value); len(text) > maxRunes {
		return fmt.Sprintf("the text %q…", string(text[:maxRunes]))
	}
	return fmt.Sprintf("the text %q", n.Value)
}

func (d *Decoder) decodeScalar(n *yaml.Node, v reflect.Value) bool {
	switch v.Kind() {
	case reflect.String:
		if !isText(n) {
			return d.WrongType(n, "text")
		}
		v.SetString(n.Value)
		return true
	case reflect.Bool:
		b, ok := Bool(n)
		if !ok {
			return d.WrongType(n, "true or false")
		}
		v.SetBool(b)
		return true
	case reflect.Int, reflect.Int64:
		return d.decodeNumber(n, v, "a whole number", "!!int")
	case reflect.Float64:
		return d.decodeNumber(n, v, "a number", "!!int", "!!float")
	}
	panic("strict: cannot decode into " + v.Type().String())
}

func (d *Decoder) decodeNumber(n *yaml.Node, v reflect.Value, want string, tags ...string) bool {
	if n.Kind == yaml.ScalarNode && slices.Contains(tags, n.ShortTag()) && n.Decode(v.Addr().Interface()) == nil {
		return true
	}
	return d.WrongType(n, want)
}

// Bool returns the truth value of n, which may be one of the words of YAML 1.1. ok is false if
// n has none.
func Bool(n *yaml.Node) (v, ok bool) {
	if n.Kind != yaml.ScalarNode {
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
