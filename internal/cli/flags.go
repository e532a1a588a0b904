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

// flags holds the flags that several commands share. Each command adds those that it takes.
type flags struct {
	opts    engine.Options // options of a build that a flag sets directly
	reports reportFlags

	json, verbose, quiet        bool
	strict, noCache, noProgress bool
}

// addSite adds the flags that describe the site.
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
	f.String("jobs", "", "read with `N` workers; 0 chooses the number")
}

// addOutput adds the flags about the files to write.
func (b *flags) addOutput(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringP("output", "o", "", "write into `DIR` instead; - prints the sitemap")
	f.String("format", "", "write a `LIST` of "+strings.Join(writer.Formats, ", "))
	f.String("gzip", "", "compress; `MODE` is also (the default) or only")
	f.Lookup("gzip").NoOptDefVal = "also"
}

// addMessages adds the flags about printed messages.
func (b *flags) addMessages(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&b.json, "json", false, "print one JSON report on standard output")
	f.BoolVarP(&b.quiet, "quiet", "q", false, "print errors only")
	f.BoolVarP(&b.verbose, "verbose", "v", false, "print who decided each setting, and every finding")
}

// addCache adds --no-cache.
func (b *flags) addCache(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&b.noCache, "no-cache", false, "neither read nor keep the list of the last build")
}

// addLoss adds --max-loss.
func (b *flags) addLoss(cmd *cobra.Command) {
	cmd.Flags().String("max-loss", "", "allow `NUMBER` missing URLs, or a share such as 5%")
}

// path returns the path of a file that the user named, relative to the working directory.
func (e *Env) path(file string) string { return engine.Path(e.Dir, file) }

// options returns the options of a build.
func (b *flags) options(env Env) engine.Options {
	o := b.opts
	o.Compare = !b.quiet || len(b.reports.requests.List) > 0
	o.Dir, o.Stdin, o.Stdout = env.Dir, env.Stdin, env.Stdout
	if !b.noCache {
		o.Cache = env.Cache
	}
	if b.verbose || b.reports.wantsAllFindings() {
		o.Keep = -1
	}
	return o
}

// startProgress shows the progress of reading at a terminal until end is called.
func (b *flags) startProgress(env Env, p *Printer, o *engine.Options) (end func()) {
	if !p.Messages.Terminal || b.noProgress || b.quiet || b.json || env.Getenv("CI") != "" || env.Getenv("TERM") == "dumb" {
		return func() {}
	}
	bar := StartProgress(p.Err, p.Messages)
	o.Progress, o.Asking = bar.Read, bar.Ask
	return sync.OnceFunc(bar.End)
}

// input returns the input of config.Resolve: flags, environment and the time.
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
