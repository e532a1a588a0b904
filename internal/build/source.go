package build

import (
	"context"

	"github.com/sitewalk/sitewalk/frontmatter"
	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/walker"
)

// mostSources are as many content files as are read for the sake of a line.
const mostSources = 1000

// A quotation is what a finding on a built page says of a content file.
type quotation struct{ file, code, message string }

// Sources finds the lines of content files from which findings on their built pages
// come: a key of the front matter that says what the finding quotes, and no other.
func (b *Build) Sources(ctx context.Context) {
	tree := b.Settings.Site.Content
	if tree == nil {
		return
	}
	places := map[quotation]diag.Pos{}
	var asked []quotation
	b.Findings.Each(func(d *diag.Diagnostic) {
		q := quotation{d.Source.File, d.Code, d.Message}
		_, twice := places[q]
		if !twice && len(asked) < mostSources && frontmatter.Blamed(d.Code) && d.Source.Line == 0 {
			places[q] = d.Source
			asked = append(asked, q)
		}
	})
	r := frontmatter.NewReader(b.Settings.Site.Front)
	for _, q := range asked {
		if file, ok := tree.Shown(q.file); ok {
			_, _, _ = tree.Visit(ctx, file, func(f *walker.File) {
				line, col := r.Cause(f, q.code, q.message)
				places[q] = diag.Pos{File: q.file, Line: line, Col: col}
			})
		}
	}
	b.Findings.Each(func(d *diag.Diagnostic) {
		if at, ok := places[quotation{d.Source.File, d.Code, d.Message}]; ok && d.Source.Line == 0 {
			d.Source = at
		}
	})
}
