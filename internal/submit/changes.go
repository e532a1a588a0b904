package submit

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/audit"
	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/engine"
	"github.com/sitewalk/sitewalk/internal/fetch"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/report"
)

// The kinds of changes that are sent to search engines.
const (
	Added   = "added"
	Changed = "changed"
	Removed = "removed"
)

// kinds maps the class of a change in a diff to the kind that is sent. Changes of other classes are
// not sent. For example, a hidden page is still served, and a page with only a new date has the
// same content as before.
var kinds = map[string]string{
	audit.Added: Added, audit.Changed: Changed,
	audit.Lost: Removed, audit.Gone: Removed, audit.Moved: Removed, audit.BadlyMoved: Removed,
}

// A Change is one URL that search engines should crawl again.
type Change struct {
	URL  string
	Kind string // Added, Changed or Removed
	Date string // lastmod in the new list; "" if it has none
}

// A changeList contains the changes of a site since an earlier list of its URLs.
type changeList struct {
	Base    string // base URL of the site
	Changes []Change
	Hidden  int // number of pages that are served but no longer listed; they are not sent
	URLs    int // number of URLs in the new list
}

// maxDiffReport is the maximum size in bytes of a JSON report of "sitewalk diff". The report of a
// million changes is smaller.
const maxDiffReport = 128 << 20

// parseDiffReport parses src, a JSON report of "sitewalk diff", and returns the changes in the
// report. It returns an error for other JSON, for a report of another version, and for the report
// of a failed diff.
func parseDiffReport(src []byte) (*changeList, error) {
	var diff struct {
		Version int
		Command string
		Error   string
		Base    string `json:"base_url"`
		Changes *struct {
			NewCount int `json:"is"`
			List     []changeRow
		}
	}
	if err := json.Unmarshal(bytes.TrimPrefix(src, []byte("\ufeff")), &diff); err != nil {
		return nil, err
	}
	switch {
	case diff.Command != "diff":
		return nil, errors.New("it is not a list of changes; write one with: sitewalk diff OLD --report json=changes.json")
	case diff.Version != report.Version:
		return nil, fmt.Errorf("it has version %d, and this sitewalk reads %d", diff.Version, report.Version)
	case diff.Error != "":
		return nil, fmt.Errorf("the diff that wrote it failed: %s", diff.Error)
	case diff.Changes == nil:
		return nil, errors.New("it has no changes")
	}
	l := &changeList{Base: diff.Base, URLs: diff.Changes.NewCount}
	for _, row := range diff.Changes.List {
		l.addRow(row)
	}
	return l, nil
}

// A changeRow contains the fields of a report.Change that addRow needs.
type changeRow struct {
	Class, URL string
	NewDate    string `json:"is"`
	Served     bool
}

// addRow adds a change of a diff to l.Changes. It does not add a hidden page, but counts it in
// l.Hidden. It ignores a moved page that is still served at its old URL, and a change whose class
// is not in kinds.
func (l *changeList) addRow(row changeRow) {
	kind := kinds[row.Class]
	switch {
	case row.Class == audit.Hidden:
		l.Hidden++
	case row.Class == audit.Moved && row.Served:
	case kind != "" && row.URL != "":
		l.Changes = append(l.Changes, Change{row.URL, kind, row.NewDate})
	}
}

// readChanges reads the settings and returns the changes to send. If there is no list to compare
// with, l is nil, and whyNoList is the reason.
func (s *Submission) readChanges(ctx context.Context) (l *changeList, whyNoList string, err error) {
	o := &s.o
	switch {
	case o.Changes != "" && (o.Since != "" || o.All):
		return nil, "", fmt.Errorf("%q is read as a list of changes, and a list, --since and --all exclude each other; the site's folder is pages.dir in sitemap.yaml", o.Changes)
	case o.Since != "" && o.All:
		return nil, "", errors.New("--since and --all exclude each other")
	case o.Changes != "":
		l, err = s.readChangesFile(ctx)
	case o.Since != "":
		return s.compareWithOldList(ctx)
	case o.All:
		l, err = s.listAllAsAdded(ctx)
	default:
		whyNoList = "there is no list to compare with; name one with --since, or a list of changes, or use --all for the first time"
		err = s.readSettings("")
	}
	return l, whyNoList, err
}

// readChangesFile returns the changes in the file s.o.Changes, and reads the settings. It does not
// need the built site.
func (s *Submission) readChangesFile(ctx context.Context) (*changeList, error) {
	src, err := s.readFileOrStdin(ctx, s.o.Changes)
	if err != nil {
		return nil, fmt.Errorf("list of changes %s: %w", s.o.Changes, diag.Cause(err))
	}
	l, err := parseDiffReport(src)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.o.Changes, err)
	}
	return l, s.readSettings(l.Base)
}

// readFileOrStdin returns the content of the file called name, or of standard input if name is "-".
func (s *Submission) readFileOrStdin(ctx context.Context, name string) ([]byte, error) {
	if name == "-" {
		return files.ReadAll(files.NewContextReader(ctx, io.NopCloser(s.o.Build.Stdin)), "standard input", maxDiffReport)
	}
	return files.ReadUserFile(ctx, engine.ResolvePath(s.o.Input.Dir, name), maxDiffReport)
}

// readSettings sets s.Build.Settings without reading the built files of the site. baseURL, if not
// "", is the base URL unless the flag --base-url is set.
func (s *Submission) readSettings(baseURL string) error {
	in := s.o.Input
	if in.Flags["base-url"] == nil && baseURL != "" {
		in.Flags = config.Flags{"base-url": []string{baseURL}}
		maps.Copy(in.Flags, s.o.Input.Flags)
	}
	settings, found, err := config.ResolveSubmission(in)
	if err == nil { // the severities that the user configured do not apply to an error
		s.Build.Findings.Levels = settings.Findings
	}
	s.Build.Settings = settings
	s.Build.Findings.Add(found...)
	return err
}

// compareWithOldList compares the built site with the earlier list s.o.Since, and returns the
// changes. If the earlier list does not exist, l is nil, and whyNoList is the reason.
func (s *Submission) compareWithOldList(ctx context.Context) (l *changeList, whyNoList string, err error) {
	missing := s.o.Since + " does not exist, so the changes are unknown; to submit for the first time use --all"
	if s.isMissing(s.o.Since) {
		return nil, missing, s.readSettings("")
	}
	d, err := audit.RunDiff(ctx, audit.Options{Build: s.o.Build, Input: s.o.Input, Client: s.o.Client}, s.o.Since, "")
	s.Build.Settings = d.Settings
	if fetch.IsNotFound(err) {
		return nil, missing, nil
	}
	if err != nil {
		s.Build.Findings = d.Findings
		return nil, "", err
	}
	l = &changeList{Base: d.Settings.Site.Base.String(), URLs: d.Changes.NewCount}
	for i := range d.Changes.List {
		c := &d.Changes.List[i]
		l.addRow(changeRow{c.Class, c.URL, c.NewDate, c.Served})
	}
	return l, "", nil
}

// isMissing reports whether name is a local file that does not exist. It returns false for a URL
// and for "-" (standard input).
func (s *Submission) isMissing(name string) bool {
	return name != "-" && !fetch.IsURL(name) && !engine.FileExists(engine.ResolvePath(s.o.Input.Dir, name))
}

// listAllAsAdded returns a list in which every URL of the built site is an added URL. It also adds
// a warning, because search engines want all URLs only once, or after a move.
func (s *Submission) listAllAsAdded(ctx context.Context) (*changeList, error) {
	b := engine.New(s.o.Build)
	err := b.Resolve(s.o.Input)
	if err == nil {
		err = b.ReadSite(ctx)
	}
	s.Build.Settings = b.Settings
	if err != nil {
		s.Build.Findings = b.Findings
		return nil, err
	}
	s.Build.Findings.Levels = b.Settings.Findings
	all := b.Result.List
	l := &changeList{Base: b.Settings.Site.Base.String(), URLs: len(all)}
	for _, r := range all {
		l.Changes = append(l.Changes, Change{r.Loc, Added, r.LastMod.String()})
	}
	if len(all) > 0 {
		s.Build.Findings.Add(diag.Warnf(diag.Pos{}, "told-everything", "next time, name the list that was published before with --since",
			"all URLs are submitted (%s), whether they changed or not; search engines want that only once, or after a move", diag.Count(len(all), "URL")))
	}
	return l, nil
}
