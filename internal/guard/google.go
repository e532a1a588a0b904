package guard

import (
	"context"

	"github.com/sitewalk/sitewalk/internal/console"
	"github.com/sitewalk/sitewalk/internal/fetch"
)

// google asks Search Console of sitemaps, none being those of the site, if that is asked
// for.
func (c *Check) google(ctx context.Context, locs ...string) error {
	if !c.o.Google {
		return nil
	}
	if len(locs) == 0 {
		locs = append(locs, c.Settings.SitemapURL(&c.Settings.Writer))
		for i := range c.Settings.Parts {
			locs = append(locs, c.Settings.SitemapURL(&c.Settings.Parts[i]))
		}
	}
	in := &c.o.Input
	ctx, cancel := fetch.Within(ctx, c.o.Build.Online)
	defer cancel()
	seen := console.New(console.Options{Getenv: in.Getenv, Dir: in.Dir, Property: c.Settings.Property, Client: c.o.Client})
	for _, loc := range locs {
		said, err := seen.Run(ctx, loc, false, c.Findings)
		if err != nil {
			return err
		}
		c.Findings.Add(said.Judge(in.Now)...)
		c.Google = append(c.Google, said)
	}
	return nil
}
