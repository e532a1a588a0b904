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

// LLMS configures the format "llms", the file llms.txt. See https://llmstxt.org/.
type LLMS struct {
	Title     string             // title of the site; "" means the first of these that is set: Options.Feed.Title, Options.Title, the name that most page titles contain, the host
	Summary   string             // summary of the site; "" means the description of the home page
	Base      string             // URL of the folder whose pages are listed, with a trailing slash; "" means Options.Base
	Languages []Language         // folders that get an llms.txt of their own
	Place     func(i int) Place  // returns where the page at index i is listed; nil without rules; must be safe for concurrent use
	Copy      func(i int) string // returns the URL of the Markdown copy of the page at index i, or ""; nil means that pages are linked; must be safe for concurrent use
	LinksHTML bool               // a setting for the caller, which then leaves Copy nil; this package does not read it
	Force     bool               // replace an llms.txt that sitewalk did not write
}

// A Language is a folder of pages in one language. The folder gets an llms.txt of its own.
type Language struct {
	Dir  string // slash-separated path below LLMS.Base
	Code string // BCP 47 tag, such as "de" or "pt-BR"
}

// A Place describes where the user's rules list a page in llms.txt. The zero value of a field means
// that no rule sets it.
type Place struct {
	Section string // heading of the section
	Rank    int    // order of the section, from 1; sections with a rank precede all others
	Limit   int    // maximum number of pages with the same By; 0 means no limit
	// By is the number of the rule that sets Limit.
	By       int
	Optional bool // the page belongs to the section that readers may skip
}

// maxKeptFile is the maximum size in bytes of an llms.txt that is read to keep the text by the
// user. A larger file is replaced only if LLMS.Force is set.
const maxKeptFile = 16 << 20

// stageLLMSFiles adds the llms.txt of the site, and one for each language folder, to the
// transaction.
func (j *job) stageLLMSFiles(ctx context.Context) error {
	site := j.newLLMSSite()
	files, err := site.NewListings(ctx)
	if err != nil {
		return err
	}
	for i := range files {
		if err := j.stageLLMS(&files[i]); err != nil {
			return err
		}
	}
	return nil
}

// newLLMSSite returns the description of the site from which package llms builds the llms.txt
// files.
func (j *job) newLLMSSite() llms.Site {
	l := j.newSharedSite()
	l.UserTitle, l.Summary, l.Base = cmp.Or(j.o.LLMS.Title, l.UserTitle), j.o.LLMS.Summary, cmp.Or(j.o.LLMS.Base, j.o.Base)
	if len(j.pageFormats) == 0 {
		l.ListFile = "" // no file lists all pages
	}
	for _, lang := range j.o.LLMS.Languages {
		l.Languages = append(l.Languages, llms.Language(lang))
	}
	if j.o.LLMS.Place != nil {
		l.Place = func(i int) llms.Place { return llms.Place(j.o.LLMS.Place(i)) }
	}
	l.Copy, l.GroupKey = j.o.LLMS.Copy, j.groupKey
	return l
}

// stageLLMS adds one llms.txt to the transaction. In an existing file, it replaces only the list
// between the comments llms.BeginMark and llms.EndMark. It reports a file without these comments
// instead of replacing it, unless LLMS.Force is set.
func (j *job) stageLLMS(f *llms.Listing) error {
	p := place{j.llmsDir, path.Join(f.Dir, llms.Name)}
	frame, err := p.readFrame()
	if err != nil && (!j.o.LLMS.Force || p.dir.CheckReplaceable(p.name) != nil) {
		j.report.Diags.Errorf(diag.Pos{File: j.reportedName(p)}, "output-taken",
			fmt.Sprintf("write the lines %q and %q where the list is to stand, or replace the file with --force", llms.BeginMark, llms.EndMark),
			"the file there %v, and is not replaced", err)
		return nil
	}
	text := frame.Wrap(f.File)
	return j.stage(p, text, File{URLs: f.Links, Words: len(strings.Fields(string(text)))})
}

// readFrame returns the text around the list of pages in the llms.txt p. It returns the zero Frame
// if the file is missing. It returns an error if the file has no comments around the list, is too
// large, or is not a regular file.
func (p place) readFrame() (llms.Frame, error) {
	text, err := p.read(maxKeptFile)
	if text == nil || err != nil {
		return llms.Frame{}, err
	}
	return llms.ParseFrame(text)
}

// errNotRegular is the error of place.read for a folder, a device or a broken link.
var errNotRegular = errors.New("is not a regular file")

// read returns the content of the file p, or nil if the file is missing. It returns errNotRegular
// for a folder, a device or a broken link. For a file of more than maxBytes, it returns the first
// maxBytes+1 bytes and an error.
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

// printLLMS writes the llms.txt of the whole site to w, and returns the number of pages that it
// lists.
func (j *job) printLLMS(ctx context.Context, w io.Writer) (int, error) {
	j.o.LLMS.Languages = nil
	site := j.newLLMSSite()
	files, err := site.NewListings(ctx)
	if err != nil {
		return 0, err
	}
	_, err = w.Write(files[0].File.Append(nil))
	return files[0].Links, err
}

// stagePeoplePage adds the page for people, an HTML list of all pages, to the transaction. If a
// file with its name exists that sitewalk did not write, stagePeoplePage adds a finding instead.
func (j *job) stagePeoplePage(ctx context.Context) error {
	if j.dir.CheckReplaceable(j.o.Page) != nil || !j.mayReplace(j.o.Page) {
		j.report.Diags.Errorf(diag.Pos{File: j.o.Page}, "output-taken", "give output.page another name, or remove that file",
			"the page for people would overwrite a file that sitewalk did not write, and is not written")
		return nil
	}
	site := j.newSharedSite()
	page, err := site.PageForPeople(ctx)
	if err != nil {
		return err
	}
	return j.stage(place{j.dir, j.o.Page}, page, File{})
}

// newSharedSite returns a description of the site with the values that llms.txt and the page for
// people share.
func (j *job) newSharedSite() llms.Site {
	all := j.o.Name // the entry file
	if len(j.pageFormats) > 0 && !j.hasXML {
		all = j.names.childFile("", j.pageFormats[0])
	}
	return llms.Site{
		Entries: j.entries, Base: j.o.Base, UserTitle: j.o.Feed.Title, HomeTitle: j.o.Title, Title: j.siteTitle(), Lang: j.o.Lang,
		ListFile: j.o.mainVariant(all), ListURL: j.urlOfWrittenFile(all), Mark: markComment,
	}
}

// siteTitle returns the title of the feed, or else the title of the site, or else the host.
func (j *job) siteTitle() string {
	return cmp.Or(j.o.Feed.Title, j.o.Title, sitemap.HostOf(j.o.Base))
}
