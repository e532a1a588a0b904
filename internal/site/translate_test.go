package site

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/testsite"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// TestSharedTargets checks that a translator that reuses its targets for all pages gives the same
// alternates as a new translator for each page.
func TestSharedTargets(t *testing.T) {
	for seed := range testsite.Repeat(60, 2000) {
		r := rand.New(rand.NewPCG(1, uint64(seed)))
		pages := multilingual(r)
		_, res := build(t, Options{Options: facts.Options{Page: page.Options{Alternates: true}}}, pages, nil)
		together, said := agreements(res, func(t *translator) *translator { return t })
		alone, saidAlone := agreements(res, func(*translator) *translator { return translatorOf(res) })
		for i := range together {
			if !slices.Equal(together[i], alone[i]) {
				t.Errorf("seed %d: %s has the alternates %v, and %v alone", seed, res.List[i].Loc, together[i], alone[i])
			}
		}
		if !slices.EqualFunc(said, saidAlone, func(a, b diag.Kind) bool { return fmt.Sprint(a) == fmt.Sprint(b) }) {
			t.Errorf("seed %d: the findings are %v, and %v alone", seed, said, saidAlone)
		}
	}
}

func translatorOf(res *Result) *translator {
	return newTranslator(res, func(p *Page) []sitemap.Alternate { return res.World.EntryFromSources(p).Alternates })
}

// agreements returns the mutual alternates of the listed pages, and the findings about the others.
// next returns the translator for the next page.
func agreements(res *Result, next func(*translator) *translator) (alts [][]sitemap.Alternate, said []diag.Kind) {
	t := translatorOf(res)
	var problems LinkProblems
	for _, p := range res.List {
		t = next(t)
		alts = append(alts, t.mutualAlternatesOf(nil, p, &problems))
	}
	report := &diag.Report{}
	problems.addFindings(report)
	return alts, report.Kinds()
}

// multilingual returns pages in several languages. Some translation groups are complete, others
// lack links or spell them differently.
func multilingual(r *rand.Rand) map[string]string {
	langs := []string{"en", "de", "fr", "pt-BR"}
	pages := map[string]string{}
	for subject := range 1 + r.IntN(8) {
		var links string
		for _, lang := range langs {
			href := fmt.Sprintf("/%s/%d/", lang, subject)
			switch r.IntN(30) {
			case 0:
				href = fmt.Sprintf("http://example.com/%s/%d/index.html", lang, subject)
			case 1:
				href = "https://elsewhere.example/"
			case 2:
				href = "/nowhere/" + fmt.Sprint(r.IntN(6))
			case 3:
				lang = "english"
			case 4:
				href = "/excluded/a.html"
			case 5:
				continue
			}
			links += fmt.Sprintf("<link rel=alternate hreflang=%s href=%q>", lang, href)
		}
		if r.IntN(2) == 0 {
			links += fmt.Sprintf("<link rel=alternate hreflang=x-default href=/en/%d/>", subject)
		}
		for _, lang := range langs {
			own := links
			switch r.IntN(12) {
			case 0:
				own = ""
			case 1:
				own += "<meta name=robots content=noindex>"
			case 2:
				own = fmt.Sprintf("<link rel=alternate hreflang=en href=/en/%d/>", subject)
			case 3:
				continue // there is no such page
			}
			pages[fmt.Sprintf("%s/%d/index.html", lang, subject)] = "<html lang=" + lang + "><head><title>a</title>" + own + "</head>"
		}
	}
	return pages
}
