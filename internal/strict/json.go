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

// ReadJSON parses the first JSON value in src, and returns it as a YAML node. It ignores the bytes
// after the value. If the value is invalid, or if src or the number of nodes is too large, it
// returns nil and a finding. name is the name of the file in findings.
func ReadJSON(name string, src []byte) (n *yaml.Node, diags diag.List) {
	if rejectLargeFile(&diags, name, src) {
		return nil, diags
	}
	places := NewLineIndex(name, src)
	var valid json.RawMessage
	err := json.NewDecoder(bytes.NewReader(src)).Decode(&valid)
	if err == nil {
		r := &jsonReader{LineIndex: places, src: src, dec: json.NewDecoder(bytes.NewReader(src))}
		r.dec.UseNumber()
		n = r.readValue()
		if hasTooManyNodes(n) {
			reportTooManyNodes(&diags, name)
			return nil, diags
		}
		return n, diags
	}
	at, bad := len(src), (*json.SyntaxError)(nil)
	if errors.As(err, &bad) {
		at = int(bad.Offset) - 1
	} else {
		err = errors.New("it ends too early")
	}
	diags.Errorf(places.Pos(at), "bad-syntax", "", "not valid JSON: %v", err)
	return nil, diags
}

// A jsonReader converts a valid JSON document into YAML nodes.
type jsonReader struct {
	LineIndex
	src []byte
	dec *json.Decoder
}

func (j *jsonReader) readValue() *yaml.Node {
	at := int(j.dec.InputOffset())
	for bytes.IndexByte([]byte(" \t\r\n,:"), j.src[at]) >= 0 {
		at++
	}
	n := j.newNode(yaml.ScalarNode, "!!null", at)
	tok, _ := j.dec.Token()
	switch tok := tok.(type) {
	case json.Delim:
		j.readListOrMap(n, tok)
	case string:
		n.Tag, n.Value, n.Style = "!!str", tok, yaml.DoubleQuotedStyle
	case json.Number:
		n.Tag, n.Value = "!!int", tok.String()
		if strings.ContainsAny(n.Value, ".eE") {
			n.Tag = "!!float"
		}
	case bool:
		n.Tag, n.Value = "!!bool", strconv.FormatBool(tok)
	default:
		n.Value = "null"
	}
	return n
}

// readListOrMap reads the rest of a list or map after its opening bracket open, which is "[" or
// "{". It makes n a list or map, and appends the items, or the keys and values.
func (j *jsonReader) readListOrMap(n *yaml.Node, open json.Delim) {
	n.Kind, n.Tag = yaml.SequenceNode, "!!seq"
	if open == '{' {
		n.Kind, n.Tag = yaml.MappingNode, "!!map"
	}
	for j.dec.More() {
		n.Content = append(n.Content, j.readValue())
	}
	_, _ = j.dec.Token()
}
