package cli

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/build"
	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/report"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/internal/view"
)

// pagesOf are the pages of a site as reports show them; nil when none does.
func (o *reportFlags) pagesOf(res *site.Result) []report.Page {
	if !o.pages {
		return nil
	}
	return view.Pages(res)
}

// outside refuses a report that would be published with the site, and drops it.
// Without settings it is not known.
func (o *reportFlags) outside(env Env, c *config.Settings) error {
	if c == nil {
		return nil
	}
	dirs := []string{c.Writer.Publish, c.Writer.Dir}
	if c.Site.Pages != nil {
		dirs = append(dirs, c.Site.Pages.Dir)
	}
	for i, q := range o.requests {
		if q.File == "" || !q.Private {
			continue
		}
		file := env.path(q.File)
		folder := real(filepath.Dir(file))
		for _, dir := range dirs {
			if dir != "" && files.Within(real(dir), folder) {
				o.requests = slices.Delete(o.requests, i, i+1)
				return diag.Hinted{
					Err:  fmt.Errorf("--report %s=%s lies in %s and would be published", q.Name, q.File, build.UserPath(env.Dir, dir)),
					Hint: "name a file elsewhere",
				}
			}
		}
	}
	return nil
}

// real returns a folder without symbolic links, as far as it exists.
func real(dir string) string {
	if to, err := filepath.EvalSymlinks(dir); err == nil {
		return to
	}
	return filepath.Clean(dir)
}
