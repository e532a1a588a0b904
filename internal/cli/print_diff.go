package cli

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/audit"
	"github.com/sitewalk/sitewalk/internal/report"
)

// mostOfClass is how many changes of one class are shown to a person.
const mostOfClass = 10

// printDiff prints what became of the URLs, by class, and the sum of it.
func printDiff(p *Printer, c *report.Changes, all bool) {
	number, shown := map[string]int{}, map[string]int{}
	for _, change := range c.List {
		number[change.Class]++
	}
	for _, change := range c.List {
		shown[change.Class]++
		if n := shown[change.Class]; all || n <= mostOfClass {
			printChange(p, change)
		} else if n == mostOfClass+1 {
			fmt.Fprintf(p.Out, "%-15s  and %d more; -v prints all\n", change.Class, number[change.Class]-mostOfClass)
		}
	}
	var parts []string
	for _, class := range audit.Classes {
		if n := number[class]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, class))
		}
	}
	same := fmt.Sprintf("%d the same", c.Same)
	if c.Same > 0 && !c.Content {
		same += " (content not compared)"
	}
	parts = append(parts, same)
	if c.Was == 0 { // the first deploy
		p.Say("%s now", diag.Count(c.Is, "URL"))
		return
	}
	p.Say("%s before, %s now: %s", diag.Count(c.Was, "URL"), diag.Count(c.Is, "URL"), strings.Join(parts, ", "))
	if c.Lost > c.Max {
		p.Say("%s lost or hidden, and --max-loss allows %d", diag.Count(c.Lost, "URL"), c.Max)
		p.Say("to accept it once: --max-loss %d; for good: list the URLs under diff.gone in sitemap.yaml", c.Lost)
	}
}

// printChange prints what became of one URL.
func printChange(p *Printer, c report.Change) {
	line := fmt.Sprintf("%-15s  %s", c.Class, c.URL)
	if c.To != "" && c.Class != audit.Lost {
		line += " → " + c.To
	}
	if why := strings.Join(nonEmpty(c.Reason, parens(c.Pos.String())), " "); why != "" {
		line += "  " + why
	}
	if c.Was != c.Is && (c.Class == audit.Changed || c.Class == audit.Redated) {
		line += fmt.Sprintf("  %s, was %s", cmp.Or(c.Is, "no date"), cmp.Or(c.Was, "no date"))
	}
	colour := Severities[c.Level]
	if c.Class == audit.Added {
		colour = Green
	}
	line = p.Page.Wrap(diag.Plain(line), len(c.Class)+2+max(0, 15-len(c.Class)))
	fmt.Fprintln(p.Out, p.Page.Paint(colour, c.Class)+strings.TrimPrefix(line, c.Class))
	if c.Fix != "" {
		fmt.Fprintf(p.Out, "%15s  %s\n", "", diag.Plain("add to "+c.In+": "+c.Fix))
	}
}
