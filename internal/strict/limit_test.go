package strict

import (
	"strings"
	"testing"
)

// TestReadLimitsNodes checks that Read rejects files with more than maxNodes values. Such a file
// may be small, but its nodes need much memory.
func TestReadLimitsNodes(t *testing.T) {
	for _, c := range []struct{ name, before, value, after string }{
		{"f.json", "[", "{},", "{}]"},
		{"f.yaml", "", "- a\n", ""},
		{"f.toml", "a = [", "1,", "1]\n"},
	} {
		for _, n := range []int{maxNodes / 2, maxNodes} {
			node, ds := Read(c.name, []byte(c.before+strings.Repeat(c.value, n)+c.after))
			isTooLarge := len(ds) == 1 && ds[0].Pos.File == c.name && strings.Contains(ds[0].Message, "200000 values")
			if want := n == maxNodes; (node == nil) != want || isTooLarge != want {
				t.Errorf("%s with %d values: node %v, findings %v", c.name, n, node != nil, ds)
			}
		}
	}
}
