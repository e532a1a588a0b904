package strict

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"gopkg.in/yaml.v3"
)

// JSON reads one JSON value into the nodes that YAML would give, or returns nil
// and a finding when it is broken. What follows the value is not looked at.
func JSON(name string, src []byte) (*yaml.Node, diag.List) {
	return readJSON(new(Nodes).places(name, src), src)
}

func readJSON(p places, src []byte) (*yaml.Node, diag.List) {
	t := &jsonTree{places: p, src: src, dec: json.NewDecoder(bytes.NewReader(src))}
	t.dec.UseNumber()
	n, err := t.value()
	if err == nil {
		return n, nil
	}
	at, bad := len(src), (*json.SyntaxError)(nil)
	switch {
	case errors.As(err, &bad):
		at = t.blame(bad)
	case errors.Is(err, errTooDeep):
		at = int(t.dec.InputOffset()) - 1
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		err = errors.New("it ends too early")
	}
	var diags diag.List
	diags.Errorf(t.Pos(at), "bad-syntax", "", "not valid JSON: %v", err)
	return nil, diags
}

var errTooDeep = fmt.Errorf("it is nested more than %d levels deep", maxDepth)

// blame returns the offset of the character that an error names. The decoder
// counts it for mistakes inside a value, and not for those between two.
func (t *jsonTree) blame(bad *json.SyntaxError) int {
	names := func(i int) bool {
		return i >= 0 && i < len(t.src) && strings.Contains(bad.Error(), "'"+string(t.src[i:i+1])+"'")
	}
	at := min(int(bad.Offset), len(t.src))
	if at > 0 && (names(at-1) || !names(at)) {
		return at - 1
	}
	return at
}

// A jsonTree is a JSON value on its way to nodes.
type jsonTree struct {
	places
	src   []byte
	dec   *json.Decoder
	depth int
}

// next returns the next token and the node that stands for it.
func (t *jsonTree) next() (json.Token, *yaml.Node, error) {
	before := int(t.dec.InputOffset())
	tok, err := t.dec.Token()
	if err != nil {
		return nil, nil, err
	}
	for before < len(t.src) && bytes.IndexByte([]byte(" \t\r\n,:"), t.src[before]) >= 0 {
		before++
	}
	return tok, t.node(yaml.ScalarNode, before), nil
}

func (t *jsonTree) value() (*yaml.Node, error) {
	tok, n, err := t.next()
	if err != nil {
		return nil, err
	}
	switch tok := tok.(type) {
	case json.Delim:
		return t.compound(n, tok)
	case string:
		n.Tag, n.Value, n.Style = "!!str", tok, yaml.DoubleQuotedStyle
	case json.Number:
		n.Tag, n.Value = "!!float", tok.String()
		if !bytes.ContainsAny([]byte(tok), ".eE") {
			n.Tag = "!!int"
		}
	case bool:
		n.Tag, n.Value = "!!bool", map[bool]string{true: "true", false: "false"}[tok]
	default:
		n.Tag, n.Value = "!!null", "null"
	}
	return n, nil
}

// compound reads a list or a map up to its closing bracket; n is its place.
func (t *jsonTree) compound(n *yaml.Node, open json.Delim) (*yaml.Node, error) {
	n.Kind, n.Tag = yaml.SequenceNode, "!!seq"
	if open == '{' {
		n.Kind, n.Tag = yaml.MappingNode, "!!map"
	}
	if t.depth++; t.depth > maxDepth {
		return nil, errTooDeep
	}
	defer func() { t.depth-- }()
	for t.dec.More() {
		v, err := t.value()
		if err != nil {
			return nil, err
		}
		n.Content = append(n.Content, v)
	}
	_, _, err := t.next()
	return n, err
}
