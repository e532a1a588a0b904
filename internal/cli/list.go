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
	"unicode/utf8"

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

// The columns of the table that the command list prints.
const (
	stateColumn = iota
	urlColumn
	reasonColumn
	dateColumn
	sourceColumn
	fileColumn
	whyColumn
	numColumns
)

// printTable prints pages as a table for a terminal. The header row contains the base URL and the
// publish directory, and the other rows omit them. Columns without values are left out. Unless
// verbose is set, printTable shortens long URLs and files in the middle to fit each row into a
// line.
func printTable(w io.Writer, s Screen, c *config.Settings, pages []report.Page, verbose bool) {
	if len(pages) == 0 {
		return
	}
	base, tree := strings.TrimSuffix(c.Site.Base.String(), "/"), c.Site.Pages
	head := [numColumns]string{"", "URL below " + base, "OUT FOR", "DATE", "FROM", "FILE", "WHY"}
	if tree != nil {
		head[fileColumn] += " in " + cmp.Or(tree.DisplayName(""), ".")
	}
	rows := [][numColumns]string{head}
	for _, p := range pages {
		if tree != nil {
			p.File, _ = tree.FindByDisplayName(p.File)
		}
		rows = append(rows, tableRow(p, base, verbose))
	}
	widths := columnWidths(rows)
	if !verbose {
		fitColumns(&widths, s.width)
	}
	fmt.Fprintln(w, s.Paint(Bold, formatRow(head, widths)))
	for _, row := range rows[1:] {
		colour := Yellow
		if row[stateColumn] == "in" {
			colour = Green
		}
		line := formatRow(row, widths)
		fmt.Fprintln(w, s.Paint(colour, row[stateColumn])+line[len(row[stateColumn]):])
	}
}

// tableRow returns the cells of the table for one page. It removes base from the beginning of the
// URL. Unless verbose is set, a date has no time, and the last cell is empty.
func tableRow(p report.Page, base string, verbose bool) [numColumns]string {
	row := [numColumns]string{"out", p.URL, p.Reason, "", p.By, cmp.Or(p.File, p.Pos.String()), ""}
	if p.Listed {
		row[stateColumn] = "in"
	}
	if rest, ok := strings.CutPrefix(p.URL, base+"/"); ok {
		row[urlColumn] = "/" + rest
	}
	row[dateColumn], _, _ = strings.Cut(p.LastMod, "T")
	if verbose {
		row[dateColumn] = p.LastMod
		row[whyColumn] = strings.Join(nonEmpty(p.Why, parenthesize(p.Pos.String())), " ")
	}
	for i := range row {
		row[i] = diag.Plain(row[i])
	}
	return row
}

// columnWidths returns the width of each column. The first of rows is the header row. If all other
// cells of a column are empty, its width is 0.
func columnWidths(rows [][numColumns]string) (widths [numColumns]int) {
	for _, row := range rows[1:] {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for i, title := range rows[0] {
		if widths[i] > 0 {
			widths[i] = max(widths[i], utf8.RuneCountInString(title))
		}
	}
	return widths
}

// minCutColumn is the minimum width in characters to which fitColumns reduces a column.
const minCutColumn = 12

// fitColumns reduces the widths of the URL and file columns until a row fits into a terminal with
// the given number of columns. It reduces the wider column first, and neither column below
// minCutColumn. It does nothing if columns is 0.
func fitColumns(widths *[numColumns]int, columns int) {
	if columns == 0 {
		return
	}
	total := -columnGap
	for _, width := range widths {
		if width > 0 {
			total += width + columnGap
		}
	}
	for ; total > columns; total-- {
		widest := &widths[urlColumn]
		if widths[fileColumn] > *widest {
			widest = &widths[fileColumn]
		}
		if *widest <= minCutColumn {
			return
		}
		*widest--
	}
}

// columnGap is the number of spaces between two columns.
const columnGap = 2

// formatRow returns a line with the cells padded to the given widths. It shortens longer cells in
// the middle, and omits columns of width 0.
func formatRow(cells [numColumns]string, widths [numColumns]int) string {
	var b strings.Builder
	for i, cell := range cells {
		if widths[i] > 0 {
			fmt.Fprintf(&b, "%-*s", widths[i]+columnGap, cutMiddle(cell, widths[i]))
		}
	}
	return strings.TrimRight(b.String(), " ")
}

// cutMiddle returns text shortened to at most width characters. An ellipsis replaces the middle of
// a longer text: "abc…xyz".
func cutMiddle(text string, width int) string {
	runes := []rune(text)
	if len(runes) <= width {
		return text
	}
	head := (width - 1) / 2
	tail := width - 1 - head
	return string(runes[:head]) + "…" + string(runes[len(runes)-tail:])
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
