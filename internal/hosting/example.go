package hosting

import (
	"regexp/syntax"
	"slices"
	"strings"
)

// An Example is a URL path below the base for which a rule decides.
type Example struct {
	URLPath string
	Answer  Answer
}

// Examples returns of each rule that redirects, or answers with an error, a path for which
// it decides, where one can be made from its pattern.
func (s *Site) Examples(exists func(file string) bool) (all []Example) {
	if s == nil {
		return nil
	}
	for i := range s.redirects.rules {
		of := &s.redirects.rules[i]
		if of.rule.rewriter != nil || of.rule.passes {
			continue
		}
		for _, word := range []string{"sitewalk", "1"} {
			urlPath, ok := strings.CutPrefix(of.example(word), s.redirects.below)
			if !ok || !strings.HasPrefix(urlPath, "/") {
				continue
			}
			a := s.Answer(urlPath, exists)
			if a.Pos == of.rule.pos && a.Status >= 300 {
				all = append(all, Example{urlPath, a})
				break
			}
		}
	}
	return slices.Clip(all)
}

// example returns a path that the pattern matches, most likely: word stands for any text.
func (p *pattern) example(word string) string {
	if p.expr == nil {
		return p.literal
	}
	re, err := syntax.Parse(p.expr.text, syntax.Perl)
	if err != nil {
		return ""
	}
	return textOf(re, word)
}

// textOf returns a text that an expression matches, most likely.
func textOf(re *syntax.Regexp, word string) string {
	switch re.Op {
	case syntax.OpLiteral:
		return string(re.Rune)
	case syntax.OpConcat:
		var b strings.Builder
		for _, sub := range re.Sub {
			b.WriteString(textOf(sub, word))
		}
		return b.String()
	case syntax.OpCapture, syntax.OpAlternate:
		return textOf(re.Sub[0], word)
	case syntax.OpPlus, syntax.OpStar, syntax.OpQuest, syntax.OpRepeat:
		sub := re.Sub[0]
		if any := sub.Op == syntax.OpAnyChar || sub.Op == syntax.OpAnyCharNotNL || sub.Op == syntax.OpCharClass; any && re.Op != syntax.OpQuest && re.Op != syntax.OpRepeat {
			return word
		}
		if re.Op == syntax.OpPlus || re.Op == syntax.OpRepeat {
			return strings.Repeat(textOf(sub, word), max(1, re.Min))
		}
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return word[:1]
	}
	return ""
}
