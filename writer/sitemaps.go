package writer

import (
	"context"
	"fmt"
	"io"
	"net/url"

	_ "embed"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/sitemap"
)

// planSitemaps divides the pages into files, and sets j.children, j.report.URLs and j.report.Empty. It measures
// the size of a file in XML if XML is requested. Otherwise, it uses the first requested format that
// lists all pages.
func (j *job) planSitemaps(ctx context.Context) error {
	c := splitter{
		Entries: j.entries, Base: j.o.Base, Limit: sitemap.Limits{URLs: j.o.MaxURLs, Bytes: j.o.MaxBytes}, Format: formats[j.pageFormats[0]].is, Frame: j.newFrame,
		Mode: j.o.Split, Groups: j.groupKeys, GroupKey: j.groupKey, Index: len(j.o.Index) > 0,
	}
	if j.hasXML {
		c.Format = sitemap.FormatURLSet
	}
	files, empty, err := c.splitPages(ctx)
	for _, i := range empty {
		j.report.Empty = append(j.report.Empty, j.o.Groups[i])
	}
	j.children = files
	for _, f := range files {
		j.report.URLs += len(f.pages)
	}
	return err
}

// stageSitemaps adds the sitemaps in all formats to the transaction. If XML is requested and the
// entry file is not the only sitemap, it also adds the index.
func (j *job) stageSitemaps(ctx context.Context) error {
	if err := j.planSitemaps(ctx); err != nil {
		return err
	}
	most := 0
	for i := range j.children {
		most = max(most, j.children[i].bytes)
	}
	j.buf.Grow(most + 1<<10) // with room for the beginning of the file
	for i := range j.children {
		c := &j.children[i]
		for _, format := range j.pageFormats {
			if err := ctx.Err(); err != nil {
				return err
			}
			j.buf.Reset()
			if err := j.encodeSitemap(&j.buf, format, c); err != nil {
				return err
			}
			if err := j.stageVariants(j.names.childFile(c.name, format), j.buf.Bytes(), len(c.pages), c.name == ""); err != nil {
				return err
			}
		}
	}
	j.phase = j.entryPhase
	if j.hasXML && (len(j.children) != 1 || j.children[0].name != "") {
		return j.stageIndex()
	}
	return nil
}

// encodeSitemap writes the pages of c to out in the given format. It sets c.lastmod to the latest
// date of the pages, or to the zero Date if any page has no date.
func (j *job) encodeSitemap(out io.Writer, format string, c *child) error {
	w := sitemap.NewWriter(out, formats[format].is, j.newFrame(c.uses, c.name != ""), sitemap.Limits{URLs: j.o.MaxURLs, Bytes: j.o.MaxBytes})
	dated := true
	var e sitemap.Entry
	for i := range c.pages {
		j.entries.Entry(int(c.pages[i].index), &e)
		if err := w.Write(&e); err != nil {
			return fmt.Errorf("%s: %w", j.names.childFile(c.name, format), err)
		}
		dated = dated && !e.LastMod.IsZero()
		if c.lastmod.Compare(e.LastMod) < 0 {
			c.lastmod = e.LastMod
		}
	}
	if !dated {
		c.lastmod = sitemap.Date{}
	}
	return w.Close()
}

// newFrame returns the frame of a sitemap file, the text before its entries. uses is the set of
// extensions that the entries use, such as images. isChild is false for the entry file. A child
// contains the name of the entry file in a comment.
func (j *job) newFrame(uses sitemap.Extensions, isChild bool) sitemap.Frame {
	index := ""
	if isChild {
		index = j.o.Name
	}
	f := sitemap.Frame{Extensions: uses, Comments: markComments(index, j.o.Page)}
	if j.o.Stylesheet {
		f.Stylesheet = url.PathEscape(j.names.stem + ".css")
	}
	return f
}

// stageIndex adds the index, which is the entry file, to the transaction. The index names the
// sitemaps of this run and the sitemaps in Options.Index.
func (j *job) stageIndex() error {
	j.buf.Reset()
	w := sitemap.NewWriter(&j.buf, sitemap.FormatIndex, j.newFrame(0, false), sitemap.Limits{Bytes: j.o.MaxBytes})
	own := map[string]bool{j.urlOfWrittenFile(j.o.Name): true}
	add := func(loc string, lastmod sitemap.Date) error {
		err := w.Write(&sitemap.Entry{URL: sitemap.URL{Loc: loc, LastMod: lastmod}})
		if err != nil {
			return fmt.Errorf("%d sitemaps do not fit into an index of %d bytes; raise output.max_urls or output.max_bytes", len(j.children)+len(j.o.Index), j.o.MaxBytes)
		}
		return nil
	}
	for i := range j.children {
		loc := j.urlOfWrittenFile(j.names.childFile(j.children[i].name, "xml"))
		own[loc] = true
		if err := add(loc, j.children[i].lastmod); err != nil {
			return err
		}
	}
	for _, loc := range j.o.Index {
		if own[loc] {
			j.report.Diags.Errorf(diag.Pos{}, "bad-index-url", "remove it from output.index", "%q is a file of this sitemap", loc)
		} else if err := add(loc, sitemap.Date{}); err != nil {
			return err
		}
	}
	_ = w.Close() // writes to memory
	return j.stageVariants(j.o.Name, j.buf.Bytes(), w.Len(), true)
}

// stylesheet is the CSS that makes the XML readable in browsers. It is not XSLT, because browsers
// are dropping XSLT.
//
//go:embed stylesheet.css
var stylesheet []byte

// stageStylesheet adds the CSS file to the transaction. If a file of that name exists and must not
// be replaced, stageStylesheet reports the file, and sets j.o.Stylesheet to false.
func (j *job) stageStylesheet(context.Context) error {
	name := j.names.childFile("", "css")
	if err := j.checkReplaceable(name, false); err != nil {
		j.o.Stylesheet = false
		j.report.Diags.Errorf(diag.Pos{File: name}, "output-taken", "rename that file, or switch output.stylesheet off",
			"the stylesheet of the sitemap is not written: %v", err)
		return nil
	}
	return j.stage(place{j.dir, name}, stylesheet, File{})
}
