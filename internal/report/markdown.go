package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
)

// A markdownDoc is a Markdown document for GitHub, with a limited size.
type markdownDoc struct {
	strings.Builder
	maxBytes int  // maximum size in bytes; 0 means no limit
	full     bool // a line did not fit
}

// maxFooter is the number of bytes that are reserved for the note about lines that do not fit.
const maxFooter = 200

// addLine formats a line, such as a table row, and adds it to the document. If the line does not
// fit, addLine leaves out this line and all later lines.
func (m *markdownDoc) addLine(format string, args ...any) {
	line := fmt.Sprintf(format, args...) + "\n"
	if m.full || m.maxBytes > 0 && m.Len()+len(line) > m.maxBytes-maxFooter {
		m.full = true
		return
	}
	m.WriteString(line)
}

func writeMarkdown(w io.Writer, r *Report, o *Options) error {
	_, err := io.WriteString(w, r.formatMarkdown(o, 0))
	return err
}

// formatMarkdown returns the report as Markdown of at most maxBytes bytes. If maxBytes is 0, there
// is no limit.
func (r *Report) formatMarkdown(o *Options, maxBytes int) string {
	s := &markdownDoc{maxBytes: maxBytes}
	s.addLine("## sitewalk %s: %s\n", r.Command, r.Outcome())
	if r.Error != "" {
		s.addLine("- **%s**", escapeMarkdown(r.Error))
	}
	s.addLine("%s\n", escapeMarkdown(r.formatCounts()))
	if r.Changes != nil {
		s.addChanges(r.Changes)
	}
	s.addFindings(r, r.items(o))
	if len(r.Fixed) > 0 {
		s.addLine("<details><summary>%s of the baseline fixed</summary>\n", diag.Count(len(r.Fixed), "finding"))
		for _, m := range r.Fixed {
			s.addLine("- %s", escapeMarkdown(m))
		}
		s.addLine("\n</details>\n")
	}
	if s.full {
		s.WriteString("\n</details>\n\nNo room here for more; the JSON report has the rest.\n")
	}
	return s.String()
}

// formatCounts returns a line with the numbers of findings and pages, such as "1 error, 2 warnings,
// 0 notes, 20 listed of 25 pages". The sentence about the live site follows, if there is one.
func (r *Report) formatCounts() string {
	parts := []string{diag.Count(r.CountSeverity(diag.Error), "error"), diag.Count(r.CountSeverity(diag.Warning), "warning"), diag.Count(r.CountSeverity(diag.Note), "note")}
	if r.Accepted > 0 {
		parts = append(parts, fmt.Sprintf("%d accepted by the baseline", r.Accepted))
	}
	if r.Pages != nil {
		parts = append(parts, fmt.Sprintf("%s listed of %s", diag.Number(r.countListed()), diag.Count(len(r.Pages), "page")))
	}
	sums := strings.Join(parts, ", ")
	if r.Live != "" {
		sums += "; " + r.Live
	}
	return sums
}

func (r *Report) countListed() int {
	n := 0
	for i := range r.Pages {
		if r.Pages[i].Listed {
			n++
		}
	}
	return n
}

// addChanges adds a table for each class of changes.
func (m *markdownDoc) addChanges(c *Changes) {
	m.addLine("### What changed\n\n%s before, %d now, %d the same\n", diag.Count(c.OldCount, "URL"), c.NewCount, c.Unchanged)
	for _, class := range c.splitByClass() {
		m.addLine("<details><summary>%s: %d</summary>\n\n| URL | now | why |\n|---|---|---|", escapeMarkdown(class[0].Class), len(class))
		var fixes []string
		for _, ch := range class {
			why := escapeMarkdown(ch.Reason)
			if ch.Pos.File != "" {
				why += " " + formatCodeSpan(ch.Pos.String())
			}
			m.addLine("| %s | %s | %s |", formatCodeSpan(ch.URL), formatCodeSpan(cmp.Or(ch.To, ch.NewDate)), why)
			if ch.Fix != "" {
				fixes = append(fixes, ch.Fix)
			}
		}
		if len(fixes) > 0 {
			m.addLine("\nTo paste (%s):\n\n%s", escapeMarkdown(c.Host), formatCodeBlock(strings.Join(fixes, "\n")))
		}
		m.addLine("\n</details>\n")
	}
}

// addFindings adds a table for each code of findings. The most severe codes come first.
func (m *markdownDoc) addFindings(r *Report, items []item) {
	if len(items) == 0 {
		return
	}
	m.addLine("### Findings\n")
	total := map[string]int{}
	for _, k := range r.Findings {
		total[k.Code] = k.Count
	}
	for _, of := range groupByKey(items, func(it item) string { return it.Code }) {
		open := ""
		if of[0].Severity == diag.Error {
			open = " open"
		}
		m.addLine("<details%s><summary>%s <code>%s</code>: %d</summary>\n\n| where | what |\n|---|---|", open, of[0].Severity, escapeMarkdown(of[0].Code), total[of[0].Code])
		for _, it := range of {
			m.addLine("| %s | %s |", formatCodeSpan(it.Place.String()), escapeMarkdown(it.messageWithHint()))
		}
		if rest := total[of[0].Code] - len(of); rest > 0 {
			m.addLine("| | %s more |", diag.Number(rest))
		}
		m.addLine("\n</details>\n")
	}
}

// groupByKey groups the items for which key returns the same text. The groups are in the order of
// their first items.
func groupByKey[T any](all []T, key func(T) string) (out [][]T) {
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

// escapeMarkdown escapes s for a paragraph or a table cell. The result contains no markup, mention
// of a user, or reference to an issue. GitHub detects mentions after it has decoded HTML entities,
// so an invisible character, a word joiner, follows each @ and #.
func escapeMarkdown(s string) string {
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

// formatCodeSpan returns s as inline code, or "" if s is empty.
func formatCodeSpan(s string) string {
	if s == "" {
		return ""
	}
	return "<code>" + strings.ReplaceAll(escapeMarkdown(s), "\u2060", "") + "</code>"
}

// formatCodeBlock returns s as a Markdown code block. Its fence is longer than any fence in s.
func formatCodeBlock(s string) string {
	s = escapeEachLine(s)
	fence := "```"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	return fence + "\n" + s + "\n" + fence
}
