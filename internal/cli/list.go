package cli

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/report"
	"github.com/sitewalk/sitewalk/internal/strict"
	"github.com/sitewalk/sitewalk/page"
	"github.com/spf13/cobra"
)

type listFlags struct {
	flags
	in, out bool
	reasons string
}

func newListCommand(env Env, p *Printer) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "list [DIR]",
		Short: "print each page, and why it is listed or not",
		Args:  limitArguments(0, 1),
		Long: `Prints a line for each page of the site, sorted by URL. At a terminal it is a
table. Elsewhere, tabs separate these columns, and a hyphen marks an empty one:

  in or out, why it is left out, URL, date, the source of the date, file

sitewalk explain says more about a page.`,
		Example: `  sitewalk list --out
  sitewalk list --reason noindex,canonical
  sitewalk list public -b https://example.com/ | cut -f 3`,
	}
	var l listFlags
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return l.runList(cmd.Context(), env, p, newInput(env, cmd, args))
	}
	l.addSiteFlags(cmd)
	flagSet := cmd.Flags()
	flagSet.String("from", "", "take the URLs from the sitemaps in `FILE`")
	flagSet.BoolVar(&l.in, "in", false, "only pages that are listed")
	flagSet.BoolVar(&l.out, "out", false, "only what is left out")
	flagSet.StringVar(&l.reasons, "reason", "", "only pages left out for the reasons in `LIST`")
	l.addMessageFlags(cmd)
	flagSet.Lookup("quiet").Usage = "print no progress"
	flagSet.Lookup("verbose").Usage = "print what decided each page and setting, and where"
	return cmd
}

func (l *listFlags) runList(ctx context.Context, env Env, p *Printer, in config.Input) error {
	shown, err := l.shownReasons()
	if err != nil {
		return err
	}
	o, err := l.prepareRun(ctx, env, p)
	if err != nil {
		return err
	}
	b, err := readSite(ctx, o, in)
	out := result{build: b, report: &report.Report{Command: "list"}}
	if err != nil {
		return l.finishRun(env, p, out, err)
	}
	out.isQuery = true
	pages := func(yield func(report.Page) bool) {
		for p := range b.Result.Pages() {
			row := pageRow(b.Result, p)
			if l.verbose && !row.Listed {
				row.Why = cmp.Or(row.Why, page.Reasons[p.Reason()].Text)
			}
			if shown[p.Reason()] && !yield(row) {
				return
			}
		}
	}
	if out.report.Findings = b.Findings.Kinds(); l.json {
		out.report.Pages = slices.Collect(pages)
	}
	out.print = func() {
		w := bufio.NewWriter(p.Out)
		if p.OutScreen.IsTerminal {
			printTable(w, p.OutScreen, b.Settings, slices.Collect(pages), l.verbose)
		} else {
			printTabSeparated(w, pages, l.verbose)
		}
		_ = w.Flush() // p.Out stores the error
	}
	return l.finishRun(env, p, out, nil)
}

// shownReasons returns an array with an element for each page.Reason, including page.Listed. The
// element is true if list prints the pages with that reason. It returns an error if --in, --out and
// --reason contradict each other, or if --reason names an unknown reason.
func (l *listFlags) shownReasons() (filter [len(page.Reasons)]bool, err error) {
	if l.in && l.out {
		return filter, diag.Hintedf("remove both to list all pages", "--in and --out together list nothing")
	}
	if l.in && l.reasons != "" {
		return filter, diag.Hintedf("remove --in to list pages that are left out", "--in and --reason together list nothing")
	}
	names := strings.FieldsFunc(l.reasons, func(r rune) bool { return r == ',' || r == ' ' })
	for _, name := range names {
		if names := page.ReasonNames(); !slices.Contains(names, name) {
			hint := strings.Join(names, ", ")
			if guess := strict.NearestWord(name, names); guess != "" {
				hint = "did you mean " + guess + "?"
			}
			return filter, diag.Hintedf(hint, "--reason %q is not a reason", name)
		}
	}
	all := len(names) == 0
	for i, r := range page.Reasons {
		listed := page.Reason(i) == page.Listed
		filter[i] = listed && !l.out && all || !listed && !l.in && (all || slices.Contains(names, r.Name))
	}
	return filter, nil
}

// printTable prints pages as a table for a terminal. The header row contains the base URL and the
// publish directory, and the other rows omit them. Columns without values are left out. The URL and
// the file are at the end of a row, because they may be longer than a line.
func printTable(w io.Writer, s Screen, c *config.Settings, pages []report.Page, verbose bool) {
	if len(pages) == 0 {
		return
	}
	base, tree := strings.TrimSuffix(c.Site.Base.String(), "/"), c.Site.Pages
	last := "URL below " + base + "  FILE"
	if tree != nil {
		last += " in " + cmp.Or(tree.DisplayName(""), ".")
	}
	rows := [][]string{{"", "OUT FOR", "DATE", "FROM", last}}
	for _, p := range pages {
		if tree != nil {
			p.File, _ = tree.FindByDisplayName(p.File)
		}
		rows = append(rows, tableRow(p, base, verbose))
	}
	removeEmptyColumns(rows)
	var table strings.Builder
	t := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(t, strings.Join(row, "\t"))
	}
	_ = t.Flush() // a strings.Builder has no errors
	for line := range strings.Lines(table.String()) {
		state, _, _ := strings.Cut(line, " ")
		switch state {
		case "":
			line = s.Paint(Bold, strings.TrimSuffix(line, "\n")) + "\n"
		case "in":
			line = s.Paint(Green, state) + line[len(state):]
		default:
			line = s.Paint(Yellow, state) + line[len(state):]
		}
		fmt.Fprint(w, line)
	}
}

// tableRow returns the cells of the table for one page. It removes base from the beginning of the
// URL. Unless verbose is set, a date has no time.
func tableRow(p report.Page, base string, verbose bool) []string {
	state := "out"
	if p.Listed {
		state = "in"
	}
	url := p.URL
	if rest, ok := strings.CutPrefix(url, base+"/"); ok {
		url = "/" + rest
	}
	last, date := nonEmpty(url, cmp.Or(p.File, p.Pos.String())), p.LastMod
	if verbose {
		last = append(last, nonEmpty(p.Why, parenthesize(p.Pos.String()))...)
	} else {
		date, _, _ = strings.Cut(date, "T")
	}
	row := []string{state, p.Reason, date, p.By, strings.Join(last, "  ")}
	for i := range row {
		row[i] = diag.Plain(row[i])
	}
	return row
}

// removeEmptyColumns removes the columns that have a value in the first of rows alone, which is the
// header.
func removeEmptyColumns(rows [][]string) {
	for i := range slices.Backward(rows[0]) {
		isFilled := func(row []string) bool { return row[i] != "" }
		if slices.ContainsFunc(rows[1:], isFilled) {
			continue
		}
		for k := range rows {
			rows[k] = slices.Delete(rows[k], i, i+1)
		}
	}
}

// printTabSeparated prints a line for each page, with columns separated by tabs. "-" means an empty
// column. With verbose, the line also contains details of the reason why a page is left out, and
// the position of the cause.
func printTabSeparated(w io.Writer, pages iter.Seq[report.Page], verbose bool) {
	for p := range pages {
		state := "out"
		if p.Listed {
			state = "in"
		}
		columns := []string{state, p.Reason, p.URL, p.LastMod, p.By, cmp.Or(p.File, p.Pos.String())}
		if verbose {
			columns = append(columns, p.Why, p.Pos.String())
		}
		for i, text := range columns {
			columns[i] = cmp.Or(diag.Plain(text), "-")
		}
		fmt.Fprintln(w, strings.Join(columns, "\t"))
	}
}
