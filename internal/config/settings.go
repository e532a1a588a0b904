package config

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"time"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/generator"
	"github.com/sitewalk/sitewalk/internal/hosting"
	"github.com/sitewalk/sitewalk/internal/ledger"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/writer"
)

// Flags are what the command line says, as the user typed it.
type Flags struct {
	Dir                                                           string // the publish directory
	From                                                          string // sitemaps that another tool has written
	Key                                                           string // for IndexNow
	Ledger                                                        string // where pages and their dates are remembered
	Config, BaseURL, Content, Output, Host, LastMod, Format, Gzip string
	Generator                                                     string
	Include, Exclude                                              []string
	Levels                                                        []string // of findings, each CODE=LEVEL
	Jobs                                                          int
	Set                                                           map[string]bool // long names of the flags that were given, and "dir"
}

// An Input is all that settings are resolved from.
type Input struct {
	Flags  Flags
	Getenv func(string) string
	Dir    string // working directory
	Now    time.Time
	Await  bool // a publish directory that is not there yet will do
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
	Findings      diag.Levels    // by code
	Gone          *mapping.Rules // URL paths that a later list need not have
	Answered      *mapping.Rules // URL paths that are answered without a file, to which links may lead
	Pings         []string       // addresses to call with that of the sitemap appended, once it changed
	Skip          string         // why this deployment is to write nothing
	// Reads are the files that decided, or would if they were there, sorted:
	// settings stay the same as long as these do.
	Reads []string
}

// Resolve joins flags, environment, file and what is detected, in this order.
// The findings are about files, and those of sitemap.yaml are errors; the error
// names what stops the command. It reads files and runs nothing.
func Resolve(ctx context.Context, in Input) (*Settings, diag.List, error) {
	return resolve(ctx, in, (*resolver).clock, (*resolver).enterBase, (*resolver).loss, (*resolver).trees, (*resolver).base, (*resolver).host,
		(*resolver).dates, (*resolver).ledger, (*resolver).rules, (*resolver).extras, (*resolver).extensions, (*resolver).output,
		(*resolver).indexNow, (*resolver).sites, (*resolver).previews, (*resolver).gone, (*resolver).pings, (*resolver).levels)
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
	return resolve(context.Background(), in, (*resolver).gone, (*resolver).levels)
}

// Submission is Resolve for a list of changes that no built site at hand stands
// behind: what sitemap.yaml says of addresses, and of the sitemaps there.
func Submission(in Input) (*Settings, diag.List, error) {
	return resolve(context.Background(), in, (*resolver).base, (*resolver).published, (*resolver).indexNow, (*resolver).elsewhere, (*resolver).pings, (*resolver).levels)
}

// resolve takes the steps that settle what somebody needs to know.
func resolve(ctx context.Context, in Input, steps ...func(*resolver)) (*Settings, diag.List, error) {
	r := &resolver{in: in, s: &Settings{}, lookups: lookups{}, project: &generator.Project{}}
	defer func() { r.s.Reads = r.lookups.sorted() }()
	if err := r.load(); err != nil {
		return r.s, nil, err
	}
	for _, step := range steps {
		if err := ctx.Err(); err != nil {
			return r.s, nil, err
		}
		step(r)
	}
	return r.s, r.diags.Sorted(), r.err()
}

// maxFile bounds a sitemap.yaml; a list of 100,000 extra URLs takes 10 MiB.
const maxFile = 64 << 20

// load reads sitemap.yaml, which also says where the project's root is.
func (r *resolver) load() error {
	c := r.pick("config", "config", r.in.Flags.Config, text{})
	path := filepath.Join(r.in.Dir, "sitemap.yaml")
	if c.by != "" {
		path = r.path(c)
	}
	return r.open(path, c.by != "")
}

// open reads the sitemap.yaml at a path, which has to be there if somebody named it.
func (r *resolver) open(path string, named bool) error {
	r.root, r.file = filepath.Dir(path), &File{Name: r.show(path)}
	r.lookups[path] = true
	src, err := files.Read(path, maxFile)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !named:
		return nil
	case err != nil:
		return fmt.Errorf("%s: %w", r.file.Name, diag.Cause(err))
	}
	r.s.File = path
	r.file, r.diags = Load(r.file.Name, src)
	return nil
}

// clock sets what time it is and how many workers read. The variable is that of
// https://reproducible-builds.org/specs/source-date-epoch/.
func (r *resolver) clock() {
	const epoch = "SOURCE_DATE_EPOCH"
	r.s.Site.Now = r.in.Now
	if v := r.in.getenv(epoch); v != "" {
		c := choice{text: text{V: v}, who: epoch, by: "environment"}
		sec, err := strconv.ParseInt(v, 10, 64)
		if err != nil || sec < 0 {
			r.reject(c, "bad-value", "%q is no number of seconds since 1970", v)
		} else {
			r.s.Site.Now = time.Unix(sec, 0).UTC()
			r.because("now", r.s.Site.Now.Format(time.RFC3339), c.by, diag.Pos{}, c.why())
		}
	}
	jobs := r.pick("jobs", "jobs", strconv.Itoa(r.in.Flags.Jobs), text{})
	if jobs.by == "" {
		return
	}
	n, err := strconv.Atoi(jobs.V)
	if err != nil || n < 0 {
		r.reject(jobs, "bad-value", "%q is no number of workers; 0 is what suits the machine", jobs.V)
	}
	r.s.Site.Jobs = n
}

// previews finds out whether this deployment is to be left alone.
func (r *resolver) previews() {
	c := r.fromFile("previews", r.file.Previews)
	if r.oneOf(c) != "skip" {
		return
	}
	if what, yes := hosting.Preview(r.in.getenv); yes {
		r.s.Skip = fmt.Sprintf("this is a preview deployment (%s) and previews is skip", what)
	}
}
