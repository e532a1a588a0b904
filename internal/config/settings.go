package config

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/hosting"
	"github.com/sitewalk/sitewalk/internal/ledger"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/writer"
)

// Flags are the values of the flags on the command line, by long name. The publish directory
// is "dir".
type Flags map[string][]string

// Value returns the value of a flag, or "" if it was not given. Several values are joined by
// commas.
func (f Flags) Value(flag string) string { return strings.Join(f[flag], ",") }

// An Input is everything that settings are resolved from.
type Input struct {
	Flags         Flags
	Getenv        func(string) string
	Dir           string // working directory
	Now           time.Time
	TargetFile    string // a file that the user asks about; it may be of a project below Dir
	SkipsPreviews bool   // where previews is skip, the command does nothing in a preview, and needs no address
	Watch         bool   // the settings are watched: they name their Reads, and a publish directory that is not there yet will do
}

// Settings are the checked settings of the program.
type Settings struct {
	Site            site.Options
	ErrNoBase       error // not nil: Site.Base is unknown, and a placeholder; only with Input.TargetFile
	Writer          writer.Options
	Parts           []writer.Options // of Site.Sites, in their order
	From            string           // sitemaps to take URLs from, as typed, "-" for standard input; "" is none
	Stdout          bool             // print the sitemap, write nothing
	LedgerFrom      string           // path or URL; "" is no ledger
	LedgerTo        string
	LedgerOptions   ledger.ReadOptions
	Server          string // as in generator.Project
	Origins         []Origin
	File            string         // the sitemap.yaml used; "" is none
	ProjectDir      string         // the folder of the project, where that is not the working folder
	Findings        diag.Levels    // by code
	MaxLoss         site.MaxLoss   // how much of the site may be missing
	Gone            *mapping.Rules // URL paths that a later list need not have
	ServedByCode    *mapping.Rules // URL paths that are answered without a file, to which links may lead
	ChecksHeads     bool           // check the heads of the pages
	Archives        *mapping.Rules // URL paths of pages that list others: by tag, category, author or date, or continued
	SubmitsToGoogle bool           // tell Search Console the address of the sitemap
	Property        string         // of Search Console, where it is named
	SkipReason      string         // why this deployment is to write nothing
	// ReadFiles are the files that decided, or would if they were there, sorted: settings
	// that are watched stay the same as long as these do. Others have none.
	ReadFiles []string
}

// Resolve returns the settings of a site. Flags override the environment, the environment
// overrides the settings file, and the file overrides what is detected.
//
// The findings are about files. The error names everything that stops the command. Resolve
// reads files and runs nothing.
func Resolve(in Input) (*Settings, diag.List, error) {
	r := newResolver(in)
	if in.Watch {
		r.find.lookups = lookups{}
	}
	if err := r.openProject(r.findRoot()); err != nil {
		r.settings.ReadFiles = slices.Sorted(maps.Keys(r.find.lookups))
		return r.settings, nil, err
	}
	r.resolveClock()
	r.resolveJobs()
	r.enterNetlifyBase()
	r.resolveMaxLoss()
	r.resolveTrees()
	r.resolveBase()
	r.resolveHost()
	r.resolveDates()
	r.resolveLedger()
	r.resolveRules()
	r.resolveExtra()
	r.resolvePages()
	r.resolveLanguages()
	r.resolveOutputFolder()
	r.resolveOutput()
	r.resolveGenerated()
	r.resolveLLMS()
	r.resolveIndexNow()
	r.resolveSites()
	r.resolvePreviews()
	r.resolveGone()
	r.resolveHeads()
	r.resolveGoogle()
	r.resolveFindings()
	r.settings.ReadFiles = slices.Sorted(maps.Keys(r.find.lookups))
	return r.settings, r.diags.Sorted(), r.joinErrors()
}

// ResolveLists returns the settings for lists of URLs without a built site: those about
// lists and findings.
func ResolveLists(in Input) (*Settings, diag.List, error) {
	r := newResolver(in)
	if err := r.openProject(in.Dir); err != nil {
		return r.settings, nil, err
	}
	r.resolveMaxLoss()
	r.resolveGone()
	r.resolveGoogle()
	r.resolveFindings()
	r.resolveSiteFolders()
	return r.settings, r.diags.Sorted(), r.joinErrors()
}

// ResolveSubmission returns the settings for a list of changes without a built site: those
// about addresses and sitemaps.
func ResolveSubmission(in Input) (*Settings, diag.List, error) {
	r := newResolver(in)
	if err := r.openProject(in.Dir); err != nil {
		return r.settings, nil, err
	}
	r.resolveBase()
	r.resolveSitemapName()
	r.resolveIndexNow()
	r.resolveOtherHosts()
	r.resolveGoogle()
	r.resolveFindings()
	return r.settings, r.diags.Sorted(), r.joinErrors()
}

// SitemapURL returns the address of the sitemap that is written with the options of the site
// or of a part.
func (s *Settings) SitemapURL(w *writer.Options) string {
	return cmp.Or(w.Base, s.Site.Base.String()) + (&url.URL{Path: w.Entry()}).EscapedPath()
}

// SitemapURLs returns the addresses of the sitemaps of the site and its parts.
func (s *Settings) SitemapURLs() []string {
	all := []string{s.SitemapURL(&s.Writer)}
	for i := range s.Parts {
		all = append(all, s.SitemapURL(&s.Parts[i]))
	}
	return all
}

// BaseURLs returns the base URLs of the site and its parts.
func (s *Settings) BaseURLs() []string {
	all := []string{s.Site.Base.String()}
	for _, p := range s.Site.Sites {
		all = append(all, p.Base.String())
	}
	return all
}

// resolveClock sets the present time, which SOURCE_DATE_EPOCH may give in seconds since 1970.
func (r *resolver) resolveClock() {
	c := r.lookUp("now", text{})
	if c.by == "" {
		return
	}
	seconds, err := strconv.ParseInt(c.V, 10, 64)
	if err != nil || seconds < 0 {
		r.reject(c, "bad-value", "%q is not a number of seconds since 1970", c.V)
		return
	}
	r.settings.Site.Now = time.Unix(seconds, 0).UTC()
	r.recordOrigin("now", r.settings.Site.Now.Format(time.RFC3339), c.by, diag.Pos{}, c.why)
}

// resolveJobs sets the number of workers.
func (r *resolver) resolveJobs() {
	c := r.resolveText("jobs", text{})
	if c.by == "" {
		return
	}
	jobs, err := strconv.Atoi(c.V)
	if err != nil || jobs < 0 {
		r.reject(c, "bad-value", "%q is not a number of workers; write 4, or 0 to let sitewalk choose", c.V)
		return
	}
	r.settings.Site.Jobs = jobs
}

// resolvePreviews skips the command in a preview deployment if the settings ask for it.
func (r *resolver) resolvePreviews() {
	if r.resolveWord("previews", r.file.Previews) != "skip" {
		return
	}
	if what, yes := hosting.Preview(r.input.Getenv); yes {
		r.settings.SkipReason = fmt.Sprintf("this is a preview deployment (%s), and previews is set to skip", what)
	}
}
