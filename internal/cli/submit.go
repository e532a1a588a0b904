package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/report"
	"github.com/sitewalk/sitewalk/internal/submit"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

type submitFlags struct {
	flags
	submit.Options
}

func newSubmitCommand(env Env, p *Printer) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "submit [CHANGES]",
		Short: "send the changes of a deploy to search engines",
		Args:  limitArguments(0, 1),
		Long: `Sends search engines, by IndexNow, the URLs that a deploy added, changed in
content or removed: those of a list of changes that diff wrote before the
deploy, or what changed since the list that --since names. Unchanged pages are
never sent.

It waits until the new sitemap is live, and checks the key file. In previews
and pull requests, and for builds that are not public, it sends nothing and says
so.

With --google it then submits the sitemap to Google's Search Console, and prints
its state there. It needs no list of changes, but it
needs an account: a token in SITEWALK_GOOGLE_TOKEN, or the key file of a
service account in GOOGLE_APPLICATION_CREDENTIALS.

Exit codes: 0 all was sent, or there was nothing to send; 1 an engine refused,
or with --strict there are warnings; 2 nothing was sent, or not all.`,
		Example: `  sitewalk diff https://example.com/sitemap.xml --report json=changes.json
  sitewalk submit changes.json
  sitewalk submit --since before.xml
  sitewalk submit --all --dry-run
  sitewalk submit --google`,
	}
	var f submitFlags
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		f.Changes = firstArg(args)
		return f.runSubmit(cmd.Context(), env, p, newInput(env, cmd, nil))
	}
	f.addSiteFlags(cmd)
	flagSet := cmd.Flags()
	flagSet.String("key", "", "the site's `KEY` for IndexNow")
	flagSet.StringVar(&f.Since, "since", "", "send the changes since the list `OLD`")
	flagSet.BoolVar(&f.All, "all", false, "send every URL, for a first time or after a move")
	flagSet.DurationVar(&f.Wait, "wait", 5*time.Minute, "wait up to `TIME` for the deploy (default 5m)")
	flagSet.StringVar(&f.Engine, "engine", "", "send to the engine at `URL`")
	addGoogleFlag(flagSet, "submit the sitemap to Search Console, as `PROPERTY`")
	flagSet.BoolVarP(&f.opts.DryRun, "dry-run", "n", false, "send nothing, print the requests")
	flagSet.BoolVar(&f.strict, "strict", false, "exit with 1 for warnings and errors")
	f.addReportFlags(cmd)
	return cmd
}

func (f *submitFlags) runSubmit(ctx context.Context, env Env, p *Printer, in config.Input) error {
	if f.Wait < 0 {
		return fmt.Errorf("--wait %v is below 0s", f.Wait)
	}
	o, err := f.prepareRun(ctx, env, p)
	if err != nil {
		return err
	}
	options := f.Options
	options.Build, options.Input, options.DryRun = o, in, f.opts.DryRun
	options.Print, options.Client, options.Logf = p.Out, env.Client, p.Printf
	if !f.requests.ShouldPrintText() {
		options.Print = io.Discard
	}
	options.Engine = cmp.Or(options.Engine, env.Getenv("SITEWALK_ENGINE"))
	s, err := submit.Run(ctx, options)
	out := result{build: s.Build, report: &report.Report{Command: "submit", FailsAt: f.minFailingSeverity(), Details: submitDetails{f.opts.DryRun, s.Outcome}}}
	out.print = func() { printSubmission(p, s, f.opts.DryRun) }
	out.printsFailure = len(s.Outcome.Answers)+len(s.Outcome.Google) > 0
	return f.finishRun(env, p, out, err)
}

// addGoogleFlag adds the flag --google, whose value is optional.
func addGoogleFlag(flagSet *pflag.FlagSet, usage string) {
	flagSet.String("google", "", usage)
	flagSet.Lookup("google").NoOptDefVal = "true"
}

// printSubmission prints the number of URLs to submit for each host, the successful answers of the
// search engines, and why some URLs were not sent. dry is true for a dry run, which submits
// nothing.
func printSubmission(p *Printer, s *submit.Submission, dry bool) {
	if s.Outcome.Skipped != "" {
		if !s.SubmitsToGoogle {
			p.Printf("nothing is sent: %s", s.Outcome.Skipped)
			return
		}
		p.Printf("nothing is sent by IndexNow: %s", s.Outcome.Skipped)
	}
	for i := range s.Outcome.Hosts {
		h := &s.Outcome.Hosts[i]
		p.Printf("%s: %s to submit: %s added, %s changed, %s removed", h.Name, diag.Count(h.NumURLs(), "URL"), diag.Number(h.Added), diag.Number(h.Changed), diag.Number(h.Removed))
	}
	for i := range s.Outcome.Answers {
		if a := &s.Outcome.Answers[i]; a.OK() {
			p.Printf("%s: %s of %s: %d, %s", a.EngineHost(), diag.Count(a.URLs, "URL"), a.Host, a.Status, a.Meaning)
		}
	}
	printGoogle(p, s.Outcome.Google)
	for _, line := range s.UnsentReasons() {
		p.Printf("%s", line)
	}
	if dry {
		p.Printf("nothing was sent: this is a dry run")
	}
}

// printGoogle prints the sitemaps submitted to Google Search Console, and Google's data about them.
func printGoogle(p *Printer, all []submit.GoogleSitemap) {
	for i := range all {
		s := &all[i]
		if s.Submitted {
			p.Printf("Search Console: %s submitted to %s", s.URL, s.Property)
		}
		if text := s.String(); text != "" {
			p.Printf("Search Console: %s", text)
		}
	}
}

// submitDetails contains the fields that the command submit adds to the JSON report. docs/json.md
// describes them.
type submitDetails struct {
	DryRun bool `json:"dry_run"`
	submit.Outcome
}
