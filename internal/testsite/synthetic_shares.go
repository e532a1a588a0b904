package testsite

// Shares configure how many pages of a synthetic site have certain properties of real pages. Each
// percentage refers to all pages. Redirects, copies and pages with "noindex" have no translations.
type Shares struct {
	Beside    int  // percentage of pages with the file a.html instead of a/index.html
	Assets    int  // percentage of pages with an image file next to them
	Copies    bool // two of 100 pages have another page as their canonical URL
	Heads     bool // heads have the sizes in headShares, 1 to 40 kB
	Languages int  // number of languages; the translations of each page link to each other and to x-default
	Dangling  int  // percentage of pages that link to five missing translations
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

// otherLanguages lists the languages of a site after English, its first language.
var otherLanguages = [...]string{"de", "fr", "ja", "es", "it", "nl", "pl", "pt-BR", "sv", "tr", "uk", "zh-Hans", "ko", "cs"}

// isInShare reports whether the page with the number n is in a sample of all pages. percent is the
// size of the sample in percent. A different step gives a different sample. step and 100 must not
// have a common divisor.
func isInShare(n, step, percent int) bool { return n*step%100 < percent }

// hasFlatFile reports whether the pages of a subject have files such as a.html, not a/index.html.
func (s SyntheticSite) hasFlatFile(subject int) bool {
	return subject > len(sections) && isInShare(subject, 37, s.Shares.Beside)
}

func (s SyntheticSite) hasAsset(i int) bool { return isInShare(i, 29, s.Shares.Assets) }

// pageAlternates returns the links from page i to its translations, or to the missing translations
// of Shares.Dangling. It returns nil if the page has no such links.
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
	case sh.Languages > 1:
		return s.translations(i)
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
	if s.hasFlatFile(subject) {
		return s.pageDir(i) + ".html"
	}
	return addTrailingSlash(s.pageDir(i))
}
