package strict

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"gopkg.in/yaml.v3"
)

// JSON reads one JSON value into the nodes that YAML would give, or returns nil
// and a finding when it is broken. What follows the value is not looked at.
func (m *Nodes) JSON(name string, src []byte) (*yaml.Node, diag.List) {
	p := m.places(name, src)
	var valid json.RawMessage
	err := json.NewDecoder(bytes.NewReader(src)).Decode(&valid)
	if err == nil {
		t := &jsonTree{places: p, src: src, dec: json.NewDecoder(bytes.NewReader(src))}
		t.dec.UseNumber()
		return t.value(), nil
	}
	at, bad := len(src), (*json.SyntaxError)(nil)
	if errors.As(err, &bad) {
		at = int(bad.Offset) - 1
	} else {
		err = errors.New("it ends too early")
	}
	var diags diag.List
	diags.Errorf(p.Pos(at), "bad-syntax", "", "not valid JSON: %v", err)
	return nil, diags
}

// A jsonTree is a JSON value, known to be valid, on its way to nodes.
type jsonTree struct {
	places
	src []byte
	dec *json.Decoder
}

func (t *jsonTree) value() *yaml.Node {
	at := int(t.dec.InputOffset())
	for bytes.IndexByte([]byte(" \t\r\n,:"), t.src[at]) >= 0 {
		at++
	}
	tok, _ := t.dec.Token()
	n := t.node(yaml.ScalarNode, at)
	switch tok := tok.(type) {
	case json.Delim:
		t.compound(n, tok)
	case string:
		n.Tag, n.Value, n.Style = "!!str", tok, yaml.DoubleQuotedStyle
	case json.Number:
		n.Tag, n.Value = "!!float", tok.String()
		if !strings.ContainsAny(n.Value, ".eE") {
			n.Tag = "!!int"
		}
	case bool:
		n.Tag, n.Value = "!!bool", strconv.FormatBool(tok)
	default:
		n.Tag, n.Value = "!!null", "null"
	}
	return n
}

// compound reads a list or a map up to its closing bracket.
func (t *jsonTree) compound(n *yaml.Node, open json.Delim) {
	n.Kind, n.Tag = yaml.SequenceNode, "!!seq"
	if open == '{' {
		n.Kind, n.Tag = yaml.MappingNode, "!!map"
	}
	for t.dec.More() {
		n.Content = append(n.Content, t.value())
	}
	_, _ = t.dec.Token()
}
