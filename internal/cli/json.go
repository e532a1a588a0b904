package cli

import (
	"encoding/json"
	"io"

	"github.com/sitewalk/sitewalk/config"
	"github.com/sitewalk/sitewalk/internal/build"
	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/writer"
)

// A report is what --json prints of a build; docs/json.md describes it.
type report struct {
	Version  int             `json:"version"` // of this shape
	Error    string          `json:"error,omitempty"`
	BaseURL  string          `json:"base_url,omitempty"`
	DryRun   bool            `json:"dry_run"`
	Skipped  string          `json:"skipped,omitempty"` // why nothing was to be written
	URLs     int             `json:"urls"`
	LeftOut  map[string]int  `json:"left_out"` // pages by reason, every reason named
	Paired   int             `json:"paired"`
	Unpaired int             `json:"unpaired"`
	Dated    int             `json:"dated"`
	Dates    map[string]int  `json:"dates"` // dates by source
	Files    []writer.File   `json:"files"`
	Findings []diag.Kind     `json:"findings"`
	Settings []config.Origin `json:"settings"`
	Seconds  float64         `json:"seconds"`
}

const reportVersion = 1

func reportOf(r *build.Build, dryRun bool, err error) report {
	out := report{
		Version: reportVersion, DryRun: dryRun,
		URLs: r.URLs(), LeftOut: map[string]int{},
		Paired: r.Result.Paired, Unpaired: r.Result.Unpaired,
		Dated: r.Result.Dated, Dates: r.Result.Dates,
		Files: r.Files.Files, Findings: r.Findings.Kinds(),
		Seconds: r.Took.Seconds(),
	}
	for i, why := range page.Reasons {
		if page.Reason(i) != page.Listed {
			out.LeftOut[why.Name] = r.Result.Left[i]
		}
	}
	if r.Settings != nil {
		out.BaseURL, out.Settings, out.Skipped = r.Settings.Site.Base.String(), r.Settings.Origins, r.Settings.Skip
	}
	if err != nil {
		out.Error = err.Error()
	}
	if out.Files == nil {
		out.Files = []writer.File{}
	}
	if out.Dates == nil {
		out.Dates = map[string]int{}
	}
	return out
}

func printJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// printLine prints one JSON value on one line.
func printLine(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}
