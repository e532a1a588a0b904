package testsite

import (
	"fmt"
	"strings"
)

// Shares configure how a synthetic site resembles real sites. Each percentage refers to all pages.
// Pages that are not listed have no translations.
type Shares struct {
	Beside    int  // percentage of pages with the file a.html instead of a/index.html
	Assets    int  // percentage of pages with an image file next to them
	Copies    bool // two of 100 pages have another page as their canonical URL
	Heads     bool // heads have the sizes in headShares, 1 to 40 kB
	Languages int  // number of languages; the translations of each page link to each other and to x-default
	Dangling  int  // percentage of pages that link to five missing translations
	OneWay    int  // percentage of pages that link to a translation which does not link back
	Alone     bool // every page links to itself as its only translation, which is valid but useless
}

// Standard is the mix of pages for benchmarks. It has one language.
var Standard = Shares{Beside: 30, Assets: 33, Copies: true, Heads: true}

// headShares lists ranges of head sizes in bytes, and the percentage of pages in each range.
var headShares = []struct{ percent, from, to int }{
	{10, 1_000, 3_000},
	{80, 3_000, 8_000},
	{8, 8_000, 16_000},
	{2, 16_000, 40_000},
}

// String returns a sentence about the mix of pages, for the output of benchmarks.
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

// otherLanguages lists the languages of a site after the first one, English.
var otherLanguages = [...]string{"de", "fr", "ja", "es", "it", "nl", "pl", "pt-BR", "sv", "tr", "uk", "zh-Hans", "ko", "cs"}

// isInShare reports whether the page with the number subject is in a sample of all pages. percent
// is the size of the sample in percent. A different step gives a different sample. step and 100
// must not have a common divisor.
func isInShare(subject, step, percent int) bool { return subject*step%100 < percent }

func (s SyntheticSite) isNamedHTMLFile(subject int) bool {
	return subject > len(sections) && isInShare(subject, 37, s.Shares.Beside)
}

func (s SyntheticSite) hasAsset(i int) bool { return isInShare(i, 29, s.Shares.Assets) }

// pageAlternates returns the links from page i to its translations, including the wrong links of
// Shares.Dangling and Shares.OneWay. It returns nil if the page has no such links.
func (s SyntheticSite) pageAlternates(i int) []Alternate {
	subject, lang := s.subjectOf(i)
	own := Alternate{s.languageCode(lang), s.pageURLPath(i)}
	switch sh := s.Shares; {
	case isInShare(subject, 41, sh.Dangling):
		all := []Alternate{own}
		for _, tongue := range otherLanguages[s.numLanguages()-1:][:5] {
			all = append(all, Alternate{tongue, tongue + "/" + own.Path})
		}
		return all
	case subject > 0 && isInShare(subject, 41, sh.Dangling+sh.OneWay):
		to := i - s.numLanguages()
		for to > 0 && s.kindOfSubject(to/s.numLanguages()) != Plain {
			to -= s.numLanguages()
		}
		return []Alternate{own, {otherLanguages[s.numLanguages()-1], s.pageURLPath(to)}}
	case sh.Languages > 1:
		return s.translations(i)
	case sh.Alone:
		return []Alternate{own}
	}
	return nil
}

// translations returns links to all translations of page i, and to the first one as x-default.
func (s SyntheticSite) translations(i int) (all []Alternate) {
	first := i - i%s.numLanguages()
	for lang := range s.numLanguages() {
		all = append(all, Alternate{s.languageCode(lang), s.pageURLPath(first + lang)})
	}
	return append(all, Alternate{"x-default", all[0].Path})
}

// pageURLPath returns the URL path of page i without a leading slash.
func (s SyntheticSite) pageURLPath(i int) string {
	subject, _ := s.subjectOf(i)
	if s.isNamedHTMLFile(subject) {
		return s.pageDir(i) + ".html"
	}
	return addTrailingSlash(s.pageDir(i))
}

// Faults maps a finding code to a mistake that causes this finding on every page. If a code has
// several mistakes, its key has a suffix. Mistakes in content files are in front matter.
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

// A fault is a mistake on a page. In its texts, "LOC" is a placeholder for the URL path of the
// page.
type fault struct {
	head      string // additional line in the head, before other metadata
	canonical string // canonical URL instead of the page's own URL
	front     string // additional lines of front matter
}

// fillInURLPath returns text with the URL path of p in place of the placeholder LOC.
func (p SyntheticPage) fillInURLPath(text string) string {
	return strings.ReplaceAll(text, "LOC", p.loc)
}
