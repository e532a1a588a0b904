package strict

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// IsNull reports whether n is a null value, or the zero Node.
func IsNull(n *yaml.Node) bool { return n.ShortTag() == "!!null" }

// ListItems returns the items of n if n is a list. Otherwise it returns a list with n as its only
// item.
func ListItems(n *yaml.Node) []*yaml.Node {
	if n.Kind == yaml.SequenceNode {
		return n.Content
	}
	return []*yaml.Node{n}
}

// canDecodeAsString reports whether n can be decoded into a string. A number or a date can be
// decoded. A bool, binary data, or a value with a local tag such as !draft cannot.
func canDecodeAsString(n *yaml.Node) bool {
	tag := n.ShortTag()
	return n.Kind == yaml.ScalarNode && tag != "!!bool" && tag != "!!binary" && !isLocalTag(tag)
}

// isLocalTag reports whether tag is a tag that YAML does not define, such as "!draft". Such a tag
// is probably text that begins with "!" and should be in quotes.
func isLocalTag(tag string) bool { return len(tag) > 1 && tag[0] == '!' && tag[1] != '!' }

// quotingHint returns the hint to put a text into quotes if want is "text" and n is probably a text
// without quotes. YAML reads a text that begins with [, { or ! as a list, a map or a tag. For any
// other n or want, quotingHint returns "".
func quotingHint(n *yaml.Node, want string) string {
	if want == "text" && (n.Style&yaml.FlowStyle != 0 || isLocalTag(n.Tag)) {
		return "put a text that begins with [, { or ! into quotes"
	}
	return ""
}

// describeNode returns a description of n for a finding, such as "a list", "the number 3" or
// "empty".
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
		if !canDecodeAsString(n) {
			return d.ReportWrongType(n, "text")
		}
		v.SetString(n.Value)
		return true
	case reflect.Bool:
		b, ok := ParseBool(n)
		if !ok {
			return d.ReportWrongType(n, "true or false")
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
	return d.ReportWrongType(n, want)
}

// ParseBool returns the bool value of n. n is true, false, or one of the words yes, no, on and off
// of YAML 1.1, without quotes. Case does not matter. For any other node, v and ok are false.
func ParseBool(n *yaml.Node) (v, ok bool) {
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
