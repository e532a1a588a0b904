package cli

import (
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/internal/fetch"
)

// A common is the flags that most commands share.
type common struct {
	config  config.Flags
	reports reportFlags
	online  time.Duration
	json    bool
	verbose bool
	quiet   bool
}

// siteFlags add the flags that say what the site is.
func (c *common) siteFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVarP(&c.config.Config, "config", "c", "", "read `FILE` instead of ./sitemap.yaml")
	f.StringVarP(&c.config.BaseURL, "base-url", "b", "", "the `URL` at which the site is published")
	f.StringVar(&c.config.Content, "content", "", "read the front matter of the content files in `DIR`")
	f.StringArrayVar(&c.config.Include, "include", nil, "list only files that match `GLOB` (repeatable)")
	f.StringArrayVar(&c.config.Exclude, "exclude", nil, "never list files that match `GLOB` (repeatable)")
	f.StringVar(&c.config.Host, "host", "", "write URLs as the host `NAME` serves them: "+choices("host"))
	f.StringVar(&c.config.Generator, "generator", "", "read the files of the generator `NAME`, where several are at hand: "+choices("generator"))
	f.StringVar(&c.config.LastMod, "lastmod", "", "take dates from the sources in `LIST`: "+choices("lastmod"))
	f.StringVar(&c.config.Ledger, "ledger", "", "keep the days on which pages changed in `FILE`, in place of the ledger that sitemap.yaml names")
	f.StringArrayVar(&c.config.Levels, "level", nil, "take findings of a code for something else, as `CODE=LEVEL` (repeatable): "+strings.Join(diag.LevelNames, ", "))
	_ = cmd.RegisterFlagCompletionFunc("level", completeLevel)
	f.DurationVar(&c.online, "timeout", fetch.Total, "give up what the network takes after `TIME` in all")
	f.IntVar(&c.config.Jobs, "jobs", 0, "read with `N` workers (default: what suits the machine)")
}

// fromFlag adds the flag that names the sitemaps of another tool.
func (c *common) fromFlag(cmd *cobra.Command, usage string) {
	cmd.Flags().StringVar(&c.config.From, "from", "", usage)
}

// outputFlags add the flags that say what is written.
func (c *common) outputFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVarP(&c.config.Output, "output", "o", "", "write into `DIR` instead of the publish directory; - prints the sitemap")
	f.StringVar(&c.config.Format, "format", "", "write the formats in `LIST`: "+choices("format"))
	f.StringVar(&c.config.Gzip, "gzip", "", "write compressed files: `MODE` also is beside each file, only is in its place")
	f.Lookup("gzip").NoOptDefVal = "also"
}

// talkFlags add the flags that say what is printed.
func (c *common) talkFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&c.json, "json", false, "print one JSON report on standard output")
	f.BoolVarP(&c.quiet, "quiet", "q", false, "print errors only")
	f.BoolVarP(&c.verbose, "verbose", "v", false, "print who decided each setting, and every finding")
}

// choices names the words that a flag takes.
func choices(flag string) string {
	words, several := config.Choices(flag)
	last := len(words) - 1
	if several {
		return strings.Join(words, ", ")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// input is what the configuration is resolved from.
func (c *common) input(env Env, cmd *cobra.Command, args []string) config.Input {
	flags := c.config
	flags.Set = map[string]bool{}
	cmd.Flags().Visit(func(f *pflag.Flag) { flags.Set[f.Name] = true })
	if len(args) > 0 {
		flags.Dir, flags.Set["dir"] = args[0], true
	}
	return config.Input{Flags: flags, Getenv: env.Getenv, Dir: env.Dir, Now: env.Now()}
}
