package audit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/engine"
	"github.com/sitewalk/sitewalk/internal/explain"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/fetch"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/generator"
	"github.com/sitewalk/sitewalk/internal/hosting"
	"github.com/sitewalk/sitewalk/internal/live"
	"github.com/sitewalk/sitewalk/internal/report"
	"github.com/sitewalk/sitewalk/internal/robots"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/writer"
)

// A CheckRun is one run of the command check: its options, and its result. If RunCheck returns an
// error, the result is incomplete.
type CheckRun struct {
	*engine.Build               // build of the site; without a Result if a single file is checked
	Sitemaps      []string      // names or URLs of the checked sitemaps, or of a single llms.txt, as the user would type them
	URLs          int           // number of entries in the checked sitemaps, or of links in a single llms.txt
	Pages         int           // number of pages that the site lists
	ForGoogle     []string      // URLs of the sitemaps to look up in Search Console
	Live          *live.Outcome // result of the check of the live site; nil if it was not checked

	o          *Options
	explainer  *explain.Explainer // predicts what the site serves at each URL; nil if a single file is checked
	served     []string           // URLs at which the live site should serve the built sitemaps
	built      live.Listing       // entries of the built sitemaps, to compare with the live sitemaps; nil without that comparison
	robotsFile string             // name of robots.txt as the user would type it; "" if there is none
}

// RunCheck checks target: a folder with a built site and its sitemaps, a single sitemap, or an
// llms.txt file. If target is "", it checks the configured site. It adds a finding for each mistake
// to Findings of the result. An error means that the check could not be completed.
func RunCheck(ctx context.Context, o Options, target string) (*CheckRun, error) {
	o.budget = fetch.NewBudget()
	c := &CheckRun{Build: engine.New(o.Build), o: &o}
	if target == "" || o.isFolder(target) {
		if err := c.checkSite(ctx, target); err != nil {
			return c, err
		}
		c.ForGoogle = c.Settings.SitemapURLs()
		return c, nil
	}
	if o.Google && (!fetch.IsURL(target) || isLLMS(target)) {
		return c, errors.New("--google needs a built site or the address of a sitemap, and " + target + " is neither")
	}
	if o.Links || o.Heads {
		return c, errors.New("--links and --heads need the folder of a built site; " + target + " is not a folder")
	}
	if err := o.resolveListSettings(c.Build); err != nil {
		return c, err
	}
	c.ForGoogle = []string{target}
	online, cancel := fetch.WithTimeout(ctx, o.Build.Timeout)
	defer cancel()
	if o.Live != nil {
		if !fetch.IsURL(target) {
			return c, errors.New("--live needs the folder of a built site, or the address of a sitemap")
		}
		return c, c.checkLiveSitemap(ctx, target)
	}
	if isLLMS(target) {
		return c, c.checkSingleFile(online, target, c.checkSingleLLMS)
	}
	return c, c.checkSingleFile(online, target, c.checkSingleSitemap)
}

// checkSingleFile runs check for target, a file or URL. If target is a URL and a secret request
// header is configured, checkSingleFile replaces the text of each finding by the meaning of its
// code. The original text may quote the protected site, which may repeat the secret.
func (c *CheckRun) checkSingleFile(ctx context.Context, target string, check func(ctx context.Context, target string, secret *fetch.Secret) error) error {
	if !fetch.IsURL(target) {
		return check(ctx, target, nil)
	}
	secret, err := c.o.secretFor(target)
	if err != nil {
		return err
	}
	if secret == nil {
		return withHeaderAdvice(check(ctx, target, nil))
	}
	found := c.Findings
	c.Findings = &diag.Report{MaxKept: -1, Levels: found.Levels}
	err = withHeaderAdvice(check(ctx, target, secret))
	c.Sitemaps = []string{fetch.WithoutPassword(target)}
	c.Findings.Each(func(d *diag.Diagnostic) {
		found.Add(diag.Diagnostic{
			Pos: diag.Pos{File: c.Sitemaps[0], Line: d.Pos.Line, Col: d.Pos.Col}, Severity: d.Severity, Code: d.Code, Message: report.FindCode(d.Code).Meaning,
		})
	})
	c.Findings = found
	return err
}

// checkSingleSitemap checks the sitemap at target, a file or URL, without its site. If target is a
// file, the flag -b is set and the configuration has no further sites, all URLs must be below the
// base URL in -b. If target is a file and -b is not set, checkSingleSitemap reports URLs of local
// servers.
func (c *CheckRun) checkSingleSitemap(ctx context.Context, target string, secret *fetch.Secret) error {
	k := &sitemapChecker{Findings: c.Findings, Now: c.o.Input.Now}
	base := c.o.Input.Flags.Value("base-url")
	if base != "" && !fetch.IsURL(target) && len(c.Settings.Site.Sites) == 0 {
		var err error
		if k.Base, err = mapping.ParseBase(base); err != nil {
			return fmt.Errorf("--base-url %s", strings.TrimPrefix(err.Error(), "base_url "))
		}
	}
	o := c.o.listOptions(c.Settings)
	o.AllowRequests, o.Fetch.Secret = fetch.IsURL(target), secret
	err := c.readSitemap(ctx, k, target, o)
	k.Finish(ctx, nil)
	if base == "" && !fetch.IsURL(target) {
		k.reportLocalURLs()
	}
	return err
}

// readSitemap reads the sitemap called name and the sitemaps that it lists, with the options o. It
// counts the entries, and passes each file and each entry to k.
func (c *CheckRun) readSitemap(ctx context.Context, k *sitemapChecker, name string, o fetch.ListOptions) error {
	again := false // an earlier sitemap already listed the current file
	o.OnFile = func(f fetch.File) {
		if again = k.isChecked(f.Name); !again {
			c.Sitemaps = append(c.Sitemaps, f.Name)
		}
		k.CheckFile(f)
	}
	o.Overhead = checkedURLSize
	return fetch.ReadList(ctx, c.o.filePath(name), o, c.Findings, func(e fetch.Entry) {
		if !again {
			c.URLs++
		}
		if c.built != nil {
			c.built.Add(e.Entry)
		}
		k.CheckURL(e.Entry, e.Pos)
	})
}

// checkSite checks the built site in the folder dir, or the configured site if dir is "".
func (c *CheckRun) checkSite(ctx context.Context, dir string) error {
	if err := c.Resolve(c.o.inputWithDir(dir)); err != nil {
		return err
	}
	s := &c.Settings.Site
	if c.o.Live != nil {
		s.Page.Titles = true
		s.Page.ContentHash = s.Page.ContentHash || c.o.Live.Content
		c.built = live.Listing{}
	}
	if (c.o.Links || c.o.Heads) && s.Pages == nil {
		return errors.New("--links and --heads need a built site, and there are content files only")
	}
	checks := c.newPageChecks()
	s.Bodies = func(b facts.Body) {
		for _, check := range checks {
			check.CollectPage(b)
		}
	}
	if err := c.ReadSite(ctx); err != nil {
		return err
	}
	c.explainer = explain.New(c.Result)
	c.Pages = len(c.Result.List)
	k := &sitemapChecker{Findings: c.Findings, Base: s.Base, Owns: s.Parts().ContainsURL, Now: s.Now, explainer: c.explainer}
	if err := c.readSitemaps(ctx, k); err != nil {
		return err
	}
	k.Finish(ctx, c.Result)
	c.checkLLMSFiles(ctx)
	if assignment, yes := hosting.IsIndexablePreview(c.o.Input.Getenv); yes {
		c.reportPreview(assignment)
	}
	for _, check := range checks {
		if err := check.Report(ctx, c); err != nil {
			return err
		}
	}
	if err := ctx.Err(); err != nil || c.o.Live == nil {
		return err
	}
	return c.checkLiveSite(ctx)
}

// A pageCheck checks the content of the pages of a site.
type pageCheck interface {
	// CollectPage stores what the check needs to know about one page. Several goroutines call it
	// while the pages are read.
	CollectPage(b facts.Body)
	// Report adds findings about the pages to c.Findings. It returns an error only if the check
	// could not be completed.
	Report(ctx context.Context, c *CheckRun) error
}

// newPageChecks returns the checks of pages: the check for search problems and, if there is a pages
// tree, the checks that the options and the settings turn on.
func (c *CheckRun) newPageChecks() []pageCheck {
	s := &c.Settings.Site
	checks := []pageCheck{&searchProblemCollector{files: map[string]page.SearchProblems{}}}
	if s.Pages == nil {
		return checks
	}
	if c.o.Links {
		checks = append(checks, newLinkCollector(c.o.Fragments, &s.Options))
	}
	if c.o.Heads || c.Settings.ChecksHeads {
		checks = append(checks, &headCollector{bases: allBases(&s.Options)})
	}
	if c.LinksMarkdownCopies() {
		checks = append(checks, &copyCollector{heads: map[string]copyHead{}})
	}
	return checks
}

// readSitemaps reads and checks the sitemaps in the publish directory and in the folders that other
// hosts serve. If there is no sitemap in any of them, it adds the finding "no-sitemap".
func (c *CheckRun) readSitemaps(ctx context.Context, k *sitemapChecker) error {
	for _, w := range c.Settings.Outputs() {
		if err := c.checkFolder(ctx, k, w); err != nil {
			return err
		}
	}
	if len(c.served) == 0 {
		c.Findings.Add(diag.Errorf(diag.Pos{File: c.displayName(c.Settings.Writer.Dir)}, "no-sitemap", "sitewalk build writes it",
			"there is no %s, and robots.txt names no other", cmp.Or(c.Settings.Writer.Name, "sitemap.xml")))
	}
	return ctx.Err()
}

// checkFolder checks the sitemaps in the folder w.Dir and the Sitemap lines of robots.txt. Of two
// files such as sitemap.xml and sitemap.xml.gz, it checks only the one that robots.txt names first.
// If robots.txt names neither, it checks the file without ".gz". It adds the URLs of the sitemaps
// to c.served.
func (c *CheckRun) checkFolder(ctx context.Context, k *sitemapChecker, w writer.Options) error {
	r := c.readRobots(w)
	if w.Base == c.Settings.Site.Base.String() {
		c.robotsFile = r.file
	}
	var names []string
	for _, l := range r.lines {
		k.InRobots = append(k.InRobots, l.Value)
	}
	for _, name := range append(r.sitemapPaths(w), sitemapNames(w)...) {
		file := filepath.Join(w.Dir, filepath.FromSlash(name))
		isTwin := func(other string) bool { return strings.TrimSuffix(other, ".gz") == strings.TrimSuffix(name, ".gz") }
		if slices.ContainsFunc(names, isTwin) || !files.IsRegular(file) {
			continue // checkLines reports a missing file that robots.txt names
		}
		if name == w.EntryFile() && !slices.Contains(c.Sitemaps, c.displayName(file)) {
			r.unindexed = file
		}
		names = append(names, name)
		c.served = append(c.served, w.Base+(&url.URL{Path: name}).EscapedPath())
		o := c.o.listOptions(c.Settings)
		o.AllowRequests, o.Typed, o.Loc = false, false, w.Base+name
		o.Skip = func(pos diag.Pos, loc string) bool {
			if !k.Owns(loc) && !slices.Contains(w.Index, loc) {
				c.Findings.Add(diag.Notef(pos, "unchecked-sitemap", "sitewalk check "+loc, "the index names %s, which is not of this site and is not checked", loc).About(loc))
			}
			return !k.Owns(loc) || c.isSitemapOfOtherTool(w, loc)
		}
		if err := c.readSitemap(ctx, k, file, o); err != nil {
			return err
		}
		r.checkAllowed(c, w, name)
	}
	r.checkLines(c, w, names)
	return nil
}

// isSitemapOfOtherTool reports whether loc is a sitemap in the setting output.index that another
// tool builds in another folder: it is not a sitemap of this site, and w.Dir does not contain it.
func (c *CheckRun) isSitemapOfOtherTool(w writer.Options, loc string) bool {
	return slices.Contains(w.Index, loc) && !slices.Contains(c.Settings.SitemapURLs(), loc) &&
		!files.IsRegular(filepath.Join(w.Dir, filepath.FromSlash(strings.TrimPrefix(loc, w.Base))))
}

// sitemapNames returns the names that a sitemap in the folder w.Dir may have: the names that w
// configures, and usual names such as "sitemap_index.xml", each also with ".gz".
func sitemapNames(w writer.Options) []string {
	var names []string
	for _, n := range append(w.ListFiles(), "sitemap.xml", "sitemap_index.xml", "sitemap-index.xml") {
		names = append(names, n, n+".gz")
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// displayName returns the name of a file as the user would type it: relative to the working
// directory, if the file is below it.
func (c *CheckRun) displayName(name string) string { return fetch.DisplayName(c.o.Input.Dir, name) }

// A robotsTxt contains the Sitemap lines of a robots.txt file.
type robotsTxt struct {
	file  string // file name as the user would type it; "" if crawlers find no robots.txt
	lines []robots.SitemapLine
	// unindexed is the path of the main sitemap. It is "" if the file is missing, or if an index
	// that was read earlier names the file.
	unindexed string
}

// readRobots reads the Sitemap lines of the robots.txt in the publish directory of w. The result is
// empty if the file is missing or cannot be read. The result is also empty if the base URL has a
// path, as in "https://example.com/blog/": crawlers read robots.txt only at the root of a host.
func (c *CheckRun) readRobots(w writer.Options) (r robotsTxt) {
	dir := cmp.Or(w.Publish, w.Dir)
	if strings.Count(w.Base, "/") > 3 {
		return r
	}
	src, err := files.ReadHead(dir, "robots.txt", robots.MaxBytes)
	if err != nil {
		return r // reading the host's configuration has reported the error
	}
	return robotsTxt{file: c.displayName(filepath.Join(dir, "robots.txt")), lines: robots.SitemapLines(src)}
}

// sitemapPaths returns the paths of the sitemaps that robots.txt names, relative to the base URL of
// w, such as "sitemap.xml". It leaves out sitemaps that are not below the base URL.
func (r *robotsTxt) sitemapPaths(w writer.Options) (names []string) {
	for _, l := range r.lines {
		if name, ok := strings.CutPrefix(l.Value, w.Base); ok && name != "" && filepath.IsLocal(filepath.FromSlash(name)) {
			names = append(names, name)
		}
	}
	return names
}

// checkLines reports mistakes in the Sitemap lines of robots.txt. names are the sitemaps that exist
// in the folder w.Dir. If there are any, checkLines also adds a finding if robots.txt has no
// Sitemap line, or if all lines name example hosts or sitemaps of other tools.
func (r *robotsTxt) checkLines(c *CheckRun, w writer.Options, names []string) {
	for _, l := range r.lines {
		pos := diag.Pos{File: r.file, Line: l.Number, Col: l.Column}
		name, ours := strings.CutPrefix(l.Value, w.Base)
		switch {
		case !strings.Contains(l.Value, "://"):
			c.Findings.Add(diag.Errorf(pos, "robots-sitemap", "write its whole address, "+w.Base+strings.TrimPrefix(l.Value, "/"),
				"the sitemap %q is not an absolute address", l.Value).About(l.Value))
		case l.IsLocal() && !ours:
			c.Findings.Add(diag.Errorf(pos, "robots-sitemap", "name "+w.Base+cmp.Or(w.Name, writer.DefaultName)+"; output.robots: true replaces the line", "%s is on a local server, which no crawler reaches", l.Value).About(l.Value))
		case ours && !files.IsRegular(filepath.Join(w.Dir, filepath.FromSlash(path.Clean("/"+name)))):
			c.Findings.Add(diag.Errorf(pos, "robots-sitemap", "name the sitemap that exists", "%s does not exist", l.Value).About(l.Value))
		}
	}
	if r.file == "" || len(names) == 0 {
		return
	}
	ours, hint := w.Base+names[0], ""
	if slices.Contains(names, w.EntryFile()) {
		ours, hint = w.Base+w.EntryFile(), "output.robots: true keeps the line"
	}
	if len(r.lines) == 0 {
		c.Findings.Add(diag.Notef(diag.Pos{File: r.file}, "robots-sitemap", hint, "it does not name the sitemap; add %q", "Sitemap: "+ours).About(strings.TrimPrefix(ours, w.Base)))
		return
	}
	first := r.lines[0]
	pos := diag.Pos{File: r.file, Line: first.Number, Col: first.Column}
	switch {
	case r.namesOnlyPlaceholderHosts(w):
		c.Findings.Add(diag.Warnf(pos, "robots-sitemap", "write "+ours+" in its place",
			"it names %s, on a host that is only an example, and not %s", first.Value, ours).About(ours))
	case r.namesOnlyForeignSitemaps(w):
		c.Findings.Add(diag.Notef(pos, "robots-sitemap", "name this sitemap there, and "+cmp.Or(w.TurnOff, "turn the other tool's sitemap off"),
			"it names %s, which another tool wrote, and not %s", first.Value, ours).About(ours))
	}
}

// namesOnlyPlaceholderHosts reports whether all Sitemap lines name hosts such as example.com, as
// templates do. It returns false if the site itself has such a host.
func (r *robotsTxt) namesOnlyPlaceholderHosts(w writer.Options) bool {
	return !generator.IsPlaceholder(w.Base) && !slices.ContainsFunc(r.lines, func(l robots.SitemapLine) bool { return !generator.IsPlaceholder(l.Value) })
}

// namesOnlyForeignSitemaps reports whether the folder w.Dir has a sitemap by sitewalk, but all
// Sitemap lines name sitemaps of other tools. It returns false if one of those sitemaps is an index
// that names the sitemap by sitewalk. It also returns false if a line names a sitemap that w.Dir
// does not contain, because that sitemap may be an index, too.
func (r *robotsTxt) namesOnlyForeignSitemaps(w writer.Options) bool {
	others := r.sitemapPaths(w)
	if r.unindexed == "" || !engine.IsSitewalkSitemap(r.unindexed) || len(others) < len(r.lines) {
		return false
	}
	return !slices.ContainsFunc(others, func(name string) bool {
		file := filepath.Join(w.Dir, filepath.FromSlash(name))
		return slices.Contains(w.ListFiles(), strings.TrimSuffix(name, ".gz")) || !files.IsRegular(file) || engine.IsSitewalkSitemap(file)
	})
}

// checkAllowed adds a finding if robots.txt forbids crawlers to request the sitemap called name. It
// does nothing if the site has no robots.txt, or if the sitemap belongs to a folder with another
// base URL.
func (r *robotsTxt) checkAllowed(c *CheckRun, w writer.Options, name string) {
	if r.file == "" || w.Base != c.Settings.Site.Base.String() {
		return
	}
	if v, no := c.Settings.Site.Hosting.DisallowRule("/" + name); no {
		c.Findings.Add(diag.Errorf(v.Pos, "robots-sitemap", "allow it", "%q keeps crawlers from the sitemap %s", v.Text, w.Base+name).About(name))
	}
}
