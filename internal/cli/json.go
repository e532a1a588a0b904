package cli

import (
	"cmp"
	"path/filepath"

	"github.com/sitewalk/sitewalk/internal/build"
	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/report"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/writer"
)

// A buildDetails is what only build says in JSON; docs/json.md describes it.
type buildDetails struct {
	DryRun   bool            `json:"dry_run"`
	Skipped  string          `json:"skipped,omitempty"` // why nothing was to be written
	Sitemap  string          `json:"sitemap,omitempty"` // the file that search engines are told of
	URLs     int             `json:"urls"`
	LeftOut  map[string]int  `json:"left_out"` // pages by reason, every reason named
	Paired   int             `json:"paired"`
	Unpaired int             `json:"unpaired"`
	Dated    int             `json:"dated"`
	Dates    map[string]int  `json:"dates"` // dates by source
	Files    []writer.File   `json:"files"`
	Settings []config.Origin `json:"settings"`
	Seconds  float64         `json:"seconds"`
}

// reportOf is what a build has to say, err being why it failed.
func (b *buildFlags) reportOf(r *build.Build, err error) *report.Report {
	d := buildDetails{
		DryRun: b.dryRun,
		URLs:   r.URLs(), LeftOut: map[string]int{},
		Paired: r.Result.Paired, Unpaired: r.Result.Unpaired,
		Dated: r.Result.Dated, Dates: r.Result.Dates,
		Files: append([]writer.File{}, r.Files.Files...), Seconds: r.Took.Seconds(),
	}
	for i, why := range page.Reasons {
		if page.Reason(i) != page.Listed {
			d.LeftOut[why.Name] = r.Result.Left[i]
		}
	}
	if r.Settings != nil {
		d.Settings, d.Skipped = r.Origins(), r.Settings.Skip
		if !r.Settings.Stdout {
			d.Sitemap = filepath.ToSlash(filepath.Join(r.Dir, cmp.Or(r.Settings.Writer.Name, "sitemap.xml")))
		}
	}
	if d.Dates == nil {
		d.Dates = map[string]int{}
	}
	out := &report.Report{Command: "build", Details: d, Pages: b.reports.pagesOf(r.Result)}
	if out.Pages != nil && err == nil {
		out.Changes = changesOf(r.Since, out.Pages)
	}
	if b.strict {
		out.FailsAt = b.failsAt()
	}
	return out
}
