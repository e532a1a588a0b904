package frontmatter

import (
	"bufio"
	"bytes"
	"regexp"
	"strings"

	"gopkg.in/yaml.v3"
)

// orgLine is a keyword line of Org: "#+TITLE: A page".
var orgLine = regexp.MustCompile(`^#\+([A-Za-z_][\w-]*(?:\[\])?):([^\r\n]*)`)

// splitOrg cuts the keyword lines at the beginning of a file, with the line behind them.
func splitOrg(br *bufio.Reader) (block, error) {
	data, err := readLines(br, func(text []byte) bool { return bytes.HasPrefix(text, []byte("#+")) })
	return block{notation: inOrg, data: data}, err
}

// orgDate is a date in one of Org's brackets: "<2024-01-02 Tue>".
var orgDate = regexp.MustCompile(`^[<\[](\d{4}-\d{2}-\d{2})(?: \p{L}+)?( \d{1,2}:\d{2})?[^>\]]*[>\]]$`)

// readOrg reads keyword lines. The value of tags, categories, aliases and of a key that ends in
// [] is a list of words.
// https://gohugo.io/content-management/front-matter/#emacs-org-mode
func readOrg(src []byte) *yaml.Node {
	lines, line := newLines(), 0
	for text := range bytes.Lines(src) {
		line++
		m := orgLine.FindSubmatchIndex(text)
		if m == nil {
			continue
		}
		name := strings.ToLower(string(text[m[2]:m[3]]))
		name, isList := strings.CutSuffix(name, "[]")
		isList = isList || name == "tags" || name == "categories" || name == "aliases"
		value := string(text[m[4]:m[5]])
		at := yaml.Node{Line: line, Column: m[4] + 1 + len(value) - len(strings.TrimLeft(value, " \t"))}
		lines.add(scalar(yaml.Node{Line: line, Column: m[2] + 1}, name), orgValue(at, strings.TrimSpace(value), isList))
	}
	return lines.root
}

// lines collects the keys and values of Org and of headers. The first value of a key counts.
type lines struct {
	root  *yaml.Node
	names map[string]bool
}

func newLines() *lines {
	return &lines{&yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: 1, Column: 1}, map[string]bool{}}
}

func (l *lines) add(key, value *yaml.Node) {
	if !l.names[key.Value] {
		l.names[key.Value] = true
		l.root.Content = append(l.root.Content, key, value)
	}
}

func scalar(at yaml.Node, value string) *yaml.Node {
	at.Kind, at.Tag, at.Value = yaml.ScalarNode, "!!str", value
	return &at
}

func orgValue(at yaml.Node, value string, isList bool) *yaml.Node {
	if m := orgDate.FindStringSubmatch(value); m != nil {
		return scalar(at, m[1]+m[2])
	}
	if !isList {
		return scalar(at, value)
	}
	return list(at, strings.Fields(value))
}

// list returns a list of texts.
func list(at yaml.Node, texts []string) *yaml.Node {
	all := at
	all.Kind, all.Tag = yaml.SequenceNode, "!!seq"
	for _, text := range texts {
		all.Content = append(all.Content, scalar(at, strings.TrimSpace(text)))
	}
	return &all
}
