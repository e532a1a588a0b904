package engine

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"path/filepath"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/fetch"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/sitemap"
	"github.com/sitewalk/sitewalk/writer"
)

// fewLost is how many URLs may be gone if no setting says how many: in a site of
// three pages more than half is one afternoon's work.
const fewLost = 2

// Guard refuses to publish what loses most of the site: see Enough, and what the
// last sitemap that we wrote there lists and this one does not. It also finds out
// what is new since then.
func (b *Build) Guard(ctx context.Context) error {
	b.Since = nil
	if err := b.Enough(); err != nil || b.Settings.Stdout {
		return err
	}
	var since *Since
	whole := true
	for i, o := range append([]writer.Options{b.Settings.Writer}, b.Settings.Parts...) {
		file := entryFile(o, Marked)
		if file == "" {
			continue
		}
		if since == nil {
			since = b.newSince("the last sitemap")
		}
		earlier, of := len(since.Removed), since.Of
		quiet := &diag.Report{Keep: 1} // mistakes in the file that is about to be replaced do not matter
		err := fetch.ReadList(ctx, file, fetch.ListOptions{Dir: b.o.Dir, Intern: since.intern}, quiet, func(e sitemap.Entry, _ diag.Pos) {
			since.was(&e.URL)
		})
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil: // nothing to compare the new one with, which a person has to know
			name := filepath.ToSlash(files.Shown(b.o.Dir, file))
			b.Findings.Add(diag.Notef(diag.Pos{File: name}, "not-compared", "sitewalk diff compares with a list that you name",
				"the earlier sitemap cannot be read, so it is not known what is lost: %v", diag.Cause(err)))
			whole = false
			continue
		}
		b.Since = since
		lost, outside := b.lost(i, since.Removed[earlier:])
		if of = since.Of - of - outside; len(lost) > b.Settings.MaxLoss.Of(of, max(fewLost, of/2)) && !b.mayEmpty(i) {
			return b.lossError(file, lost, of)
		}
	}
	if !whole { // what it lists would be taken for new
		b.Since = nil
	}
	if b.Since == nil && b.o.Compare { // as the generator has removed it
		b.Since = b.sincePast(ctx)
	}
	return nil
}

// lossError returns the error about URLs that the last sitemap listed and this
// one does not.
func (b *Build) lossError(file string, lost []string, of int) error {
	name := filepath.ToSlash(files.Shown(b.o.Dir, file))
	left := LeftOut(b.Result)
	if left != "" {
		left = "; " + left
	}
	are, which := "is", lost[0]
	if more := len(lost) - 1; more > 0 {
		are, which = "are", lost[0]+" and "+diag.Number(more)+" more"
	}
	return diag.Hintedf("is the whole site built? if it is intended, --max-loss 100% writes the new sitemap",
		"%s of the %s in %s %s gone, so it stays: %s%s", diag.Number(len(lost)), diag.Count(of, "URL"), name, are, which, left)
}

// entryFile returns the entry as an earlier run left it, or its compressed twin,
// if that is ok; else "".
func entryFile(o writer.Options, ok func(file string) bool) string {
	file := filepath.Join(o.Dir, filepath.FromSlash(cmp.Or(o.Name, writer.DefaultName)))
	for _, file := range []string{file, file + ".gz"} {
		if ok(file) {
			return file
		}
	}
	return ""
}

// Marked reports whether a file is a sitemap of ours.
func Marked(file string) bool {
	f, err := files.Open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	plain, err := fetch.Unpack(f, 0, errors.ErrUnsupported)
	if err != nil {
		return false
	}
	head, _ := bufio.NewReaderSize(plain, writer.MarkSize).Peek(writer.MarkSize)
	return writer.IsMarked(head)
}
