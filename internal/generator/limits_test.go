package generator

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/diag"
)

// TestParseProgramLimitsSteps parses programs that would need quadratic time without a limit. In
// one of them, each object contains all entries of the object before.
func TestParseProgramLimitsSteps(t *testing.T) {
	for name, program := range map[string]func(n int) string{
		"a spread object": func(n int) string { return "const a0 = {};\n" + repeat(n, "const a%[1]d = {...a%[2]d, k%[1]d: 1};\n") },
		"no semicolons":   func(n int) string { return repeat(n, "const a%[1]d = b%[2]d + 1\n") },
		"no assignment":   func(n int) string { return strings.Repeat("const function ", n) },
	} {
		if p, _ := parseProgram([]byte(program(5000)), "a.js", false); p.steps > 2*maxSteps {
			t.Errorf("%s: got %d steps, want at most %d", name, p.steps, 2*maxSteps)
		}
	}
	for name, line := range map[string]string{"unknown value": "a%[1]d = b%[2]d + 1\n", "continued line": "a%[1]d = b%[2]d + \\\n"} {
		if p, _ := parseProgram([]byte(repeat(5000, line)), "a.py", true); p.steps > 2*len(p.tokens) {
			t.Errorf("%s: got %d steps for %d tokens, want at most 2 steps for each token", name, p.steps, len(p.tokens))
		}
	}
}

// TestDetectLimitsRules checks that Detect reports a list with more than maxRules rules.
func TestDetectLimitsRules(t *testing.T) {
	for name, archive := range map[string]string{
		"jekyll exclude":    "-- _config.yml --\nurl: https://acme.internal\nexclude:\n" + strings.Repeat("- a*\n", maxRules+1),
		"jekyll defaults":   "-- _config.yml --\nurl: https://acme.internal\ndefaults:\n" + strings.Repeat("- {scope: {path: a*}}\n", maxRules+1),
		"hugo cascade":      "-- hugo.yaml --\ncascade:\n" + strings.Repeat("- {sitemap: {disable: true}}\n", maxRules+1),
		"vitepress rewrite": "-- .vitepress/config.js --\nexport default {rewrites: {" + repeat(maxRules+1, "a%[1]d: 'b',") + "}}\n",
	} {
		_, diags := Detect(archiveFS(archive), "", noVariables)
		if !slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return d.Code == "oversized" }) {
			t.Errorf("%s: got findings %v, want oversized", name, diags)
		}
	}
}

// repeat returns n copies of format with the numbers i+1 and i as arguments.
func repeat(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i+1, i)
	}
	return b.String()
}
