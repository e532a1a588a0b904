// Package strict decodes YAML nodes into Go values and blames every mistake on
// its own line and column, all of them at once.
//
// It refuses to guess: an unknown key, a wrong type or a key that stands twice
// is a finding, and the value behind it says nothing.
package strict

import (
	"github.com/sitewalk/sitewalk/internal/diag"
	"gopkg.in/yaml.v3"
)

// Options say how forgiving a decoding is. The zero Options forgive nothing.
type Options struct {
	Lenient  bool     // unknown keys belong to someone else
	FoldCase bool     // keys are the same in any case
	Hidden   []string // paths of keys that are to be unknown: "output.feed"
}

// Parse reads one YAML document and returns its top value, or nil when the
// document is empty or broken. Columns of its nodes count bytes.
func Parse(name string, src []byte) (*yaml.Node, diag.List) { return nil, nil }

// Decode fills v, a pointer, from n by the yaml tags of its fields.
func (o Options) Decode(name string, n *yaml.Node, v any) diag.List { return nil }
