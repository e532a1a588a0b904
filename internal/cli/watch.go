package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sitewalk/sitewalk/config"
	"github.com/sitewalk/sitewalk/internal/ledger"
	"github.com/sitewalk/sitewalk/site"
	"github.com/sitewalk/sitewalk/watch"
	"github.com/sitewalk/sitewalk/writer"
)

const watchHelp = `Builds, then keeps the sitemap equal to what a fresh build would write, whatever
a generator does to the publish directory. It watches the publish directory, the
content directory, sitemap.yaml and the files of the host and the generator.

With a ledger, "a fresh build" is one that starts from the ledger as it was when
watch started. An interrupt ends it with exit code 0.`

type watchFlags struct {
	buildFlags
	quietPeriod time.Duration
	poll        time.Duration
	exec        string
}

func newWatch(env Env, p *printer) *cobra.Command {
	var w watchFlags
	cmd := &cobra.Command{
		Use:   "watch [DIR]",
		Short: "build, then rebuild whenever the site changes",
		Long:  watchHelp,
		Example: `  hugo --watch & sitewalk watch
  sitewalk watch public -b http://localhost:1313/ --exec 'echo changed'`,
		Args: cobra.MaximumNArgs(1),
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return w.run(cmd.Context(), env, p, w.input(env, cmd, args))
	}
	w.siteFlags(cmd)
	w.outputFlags(cmd)
	f := cmd.Flags()
	f.DurationVar(&w.quietPeriod, "quiet-period", watch.Quiet, "rebuild when nothing has happened for this `TIME`, and after 2s at the latest")
	f.DurationVar(&w.poll, "poll", 0, "look for changes every `TIME` instead of asking the system for events")
	f.StringVar(&w.exec, "exec", "", "run `COMMAND` in a shell after each rebuild that changed a file")
	w.talkFlags(cmd)
	return cmd
}

// A session is one run of watch: the last good settings, what was learned of
// the site, and what was written last.
type session struct {
	*watchFlags
	env     Env
	p       *printer
	in      config.Input
	built   *built
	site    *site.Site
	watcher *watch.Watcher
	memory  *ledger.Ledger // as it was at the start
	before  site.Snapshot
	wrote   map[string]os.FileInfo // by path, as it was left
	stale   bool                   // the last attempt failed: look at everything again
	said    string                 // the last trouble, so that it is said once
}

func (w *watchFlags) run(ctx context.Context, env Env, p *printer, in config.Input) error {
	p.quiet = w.quiet
	if w.quietPeriod < 0 || w.quietPeriod > watch.Ceiling {
		return fmt.Errorf("--quiet-period %v is not between 0s and %v", w.quietPeriod, watch.Ceiling)
	}
	if w.poll < 0 {
		return fmt.Errorf("--poll %v is negative; write 2s, or leave it out", w.poll)
	}
	s := &session{watchFlags: w, env: env, p: p, in: in}
	if err := s.begin(ctx); err != nil {
		return err
	}
	defer func() { _ = s.watcher.Close() }()
	s.rebuild(ctx, site.Change{}, true)
	for ctx.Err() == nil {
		s.step(ctx)
	}
	return nil
}

// begin resolves the settings and starts to watch, before anything is read, so
// that no change falls between.
func (s *session) begin(ctx context.Context) error {
	r, o, err := s.settle(ctx)
	if err != nil {
		if r != nil {
			s.p.findings(r.findings.Kinds())
		}
		return err
	}
	if r.settings.Stdout {
		return errors.New("watch cannot print the sitemap; name a folder with -o")
	}
	s.memory = o.Ledger
	return s.adopt(r, o)
}

// settle resolves the settings as they are now.
func (s *session) settle(ctx context.Context) (*built, site.Options, error) {
	r := s.buildFlags.begin()
	in := s.in
	in.Now = s.env.Now()
	settings, ds, err := config.Resolve(ctx, in)
	r.findings.Add(ds...)
	r.settings = settings
	if err != nil {
		return r, site.Options{}, err
	}
	r.dir = typed(s.env.Dir, settings.Writer.Dir)
	if s.memory != nil && settings.LedgerFrom != "" {
		o := settings.Site
		o.Ledger, o.Findings = s.memory, r.findings.Keep
		return r, o, nil
	}
	o, err := s.options(ctx, s.env, r)
	return r, o, err
}

// adopt makes the settings those of the session.
func (s *session) adopt(r *built, o site.Options) error {
	o.Remember = true
	watcher, err := watch.New(s.watchOptions(r, o))
	if err != nil {
		return err
	}
	if s.watcher != nil {
		_ = s.watcher.Close()
	}
	s.built, s.site, s.watcher = r, site.New(o), watcher
	return nil
}

func (s *session) watchOptions(r *built, o site.Options) watch.Options {
	w := watch.Options{Quiet: s.quietPeriod, Poll: s.poll, Folders: configFolders(s.root(r))}
	for _, t := range []*site.Tree{o.Pages, o.Content} {
		if t == nil {
			w.Trees = append(w.Trees, watch.Tree{Dir: filepath.Join(s.root(r), ".sitewalk-nothing")})
			continue
		}
		w.Trees = append(w.Trees, watch.Tree{Dir: t.Dir, Enters: t.Filter.Enters})
	}
	if dir := r.settings.Writer.Dir; o.Pages == nil || dir != o.Pages.Dir {
		w.Folders = append(w.Folders, dir)
	}
	return w
}

func (s *session) root(r *built) string {
	if r.settings.File != "" {
		return filepath.Dir(r.settings.File)
	}
	return s.env.Dir
}

// configFolders are where sitemap.yaml and the files of hosts and generators
// lie.
func configFolders(root string) []string {
	dirs := []string{root}
	for _, d := range []string{"config/_default", "config/production", ".vitepress", "docs", "docs/.vitepress"} {
		if dir := filepath.Join(root, filepath.FromSlash(d)); isDir(dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// retry is how long after a failed attempt the next one comes without any
// change: a full disk gives no sign when it has room again.
const retry = time.Second

// step waits for one batch and does what it asks.
func (s *session) step(ctx context.Context) {
	limit := time.Duration(0)
	if s.stale {
		limit = retry
	}
	batch, err := s.watcher.Next(ctx, limit)
	if err != nil {
		if ctx.Err() == nil {
			s.trouble(err)
		}
		return
	}
	for _, note := range batch.Notes {
		s.p.say("%s", note)
	}
	change := site.Change{Pages: s.others(batch.Paths[0]), Content: batch.Paths[1]}
	if s.configured(batch.Files) || slices.ContainsFunc(change.Pages, isHostFile) {
		s.reload(ctx)
		return
	}
	repair := (len(change.Pages) < len(batch.Paths[0]) || len(batch.Files) > 0) && s.spoiled()
	if batch.Rescan || s.stale || repair || s.site.Concerns(change) {
		s.rebuild(ctx, change, batch.Rescan || s.stale)
	}
}

// others returns the paths of the publish directory that are not our own files.
func (s *session) others(paths []string) []string {
	return slices.DeleteFunc(slices.Clone(paths), func(p string) bool {
		if strings.HasPrefix(path.Base(p), writer.TempPrefix) {
			return true
		}
		_, ours := s.wrote[filepath.Join(s.built.settings.Site.Pages.Dir, filepath.FromSlash(p))]
		return ours
	})
}

// spoiled reports whether one of our files is not as we left it.
func (s *session) spoiled() bool {
	for name, left := range s.wrote {
		info, err := os.Stat(name)
		if err != nil || !os.SameFile(info, left) || !info.ModTime().Equal(left.ModTime()) || info.Size() != left.Size() {
			return true
		}
	}
	return false
}

// configured reports whether files that settings are read from changed.
func (s *session) configured(files []string) bool {
	return slices.ContainsFunc(files, func(name string) bool {
		switch path.Ext(filepath.ToSlash(name)) {
		case ".yaml", ".yml", ".toml", ".json", ".jsonc", ".js", ".cjs", ".mjs", ".ts", ".py":
			_, ours := s.wrote[name]
			return !ours
		}
		return false
	})
}

// isHostFile reports whether a file of the publish directory says what the host
// does.
func isHostFile(p string) bool {
	switch p {
	case "_redirects", "_headers", "robots.txt", "CNAME", ".nojekyll", "404.html",
		"netlify.toml", "vercel.json", "wrangler.toml", "wrangler.json", "wrangler.jsonc":
		return true
	}
	return false
}

// reload takes the settings as they are now; broken ones are reported, and the
// last good ones stay.
func (s *session) reload(ctx context.Context) {
	r, o, err := s.settle(ctx)
	if err == nil {
		err = s.adopt(r, o)
	}
	if err != nil {
		if s.said != err.Error() {
			s.p.findings(r.findings.Kinds())
		}
		s.trouble(fmt.Errorf("%w; the last good settings stay", err))
		s.stale = s.stale || s.built.result.List.Len() == 0
		return
	}
	s.rebuild(ctx, site.Change{}, true)
}

// rebuild learns what changed, or everything, and writes what a fresh build
// would.
func (s *session) rebuild(ctx context.Context, change site.Change, all bool) {
	start := s.env.Now()
	if s.built.settings.Skip != "" {
		s.p.say("nothing written: %s", s.built.settings.Skip)
		return
	}
	now := *s.built
	now.findings = s.buildFlags.begin().findings
	err := s.learnAgain(ctx, change, all)
	if err == nil {
		now.fold(s.site)
		err = s.enough(&now)
	}
	if err == nil {
		err = s.write(ctx, s.p.out, &now)
	}
	now.took = s.env.Now().Sub(start)
	if ctx.Err() != nil {
		return
	}
	s.remember(&now)
	if s.stale = err != nil; err != nil {
		s.trouble(err)
		return
	}
	s.said = ""
	s.told(&now)
	s.runExec(ctx, &now)
}

func (s *session) learnAgain(ctx context.Context, change site.Change, all bool) error {
	s.site.At(s.clock())
	if all {
		return s.site.Learn(ctx)
	}
	return s.site.Relearn(ctx, change)
}

// clock is the time that a fresh build would have.
func (s *session) clock() time.Time {
	if s.env.Getenv("SOURCE_DATE_EPOCH") != "" {
		return s.built.settings.Site.Now
	}
	return s.env.Now()
}

// remember notes how the files that we wrote look.
func (s *session) remember(r *built) {
	s.wrote = map[string]os.FileInfo{}
	names := []string{r.settings.LedgerTo}
	for _, f := range r.files.Files {
		if f.State != writer.Removed {
			names = append(names, filepath.Join(r.settings.Writer.Dir, filepath.FromSlash(f.Name)))
		}
	}
	for _, name := range names {
		if info, err := os.Stat(name); err == nil && name != "" {
			s.wrote[name] = info
		}
	}
}

// trouble says once what is wrong; the loop goes on.
func (s *session) trouble(err error) {
	if s.said == err.Error() {
		return
	}
	s.said = err.Error()
	if s.json {
		_ = printLine(s.p.out, event{Event: "error", Error: err.Error()})
		return
	}
	s.p.fail(fmt.Errorf("%w; waiting for a change", err))
}

// An event is one line of watch --json.
type event struct {
	Event   string        `json:"event"` // "build" or "error"
	Error   string        `json:"error,omitempty"`
	URLs    int           `json:"urls"`
	Added   int           `json:"added"`
	Removed int           `json:"removed"`
	Redated int           `json:"redated"`
	Files   []writer.File `json:"files,omitempty"`
	Seconds float64       `json:"seconds"`
}

// told says what the rebuild changed.
func (s *session) told(r *built) {
	after := r.result.List.Snapshot()
	e := event{Event: "build", URLs: len(after), Files: r.files.Files, Seconds: r.took.Seconds()}
	e.Added, e.Removed, e.Redated = after.Compare(s.before)
	first := s.before == nil
	s.before = after
	s.built.result = r.result
	switch {
	case s.json:
		_ = printLine(s.p.out, e)
		return
	case first:
		s.p.findings(r.findings.Kinds())
		s.p.summary(r, false)
		return
	}
	s.p.say("%d added, %d removed, %d re-dated; %s; %s, in %s", e.Added, e.Removed, e.Redated,
		count(e.URLs, "URL"), filesDone(r.files, r.dir, false), r.took.Round(time.Millisecond))
}

// runExec runs the user's command when a file changed.
func (s *session) runExec(ctx context.Context, r *built) {
	changed := slices.ContainsFunc(r.files.Files, func(f writer.File) bool { return f.State != writer.Unchanged })
	if s.exec == "" || !changed {
		return
	}
	cmd := shell(ctx, s.exec)
	cmd.Dir, cmd.Stdout, cmd.Stderr = s.env.Dir, s.p.err, s.p.err
	cmd.WaitDelay = time.Second
	if err := cmd.Run(); err != nil && ctx.Err() == nil {
		s.p.say("--exec: %v", err)
	}
}
