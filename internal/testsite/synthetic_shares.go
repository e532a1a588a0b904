package testsite

import (
	"fmt"
	"strings"
)

// Shares are the properties of real sites that a synthetic site has. Percents are of
// all pages. Pages that are not listed name no translations.
type Shares struct {
	Beside    int  // percent of the pages that are name.html beside folders, and no index.html
	Assets    int  // percent of the pages with a file beside them that is no page
	Copies    bool // two of a hundred pages have another one as their canonical
	Heads     bool // heads are of 1 to 40 kB, in the shares of headShares
	Languages int  // every page in so many languages that name each other, and x-default
	Dangling  int  // percent of the pages that name five translations which do not exist
	OneWay    int  // percent of the pages that name a translation which does not name them
	Alone     bool // every page names itself as its only translation, which is right and says nothing
}

// Standard is the mix of pages for benchmarks, without languages.
var Standard = Shares{Beside: 30, Assets: 33, Copies: true, Heads: true}

// headShares are the sizes of heads in bytes, with the percentage of pages for each.
var headShares = []struct{ percent, from, to int }{
	{10, 1_000, 3_000},
	{80, 3_000, 8_000},
	{8, 8_000, 16_000},
	{2, 16_000, 40_000},
}

// String describes the site for the reader of a measurement.
func (s Shares) String() string {
	text := fmt.Sprintf("%d %% of the pages are name.html beside folders, %d %% have a file beside them", s.Beside, s.Assets)
	if s.Copies {
		text += ", 2 % have another page as their canonical"
	}
	if s.Heads {
		text += ". Heads have"
		for i, h := range headShares {
			if i > 0 {
				text += ","
			}
			text += fmt.Sprintf(" %d to %d kB (%d %%)", h.from/1000, h.to/1000, h.percent)
		}
	}
	return text
}

// otherLanguages are the languages after the first.
var otherLanguages = [...]string{"de", "fr", "ja", "es", "it", "nl", "pl", "pt-BR", "sv", "tr", "uk", "zh-Hans", "ko", "cs"}

// isInShare reports whether a page is in a sample of the given percentage. Each step selects
// a different sample; it must have no divisor in common with 100.
func isInShare(subject, step, percent int) bool { return subject*step%100 < percent }

func (s SyntheticSite) isBeside(subject int) bool {
	return subject > len(sections) && isInShare(subject, 37, s.Shares.Beside)
}

func (s SyntheticSite) hasAsset(i int) bool { return isInShare(i, 29, s.Shares.Assets) }

// alternates returns the translations that page i names.
func (s SyntheticSite) alternates(i int) []Alternate {
	subject, lang := s.subjectOf(i)
	own := Alternate{s.language(lang), s.urlPath(i)}
	switch sh := s.Shares; {
	case isInShare(subject, 41, sh.Dangling):
		all := []Alternate{own}
		for _, tongue := range otherLanguages[s.languages()-1:][:5] {
			all = append(all, Alternate{tongue, tongue + "/" + own.Path})
		}
		return all
	case subject > 0 && isInShare(subject, 41, sh.Dangling+sh.OneWay):
		to := i - s.languages()
		for to > 0 && s.kind(to/s.languages()) != Plain {
			to -= s.languages()
		}
		return []Alternate{own, {otherLanguages[s.languages()-1], s.urlPath(to)}}
	case sh.Languages > 1:
		return s.translations(i)
	case sh.Alone:
		return []Alternate{own}
	}
	return nil
}

// translations returns all translations of page i, and the first as x-default.
func (s SyntheticSite) translations(i int) (all []Alternate) {
	first := i - i%s.languages()
	for lang := range s.languages() {
		all = append(all, Alternate{s.language(lang), s.urlPath(first + lang)})
	}
	return append(all, Alternate{"x-default", all[0].Path})
}

// urlPath returns the path of page i's URL, without its leading slash.
func (s SyntheticSite) urlPath(i int) string {
	subject, _ := s.subjectOf(i)
	if s.isBeside(subject) {
		return s.dir(i) + ".html"
	}
	return slash(s.dir(i))
}

// Faults maps a finding code to a mistake that causes it on every page. A code with
// several mistakes has a suffix. Mistakes of the content tree are in the front matter.
var Faults = map[string]fault{
	"alternate-elsewhere": {head: `<link rel="alternate" hreflang="de" href="https://example.de/LOC">`},
	"alternate-missing":   {head: `<link rel="alternate" hreflang="de" href="/de/LOC">`},
	"alternate-one-way":   {head: `<link rel="alternate" hreflang="de" href="/">`},
	"alternate-out":       {head: `<link rel="alternate" hreflang="de" href="/404.html">`},
	"bad-alternate":       {head: `<link rel="alternate" hreflang="german" href="/LOC">`},
	"bad-canonical":       {canonical: "file:///srv/site/LOC"},
	"bad-date":            {head: `<meta property="article:modified_time" content="yesterday">`, front: "expiryDate: tomorrow\n"},
	"bad-syntax":          {front: "tags: [one\n"},
	"bad-syntax-alias":    {front: "files: *.pdf\n"},
	"bad-syntax-indent":   {front: "tags:\n  - one\n - two\n"},
	"bad-syntax-tab":      {front: "menu:\n\tmain: one\n"},
	"canonical-ignored":   {canonical: "/missing/"},
	"doubtful-date":       {head: `<meta property="article:modified_time" content="2999-01-01">`, front: "lastmod: 2999-01-01\n"},
	"two-canonicals":      {head: `<link rel="canonical" href="/">`},
	"wrong-type":          {front: "draft: [no]\n"},
}

// A fault is a mistake in a page. LOC is replaced by the path of the page's URL.
type fault struct {
	head      string // an additional line before the others
	canonical string // instead of the page's own URL
	front     string // additional lines of the front matter
}

func (f fault) fillLoc(p SyntheticPage, text string) string {
	return strings.ReplaceAll(text, "LOC", p.loc)
}
