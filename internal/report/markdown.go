package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
)

// A sheet is Markdown with room for so many bytes. Rows that no longer fit are
// left out and counted. All of it is GitHub's flavour, as comments and job
// summaries are.
type sheet struct {
	strings.Builder
	room      int // 0 is without limit
	full      bool
	omissions int // rows that did not fit
}

// footRoom is kept for what closes the sheet.
const footRoom = 200

// row adds a line if there is room for it.
func (s *sheet) row(format string, args ...any) {
	line := fmt.Sprintf(format, args...) + "\n"
	if s.full || s.room > 0 && s.Len()+len(line) > s.room-footRoom {
		if line[0] == '|' || line[0] == '-' {
			s.omissions++
		}
		s.full = true
		return
	}
	s.WriteString(line)
}

func writeMarkdown(w io.Writer, r *Report, o *Options) error {
	_, err := io.WriteString(w, r.markdown(o, 0))
	return err
}

// markdown returns the report as Markdown of at most room bytes; 0 is without limit.
func (r *Report) markdown(o *Options, room int) string {
	s := &sheet{room: room}
	s.row("## sitewalk %s: %s\n", r.Command, r.Verdict())
	if r.Error != "" {
		s.row("- **%s**", prose(r.Error))
	}
	s.row("%s\n", prose(r.sums()))
	if r.Changes != nil {
		s.changes(r.Changes)
	}
	s.findings(r.items(o))
	if len(r.Fixed) > 0 {
		s.row("<details><summary>%s of the baseline fixed</summary>\n", diag.Count(len(r.Fixed), "finding"))
		for _, m := range r.Fixed {
			s.row("- %s", prose(m))
		}
		s.row("\n</details>\n")
	}
	if s.full {
		fmt.Fprintf(s, "\n</details>\n\nThere is no room here for %s more; the other forms of the report have them.\n", diag.Count(s.omissions, "line"))
	}
	return s.String()
}

// sums says in a line how much was found.
func (r *Report) sums() string {
	parts := []string{diag.Count(r.CountOf(diag.Error), "error"), diag.Count(r.CountOf(diag.Warning), "warning"), diag.Count(r.CountOf(diag.Note), "note")}
	if r.Accepted > 0 {
		parts = append(parts, fmt.Sprintf("%d accepted by the baseline", r.Accepted))
	}
	if r.Pages != nil {
		parts = append(parts, fmt.Sprintf("%s listed of %s", diag.Number(r.listedCount()), diag.Count(len(r.Pages), "page")))
	}
	sums := strings.Join(parts, ", ")
	if r.Live != "" {
		sums += "; " + r.Live
	}
	return sums
}

func (r *Report) listedCount() int {
	n := 0
	for i := range r.Pages {
		if r.Pages[i].Listed {
			n++
		}
	}
	return n
}

// changes adds a folded table for each class, in the order of the list.
func (s *sheet) changes(c *Changes) {
	s.row("### What changed\n\n%s before, %d now, %d the same\n", diag.Count(c.Was, "URL"), c.Is, c.Same)
	for _, class := range groups(c.List, func(c Change) string { return c.Class }) {
		s.row("<details><summary>%s: %d</summary>\n\n| URL | now | why |\n|---|---|---|", prose(class[0].Class), len(class))
		var fixes []string
		for _, ch := range class {
			why := prose(ch.Reason)
			if ch.Pos.File != "" {
				why += " " + quote(ch.Pos.String())
			}
			s.row("| %s | %s | %s |", quote(ch.URL), quote(cmp.Or(ch.To, ch.Is)), why)
			if ch.Fix != "" {
				fixes = append(fixes, ch.Fix)
			}
		}
		if len(fixes) > 0 {
			s.row("\nTo paste%s:\n\n%s", into(c.Host), block(strings.Join(fixes, "\n")))
		}
		s.row("\n</details>\n")
	}
}

func into(host string) string {
	if host == "" {
		return ""
	}
	return " (" + prose(host) + ")"
}

// findings adds a table of each code, those with the worst findings first.
func (s *sheet) findings(items []item) {
	if len(items) == 0 {
		return
	}
	s.row("### Findings\n")
	for _, of := range groups(items, func(it item) string { return it.Code }) {
		open := ""
		if of[0].Severity == diag.Error {
			open = " open"
		}
		s.row("<details%s><summary>%s <code>%s</code>: %d</summary>\n\n| where | what |\n|---|---|", open, of[0].Severity, prose(of[0].Code), len(of))
		for _, it := range of {
			s.row("| %s | %s |", quote(it.Place.String()), prose(it.text()))
		}
		s.row("\n</details>\n")
	}
}

// groups returns what shares a key, in the order in which the keys come first.
func groups[T any](all []T, key func(T) string) (out [][]T) {
	index := map[string]int{}
	for _, v := range all {
		i, ok := index[key(v)]
		if !ok {
			i = len(out)
			index[key(v)], out = i, append(out, nil)
		}
		out[i] = append(out[i], v)
	}
	return out
}

// prose returns a user's text as text of a paragraph or a table: nothing in it
// is markup, a mention or a reference to an issue. The invisible word joiner
// parts what GitHub would link after the entities are read.
func prose(s string) string {
	var b strings.Builder
	for _, c := range diag.Plain(strings.ReplaceAll(s, "\n", " ")) {
		switch {
		case c == '@' || c == '#':
			fmt.Fprintf(&b, "&#%d;\u2060", c)
		case c < 128 && strings.ContainsRune("\\`*_{}[]<>()+-!|~&\"'$", c):
			fmt.Fprintf(&b, "&#%d;", c)
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// quote returns a user's text as code; "" stays empty.
func quote(s string) string {
	if s == "" {
		return ""
	}
	return "<code>" + strings.ReplaceAll(prose(s), "\u2060", "") + "</code>"
}

// block returns lines to paste, between fences that they do not contain.
func block(s string) string {
	s = plainLines(s)
	fence := "```"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	return fence + "\n" + s + "\n" + fence
}
