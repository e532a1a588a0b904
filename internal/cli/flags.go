package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/fetch"
)

// A common is the flags that most commands share.
type common struct {
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
	f.StringP("config", "c", "", "read `FILE` instead of the project's sitemap.yaml")
	f.StringP("base-url", "b", "", "the `URL` at which the site is published")
	f.String("content", "", "read the front matter of the content files in `DIR`")
	f.StringArray("include", nil, "list only files that match `GLOB` (repeatable)")
	f.StringArray("exclude", nil, "never list files that match `GLOB` (repeatable)")
	f.String("host", "", "write URLs as the host `NAME` serves them: "+choices("host"))
	f.String("generator", "", "read the files of the generator `NAME`: "+choices("generator"))
	f.String("lastmod", "", "take dates from the sources in `LIST`: "+choices("lastmod"))
	f.String("ledger", "", "record page changes in `FILE`, instead of the ledger in sitemap.yaml")
	f.StringArray("level", nil, "set the level of a code, as `CODE=LEVEL` (repeatable): "+strings.Join(diag.LevelNames, ", "))
	f.DurationVar(&c.online, "timeout", fetch.Total, "end requests after `TIME` in all")
	f.Int("jobs", 0, "read with `N` workers (default: by the number of processors)")
}

// outputFlags add the flags that say what is written.
func (c *common) outputFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringP("output", "o", "", "write into `DIR` instead of the publish directory; - prints the sitemap")
	f.String("format", "", "write the formats in `LIST`: "+choices("format"))
	f.String("gzip", "", "write a .gz by `MODE`: also, beside each file; only, in place of it")
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
	if most := 4; len(words) > 10 { // completion and the manual name them
		return fmt.Sprintf("%s and %d more", strings.Join(words[:most], ", "), len(words)-most)
	}
	if several {
		return strings.Join(words, ", ")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// input is what the configuration is resolved from.
func (c *common) input(env Env, cmd *cobra.Command, args []string) config.Input {
	flags := config.Flags{}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		flags[f.Name] = []string{f.Value.String()}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			flags[f.Name] = list.GetSlice()
		}
	})
	if len(args) > 0 {
		flags["dir"] = args[:1]
	}
	return config.Input{Flags: flags, Getenv: env.Getenv, Dir: env.Dir, Now: env.Now()}
}
