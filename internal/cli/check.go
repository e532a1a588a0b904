package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/audit"
	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/engine"
	"github.com/sitewalk/sitewalk/internal/fetch"
	"github.com/sitewalk/sitewalk/internal/live"
	"github.com/sitewalk/sitewalk/internal/report"
	"github.com/sitewalk/sitewalk/internal/submit"
	"github.com/spf13/cobra"
)

func newCheckCommand(env Env, p *Printer) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "check [DIR|SITEMAP]",
		Short: "show what is wrong with a site and its sitemap",
		Args:  limitArguments(0, 1),
		Long: `Finds what is wrong with a built site and with the sitemap in it, whichever
tool wrote it: URLs that the site does not serve as pages of their own, pages
that are missing, misspelt URLs, false dates, and violations of the protocol,
each with its line and column. It also checks the site's llms.txt. It writes
nothing.

With the name or the address of a sitemap or an llms.txt, or - for standard
input, it checks that file alone.

With --links it follows the links within the site by the host's rules, and
reports those that are dead or redirected, and pages to which no page links.

With --heads it checks titles, descriptions, canonical links, og:url, images for
previews, JSON-LD, lang and h1 of the listed pages.

With --google it reads what Google's Search Console knows about the sitemap. It
submits nothing; sitewalk submit --google does.

With --live it then requests robots.txt, the sitemap, each listed URL, redirects
and an address that cannot exist from the live site, and reports wrong answers.
It makes 10 requests a second. After a deploy, --wait 5m first waits until the
live sitemap is the one that was built. SITEWALK_LIVE_HEADER="Name: value" opens
a protected site.

Exit codes: 0 there are no errors; 1 there are, or warnings with --strict; 2
the check could not be completed, for example without a connection.`,
		Example: `  sitewalk check public -b https://example.com/
  sitewalk check --live --sample 200 --wait 5m
  sitewalk check --live https://example.com/sitemap.xml
  sitewalk check --links --fragments
  sitewalk check --heads --strict
  sitewalk check sitemap.xml
  sitewalk check https://example.com/sitemap.xml
  sitewalk check https://example.com/llms.txt`,
	}
	var c checkFlags
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return c.runCheck(cmd.Context(), env, p, newInput(env, cmd, nil), firstArg(args), cmd.Flags().Changed("timeout"))
	}
	c.addSiteFlags(cmd)
	flagSet := cmd.Flags()
	flagSet.BoolVar(&c.links, "links", false, "also follow the links within the site")
	flagSet.BoolVar(&c.heads, "heads", false, "also check the heads of the pages")
	flagSet.BoolVar(&c.fragments, "fragments", false, "also check the #fragments of links")
	addGoogleFlag(flagSet, "also check Search Console, as `PROPERTY`")
	flagSet.BoolVar(&c.live, "live", false, "also check the answers of the live site")
	flagSet.IntVar(&c.Sample, "sample", 0, "with --live, request `N` URLs from all sections")
	flagSet.BoolVar(&c.Content, "whole", false, "with --live, compare the content of whole pages")
	flagSet.DurationVar(&c.Wait, "wait", 0, "with --live, wait up to `TIME` for the deploy")
	flagSet.Float64Var(&c.Rate, "rate", live.DefaultRate, fmt.Sprintf("with --live, make at most `N` requests/s (default %v)", live.DefaultRate))
	flagSet.IntVar(&c.Concurrency, "at-once", live.DefaultConcurrency, fmt.Sprintf("with --live, `N` requests at a time (default %d)", live.DefaultConcurrency))
	flagSet.BoolVar(&c.strict, "strict", false, "exit with 1 for warnings and errors")
	c.addReportFlags(cmd)
	return cmd
}

// checkFlags contains the values of the flags of the command check.
type checkFlags struct {
	flags
	links     bool
	fragments bool
	heads     bool
	live      bool
	audit.LiveOptions
}

// liveOptions returns the options for the check of the live site, or nil without --live. It returns
// an error for --sample, --whole or --wait without --live, and for invalid numbers. hasTimeout is
// true if the user passed --timeout. Without --timeout, liveOptions sets o.Timeout to 0, so that
// the time limit depends on the number of requests.
func (c *checkFlags) liveOptions(p *Printer, o *engine.Options, hasTimeout bool) (*audit.LiveOptions, error) {
	switch {
	case !c.live && (c.Sample != 0 || c.Content || c.Wait != 0):
		return nil, errors.New("--sample, --whole and --wait need --live")
	case !c.live:
		return nil, nil
	case c.Wait < 0:
		return nil, fmt.Errorf("--wait %v is below 0s", c.Wait)
	case c.Rate <= 0 || c.Concurrency <= 0 || c.Sample < 0:
		return nil, errors.New("--rate and --at-once need a number above 0, and --sample one")
	}
	if !hasTimeout {
		o.Timeout = 0
	}
	all := c.LiveOptions
	all.Logf = func(format string, args ...any) {
		if !c.json {
			p.Printf(format, args...)
		}
	}
	return &all, nil
}

func (c *checkFlags) runCheck(ctx context.Context, env Env, p *Printer, in config.Input, target string, hasTimeout bool) error {
	o, err := c.prepareRun(ctx, env, p)
	if err != nil {
		return err
	}
	liveOptions, err := c.liveOptions(p, &o, hasTimeout)
	if err != nil {
		return c.finishRun(env, p, result{build: engine.New(o), report: &report.Report{Command: "check"}}, err)
	}
	r, err := audit.RunCheck(ctx, audit.Options{Build: o, Input: in, Client: env.Client, Links: c.links || c.fragments, Fragments: c.fragments, Heads: c.heads, Live: liveOptions, Header: env.Getenv("SITEWALK_LIVE_HEADER"), Google: in.HasGoogleFlag()}, target)
	var google []submit.GoogleSitemap
	if err == nil && in.HasGoogleFlag() {
		ctx, cancel := fetch.WithTimeout(ctx, o.Timeout)
		defer cancel()
		account := submit.GoogleOptions{Getenv: in.Getenv, Dir: in.Dir, Property: r.Settings.Property, Client: env.Client, Logf: p.Printf}
		google, err = submit.CheckGoogle(ctx, account, r.ForGoogle, in.Now, r.Findings)
	}
	out := &report.Report{
		Command: "check", Details: checkDetails{append([]string{}, r.Sitemaps...), r.URLs, r.Pages, google, r.Live},
		Pages: c.reportedPages(r.Result), FailsAt: c.minFailingSeverity(), Live: formatLiveOutcome(r.Live),
	}
	printSummary := func() { printCheck(p, r, google, out) }
	return c.finishRun(env, p, result{build: r.Build, report: out, print: printSummary}, err)
}

// formatLiveOutcome returns text such as "the live site: 20 URLs requested, 18 correct, 5 not
// requested". It returns "" if o is nil, which means that the user did not pass --live.
func formatLiveOutcome(o *live.Outcome) string {
	if o == nil {
		return ""
	}
	text := fmt.Sprintf("the live site: %s requested, %s correct", diag.Count(o.Answered, "URL"), diag.Number(o.Correct))
	if n := o.Known - o.Answered; n > 0 {
		text += fmt.Sprintf(", %s not requested", diag.Number(n))
	}
	return text
}

// printCheck prints Google's data about the sitemaps, and the summary of the check.
func printCheck(p *Printer, r *audit.CheckRun, google []submit.GoogleSitemap, out *report.Report) {
	parts := []string{diag.Count(r.URLs, "URL") + " in " + shortenNames(r.Sitemaps)}
	if len(r.Sitemaps) == 0 {
		parts = nil
	}
	if r.Pages > 0 {
		parts = append(parts, diag.Count(r.Pages, "page")+" to be listed")
	}
	if out.Live != "" {
		parts = append(parts, out.Live)
	}
	outcome := "nothing is wrong"
	if out.CountAtLeast(diag.Warning) > 0 {
		outcome = diag.Count(out.CountSeverity(diag.Error), "error") + ", " + diag.Count(out.CountSeverity(diag.Warning), "warning")
	}
	printGoogle(p, google)
	p.Printf("%s", strings.Join(append(parts, outcome), "; "))
}

// checkDetails contains the fields that the command check adds to the JSON report. docs/json.md
// describes them.
type checkDetails struct {
	Sitemaps []string               `json:"sitemaps"` // names of the checked sitemaps
	URLs     int                    `json:"urls"`
	Pages    int                    `json:"listed_pages"`
	Google   []submit.GoogleSitemap `json:"google,omitempty"`
	Live     *live.Outcome          `json:"live"` // results of the requests to the live site; nil without --live
}
