package writer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	_ "embed"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/sitemap"
)

// stageIndexes adds the indexes to the transaction. Together, they name the sitemaps of this run
// and those in Options.Index. The first index is the entry file. If the entry file is full, further
// indexes such as sitemap-index-2.xml follow.
func (j *job) stageIndexes() error {
	var all []sitemap.Entry
	for i := range j.children {
		all = append(all, newIndexEntry(j.urlOfWrittenFile(j.childFile(j.children[i].Name, "xml")), j.children[i].lastmod))
	}
	for _, loc := range j.Index {
		if loc == j.urlOfWrittenFile(j.Name) {
			j.Diags.Errorf(diag.Pos{}, "bad-index-url", "remove it from output.index", "%q is the index itself", loc)
			continue
		}
		all = append(all, newIndexEntry(loc, sitemap.Date{}))
	}
	var docs []*bytes.Buffer
	var counts []int
	for len(all) > 0 {
		var doc bytes.Buffer
		w := sitemap.NewWriter(&doc, sitemap.FormatIndex, j.newPreamble(0, len(docs) > 0), sitemap.Limits{URLs: j.maxChildren, Bytes: j.MaxBytes})
		for len(all) > 0 {
			err := w.Write(&all[0])
			if errors.Is(err, sitemap.ErrFull) && w.Len() > 0 {
				break
			}
			if err != nil {
				return fmt.Errorf("no index of %d bytes can name %s; raise output.max_bytes", j.MaxBytes, all[0].Loc)
			}
			all = all[1:]
		}
		_ = w.Close() // writes to memory
		docs, counts = append(docs, &doc), append(counts, w.Len())
	}
	for i, doc := range slices.Backward(docs) {
		if err := j.stageVariants(j.indexFile(i), doc.Bytes(), counts[i], i == 0); err != nil {
			return err
		}
	}
	j.numExtraIndexes = len(docs) - 1
	return nil
}

// newIndexEntry returns an entry of an index: the URL of a sitemap, and its date.
func newIndexEntry(loc string, lastmod sitemap.Date) sitemap.Entry {
	return sitemap.Entry{URL: sitemap.URL{Loc: loc, LastMod: lastmod}}
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
