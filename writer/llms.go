package writer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/llms"
	"github.com/sitewalk/sitewalk/sitemap"
)

// LLMS configures the llms format: https://llmstxt.org/.
type LLMS struct {
	Title     string             // of the site; default is the name that its titles share, or Options.Title
	Summary   string             // of the site; default is the description of its home page
	Base      string             // the URL of the folder whose pages are listed, with a trailing slash; Options.Base
	Languages []Language         // folders whose pages have a file of their own
	Place     func(i int) Place  // of the page at i; nil without rules. It is safe for concurrent use
	Copy      func(i int) string // URL of the Markdown copy of the page at i, or ""; nil if pages are linked. It is safe for concurrent use
	LinksHTML bool               // link pages even if they have copies
	Force     bool               // replace a file that has no marks
}

// A Language is a folder of pages in one language.
type Language struct {
	Dir  string // slash-separated, below LLMS.Base
	Code string // BCP 47 tag
}

// A Place is the position of a page in llms.txt, as set by rules. A zero field is not set.
type Place struct {
	Section  string // its heading
	Rank     int    // sections with a rank precede others, the lowest first
	Limit    int    // how many of the pages that share By are listed
	By       int
	Optional bool // it belongs to the section that may be skipped
}

// maxKeptFile is the maximum size in bytes of an llms.txt whose handwritten text is kept.
const maxKeptFile = 16 << 20

// stageLLMSFiles drafts an llms.txt for the site, and one for each folder of a language.
func (r *job) stageLLMSFiles(ctx context.Context) error {
	site := r.llms()
	files, err := site.Files(ctx)
	if err != nil {
		return err
	}
	for i := range files {
		if err := r.stageLLMS(&files[i]); err != nil {
			return err
		}
	}
	return nil
}

// llms returns the site with the settings of llms.txt.
func (r *job) llms() llms.Site {
	l := r.site()
	l.UserTitle, l.Summary, l.Base = cmp.Or(r.LLMS.Title, l.UserTitle), r.LLMS.Summary, cmp.Or(r.LLMS.Base, r.Base)
	if len(r.pageFormats) == 0 {
		l.ListFile = "" // no file lists all pages
	}
	for _, lang := range r.LLMS.Languages {
		l.Languages = append(l.Languages, llms.Language{Dir: lang.Dir, Code: lang.Code, Base: l.Base + escapePath(lang.Dir) + "/"})
	}
	if r.LLMS.Place != nil {
		l.Place = func(i int) llms.Place { return llms.Place(r.LLMS.Place(i)) }
	}
	l.Copy = r.LLMS.Copy
	if len(r.Groups) > 0 {
		l.Group = func(loc string) string {
			if i := r.Group(loc); i >= 0 {
				return r.Groups[i].Name
			}
			return ""
		}
	}
	return l
}

// stageLLMS drafts one llms.txt, or reports why the file cannot be written. Text outside the marks
// of an existing file is kept.
func (r *job) stageLLMS(f *llms.Listing) error {
	p := place{r.llmsDir, path.Join(f.Dir, llms.Name)}
	frame, err := p.readFrame()
	if err != nil && (!r.LLMS.Force || p.dir.CheckName(p.name) != nil) {
		r.Diags.Errorf(diag.Pos{File: r.fromDir(p)}, "output-taken",
			fmt.Sprintf("write the lines %q and %q where the list is to stand, or replace the file with --force", llms.BeginMark, llms.EndMark),
			"the file there %v, and is not replaced", err)
		return nil
	}
	text := frame.Wrap(f.File)
	return r.stage(p, text, File{URLs: f.Links, Words: len(strings.Fields(string(text)))})
}

// readFrame returns the text of an existing llms.txt outside of the marks. It returns the zero
// Frame if the file is missing, and an error if the text cannot be kept.
func (p place) readFrame() (llms.Frame, error) {
	text, err := p.read(maxKeptFile)
	if text == nil || err != nil {
		return llms.Frame{}, err
	}
	return llms.Cut(text)
}

var errNotRegular = errors.New("is not a regular file")

// read returns the content of a file, or nil if the file is missing. For a file of more than
// maxBytes, it returns the first maxBytes+1 bytes and an error.
func (p place) read(maxBytes int64) ([]byte, error) {
	f, err := p.dir.Open(p.name)
	if err != nil {
		return nil, err
	}
	if f == nil {
		if info, err := p.dir.Stat(p.name); info == nil {
			return nil, err
		}
		return nil, errNotRegular
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxBytes+1))
	if err == nil && int64(len(text)) > maxBytes {
		err = fmt.Errorf("has more than %d bytes", maxBytes)
	}
	return text, err
}

// printLLMS writes the llms.txt of the whole site to w, and returns the number of listed pages.
func (r *job) printLLMS(ctx context.Context, w io.Writer) (int, error) {
	r.LLMS.Languages = nil
	site := r.llms()
	files, err := site.Files(ctx)
	if err != nil {
		return 0, err
	}
	_, err = w.Write(files[0].File.Append(nil))
	return files[0].Links, err
}

// stagePeoplePage drafts the page for people, or reports that its name is taken.
func (r *job) stagePeoplePage(ctx context.Context) error {
	if r.dir.CheckName(r.Page) != nil || !r.mayReplace(r.Page) {
		r.Diags.Errorf(diag.Pos{File: r.Page}, "output-taken", "give output.page another name, or remove that file",
			"the page for people would overwrite a file that sitewalk did not write, and is not written")
		return nil
	}
	site := r.site()
	page, err := site.PageForPeople(ctx)
	if err != nil {
		return err
	}
	return r.stage(place{r.dir, r.Page}, page, File{})
}

// site returns the description of the whole site, for llms.txt and the page for people.
func (r *job) site() llms.Site {
	all := r.Name // the entry file
	if len(r.pageFormats) > 0 && !r.hasXML {
		all = r.file("", r.pageFormats[0])
	}
	s := llms.Site{
		Entries: r.entries, Base: r.Base, UserTitle: r.Feed.Title, HomeTitle: r.Title, Title: r.title(), Lang: r.Lang,
		ListFile: all, ListURL: r.url(all), Mark: markComment,
	}
	if r.Gzip == "only" {
		s.ListFile += ".gz"
	}
	return s
}

// title returns the title of the site.
func (r *job) title() string {
	return cmp.Or(r.Feed.Title, r.Title, sitemap.HostOf(r.Base))
}
