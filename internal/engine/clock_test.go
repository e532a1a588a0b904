package engine

import (
	"fmt"
	"testing"
	"time"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

// TestWatchFollowsClock sets the clock forward and back without changing a file. After every step,
// the written files must equal the files of a fresh build at that time.
func TestWatchFollowsClock(t *testing.T) {
	t.Run("without SOURCE_DATE_EPOCH", func(t *testing.T) { watchWithMovingClock(t, nil) })
	t.Run("SOURCE_DATE_EPOCH of Nix", func(t *testing.T) { watchWithMovingClock(t, map[string]string{"SOURCE_DATE_EPOCH": "315532800"}) })
}

func watchWithMovingClock(t *testing.T, env map[string]string) {
	start := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	runWithVirtualTime(t, func(t *testing.T, p *project) {
		p.Write("sitemap.yaml", testsite.SmallConfig+"content: {dir: content}\nlastmod: [frontmatter, html, date]\n")
		pages := testsite.Repeat(24, 60)
		for i := range pages {
			day := start.Add(time.Duration(i-pages/2) * 180 / time.Duration(pages) * time.Hour)
			p.Write(fmt.Sprintf("public/p%d/index.html", i), fmt.Sprintf("<title>P</title><meta name=robots content='unavailable_after: %s'><p>%d",
				day.Add(41*time.Hour).Format(time.RFC3339), i))
			p.Write(fmt.Sprintf("content/p%d.md", i), fmt.Sprintf("---\npublishDate: %s\nlastmod: %s\nexpiryDate: %s\nnews: {title: P, publication_date: %s, publication: {name: P, language: en}}\n---\n",
				day.Format(time.RFC3339), day.Add(20*time.Hour).Format(time.DateOnly), day.Add(40*time.Hour).Format(time.RFC3339), day.Add(-30*time.Hour).Format(time.RFC3339)))
		}
		p.getenv = env
		now := start
		p.now = func() time.Time { return now }
		s := p.builtSession()
		sitemaps := map[string]bool{}
		for _, jump := range []time.Duration{
			0, 1, time.Second, 5 * time.Hour, 19 * time.Hour, 31 * time.Hour, -30 * time.Hour, 24 * time.Hour,
			60 * 24 * time.Hour, -65 * 24 * time.Hour, 400 * 24 * time.Hour, -395 * 24 * time.Hour,
		} {
			now = now.Add(jump)
			for s.isListOutdated() {
				s.handleNextBatch(t.Context())
			}
			p.WaitUntilLikeFreshBuild()
			sitemaps[p.Read("public/sitemap.xml")] = true
		}
		if len(sitemaps) < 8 {
			t.Errorf("got %d different sitemaps, want at least 8", len(sitemaps))
		}
	})
}
