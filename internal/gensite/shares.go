package gensite

import "fmt"

// Shares say how far a site is what real ones are. Percents are of all pages;
// those that are out name no translations.
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

// Standard is the mix to measure with, without languages.
var Standard = Shares{Beside: 30, Assets: 33, Copies: true, Heads: true}

// headShares are how many of a hundred heads are at most so large.
var headShares = []struct{ percent, from, to int }{
	{10, 1_000, 3_000},
	{80, 3_000, 8_000},
	{8, 8_000, 16_000},
	{2, 16_000, 40_000},
}

// String tells what is in the site, for who reads its measurements.
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

// tongues are the languages after the first.
var tongues = [...]string{"de", "fr", "ja", "es", "it", "nl", "pl", "pt-BR", "sv", "tr", "uk", "zh-Hans", "ko", "cs"}

// share reports whether a page is among so many percent. Different steps, which
// have no divisor in common with 100, draw different pages.
func share(subject, step, percent int) bool { return subject*step%100 < percent }

func (s Site) beside(subject int) bool {
	return subject > len(sections) && share(subject, 37, s.Shares.Beside)
}

func (s Site) illustrated(i int) bool { return share(i, 29, s.Shares.Assets) }

// alternates returns the translations that page i names.
func (s Site) alternates(i int) []Alternate {
	subject, lang := s.subject(i)
	own := Alternate{s.language(lang), s.urlPath(i)}
	switch sh := s.Shares; {
	case share(subject, 41, sh.Dangling):
		all := []Alternate{own}
		for _, tongue := range tongues[s.languages()-1:][:5] {
			all = append(all, Alternate{tongue, tongue + "/" + own.Path})
		}
		return all
	case subject > 0 && share(subject, 41, sh.Dangling+sh.OneWay):
		to := i - s.languages()
		for to > 0 && s.kind(to/s.languages()) != Plain {
			to -= s.languages()
		}
		return []Alternate{own, {tongues[s.languages()-1], s.urlPath(to)}}
	case sh.Languages > 1:
		return s.group(i)
	case sh.Alone:
		return []Alternate{own}
	}
	return nil
}

// group returns all languages of page i, and the first as x-default.
func (s Site) group(i int) (all []Alternate) {
	first := i - i%s.languages()
	for lang := range s.languages() {
		all = append(all, Alternate{s.language(lang), s.urlPath(first + lang)})
	}
	return append(all, Alternate{"x-default", all[0].Path})
}

// urlPath returns the path of page i's URL, without its leading slash.
func (s Site) urlPath(i int) string {
	subject, _ := s.subject(i)
	if s.beside(subject) {
		return s.dir(i) + ".html"
	}
	return slash(s.dir(i))
}
