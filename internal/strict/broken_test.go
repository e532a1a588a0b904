package strict

import "testing"

// TestBroken has the mistakes that people make, and what only looks like one.
func TestBroken(t *testing.T) {
	for src, want := range map[string]bool{
		"tags: [one\n":                       true,
		"a: b\ntags: [one, two\nc: d\n":      true,
		"tags: [one\n  , two]\n":             false,
		"tags: [one\nalso: [two, three]\n":   true,
		"tags: [one\n  also: two]\nc: [d\n":  false,
		"tags: [one\nalso: [two]\n  , x]\n":  false,
		"tags: [!one[\nalso: two]\n":         false,
		"tags: [one\nalso: {two: [three]}\n": true,
		"tags: {one\n":                       true,
		"tags: {one: two}\n":                 false,
		"title: \"A page\n":                  true,
		"title: \"A\n  page\"\n":             false,
		"title: 'A page\ndate: 2024-01-02\n": true,
		"title: 'It''s'\n":                   false,
		"title: A page: the story\n":         true,
		"title: A page:\n":                   true,
		"title: A page # not: this\n":        false,
		"title: @home\n":                     true,
		"title: `code`\n":                    true,
		"title: 100%\n":                      false,
		"title: %d\n":                        true,
		"title: *b\n":                        true,
		"a: &b c\ntitle: *b\n":               false,
		"tags:\n  - *.html\n":                true,
		"a:\n\tb: c\n":                       true,
		"a:\n  \tb: c\n":                     true,
		"a: b\nc:\n\n\t- d\n":                false,
		"a:\n\t# b\nc: d\n":                  false,
		"a:\n    # b\n\t# c\n- - \n- d:\n":   false,
		"a: b\n\tc\n":                        false,
		"a: |\n  b\n\tc: d\n":                false,
		"a:\n  - b\n - c\n":                  true,
		"a:\n    b: c\n  d: e\n":             true,
		"a:\n    b: c\n  d\n":                true,
		"a:\n  b: c\nd: e\n":                 false,
		"a:\n  b: c\n   d: e\n":              false,
		"- a b: c\n":                         false,
		"- a: b: c\n":                        true,
		"- [a\n":                             true,
		"a:\n  b c: d\n":                     false,
		"a: - b: c\n":                        false,
		"a: |\n  [b\nc: d\n":                 false,
		"":                                   false,
	} {
		var p Plain
		p.Read(src, 0)
		if p.Broken() != want {
			t.Errorf("%q is broken: %v, want %v", src, p.Broken(), want)
		}
		trulyBroken(t, &p, src)
	}
}

// trulyBroken demands that what is taken for no YAML is none to YAML.
func trulyBroken(t *testing.T, p *Plain, src string) {
	t.Helper()
	if n, diags := YAML("", []byte(src)); p.Broken() && (n != nil || len(diags) != 1 || diags[0].Code != "bad-syntax") {
		t.Errorf("%q is not broken to YAML: %s %v", src, tree(n), diags)
	}
}
