package writer

import (
	"context"
	"fmt"

	_ "embed"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/sitemap"
)

// stageIndex adds the index, which is the entry file, to the transaction. It names the sitemaps of
// this run and those in Options.Index.
func (j *job) stageIndex() error {
	j.buf.Reset()
	w := sitemap.NewWriter(&j.buf, sitemap.FormatIndex, j.newPreamble(0, false), sitemap.Limits{Bytes: j.MaxBytes})
	add := func(loc string, lastmod sitemap.Date) error {
		err := w.Write(&sitemap.Entry{URL: sitemap.URL{Loc: loc, LastMod: lastmod}})
		if err != nil {
			return fmt.Errorf("%d sitemaps do not fit into an index of %d bytes; raise output.max_urls or output.max_bytes", len(j.children)+len(j.Index), j.MaxBytes)
		}
		return nil
	}
	for i := range j.children {
		c := &j.children[i]
		if err := add(j.urlOfWrittenFile(j.childFile(c.Name, "xml")), c.lastmod); err != nil {
			return err
		}
	}
	for _, loc := range j.Index {
		if loc == j.urlOfWrittenFile(j.Name) {
			j.Diags.Errorf(diag.Pos{}, "bad-index-url", "remove it from output.index", "%q is the index itself", loc)
		} else if err := add(loc, sitemap.Date{}); err != nil {
			return err
		}
	}
	_ = w.Close() // writes to memory
	return j.stageVariants(j.Name, j.buf.Bytes(), w.Len(), true)
}

// stylesheet is the CSS that makes the XML readable in browsers. It is not XSLT, because browsers
// are dropping XSLT.
//
//go:embed stylesheet.css
var stylesheet []byte

// stageStylesheet adds the CSS file to the transaction. If a file of that name exists that sitewalk
// did not write, stageStylesheet reports it instead.
func (j *job) stageStylesheet(context.Context) error {
	name := j.childFile("", "css")
	if err := j.checkReplaceable(name, false); err != nil {
		j.Stylesheet = false
		j.Diags.Errorf(diag.Pos{File: name}, "output-taken", "rename that file, or switch output.stylesheet off",
			"the stylesheet of the sitemap is not written: %v", err)
		return nil
	}
	return j.stage(place{j.dir, name}, stylesheet, File{})
}
