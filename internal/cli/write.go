package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/writer"
)

// write puts the files on disk, the ledger last: a day that no sitemap has told
// must not be remembered. But it stands beside its place before a sitemap takes
// its own, since a day that is told and not remembered would be another one at
// the next run.
func (b *buildFlags) write(ctx context.Context, out io.Writer, r *built) error {
	r.filled, r.tooLarge = map[string]bool{}, 0
	if r.settings.Stdout {
		report, err := writer.Print(out, r.result.List, r.settings.Writer)
		r.tooLarge = report.Left
		r.findings.Add(report.Diags...)
		return err
	}
	var memory *writer.Staged
	defer func() { memory.Discard() }()
	ready := func() (err error) {
		if r.still != nil {
			if err := r.still(); err != nil {
				return err
			}
		}
		memory.Discard() // a sitemap beside it clears the folder of what was staged
		memory, err = stageLedger(r)
		return err
	}
	if err := b.writePart(ctx, r, 0, r.settings.Writer, ready); err != nil {
		return err
	}
	for i, o := range r.settings.Parts {
		if err := b.writePart(ctx, r, i+1, o, ready); err != nil {
			return err
		}
	}
	r.emptyGroups()
	if memory == nil {
		return nil
	}
	if _, err := memory.Commit(); err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	return nil
}

// emptyGroups reports the sitemaps of the configuration that no part of the site
// has a page for.
func (r *built) emptyGroups() {
	var ds diag.List
	for _, g := range r.settings.Writer.Groups {
		if !r.filled[g.Name] {
			ds.Warnf(g.Pos, "empty-sitemap", `a match is the URL's path below the base URL, as in "/blog/**"`, "no page is in the sitemap %q", g.Name)
		}
	}
	r.findings.Add(ds...)
}

// stageLedger writes what is to be remembered beside its place, in a folder that
// it makes when a cache has not brought it. Without a ledger it returns nil.
func stageLedger(r *built) (*writer.Staged, error) {
	to := r.settings.LedgerTo
	if to == "" || r.result.Ledger == nil {
		return nil, nil
	}
	if err := makeFolder(filepath.Dir(to), r.settings.Writer.Publish); err != nil {
		return nil, fmt.Errorf("ledger: %w", err)
	}
	memory, err := writer.Stage(to, r.result.Ledger.AppendTo(nil))
	if err != nil {
		return nil, fmt.Errorf("ledger: %w", err)
	}
	return memory, nil
}

// makeFolder makes a folder and what leads to it, but not the publish directory.
func makeFolder(dir, publish string) error {
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		return nil
	}
	rel, err := filepath.Rel(publish, dir)
	if publish == "" || err != nil || !filepath.IsLocal(rel) {
		return os.MkdirAll(dir, 0o755)
	}
	root, err := os.OpenRoot(publish)
	if err != nil {
		return err
	}
	defer root.Close()
	return root.MkdirAll(rel, 0o755)
}

// writePart writes the sitemap of the site itself, part 0, or of one of the
// folders that other hosts serve.
func (b *buildFlags) writePart(ctx context.Context, r *built, part int, o writer.Options, ready func() error) error {
	list, dir := r.result.List, ""
	if part > 0 {
		dir = r.settings.Site.Sites[part-1].Dir
	}
	if len(r.settings.Parts) > 0 {
		list = r.result.Part(part)
	}
	if part > 0 && list.Len() == 0 && !b.allowEmpty {
		r.findings.Add(diag.Diagnostic{
			Pos: diag.Pos{File: path.Join(filepath.ToSlash(r.dir), dir)}, Severity: diag.Warning, Code: "empty-site",
			Message: "no page of the site " + o.Base + " is in, so its sitemap stays as it is",
			Hint:    "does sites.dir name the folder that the other host serves?",
		})
		return nil
	}
	o.DryRun = o.DryRun || b.dryRun
	o.Ready = ready
	o.Protect = func(file string) bool { return r.result.Protect(path.Join(dir, file)) }
	report, err := writer.Write(ctx, list, o)
	for _, f := range report.Files {
		f.Name = path.Join(dir, f.Name)
		r.files.Files = append(r.files.Files, f)
	}
	r.tooLarge += report.Left
	for _, g := range o.Groups {
		if !slices.ContainsFunc(report.Empty, func(e writer.Group) bool { return e.Name == g.Name }) {
			r.filled[g.Name] = true
		}
	}
	for _, d := range report.Diags {
		d.Pos.File = path.Join(filepath.ToSlash(r.dir), dir, d.Pos.File)
		r.findings.Add(d)
	}
	return inFolder(path.Join(filepath.ToSlash(r.dir), dir), err)
}

// inFolder names the file of an error as the user would type it, where the
// folder was opened first and its files are relative to it.
func inFolder(dir string, err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok && !filepath.IsAbs(pe.Path) {
		return fmt.Errorf("%s: %w", path.Join(dir, filepath.ToSlash(pe.Path)), pe.Err)
	}
	return err
}
