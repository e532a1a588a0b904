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

// fewLost is the number of URLs that may be lost without a setting. On a site of three pages,
// an afternoon of editing may remove more than half.
const fewLost = 2

// Guard returns an error if the new sitemap would lose most of the site. It calls Enough, and
// compares the list with the last sitemap that sitewalk wrote. It also sets Since.
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
		quiet := &diag.Report{Keep: 1} // findings about the old file do not matter, because it will be replaced
		err := fetch.ReadList(ctx, file, fetch.ListOptions{Dir: b.o.Dir, Intern: since.intern}, quiet, func(e sitemap.Entry, _ diag.Pos) {
			since.was(&e.URL)
		})
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil: // the user has to know that the comparison is missing
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
	if !whole { // the URLs of an unreadable sitemap would count as new
		b.Since = nil
	}
	if b.Since == nil && b.o.Compare { // the generator has removed the last sitemap
		b.Since = b.sincePast(ctx)
	}
	return nil
}

// lossError returns the error for lost URLs, which the earlier sitemap in file lists. of is the
// number of URLs in that sitemap.
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

// entryFile returns the path of the earlier sitemap, or of its compressed copy, if ok accepts
// the path. Otherwise it returns "".
func entryFile(o writer.Options, ok func(file string) bool) string {
	file := filepath.Join(o.Dir, filepath.FromSlash(cmp.Or(o.Name, writer.DefaultName)))
	for _, file := range []string{file, file + ".gz"} {
		if ok(file) {
			return file
		}
	}
	return ""
}

// Marked reports whether file is a sitemap that sitewalk wrote.
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
