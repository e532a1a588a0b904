package writer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/llms"
	"github.com/sitewalk/sitewalk/internal/outline"
)

// LLMS says what the llms format carries: https://llmstxt.org/.
type LLMS struct {
	Title     string            // what the site is called; the name that its titles share, or Options.Title
	Summary   string            // what it is about; as the description of its home page says
	Base      string            // the URL of the folder whose pages are listed, with a trailing slash; Options.Base
	Languages []Language        // folders whose pages have a file of their own
	Place     func(i int) Place // where the page at i stands; nil: no rule says so. It is safe for concurrent use
	Force     bool              // replace a file that has no marks
}

// A Language is a folder of pages in one language.
type Language struct {
	Dir  string // slash-separated, below LLMS.Base
	Code string // BCP 47 tag
}

// A Place is what rules say of a page in llms.txt. Zero fields say nothing.
type Place struct {
	Section  string // the heading that it stands under
	Rank     int    // sections that have one stand before all others, the lowest first
	Limit    int    // how many of the pages that share By are listed
	By       int
	Optional bool // it stands in the section that may be skipped
}

// maxOld is how large a file may be whose text by hand is kept.
const maxOld = 16 << 20

// llmsFiles drafts an llms.txt for the site, and for each folder of a language.
func (r *job) llmsFiles(ctx context.Context) error {
	dir, err := r.top()
	if err != nil {
		return err
	}
	files, err := r.llms().Files(ctx)
	if err != nil {
		return err
	}
	for i := range files {
		if err := dir.clear(path.Join(".", files[i].Dir)); err != nil {
			return err
		}
		if err := r.draftLLMS(dir, &files[i]); err != nil {
			return err
		}
	}
	return nil
}

// llms returns what llms.txt carries.
func (r *job) llms() *outline.LLMS {
	l := &outline.LLMS{Site: r.site(), Own: r.Title, Given: cmp.Or(r.LLMS.Title, r.Feed.Title), Summary: r.LLMS.Summary}
	l.Base = cmp.Or(r.LLMS.Base, r.Base)
	if len(r.whole) == 0 {
		l.All = "" // no file lists all pages
	}
	for _, lang := range r.LLMS.Languages {
		l.Languages = append(l.Languages, outline.Language{Dir: lang.Dir, Code: lang.Code, Base: l.Base + escapePath(lang.Dir) + "/"})
	}
	if r.LLMS.Place != nil {
		l.Place = func(i int) outline.Place { return outline.Place(r.LLMS.Place(i)) }
	}
	l.Group = func(loc string) string {
		if len(r.Groups) == 0 {
			return ""
		}
		if i := r.Group(loc); i >= 0 {
			return r.Groups[i].Name
		}
		return ""
	}
	return l
}

// top returns the folder that is served at LLMS.Base: the publish directory, if the
// output is written into it.
func (r *job) top() (*folder, error) {
	if files.Within(r.Publish, r.Dir) {
		return r.publish, r.publishErr
	}
	return r.dir, nil
}

// draftLLMS drafts one file, or reports what keeps it from being written. Of a file
// that is there, what stands around the marks stays.
func (r *job) draftLLMS(dir *folder, f *outline.File) error {
	name := path.Join(f.Dir, llms.Name)
	frame, why := r.frame(dir, name)
	if why != "" {
		r.Diags.Errorf(diag.Pos{File: r.fromDir(dir, name)}, "output-taken",
			fmt.Sprintf("write the lines %q and %q where the list is to stand, or replace the file with --force", llms.Begin, llms.End),
			"the file there %s, and is not replaced", why)
		return nil
	}
	text := frame.Around(f.Says)
	if err := r.putPlain(dir, name, text, f.Links); err != nil {
		return err
	}
	r.drafts[len(r.drafts)-1].words = len(strings.Fields(string(text)))
	return nil
}

// frame returns what is kept of the file that is there, or why there is none.
func (r *job) frame(dir *folder, name string) (kept llms.Frame, why string) {
	info, err := dir.stat(name)
	if err == nil && info == nil {
		return kept, ""
	}
	text, err := dir.read(name, maxOld)
	if err == nil {
		kept, err = llms.Cut(text)
	}
	if err != nil && r.LLMS.Force && dir.check(name) == nil {
		return llms.Frame{}, ""
	}
	if err != nil {
		return kept, err.Error()
	}
	return kept, ""
}

// read returns the content of a regular file, or an error that says why there is none.
func (d *folder) read(name string, most int64) ([]byte, error) {
	f, err := d.open(name)
	if err != nil {
		return nil, err
	}
	if f == nil {
		return nil, errors.New("is not a regular file")
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(text)) > most {
		err = fmt.Errorf("has more than %d bytes", most)
	}
	return text, err
}

// findStaleLLMS finds the files of an earlier run that are not this one's, and that
// hold no text by hand.
func (r *job) findStaleLLMS(context.Context) error {
	dir, err := r.top()
	if dir == nil || err != nil {
		return nil
	}
	for _, sub := range append([]Language{{}}, r.LLMS.Languages...) {
		name := path.Join(sub.Dir, llms.Name)
		text, err := dir.read(name, maxOld)
		if err != nil || slices.ContainsFunc(r.drafts, func(d *draft) bool { return d.dir == dir && d.name == name }) {
			continue
		}
		if frame, err := llms.Cut(text); err == nil && frame.Generated() {
			r.remove(dir, name)
		}
	}
	return nil
}

// printLLMS writes the llms.txt of the whole site to w, and returns how many pages
// it lists.
func (r *job) printLLMS(ctx context.Context, w io.Writer) (int, error) {
	r.LLMS.Languages = nil
	files, err := r.llms().Files(ctx)
	if err != nil {
		return 0, err
	}
	_, err = w.Write(files[0].Says.Append(nil))
	return files[0].Links, err
}
