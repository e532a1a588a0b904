package hosting

import (
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
)

// An Example is a URL path to which a rule of the host applies.
type Example struct {
	URLPath string // path relative to the base URL
	Answer  Answer // the host's answer, which the rule determines
}

// RuleExamples returns an Example for each rule that redirects or answers with an error. It leaves
// out a rule if none of the paths that it tries has an answer from this rule. exists reports
// whether the publish directory contains a file.
func (h *Host) RuleExamples(exists func(file string) bool) (all []Example) {
	for i := range h.redirects.rules {
		if r := &h.redirects.rules[i]; !r.endsGroup {
			all = append(all, h.findExample(&r.pattern, r.pos, exists)...)
		}
	}
	return slices.Clip(all)
}

// findExample returns a slice with one Example for the rule at pos, whose pattern is p. It returns
// nil if it finds no path for which this rule redirects or answers with an error.
func (h *Host) findExample(p *pattern, pos diag.Pos, exists func(file string) bool) []Example {
	for _, word := range []string{"sitewalk", "1"} {
		urlPath, ok := strings.CutPrefix(p.examplePath(word), h.redirects.basePath)
		if !ok || !strings.HasPrefix(urlPath, "/") {
			continue
		}
		if a := h.Answer(urlPath, exists); a.Pos == pos && a.Status >= 300 {
			return []Example{{urlPath, a}}
		}
	}
	return nil
}

// examplePath returns a path that p probably matches: "/blog/1" for the pattern "/blog/*" if word
// is "1". It returns "" if it finds no such path. The path may begin with the path of the base URL;
// see ruleList.basePath.
func (p *pattern) examplePath(word string) string {
	if p.re == nil {
		return p.literal
	}
	re, err := syntax.Parse(p.re.String(), syntax.Perl)
	if err != nil {
		return ""
	}
	text := exampleMatch(re, word)
	if p.matchesRelativePath {
		return p.folder + "/" + text
	}
	return text
}

// exampleMatch returns a string that re probably matches: "/blog/1" for "/blog/.*" if word is "1".
func exampleMatch(re *syntax.Regexp, word string) string {
	if slices.Contains(anyChar, re.Op) {
		return word[:1]
	}
	switch re.Op {
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase != 0 { // re.Rune then has upper-case letters
			return strings.ToLower(string(re.Rune))
		}
		return string(re.Rune)
	case syntax.OpConcat:
		var b strings.Builder
		for _, sub := range re.Sub {
			b.WriteString(exampleMatch(sub, word))
		}
		return b.String()
	case syntax.OpCapture, syntax.OpAlternate:
		return exampleMatch(re.Sub[0], word)
	case syntax.OpQuest:
		if sub := re.Sub[0]; sub.Op != syntax.OpLiteral { // the optional part is probably a wildcard
			return exampleMatch(sub, word)
		}
	case syntax.OpPlus, syntax.OpStar:
		if slices.Contains(anyChar, re.Sub[0].Op) {
			return word
		}
		if re.Op == syntax.OpPlus {
			return exampleMatch(re.Sub[0], word)
		}
	case syntax.OpRepeat:
		return strings.Repeat(exampleMatch(re.Sub[0], word), max(1, re.Min))
	}
	return ""
}

// anyChar lists the regular expression operations that match one of several characters.
var anyChar = []syntax.Op{syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL}
