package view

import (
	"fmt"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/guard"
	"github.com/sitewalk/sitewalk/internal/live"
	"github.com/sitewalk/sitewalk/internal/report"
	"github.com/sitewalk/sitewalk/internal/terminal"
)

// Live says how much of the live site was asked for; "" is nothing.
func Live(o *live.Outcome) string {
	if o == nil {
		return ""
	}
	text := fmt.Sprintf("the live site: %s asked, %s right", diag.Count(o.Asked, "URL"), diag.Number(o.Right))
	if n := o.Known - o.Asked; n > 0 {
		text += fmt.Sprintf(", %s not asked", diag.Number(n))
	}
	return text
}

// Check prints in one line what was checked, and what was found.
func Check(p *terminal.Printer, r *guard.Check, out *report.Report) {
	parts := []string{diag.Count(r.URLs, "URL") + " in " + fewer(r.Sitemaps)}
	if len(r.Sitemaps) == 0 {
		parts = nil
	}
	if r.Pages > 0 {
		parts = append(parts, diag.Count(r.Pages, "page")+" to be listed")
	}
	if out.Live != "" {
		parts = append(parts, out.Live)
	}
	errors, warnings := out.Count(diag.Error), out.Count(diag.Warning)
	outcome := "nothing is wrong"
	if warnings > 0 {
		outcome = diag.Count(errors, "error") + ", " + diag.Count(warnings-errors, "warning")
	}
	Google(p, r.Google)
	p.Say("%s", strings.Join(append(parts, outcome), "; "))
}
