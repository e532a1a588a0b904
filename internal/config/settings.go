package config

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/hosting"
	"github.com/sitewalk/sitewalk/internal/ledger"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/writer"
)

// Flags are what the command line says, as the user typed it: the values of each flag
// that was given, by its long name; the publish directory is "dir".
type Flags map[string][]string

// One returns the value of a flag that takes one, "" when it was not given.
func (f Flags) One(flag string) string { return strings.Join(f[flag], ",") }

// An Input is all that settings are resolved from.
type Input struct {
	Flags  Flags
	Getenv func(string) string
	Dir    string // working directory
	Now    time.Time
	About  string // a file that the user asks about; it may be of a project below Dir
	Skips  bool   // where previews is skip, the command does nothing in a preview, and needs no address
	Watch  bool   // the settings are watched: they name their Reads, and a publish directory that is not there yet will do
}

// Settings are what the program needs to know, all of it checked.
type Settings struct {
	Site          site.Options
	Writer        writer.Options
	Parts         []writer.Options // of Site.Sites, in their order
	From          string           // sitemaps to take URLs from, as typed, "-" for standard input; "" is none
	Stdout        bool             // print the sitemap, write nothing
	LedgerFrom    string           // path or URL; "" is no ledger
	LedgerTo      string
	LedgerOptions ledger.ReadOptions
	Server        string // as in generator.Project
	Origins       []Origin
	File          string         // the sitemap.yaml used; "" is none
	Around        string         // the folder of the project, where that is not the working folder
	Findings      diag.Levels    // by code
	MaxLoss       site.MaxLoss   // how much of the site may be missing
	Gone          *mapping.Rules // URL paths that a later list need not have
	Answered      *mapping.Rules // URL paths that are answered without a file, to which links may lead
	Pings         []string       // addresses to call with that of the sitemap appended, once it changed
	Google        bool           // tell Search Console the address of the sitemap
	Property      string         // of Search Console, where it is named
	Skip          string         // why this deployment is to write nothing
	// Reads are the files that decided, or would if they were there, sorted: settings
	// that are watched stay the same as long as these do. Others have none.
	Reads []string
}

// A step turns a part of what was typed into settings. With keys it runs only when one
// of them is asked for: a top key, with all below it, by sitemap.yaml; any key by its
// own flag or variable.
type step struct {
	keys []string
	do   func(*resolver)
}

// written are the keys that say what is written.
var written = []string{"output", "output.formats", "output.gzip"}

// Resolve joins flags, environment, file and what is detected, in this order.
// The findings are about files, and those of sitemap.yaml are errors; the error
// names what stops the command. It reads files and runs nothing.
func Resolve(ctx context.Context, in Input) (*Settings, diag.List, error) {
	return resolve(ctx, in, (*resolver).home, []step{
		{[]string{"now", "jobs"}, (*resolver).clock},
		{nil, (*resolver).enterBase},
		{[]string{"max_loss"}, (*resolver).loss},
		{nil, (*resolver).trees},
		{[]string{"content"}, (*resolver).editLinks},
		{nil, (*resolver).base},
		{nil, (*resolver).host},
		{nil, (*resolver).dates},
		{[]string{"ledger", "lastmod"}, (*resolver).ledger},
		{[]string{"rules", "defaults"}, (*resolver).rules},
		{[]string{"extra"}, (*resolver).extras},
		{[]string{"images", "obey_robots", "versions", "languages"}, (*resolver).extensions},
		{nil, (*resolver).where},
		{written, (*resolver).output},
		{nil, (*resolver).generated},
		{written, (*resolver).llms},
		{[]string{"output.indexnow"}, (*resolver).indexNow},
		{[]string{"sites"}, (*resolver).sites},
		{[]string{"previews"}, (*resolver).previews},
		{[]string{"diff", "links"}, (*resolver).gone},
		{[]string{"submit"}, (*resolver).pings},
		{[]string{"submit.google"}, (*resolver).google},
		{[]string{"findings"}, (*resolver).levels},
	})
}

// SitemapURL returns the address of the sitemap that is written with the options of the
// site or of a part.
func (s *Settings) SitemapURL(w *writer.Options) string {
	return cmp.Or(w.Base, s.Site.Base.String()) + (&url.URL{Path: w.Entry()}).EscapedPath()
}

// SitemapURLs returns the addresses of the sitemaps of the site and of its parts.
func (s *Settings) SitemapURLs() []string {
	all := []string{s.SitemapURL(&s.Writer)}
	for i := range s.Parts {
		all = append(all, s.SitemapURL(&s.Parts[i]))
	}
	return all
}

// Named are the base URLs that the user named.
func (s *Settings) Named() []string {
	all := []string{s.Site.Base.String()}
	for _, p := range s.Site.Sites {
		all = append(all, p.Base.String())
	}
	return all
}

// Lists is Resolve for lists of URLs that no site at hand stands behind: only
// what sitemap.yaml says of lists and findings counts.
func Lists(in Input) (*Settings, diag.List, error) {
	return resolve(context.Background(), in, (*resolver).here, []step{
		{nil, (*resolver).loss},
		{nil, (*resolver).gone},
		{nil, (*resolver).google},
		{nil, (*resolver).levels},
		{nil, (*resolver).folders},
	})
}

// Submission is Resolve for a list of changes that no built site at hand stands
// behind: what sitemap.yaml says of addresses, and of the sitemaps there.
func Submission(in Input) (*Settings, diag.List, error) {
	return resolve(context.Background(), in, (*resolver).here, []step{
		{nil, (*resolver).base},
		{nil, (*resolver).published},
		{nil, (*resolver).indexNow},
		{nil, (*resolver).elsewhere},
		{nil, (*resolver).pings},
		{nil, (*resolver).google},
		{nil, (*resolver).levels},
	})
}

// resolve reads sitemap.yaml, and takes the steps. If the user named the file, its folder
// is the root of the project; otherwise it is the one in the folder that root finds.
func resolve(ctx context.Context, in Input, root func(*resolver) string, steps []step) (*Settings, diag.List, error) {
	r := newResolver(in)
	if in.Watch {
		r.find.Lookups = Lookups{}
		defer func() { r.s.Reads = slices.Sorted(maps.Keys(r.find.Lookups)) }()
	}
	var err error
	if c := r.pick("config", text{}); c.by != "" {
		err = r.load(r.path(c))
	} else {
		dir := root(r)
		if filepath.Clean(dir) != filepath.Clean(in.Dir) {
			r.s.Around = r.find.Show(dir)
		}
		err = r.enter(dir)
	}
	if err != nil {
		return r.s, nil, err
	}
	for _, step := range steps {
		if err := ctx.Err(); err != nil {
			return r.s, nil, err
		}
		if step.keys == nil || slices.ContainsFunc(step.keys, r.asked) {
			step.do(r)
		}
	}
	return r.s, r.diags.Sorted(), r.err()
}

// maxFile is the largest sitemap.yaml. YAML takes 80 times as much memory; a longer list of extra
// URLs belongs into a file for from.
const maxFile = 4 << 20

// enter makes a folder the root of the project, and reads its settings file if it has one.
func (r *resolver) enter(dir string) error {
	path, notes := r.find.settingsIn(dir)
	r.root, r.file = dir, &File{Name: r.find.Show(filepath.Join(dir, "sitemap.yaml"))}
	if path != "" {
		if err := r.load(path); err != nil {
			return err
		}
	}
	r.diags = append(r.diags, notes...)
	return nil
}

// load reads a settings file, whose folder is the root of the project.
func (r *resolver) load(path string) error {
	r.root, r.file = filepath.Dir(path), &File{Name: r.find.Show(path)}
	r.find.Note(path)
	src, err := files.Read(path, maxFile)
	if err != nil {
		return fmt.Errorf("%s: %w", r.file.Name, diag.Cause(err))
	}
	r.s.File = path
	r.file, r.diags = Load(r.file.Name, src)
	return nil
}

// clock sets what time it is and how many workers read.
func (r *resolver) clock() {
	if c := r.choose("now", text{}); c.by != "" {
		if sec, err := strconv.ParseInt(c.V, 10, 64); err != nil || sec < 0 {
			r.reject(c, "bad-value", "%q is not a number of seconds since 1970", c.V)
		} else {
			r.s.Site.Now = time.Unix(sec, 0).UTC()
			r.because("now", r.s.Site.Now.Format(time.RFC3339), c.by, diag.Pos{}, c.why)
		}
	}
	if c := r.pick("jobs", text{}); c.by != "" {
		n, err := strconv.Atoi(c.V)
		if err != nil || n < 0 {
			r.reject(c, "bad-value", "%q is not a number of workers; 0 is what suits the machine", c.V)
		}
		r.s.Site.Jobs = n
	}
}

// home returns the root of the project: of that to which the folder belongs that the user
// names, else of the one at hand.
func (r *resolver) home() string {
	c := r.choose("pages.dir", text{})
	switch {
	case c.by != "" && c.V != "":
		return r.find.RootOf(files.Abs(r.in.Dir, c.V))
	case r.choose("content.dir", text{}).by != "" || r.in.Flags["from"] != nil:
		return r.in.Dir
	}
	return r.find.Root(r.in.About)
}

// here returns the working folder.
func (r *resolver) here() string { return r.in.Dir }

// previews finds out whether this deployment is to be left alone.
func (r *resolver) previews() {
	if r.word("previews", r.file.Previews) != "skip" {
		return
	}
	if what, yes := hosting.Preview(r.in.Getenv); yes {
		r.s.Skip = fmt.Sprintf("this is a preview deployment (%s), and previews is set to skip", what)
	}
}
