package cli

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sitewalk/sitewalk/internal/build"
	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/console"
	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/internal/guard"
	"github.com/sitewalk/sitewalk/internal/links"
	"github.com/sitewalk/sitewalk/internal/report"
)

var checkCommand = command{
	use:     "check [DIR|SITEMAP]",
	short:   "say what is wrong with a site and its sitemap",
	most:    1,
	prepare: prepareCheck,
	long: `Finds what is wrong with a built site and with the sitemap in it, whichever
tool wrote it: URLs that the site does not serve as pages of their own, pages
that are missing, misspelt URLs, false dates, and violations of the protocol,
each with its line and column. It also checks the site's llms.txt. It writes
nothing.

With the name or the address of a sitemap or an llms.txt, or - for standard
input, it checks that file alone.

With --links it follows the links within the site by the host's rules, and
reports those that are dead or redirected, and pages to which no page links.

With --google it asks Google's Search Console what it knows of the sitemap. It
submits nothing; sitewalk submit --google does.

Exit codes: 0 there are no errors; 1 there are, or warnings with --strict; 2
the check could not be done.`,
	example: `  sitewalk check public -b https://example.com/
  sitewalk check --links --fragments
  sitewalk check sitemap.xml
  sitewalk check https://example.com/sitemap.xml
  sitewalk check https://example.com/llms.txt`,
}

// A checkDetails is what only check says in JSON; docs/json.md describes it.
type checkDetails struct {
	Sitemaps []string          `json:"sitemaps"` // that were judged
	URLs     int               `json:"urls"`
	Pages    int               `json:"listed_pages"`
	Google   []console.Sitemap `json:"google,omitempty"`
}

func prepareCheck(env Env, p *printer, cmd *cobra.Command) {
	var c checkFlags
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return c.check(cmd.Context(), env, p, c.input(env, cmd, nil), append(args, "")[0])
	}
	c.siteFlags(cmd)
	f := cmd.Flags()
	f.BoolVar(&c.links, "links", false, "follow the links within the site, too")
	f.BoolVar(&c.fragments, "fragments", false, "and check that the places within pages that they name exist")
	f.IntVar(&c.depth, "depth", 0, "and report pages that are more than `N` links away from the home page")
	googleFlag(f, "ask Google's Search Console what it says of the sitemap, for the property that is found or for `PROPERTY`")
	f.BoolVar(&c.strict, "strict", false, "exit with 1 when there are warnings, too")
	c.addReports(env, cmd)
}

// checkFlags are the flags of check.
type checkFlags struct {
	buildFlags
	links     bool
	fragments bool
	depth     int
}

// linkOptions says what to look for in links; it is nil when links are not
// looked at.
func (c *checkFlags) linkOptions() *links.Options {
	if !c.links && !c.fragments && c.depth <= 0 {
		return nil
	}
	return &links.Options{Fragments: c.fragments, Depth: c.depth}
}

// asksGoogle reports whether the command line asks for Search Console. What
// sitemap.yaml says of it is for submit.
func asksGoogle(in config.Input) bool {
	said, asked := in.Flags["google"]
	return asked && !slices.Equal(said, []string{"false"})
}

func (c *checkFlags) check(ctx context.Context, env Env, p *printer, in config.Input, target string) error {
	if c.linkOptions() != nil {
		delayCollection(env.Getenv, firstWithLinks)
	}
	return c.perform(ctx, env, p, func(o build.Options, _ func()) (result, error) {
		r, err := guard.Site(ctx, guard.Options{Build: o, Input: in, Links: c.linkOptions(), Google: asksGoogle(in)}, target)
		err = cmp.Or(err, c.reports.outside(env, r.Settings))
		out := &report.Report{
			Command: "check", Details: checkDetails{append([]string{}, r.Sitemaps...), r.URLs, r.Pages, r.Google},
			Pages: c.reports.pagesOf(r.Result), FailsAt: c.failsAt(),
		}
		return result{Build: r.Build, report: out, talk: func(p *printer) { p.checkSummary(r, out) }}, err
	})
}

// checkSummary prints in one line what was checked, and what was found.
func (p *printer) checkSummary(r *guard.Check, out *report.Report) {
	parts := []string{diag.Count(r.URLs, "URL") + " in " + fewer(r.Sitemaps)}
	if len(r.Sitemaps) == 0 {
		parts = nil
	}
	if r.Pages > 0 {
		parts = append(parts, diag.Count(r.Pages, "page")+" to be listed")
	}
	errors, warnings := out.Count(diag.Error), out.Count(diag.Warning)
	outcome := "nothing is wrong"
	if warnings > 0 {
		outcome = diag.Count(errors, "error") + ", " + diag.Count(warnings-errors, "warning")
	}
	p.google(r.Google)
	p.say("%s", strings.Join(append(parts, outcome), "; "))
}
