package config

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// Example is sitemap.yaml.example, which a test of internal/config holds equal.
//
//go:embed example.yaml
var Example string

// A starterValue is the known value of a key. Given means that the user typed it.
type starterValue struct {
	Value, From string
	Given       bool
}

const starterHead = `# What sitewalk is to do with this site. Every key may be left out; those in
# comments show their default or an example. Paths are relative to this file.
`

var (
	keyOf = regexp.MustCompile(`^( *)([a-z_]+):`)
	// exampleLine matches a line of YAML behind a "#". Prose has one blank after the "#". A
	// line of YAML has none, or at least two below a key.
	exampleLine = regexp.MustCompile(`^( *)#(\S|  )`)
)

// Uncommented removes the # that makes a line of the example file a comment. It keeps lines of
// prose.
func Uncommented(line string) string { return exampleLine.ReplaceAllString(line, "$1$2") }

// newStarterFile returns the example file with the given values set. Known values and all
// other keys are comments. The archive rules follow the key rules, as comments.
func newStarterFile(values map[string]starterValue, archives []string) []byte {
	_, body, _ := strings.Cut(Example, "\n\n")
	var b strings.Builder
	b.WriteString(starterHead + "\n")
	top := ""
	for line := range strings.Lines(body) {
		line = Uncommented(line)
		m := keyOf.FindStringSubmatch(line)
		key := ""
		switch {
		case m != nil && m[1] == "":
			top, key = m[2], m[2]
		case m != nil && m[1] == "  ":
			key = top + "." + m[2]
		}
		switch k, ok := values[key]; {
		case slices.Contains(archives, line): // it is there already
		case ok && k.Given:
			fmt.Fprintf(&b, "%s%s: %s\n", m[1], m[2], formatScalar(k.Value))
		case ok:
			fmt.Fprintf(&b, "#%s%s: %s%s\n", m[1], m[2], formatScalar(k.Value), originComment(k.From))
		case key == top && m != nil && hasGivenBelow(values, top):
			b.WriteString(line)
		case strings.HasPrefix(line, "#"), line == "\n":
			b.WriteString(line)
		default:
			b.WriteString("#" + line)
		}
		if line == "rules:\n" {
			for _, rule := range archives {
				b.WriteString("#" + strings.TrimPrefix(rule, "#"))
			}
		}
	}
	return []byte(b.String())
}

// originComment returns the comment about the origin of a detected value.
func originComment(from string) string {
	if from == "" {
		return "  # detected"
	}
	return "  # detected: " + strings.ReplaceAll(from, "\n", " ")
}

// hasGivenBelow reports whether the user gives a value for a key below top.
func hasGivenBelow(values map[string]starterValue, top string) bool {
	for key, k := range values {
		if k.Given && strings.HasPrefix(key, top+".") {
			return true
		}
	}
	return false
}

// formatScalar returns s as a YAML scalar.
func formatScalar(s string) string {
	b, _ := yaml.Marshal(s) // which every string can be
	return strings.TrimSpace(string(b))
}
