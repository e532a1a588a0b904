package build

import "testing"

func TestKeyPlace(t *testing.T) {
	const text = `canonical "https://example.com/gone/" is ignored`
	keys := []string{"canonical", "canonicalurl"}
	for name, tt := range map[string]struct {
		src       string
		line, col int
	}{
		"YAML":           {"---\ntitle: A\ncanonical: /gone/\n---\ncanonical: /gone/\n", 3, 12},
		"quoted, CRLF":   {"---\r\ncanonicalURL: \"https://example.com/gone/\"\r\n---\r\n", 2, 15},
		"TOML":           {"+++\n[params]\n  canonical = '/gone/'\n+++\n", 3, 15},
		"twice":          {"---\ncanonical: /gone/\ncanonicalURL: /gone/\n---\n", 0, 0},
		"another":        {"---\ncanonical: /other/\n---\n", 0, 0},
		"another key":    {"---\nurl: /gone/\n---\n", 0, 0},
		"short":          {"---\ncanonical: /\n---\n", 0, 0},
		"no end":         {"---\ncanonical: /gone/\n", 0, 0},
		"no matter":      {"canonical: /gone/\n---\n", 0, 0},
		"empty":          {"", 0, 0},
		"nothing at all": {"---\n---\n", 0, 0},
	} {
		if line, col := keyPlace([]byte(tt.src), keys, text); line != tt.line || col != tt.col {
			t.Errorf("%s: %d:%d, want %d:%d", name, line, col, tt.line, tt.col)
		}
	}
}
