package cli

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/engine"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/report"
	"github.com/sitewalk/sitewalk/internal/submit"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// registerCompletion makes a shell complete all that stands behind the program, which works in dir.
func registerCompletion(root *cobra.Command, dir string) {
	root.ValidArgsFunction = completeFirst(dir)
	completable(root, dir)
}

// completable makes a shell complete the values of every flag and the arguments
// of every command below cmd, by what the help calls them: a DIR is a folder, a
// FILE is a file, a word is one of config.FlagWords, and anything else cannot be
// known.
func completable(cmd *cobra.Command, dir string) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Value.Type() != "bool" {
			_ = cmd.RegisterFlagCompletionFunc(f.Name, completeFlag(f, dir)) // fails for the second of two only
		}
	})
	if cmd.ValidArgsFunction == nil && len(cmd.ValidArgs) == 0 {
		cmd.ValidArgsFunction = completeArgument(cmd.Use)
	}
	for _, sub := range cmd.Commands() {
		completable(sub, dir)
	}
}

func completeFlag(f *pflag.Flag, dir string) cobra.CompletionFunc {
	switch f.Name {
	case "level":
		return completeLevel
	case "report":
		return completeReport(dir)
	case "engine":
		return cobra.FixedCompletions(submit.Engines(), cobra.ShellCompDirectiveNoFileComp)
	case "reason":
		return completeList(page.ReasonNames())
	}
	words, several := config.FlagWords(f.Name)
	switch {
	case several:
		return completeList(words)
	case words != nil:
		return cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
	}
	kind, _ := pflag.UnquoteUsage(f)
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		return nil, directive(kind)
	}
}

// directive says what a shell offers for a placeholder of the help.
func directive(kind string) cobra.ShellCompDirective {
	switch {
	case slices.ContainsFunc([]string{"FILE", "SITEMAP", "OLD", "CHANGES"}, func(k string) bool { return strings.Contains(kind, k) }):
		return cobra.ShellCompDirectiveDefault
	case strings.Contains(kind, "DIR"):
		return cobra.ShellCompDirectiveFilterDirs
	}
	return cobra.ShellCompDirectiveNoFileComp
}

// completeList completes the last item of a list with commas.
func completeList(words []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) (out []string, _ cobra.ShellCompDirective) {
		done := typed[:strings.LastIndexByte(typed, ',')+1]
		for _, word := range words {
			if !strings.Contains(","+done, ","+word+",") {
				out = append(out, done+word)
			}
		}
		return out, cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
	}
}

// completeLevel completes a code, and behind a = its level.
func completeLevel(_ *cobra.Command, _ []string, typed string) (words []string, _ cobra.ShellCompDirective) {
	if code, _, hasLevel := strings.Cut(typed, "="); hasLevel {
		for _, level := range diag.LevelNames {
			words = append(words, code+"="+level)
		}
		return words, cobra.ShellCompDirectiveNoFileComp
	}
	for _, code := range report.Codes() {
		words = append(words, code.Name+"=\t"+code.Meaning)
	}
	return words, cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
}

// completeReport completes a form, and behind a = a file in dir, which shells do
// not look for in the midst of a word.
func completeReport(dir string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) (words []string, _ cobra.ShellCompDirective) {
		if form, file, hasFile := strings.Cut(typed, "="); hasFile {
			return completeFiles(dir, form+"=", file)
		}
		for _, form := range report.Forms {
			words = append(words, form.Name+"\t"+form.Text)
		}
		return words, cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
	}
}

// completeFiles returns the files and folders below dir that begin with what was typed,
// each behind a prefix. A name with a line break would be two for a shell.
func completeFiles(dir, prefix, typed string) (words []string, _ cobra.ShellCompDirective) {
	in, begin := filepath.Split(filepath.FromSlash(typed))
	entries, _ := os.ReadDir(files.Abs(dir, in)) // a folder that cannot be read completes nothing
	last := cobra.ShellCompDirectiveNoFileComp
	for _, e := range entries {
		name := e.Name()
		if !strings.HasPrefix(name, begin) || begin == "" && name[0] == '.' || strings.ContainsFunc(name, unicode.IsControl) {
			continue
		}
		if e.IsDir() {
			name += string(filepath.Separator)
			last |= cobra.ShellCompDirectiveNoSpace
		}
		words = append(words, prefix+in+name)
	}
	return words, last
}

// completeFirst completes the first word: a command, which cobra offers itself, or
// the folder of "sitewalk DIR". Where both may be meant, a shell that is told to
// look for folders would offer no command.
func completeFirst(dir string) cobra.CompletionFunc {
	return func(root *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		isCommand := func(cmd *cobra.Command) bool { return strings.HasPrefix(cmd.Name(), typed) }
		if len(args) > 0 || !slices.ContainsFunc(root.Commands(), isCommand) {
			return completeArgument(root.Use)(root, args, typed)
		}
		words, last := completeFiles(dir, "", typed)
		return slices.DeleteFunc(words, func(w string) bool { return !os.IsPathSeparator(w[len(w)-1]) }), last
	}
}

func completeArgument(use string) cobra.CompletionFunc {
	_, placeholders, _ := strings.Cut(use, " ")
	most := len(strings.Fields(placeholders))
	if strings.Contains(placeholders, "...") {
		most = -1
	}
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if most >= 0 && len(args) >= most {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return nil, directive(placeholders)
	}
}

// manyURLs are more than a person looks through.
const manyURLs = 200

// completePages offers files, and for what begins like a URL or a path on the site those of the
// sitemap that the last build wrote, by the settings of an input.
func completePages(input func(*cobra.Command) config.Input) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		if !strings.HasPrefix(typed, "http") && !strings.HasPrefix(typed, "/") {
			return nil, cobra.ShellCompDirectiveDefault
		}
		urls := listedURLs(cmd.Context(), input(cmd), typed)
		if len(urls) > manyURLs {
			return folders(urls, typed), cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
		}
		return urls, cobra.ShellCompDirectiveDefault
	}
}

// listedURLs returns the URLs of the sitemap on disk that begin with what was
// typed, as URLs or as paths. An error ends the list: a completion
// says nothing.
func listedURLs(ctx context.Context, in config.Input, typed string) (urls []string) {
	b := engine.New(engine.Options{Dir: in.Dir})
	if b.Resolve(ctx, in) != nil {
		return nil
	}
	_ = b.Last(ctx, func(u sitemap.Entry, _ diag.Pos) {
		loc := u.Loc
		if strings.HasPrefix(typed, "/") {
			loc = mapping.PathOf(loc)
		}
		if strings.HasPrefix(loc, typed) {
			urls = append(urls, loc)
		}
	})
	return urls
}

// folders cuts URLs after the first slash behind what was typed.
func folders(urls []string, typed string) (out []string) {
	for _, u := range urls {
		if i := strings.IndexByte(u[len(typed):], '/'); i >= 0 {
			u = u[:len(typed)+i+1]
		}
		if len(out) == 0 || out[len(out)-1] != u {
			out = append(out, u)
		}
	}
	return out
}
