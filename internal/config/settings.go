// Package config resolves the settings of a site from flags, the environment, the settings file,
// and the files of generators and platforms.
//
// File and Flags contain the values that the user typed, and Settings contains the checked values.
// Resolve converts File and Flags into Settings. Other packages do not check settings again.
//
// The main decisions are in three functions: findProjectRoot chooses the project, resolvePublishDir
// the publish directory, and resolveBaseURL the base URL.
package config

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/generator"
	"github.com/sitewalk/sitewalk/internal/hosting"
	"github.com/sitewalk/sitewalk/internal/ledger"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/internal/strict"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/writer"
)

// Flags maps the long names of the flags on the command line to their values. The argument DIR, the
// publish directory, is included under the name "dir".
type Flags map[string][]string

// Value returns the values of a flag, joined by commas, or "" if the flag is not set.
func (f Flags) Value(flag string) string { return strings.Join(f[flag], ",") }

// An Input contains everything from which Resolve computes the settings, except the content of
// files.
type Input struct {
	Flags         Flags
	Getenv        func(string) string
	Dir           string // working directory
	Now           time.Time
	TargetFile    string // page file that sitewalk explains; its project may be in a folder below Dir
	Explain       bool   // the command is explain, whose arguments do not name the publish directory
	SkipsPreviews bool   // with "previews: skip", the command does nothing in a preview deployment, so missing settings are no error
	Watch         bool   // accept a publish directory that does not exist yet
}

// HasGoogleFlag reports whether the command line has --google, and not --google=false. It ignores
// the setting submit.google of the settings file.
func (in Input) HasGoogleFlag() bool {
	value, given := in.Flags["google"]
	return given && !slices.Equal(value, []string{"false"})
}

// Settings contains the checked settings for one run of sitewalk.
type Settings struct {
	Site            site.Options
	Writer          writer.Options   // output options of the site itself, part 0
	siteOutputs     []writer.Options // output options of each element of Site.Sites, in the same order; see Outputs
	Globs           []Glob           // globs of pages.include, pages.exclude and their flags
	From            string           // sitemaps to read URLs from, as typed: a path, a URL, "-" for standard input; or ""
	Stdout          bool             // print the sitemap, write no file
	LedgerFrom      string           // path or URL to read the ledger from; "" if there is no ledger
	LedgerTo        string           // path to write the ledger to
	LedgerOptions   ledger.ReadOptions
	Static          generator.StaticFolder // with Dir as the user would type it; "" if unknown
	Origins         []Origin
	File            string         // absolute path of the settings file; "" if there is none
	ProjectDir      string         // folder of the project, as the user would type it; "" for the working directory
	Findings        diag.Levels    // level of findings by code
	MaxLoss         site.MaxLoss   // how many URLs may be missing, compared with an earlier sitemap
	Gone            *mapping.Rules // globs of URL paths that may be missing from a later sitemap
	ServedByCode    *mapping.Rules // globs of URL paths that the server serves without a file
	HasFixedClock   bool           // SOURCE_DATE_EPOCH sets Site.Now
	ChecksHeads     bool           // check the HTML heads of the pages
	Archives        *mapping.Rules // globs of URL paths of pages that list other pages by tag, category, author or date
	SubmitsToGoogle bool           // submit the sitemap to Google Search Console
	Property        string         // property of Search Console: "sc-domain:example.com"; or "" to find it
	SkipReason      string         // why the command writes nothing in this deployment; "" if it runs
	// ReadFiles contains the paths of files and folders that Resolve looked for, including those
	// that do not exist. If one of them changes, the settings may change.
	ReadFiles map[string]bool
}

// A Glob is a glob in pages.include, pages.exclude or their flags, which selects files of the site.
type Glob struct {
	Pattern string
	Who     string // source of the glob for messages: "pages.exclude", "--exclude"
	Pos     diag.Pos
}

// Resolve returns the settings of a site. A flag overrides an environment variable, a variable
// overrides the settings file, and the settings file overrides detected values.
//
// The findings are about mistakes in files. The error joins all mistakes that stop the command.
// Resolve reads files, but does not run other programs.
func Resolve(in Input) (*Settings, diag.List, error) {
	r := newResolver(in)
	if err := r.loadProjectSettings(r.findProjectRoot()); err != nil {
		return r.settings, nil, err
	}
	r.resolveClock()
	r.resolveJobs()
	r.resolveNetlifyRoots()
	r.resolveMaxLoss()
	r.resolveTrees()
	r.resolveBaseURL()
	r.resolveHost()
	r.resolveDates()
	r.resolveLedger()
	r.resolveRules()
	r.resolveExtra()
	r.resolvePageOptions()
	r.resolveLanguages()
	r.resolveOutputFolder()
	r.resolveOutput()
	r.resolveGeneratorSettings()
	r.resolveLLMS()
	r.resolveIndexNow()
	r.resolveSites()
	r.resolvePreviews()
	r.resolveURLGlobs()
	r.resolveHeadCheck()
	r.resolveArchives()
	r.resolveGoogle()
	r.resolveFindingLevels()
	return r.settings, r.diags.Sorted(), r.joinErrors()
}

// ResolveComparison returns the settings of a command that reads only sitemaps or llms.txt, without
// a built site. It resolves only Findings, MaxLoss, Gone, ServedByCode, the settings for Google,
// and the folders and base URLs in Site.Sites. Other settings have their default values.
func ResolveComparison(in Input) (*Settings, diag.List, error) {
	r := newResolver(in)
	if err := r.loadProjectSettings(in.Dir); err != nil {
		return r.settings, nil, err
	}
	r.resolveMaxLoss()
	r.resolveURLGlobs()
	r.resolveGoogle()
	r.resolveFindingLevels()
	r.resolveSiteBaseURLs()
	return r.settings, r.diags.Sorted(), r.joinErrors()
}

// ResolveSubmission returns the settings of a command that submits changed URLs without a built
// site. It resolves only base URLs, the names of the sitemaps, the IndexNow key, the settings for
// Google, and Findings. Other settings have their default values.
func ResolveSubmission(in Input) (*Settings, diag.List, error) {
	r := newResolver(in)
	if err := r.loadProjectSettings(in.Dir); err != nil {
		return r.settings, nil, err
	}
	r.resolveBaseURL()
	r.resolveSitemapURLOptions()
	r.resolveIndexNow()
	r.resolveSiteBaseURLs()
	r.resolveGoogle()
	r.resolveFindingLevels()
	return r.settings, r.diags.Sorted(), r.joinErrors()
}

// Outputs returns the output options of each part of the site, in the order of s.Site.Parts: of the
// site itself, and then of each folder in the setting sites.
func (s *Settings) Outputs() []writer.Options {
	return append([]writer.Options{s.Writer}, s.siteOutputs...)
}

// SitemapURL returns the URL of the sitemap that sitewalk writes with the options w, which are
// s.Writer or an element of s.Outputs.
func (s *Settings) SitemapURL(w *writer.Options) string {
	return cmp.Or(w.Base, s.Site.Base.String()) + (&url.URL{Path: w.EntryFile()}).EscapedPath()
}

// SitemapURLs returns the URL of the sitemap of each part of the site.
func (s *Settings) SitemapURLs() (all []string) {
	for _, w := range s.Outputs() {
		all = append(all, s.SitemapURL(&w))
	}
	return all
}

// BaseURLs returns the base URL of each part of the site.
func (s *Settings) BaseURLs() (all []string) {
	for _, p := range s.Site.Parts() {
		all = append(all, p.Base.String())
	}
	return all
}

// resolveClock sets the current time from the variable SOURCE_DATE_EPOCH, a number of seconds since
// 1970, if it is set. It ignores times before 1990: Nix sets 1980 in each build, and with this time
// the dates of all pages would be in the future.
func (r *resolver) resolveClock() {
	c := r.lookUpSetting("now", text{})
	if c.by == "" {
		return
	}
	seconds, err := strconv.ParseInt(c.V, 10, 64)
	if err != nil || seconds < 0 {
		r.rejectValue(c, "bad-value", "%q is not a number of seconds since 1970", c.V)
		return
	}
	now := time.Unix(seconds, 0).UTC()
	if now.Year() < 1990 {
		return
	}
	r.settings.Site.Now, r.settings.HasFixedClock = now, true
	r.recordOrigin("now", r.settings.Site.Now.Format(time.RFC3339), c.by, diag.Pos{}, c.why)
}

// resolveJobs sets the number of goroutines that read files. With 0, sitewalk chooses a number.
func (r *resolver) resolveJobs() {
	c := r.resolveText("jobs", text{})
	if c.by == "" {
		return
	}
	jobs, err := strconv.Atoi(c.V)
	if err != nil || jobs < 0 {
		r.rejectValue(c, "bad-value", "%q is not a number of workers; write 4, or 0 to let sitewalk choose", c.V)
		return
	}
	r.settings.Site.Jobs = jobs
}

// resolvePreviews sets SkipReason if the setting previews is "skip" and this is a preview
// deployment. The command then writes nothing.
func (r *resolver) resolvePreviews() {
	if r.resolveWord("previews", r.file.Previews) != "skip" {
		return
	}
	if what, yes := hosting.IsPreview(r.input.Getenv); yes {
		r.settings.SkipReason = fmt.Sprintf("this is a preview deployment (%s), and previews is set to skip", what)
	}
}

// Load decodes src, the content of the settings file called name. It reports syntax errors, unknown
// keys and values of the wrong type. Resolve reports other invalid values later. Load leaves all
// dates unset, because the time zone of the site is not yet known; see decodeDates.
func Load(name string, src []byte) (*File, diag.List) {
	n, diags := strict.ReadYAML(name, src)
	f := &File{Name: name, node: n}
	return f, append(diags, f.decode(nil)...).Sorted()
}

// Keys returns the paths of all keys of a settings file, sorted, such as "output" and
// "output.max_urls".
func Keys() []string { return strict.Options{Types: strict.SitemapTypes(nil)}.Keys(File{}) }

// foreignKeys maps keys of other sitemap tools, and keys that users guess, to the paths of
// sitewalk's keys with the same meaning.
var foreignKeys = map[string]string{
	"hostname": "base_url", "siteurl": "base_url", "site": "base_url", "url": "base_url", "domain": "base_url",
	"changefreq": "defaults.changefreq", "priority": "defaults.priority",
	"dir": "pages.dir", "ignore": "pages.exclude", "ignorepatterns": "pages.exclude", "directory": "pages.dir", "public": "pages.dir",
	"filename": "output.name", "publishdir": "pages.dir", "customurls": "extra", "additionalpaths": "extra",
}

// suggestKey returns the path of the key that an unknown key probably means: "pages.exclude" for
// "ignore", which is a key of another tool, or for "exclude" at the top level. It returns "" if it
// finds none.
func suggestKey(key string) string {
	word := strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(key))
	if path, ok := foreignKeys[word]; ok {
		return path
	}
	best := ""
	for _, path := range Keys() {
		last := path[strings.LastIndexByte(path, '.')+1:]
		if strings.ReplaceAll(last, "_", "") == word && (best == "" || strings.Count(path, ".") < strings.Count(best, ".")) {
			best = path
		}
	}
	return best
}
