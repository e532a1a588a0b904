package frontmatter

import (
	"strings"
	"testing"
)

// TestCause finds the value that a finding on the built page quotes.
func TestCause(t *testing.T) {
	const text = `canonical "https://example.com/gone/" is ignored`
	for name, tt := range map[string]struct {
		src       string
		line, col int
	}{
		"YAML":           {"---\ntitle: A\ncanonical: /gone/\n---\ncanonical: /gone/\n", 3, 12},
		"quoted, CRLF":   {"---\r\ncanonicalURL: \"https://example.com/gone/\"\r\n---\r\n", 2, 15},
		"TOML":           {"+++\n[params]\n  canonical = '/gone/'\n+++\n", 3, 15},
		"JSON":           {"{\n  \"canonical\": \"/gone/\"\n}\n", 2, 16},
		"comment":        {"---\ncanonical: /gone/ # why\n---\n", 2, 12},
		"broken":         {"---\ncanonical: /gone/\n: [\n---\n", 0, 0},
		"twice":          {"---\ncanonical: /gone/\ncanonicalURL: /gone/\n---\n", 0, 0},
		"another":        {"---\ncanonical: /other/\n---\n", 0, 0},
		"another key":    {"---\nurl: /gone/\n---\n", 0, 0},
		"short":          {"---\ncanonical: /\n---\n", 0, 0},
		"no end":         {"---\ncanonical: /gone/\n", 0, 0},
		"no matter":      {"canonical: /gone/\n---\n", 0, 0},
		"empty":          {"", 0, 0},
		"nothing at all": {"---\n---\n", 0, 0},
	} {
		if line, col := NewReader(Options{}).Cause(strings.NewReader(tt.src), "canonical-ignored", text); line != tt.line || col != tt.col {
			t.Errorf("%s: %d:%d, want %d:%d", name, line, col, tt.line, tt.col)
		}
	}
}
