package cli

import (
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/engine"
	"github.com/sitewalk/sitewalk/internal/fetch"
	"github.com/sitewalk/sitewalk/writer"
)

// flags are those that several commands have. Each command adds what it takes.
type flags struct {
	opts    engine.Options // of a build, as far as a flag sets them
	reports reportFlags

	json, verbose, quiet        bool
	strict, noCache, noProgress bool
}

// addSite adds the flags that say what the site is.
func (b *flags) addSite(cmd *cobra.Command) {
	f := cmd.Flags()
	f.SortFlags = false
	f.StringP("config", "c", "", "read `FILE` instead of the project's sitemap.yaml")
	f.StringP("base-url", "b", "", "the `URL` at which the site is published")
	f.String("content", "", "read the front matter of the files in `DIR`")
	f.StringArray("include", nil, "list only files that match `GLOB` (repeatable)")
	f.StringArray("exclude", nil, "never list files that match `GLOB` (repeatable)")
	f.String("host", "", "write URLs as the host `NAME` serves them")
	f.String("generator", "", "read the files of the generator `NAME`")
	f.String("lastmod", "", "take dates from the sources in `LIST`")
	f.String("ledger", "", "record page changes in `FILE`")
	f.StringArray("level", nil, "set `CODE=LEVEL`: "+strings.Join(diag.LevelNames, ", "))
	f.DurationVar(&b.opts.Online, "timeout", fetch.Total, "end all requests after `TIME` (default 10m)")
	f.Int("jobs", 0, "read with `N` workers; 0 chooses the number")
}

// addOutput adds the flags that say what is written.
func (b *flags) addOutput(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringP("output", "o", "", "write into `DIR` instead; - prints the sitemap")
	f.String("format", "", "write a `LIST` of "+strings.Join(writer.Formats, ", "))
	f.String("gzip", "", "compress; `MODE` is also (the default) or only")
	f.Lookup("gzip").NoOptDefVal = "also"
}

// addTalk adds the flags that say what is printed.
func (b *flags) addTalk(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&b.json, "json", false, "print one JSON report on standard output")
	f.BoolVarP(&b.quiet, "quiet", "q", false, "print errors only")
	f.BoolVarP(&b.verbose, "verbose", "v", false, "print who decided each setting, and every finding")
}

// addCache adds the flag that leaves the user's cache alone.
func (b *flags) addCache(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&b.noCache, "no-cache", false, "neither read nor keep the list of the last build")
}

// addLoss adds the flag that lets a part of a site go.
func (b *flags) addLoss(cmd *cobra.Command) {
	cmd.Flags().String("max-loss", "", "allow `NUMBER` missing URLs, or a share such as 5%")
}

// path returns the path of a file that the user named in the working directory.
func (e *Env) path(file string) string { return engine.Path(e.Dir, file) }

// options are those of the flags.
func (b *flags) options(env Env) engine.Options {
	o := b.opts
	o.Compare = !b.quiet || len(b.reports.asked.List) > 0
	o.Dir, o.Stdin, o.Stdout = env.Dir, env.Stdin, env.Stdout
	if !b.noCache {
		o.Cache = env.Cache
	}
	if b.verbose || b.reports.wantsAll() {
		o.Keep = -1
	}
	return o
}

// progress shows a person who waits how far learning is, until end is called.
func (b *flags) progress(env Env, p *Printer, o *engine.Options) (end func()) {
	if !p.Messages.Terminal || b.noProgress || b.quiet || b.json || env.Getenv("CI") != "" || env.Getenv("TERM") == "dumb" {
		return func() {}
	}
	bar := StartProgress(p.Err, p.Messages)
	o.Progress, o.Asking = bar.Read, bar.Ask
	return sync.OnceFunc(bar.End)
}

// input is what the configuration is resolved from.
func input(env Env, cmd *cobra.Command, args []string) config.Input {
	given := config.Flags{}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		given[f.Name] = []string{f.Value.String()}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			given[f.Name] = list.GetSlice()
		}
	})
	if len(args) > 0 {
		given["dir"] = args[:1]
	}
	return config.Input{Flags: given, Getenv: env.Getenv, Dir: env.Dir, Now: env.Now()}
}
