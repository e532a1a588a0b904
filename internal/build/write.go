package build

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/writer"
)

// Write puts the files on disk, the ledger last: a day that no sitemap has told
// must not be remembered. But it stands beside its place before a sitemap takes
// its own, since a day that is told and not remembered would be another one at
// the next run.
func (b *Build) Write(ctx context.Context) error {
	b.nonEmpty, b.TooLarge = map[string]bool{}, 0
	if b.Settings.Stdout {
		o := b.Settings.Writer
		o.Title, o.Lang = b.nameOf(0)
		report, err := writer.Print(b.o.Stdout, b.Result.List, o)
		b.TooLarge = report.Left
		b.Findings.Add(report.Diags...)
		return err
	}
	var memory *writer.Staged
	defer func() { memory.Discard() }()
	ready := func() (err error) {
		if b.Still != nil {
			if err := b.Still(); err != nil {
				return err
			}
		}
		memory.Discard() // a sitemap beside it clears the folder of what was staged
		memory, err = b.stageLedger()
		return err
	}
	if err := b.writePart(ctx, 0, b.Settings.Writer, ready); err != nil {
		return err
	}
	for i, o := range b.Settings.Parts {
		if err := b.writePart(ctx, i+1, o, ready); err != nil {
			return err
		}
	}
	b.emptyGroups()
	if memory == nil {
		return nil
	}
	_, err := memory.Commit()
	return b.ledgerError(err)
}

// emptyGroups reports the sitemaps of the configuration that no part of the site
// has a page for.
func (b *Build) emptyGroups() {
	var ds diag.List
	for _, g := range b.Settings.Writer.Groups {
		if !b.nonEmpty[g.Name] {
			ds.Warnf(g.Pos, "empty-sitemap", `a match is the URL's path below the base URL, as in "/blog/**"`, "no page is in the sitemap %q", g.Name)
		}
	}
	b.Findings.Add(ds...)
}

// stageLedger writes what is to be remembered beside its place, in a folder that
// it makes when a cache has not brought it. Without a ledger it returns nil.
func (b *Build) stageLedger() (*writer.Staged, error) {
	to := b.Settings.LedgerTo
	if to == "" || b.Result.Ledger == nil {
		return nil, nil
	}
	if err := writer.MakeFolder(filepath.Dir(to), b.Settings.Writer.Publish); err != nil {
		return nil, b.ledgerError(err)
	}
	memory, err := writer.Stage(to, b.Result.Ledger.AppendTo(nil))
	return memory, b.ledgerError(err)
}

func (b *Build) ledgerError(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("ledger: %w", b.inFolder("", err))
}

// writePart writes the sitemap of the site itself, part 0, or of one of the
// folders that other hosts serve.
func (b *Build) writePart(ctx context.Context, part int, o writer.Options, ready func() error) error {
	list, dir := b.Result.List, ""
	o.Title, o.Lang = b.nameOf(part)
	if part > 0 {
		dir = b.Settings.Site.Sites[part-1].Dir
	}
	if len(b.Settings.Parts) > 0 {
		list = b.Result.Part(part)
	}
	if part > 0 && list.Len() == 0 && !b.o.AllowEmpty {
		b.Findings.Add(diag.Diagnostic{
			Pos: diag.Pos{File: path.Join(filepath.ToSlash(b.Dir), dir)}, Severity: diag.Warning, Code: "empty-site",
			Message: "no page of the site " + o.Base + " is in, so its sitemap stays as it is",
			Hint:    "does sites.dir name the folder that the other host serves?",
		})
		return nil
	}
	o.DryRun = o.DryRun || b.o.DryRun
	o.Ready = ready
	o.Protect = func(file string) bool { return b.Result.Protect(path.Join(dir, file)) }
	o.Names = b.names
	if len(b.Settings.Parts) > 0 {
		o.Leftovers = nil // a language's folder may be a part, whose own sitemap it is
	}
	report, err := writer.Write(ctx, list, o)
	for _, f := range report.Files {
		f.Name = path.Join(dir, f.Name)
		b.Files.Files = append(b.Files.Files, f)
	}
	b.TooLarge += report.Left
	for _, g := range o.Groups {
		if !slices.ContainsFunc(report.Empty, func(e writer.Group) bool { return e.Name == g.Name }) {
			b.nonEmpty[g.Name] = true
		}
	}
	for _, d := range report.Diags {
		d.Pos.File = path.Join(filepath.ToSlash(b.Dir), dir, d.Pos.File)
		b.Findings.Add(d)
	}
	return b.inFolder(path.Join(filepath.ToSlash(b.Dir), dir), err)
}

// nameOf returns what a part of the site is called, and its language.
func (b *Build) nameOf(part int) (title, lang string) {
	if !b.Settings.Site.Page.Titles {
		return "", ""
	}
	n := b.Result.Name(part)
	return n.Title, n.Lang
}

// inFolder names the file of an error as the user would type it: where the folder
// was opened first, its files are relative to it.
func (b *Build) inFolder(dir string, err error) error {
	pe, ok := errors.AsType[*fs.PathError](err)
	if !ok {
		return err
	}
	name := path.Join(dir, filepath.ToSlash(pe.Path))
	if filepath.IsAbs(pe.Path) {
		name = filepath.ToSlash(UserPath(b.o.Dir, pe.Path))
	}
	return fmt.Errorf("%s: %w", name, pe.Err)
}
