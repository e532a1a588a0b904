package cli

import (
	"fmt"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/audit"
	"github.com/sitewalk/sitewalk/internal/live"
	"github.com/sitewalk/sitewalk/internal/report"
	"github.com/sitewalk/sitewalk/internal/submit"
)

// liveText says how much of the live site was asked for; "" is nothing.
func liveText(o *live.Outcome) string {
	if o == nil {
		return ""
	}
	text := fmt.Sprintf("the live site: %s asked, %s right", diag.Count(o.Asked, "URL"), diag.Number(o.Right))
	if n := o.Known - o.Asked; n > 0 {
		text += fmt.Sprintf(", %s not asked", diag.Number(n))
	}
	return text
}

// printCheck prints what Google says, and then in one line what was checked and found.
func printCheck(p *Printer, r *audit.Check, google []submit.GoogleSitemap, out *report.Report) {
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
	outcome := "nothing is wrong"
	if out.Count(diag.Warning) > 0 {
		outcome = diag.Count(out.CountOf(diag.Error), "error") + ", " + diag.Count(out.CountOf(diag.Warning), "warning")
	}
	printGoogle(p, google)
	p.Say("%s", strings.Join(append(parts, outcome), "; "))
}

// A checkDetails is what only check says in JSON; docs/json.md describes it.
type checkDetails struct {
	Sitemaps []string               `json:"sitemaps"` // that were judged
	URLs     int                    `json:"urls"`
	Pages    int                    `json:"listed_pages"`
	Google   []submit.GoogleSitemap `json:"google,omitempty"`
	Live     *live.Outcome          `json:"live"` // what was asked of the live site; nil without --live
}

// newCheckDetails are what a report says of a check alone, as docs/json.md describes it.
func newCheckDetails(r *audit.Check, google []submit.GoogleSitemap) any {
	return checkDetails{append([]string{}, r.Sitemaps...), r.URLs, r.Pages, google, r.Live}
}
