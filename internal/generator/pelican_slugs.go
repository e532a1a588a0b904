package generator

import (
	"regexp"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// slugging is how Pelican makes slugs of titles.
// https://docs.getpelican.com/en/stable/settings.html#basic-settings
type slugging struct {
	subs          []substitution
	unknown       bool // substitutions that only running the settings would tell
	unicode, caps bool // letters other than ASCII, and capitals, stay
}

// A substitution puts one text in the place of what matches.
type substitution struct {
	match *regexp.Regexp
	text  string
}

// usualSubs is SLUG_REGEX_SUBSTITUTIONS where nothing is said.
var usualSubs = []substitution{
	{regexp.MustCompile(`[^\pL\pN_\s-]`), ""},
	{regexp.MustCompile(`^\s+|\s+$`), ""},
	{regexp.MustCompile(`[-\s]+`), "-"},
}

// slugRules reads what the settings say of slugs.
func (s *slugging) slugRules(p *Project, c *value) {
	s.unicode = p.setting("SLUGIFY_USE_UNICODE", c.at("SLUGIFY_USE_UNICODE")) == "true"
	s.caps = p.setting("SLUGIFY_PRESERVE_CASE", c.at("SLUGIFY_PRESERVE_CASE")) == "true"
	v, there := c.table["SLUG_REGEX_SUBSTITUTIONS"]
	if !there {
		s.subs = usualSubs
		return
	}
	s.unknown = v == nil
	for _, pair := range v.items() {
		both := pair.items()
		if len(both) != 2 {
			s.unknown = true
			continue
		}
		re, err := regexp.Compile("(?i)" + pythonPattern.Replace(both[0].str()))
		if err != nil || s.unicode && strings.Contains(both[0].str(), `\w`) { // of which each knows others
			s.unknown = true
			continue
		}
		s.subs = append(s.subs, substitution{re, pythonGroup.ReplaceAllString(strings.ReplaceAll(both[1].str(), "$", "$$"), "$${$1}")})
	}
}

var (
	pythonPattern = strings.NewReplacer("(?u)", "", `\Z`, `\z`)
	pythonGroup   = regexp.MustCompile(`\\(\d)`)
)

// slugify is Pelican's function of that name, for Latin letters.
func (s *slugging) slugify(text string) (slug, note string) {
	if s.unknown {
		return "", "the slug depends on SLUG_REGEX_SUBSTITUTIONS, which cannot be read; write a slug"
	}
	if slug = norm.NFKC.String(text); !s.unicode {
		if slug = zolaLetters.Replace(plainLetters(slug)); !isASCII(slug) {
			return "", "the slug depends on how Pelican spells other than Latin letters; write a slug"
		}
	}
	for _, sub := range s.subs {
		slug = sub.match.ReplaceAllString(slug, sub.text)
	}
	if !s.caps {
		slug = strings.ToLower(slug)
	}
	return strings.TrimSpace(slug), ""
}
