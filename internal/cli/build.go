package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sitewalk/sitewalk/config"
	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/internal/existing"
	"github.com/sitewalk/sitewalk/internal/ledger"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/site"
	"github.com/sitewalk/sitewalk/sitemap"
	"github.com/sitewalk/sitewalk/writer"
)

type buildFlags struct {
	common
	dryRun     bool
	strict     bool
	allowEmpty bool
	noProgress bool
}

const buildHelp = `Reads the site built in DIR and writes its sitemap there. Without DIR the
folder is found from sitemap.yaml or from the generator's own files.

Exit codes: 0 all is well; 1 with --strict, there are findings; 2 the sitemap
could not be built, and what was there before is untouched.`

func newBuild(env Env, p *printer) *cobra.Command {
	var b buildFlags
	cmd := &cobra.Command{
		Use:   "build [DIR]",
		Short: "write the sitemap of the site built in DIR",
		Long:  buildHelp,
		Example: `  sitewalk build public -b https://example.com/
  sitewalk build public -b https://example.com/ -o - --format txt
  sitewalk build --content content -o out -b https://example.com/`,
		Args: arguments(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return b.run(cmd.Context(), env, p, b.input(env, cmd, args))
		},
	}
	b.siteFlags(cmd)
	b.outputFlags(cmd)
	f := cmd.Flags()
	f.StringVar(&b.config.From, "from", "", "list the URLs of the sitemaps in `FILE` (a glob, an index, a list of URLs; - reads standard input)")
	f.BoolVarP(&b.dryRun, "dry-run", "n", false, "write nothing, say what would be written")
	f.BoolVar(&b.strict, "strict", false, "exit with 1 when there are findings")
	f.BoolVar(&b.allowEmpty, "allow-empty", false, "write a sitemap without URLs when no page is in")
	b.talkFlags(cmd)
	f.BoolVar(&b.noProgress, "no-progress", false, "show no progress bar")
	return cmd
}

// A built is what one build did.
type built struct {
	settings *config.Settings
	findings *diag.Report
	result   *site.Result
	files    writer.Report
	filled   map[string]bool // sitemaps of the configuration that have a page
	tooLarge int             // pages that no file can hold
	memory   *ledger.Ledger
	dir      string // where the files are written, as the user would type it
	took     time.Duration

	still func() error // asked when all is ready to be put in its place, whether it may be; nil is yes
}

func (b *buildFlags) run(ctx context.Context, env Env, p *printer, in config.Input) error {
	p.quiet = b.quiet
	start := env.Now()
	r, err := b.build(ctx, env, p, in)
	if r == nil {
		return err
	}
	r.took = env.Now().Sub(start)
	if b.json {
		if jerr := printJSON(p.out, r.report(b.dryRun, err)); err == nil {
			err = jerr
		}
		if err != nil {
			return err
		}
	} else {
		if b.verbose {
			p.origins(r.settings)
		}
		p.findings(r.findings.Kinds())
		if err != nil {
			return err
		}
		p.summary(r, b.dryRun)
	}
	if b.strict && r.findings.Count(diag.Warning) > 0 {
		return errFindings
	}
	return nil
}

// build does the work. What it returns is nil only when nothing is known of
// the site.
func (b *buildFlags) build(ctx context.Context, env Env, p *printer, in config.Input) (*built, error) {
	r := b.begin()
	settings, ds, err := config.Resolve(ctx, in)
	r.findings.Add(ds...)
	r.settings = settings
	if err != nil {
		return r, err
	}
	if settings.Stdout && b.json {
		return r, errors.New("--json and -o - both print on standard output; leave one of them out, or name a folder with -o")
	}
	if settings.Skip != "" {
		return r, nil
	}
	if settings.Writer.Dir == "" && !settings.Stdout {
		return r, hinted{errors.New("there is no publish directory to write into"), "name a folder with -o, or print the sitemap with -o -"}
	}
	r.dir = typed(env.Dir, settings.Writer.Dir)
	if _, err := b.learn(ctx, env, p, r); err != nil {
		return r, err
	}
	if err := b.enough(r); err != nil {
		return r, err
	}
	return r, b.write(ctx, p.out, r)
}

// begin returns a build of which nothing is known yet.
func (b *buildFlags) begin() *built {
	r := &built{findings: &diag.Report{}, result: &site.Result{}}
	if b.verbose {
		r.findings.Keep = -1
	}
	return r
}

// typed returns a path as the user would type it in the working directory.
func typed(wd, name string) string {
	if rel, err := filepath.Rel(wd, name); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return name
}

// learn reads the site and decides what is listed.
func (b *buildFlags) learn(ctx context.Context, env Env, p *printer, r *built) (*site.Site, error) {
	o, err := b.options(ctx, env, r)
	if err != nil {
		return nil, err
	}
	if env.Terminal && !b.noProgress && !b.quiet && !b.json && env.Getenv("CI") == "" {
		bar := startProgress(p.err)
		defer bar.end()
		o.Progress = bar.read
	}
	s := site.New(o)
	if err := s.Learn(ctx); err != nil {
		return nil, err
	}
	r.fold(s)
	return s, nil
}

// fold decides what is listed, from what was learned.
func (r *built) fold(s *site.Site) {
	r.result = s.Fold()
	r.findings.Merge(r.result.Findings)
}

// options are those of the settings, with the ledger and the sitemaps that they
// name read.
func (b *buildFlags) options(ctx context.Context, env Env, r *built) (site.Options, error) {
	o := r.settings.Site
	o.Findings, o.LedgerUpdate.Writer = r.findings.Keep, "sitewalk "+version()
	if r.settings.LedgerFrom != "" {
		if err := r.recall(ctx, env.Dir); err != nil {
			return o, err
		}
		o.Ledger = r.memory
	}
	if from := r.settings.From; from != "" {
		if err := b.from(ctx, env, r, &o, from); err != nil {
			return o, err
		}
	}
	return o, nil
}

// recall reads the ledger, if nobody has.
func (r *built) recall(ctx context.Context, wd string) (err error) {
	if r.memory != nil {
		return nil
	}
	o := r.settings.LedgerOptions
	o.Dir = wd
	var ds diag.List
	r.memory, ds, err = ledger.Read(ctx, r.settings.LedgerFrom, o)
	r.findings.Add(ds...)
	return err
}

// from reads the URLs that another tool has listed, and moves them below the
// base URL.
func (b *buildFlags) from(ctx context.Context, env Env, r *built, o *site.Options, from string) error {
	o.From = []*site.Listed{} // no others are pages
	return existing.Read(ctx, from, env.Stdin, r.findings, func(u sitemap.URL, pos diag.Pos) {
		o.From = append(o.From, site.NewListed(site.Moved(u, o.Base), pos))
	})
}

// enough refuses to publish a sitemap of nothing.
func (b *buildFlags) enough(r *built) error {
	if r.result.List.Len() > 0 || b.allowEmpty {
		return nil
	}
	left := leftOut(r.result)
	if left == "" && r.settings.From != "" {
		return hinted{
			errors.New("the sitemaps that --from names list no URL, so the old sitemap stays"),
			"--allow-empty writes a sitemap without URLs",
		}
	}
	if left == "" {
		return hinted{
			errors.New("no page was found, so the old sitemap stays"),
			"is the site built, and is this its publish directory? --include selects other files, --allow-empty writes a sitemap without URLs",
		}
	}
	return hinted{
		fmt.Errorf("no page is in, so the old sitemap stays; left out: %s", left),
		r.result.Hint("sitewalk explain FILE says why a page is out; --allow-empty writes a sitemap without URLs"),
	}
}

// urls is how many are listed.
func (r *built) urls() int { return r.result.List.Len() - r.tooLarge }

// summary says in one line what the build did.
func (p *printer) summary(r *built, dryRun bool) {
	if r.settings.Skip != "" {
		p.say("nothing written: %s", r.settings.Skip)
		return
	}
	parts := []string{count(r.urls(), "URL")}
	if left := leftOut(r.result); left != "" {
		parts = append(parts, left)
	}
	if r.settings.Site.Content != nil && r.settings.Site.Pages != nil {
		parts = append(parts, fmt.Sprintf("%d paired with content and %d not", r.result.Paired, r.result.Unpaired))
	}
	if !r.settings.Stdout {
		parts = append(parts, filesDone(r.files, r.dir, dryRun))
	}
	p.say("%s, in %s", strings.Join(parts, "; "), r.took.Round(time.Millisecond))
}

// leftOut counts the pages that are out, by reason.
func leftOut(res *site.Result) string {
	total := 0
	var whys []string
	for i, n := range res.Left {
		if reason := page.Reason(i); reason != page.Listed && n > 0 {
			total += n
			whys = append(whys, fmt.Sprintf("%d %s", n, reason))
		}
	}
	if total == 0 {
		return ""
	}
	return fmt.Sprintf("%s left out (%s)", count(total, "page"), strings.Join(whys, ", "))
}

// filesDone names the files by what became of them, short names before long
// ones: the entry before its children.
func filesDone(r writer.Report, dir string, dryRun bool) string {
	slices.SortStableFunc(r.Files, func(a, b writer.File) int { return cmp.Compare(len(a.Name), len(b.Name)) })
	var parts []string
	for _, state := range []writer.State{writer.Written, writer.Unchanged, writer.Removed} {
		var names []string
		for _, f := range r.Files {
			if f.State == state {
				names = append(names, f.Name)
			}
		}
		if len(names) == 0 {
			continue
		}
		word := state.String()
		if dryRun && state != writer.Unchanged {
			word = "would be " + word
		}
		parts = append(parts, fewer(names)+" "+word)
	}
	return strings.Join(parts, ", ") + " in " + dir
}

// fewer names a few files and counts the others.
func fewer(names []string) string {
	const most = 4
	if len(names) <= most {
		return strings.Join(names, " ")
	}
	return fmt.Sprintf("%s and %d more files", strings.Join(names[:most-1], " "), len(names)-most+1)
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// origins says who decided each setting.
func (p *printer) origins(s *config.Settings) {
	if s == nil {
		return
	}
	for _, o := range s.Origins {
		from := o.By
		if o.Pos.File != "" {
			from += " " + o.Pos.String()
		}
		if o.Why != "" {
			from += " " + o.Why
		}
		p.say("%s: %s (%s)", o.Key, o.Value, from)
	}
}
