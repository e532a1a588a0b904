package cli

import (
	"cmp"
	"fmt"
	"io"
	"iter"
	"strings"
	"unicode/utf8"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/report"
)

// widestCell is how many characters a cell may have before those below it no longer
// make room for it.
const widestCell = 60

// printTable prints pages for a person at a terminal: what all URLs and all files begin with
// stands above them, and a column in which nothing stands is left out.
func printTable(w io.Writer, s Screen, base string, pages []report.Page, verbose bool) {
	if len(pages) == 0 {
		return
	}
	base = strings.TrimSuffix(base, "/")
	dir := commonFolder(pages)
	heads := []string{"", "URL below " + base, "OUT FOR", "DATE", "FROM", "FILE", "WHY"}
	if dir != "" {
		heads[5] = "FILE in " + strings.TrimSuffix(dir, "/")
	}
	rows := make([][]string, len(pages))
	widths := make([]int, len(heads))
	for i, p := range pages {
		row := []string{"out", p.URL, p.Reason, p.LastMod, p.By, cmp.Or(strings.TrimPrefix(p.File, dir), p.Pos.String()), ""}
		if p.Listed {
			row[0] = "in"
		}
		if rest, ok := strings.CutPrefix(p.URL, base+"/"); ok {
			row[1] = "/" + rest
		}
		if verbose {
			row[6] = strings.Join(nonEmpty(p.Why, parens(p.Pos.String())), " ")
		}
		for j := range row {
			row[j] = diag.Plain(row[j])
			widths[j] = max(widths[j], min(utf8.RuneCountInString(row[j]), widestCell))
		}
		rows[i] = row
	}
	for j := range heads {
		if widths[j] > 0 {
			widths[j] = max(widths[j], utf8.RuneCountInString(heads[j]))
		}
	}
	fmt.Fprintln(w, s.Paint(Bold, aligned(heads, widths)))
	for _, row := range rows {
		colour := Yellow
		if row[0] == "in" {
			colour = Green
		}
		line := aligned(row, widths)
		fmt.Fprintln(w, s.Paint(colour, row[0])+line[len(row[0]):])
	}
}

// aligned joins cells that are as wide as their columns; one without a width is
// left out.
func aligned(cells []string, widths []int) string {
	var b strings.Builder
	for i, cell := range cells {
		if widths[i] == 0 {
			continue
		}
		if b.Len() > 0 {
			b.WriteString("  ")
		}
		b.WriteString(cell)
		b.WriteString(strings.Repeat(" ", max(0, widths[i]-utf8.RuneCountInString(cell))))
	}
	return strings.TrimRight(b.String(), " ")
}

// commonFolder returns the folder that holds the files of all pages, with its slash.
func commonFolder(pages []report.Page) (folder string) {
	first := true
	for _, p := range pages {
		if p.File == "" {
			continue
		}
		if first {
			folder, first = p.File[:strings.LastIndexByte(p.File, '/')+1], false
		}
		for !strings.HasPrefix(p.File, folder) {
			folder = folder[:strings.LastIndexByte(strings.TrimSuffix(folder, "/"), '/')+1]
		}
	}
	return folder
}

// printLines prints a line for each page, its columns separated by tabs, a hyphen for an empty
// one. With verbose it adds what decided, and where.
func printLines(w io.Writer, pages iter.Seq[report.Page], verbose bool) {
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
