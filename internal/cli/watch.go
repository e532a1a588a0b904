package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/engine"
	"github.com/sitewalk/sitewalk/watch"
)

var watchCommand = command{
	use:     "watch [DIR]",
	short:   "build, then rebuild whenever the site changes",
	maxArgs: 1,
	prepare: prepareWatch,
	long: `Builds, then keeps the sitemap equal to what a fresh build would write, while
a generator rewrites the publish directory. It watches the publish directory,
the content directory, sitemap.yaml and the files of the host and the
generator. It waits for a publish directory that does not exist yet.

With a ledger, a fresh build is one that starts from the ledger as it was when
watch started. An interrupt ends it with exit code 0.`,
	example: `  hugo --watch & sitewalk watch
  sitewalk watch public -b http://localhost:1313/ --exec 'echo changed'`,
}

type watchFlags struct {
	flags
	quietPeriod time.Duration
	poll        time.Duration
	exec        string
}

func prepareWatch(env Env, p *Printer, cmd *cobra.Command) {
	var w watchFlags
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return w.run(cmd.Context(), env, p, input(env, cmd, args))
	}
	w.addSite(cmd)
	w.addOutput(cmd)
	w.addLoss(cmd)
	f := cmd.Flags()
	f.DurationVar(&w.quietPeriod, "quiet-period", watch.Quiet, "rebuild `TIME` after the last change (default 100ms)")
	f.DurationVar(&w.poll, "poll", 0, "look for changes every `TIME`, use no events")
	f.StringVar(&w.exec, "exec", "", "run `COMMAND` after each rebuild with a change")
	w.addMessages(cmd)
	f.Lookup("output").Usage = "write into `DIR` instead of the publish directory"
	f.Lookup("json").Usage = "print one JSON event per line on standard output"
}

func (w *watchFlags) run(ctx context.Context, env Env, p *Printer, in config.Input) error {
	p.Quiet = w.quiet
	if w.quietPeriod <= 0 || w.quietPeriod > watch.Ceiling {
		return fmt.Errorf("--quiet-period %v is not above 0s and at most %v", w.quietPeriod, watch.Ceiling)
	}
	if w.poll < 0 {
		return fmt.Errorf("--poll %v is negative; write 2s, or leave it out", w.poll)
	}
	w.noCache = true // the sitemap that it has written stays
	w.opts.Watch = true
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	teller := newWatchTeller(p, w.verbose)
	if w.json {
		teller = newEventTeller(p, w.verbose, stop)
	}
	return engine.Watch(ctx, engine.WatchOptions{
		Build: w.options(env), Input: in, Now: env.Now, Quiet: w.quietPeriod, Poll: w.poll,
		Exec: w.exec, Output: p.Err, Tell: teller,
	})
}
