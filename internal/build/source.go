package build

import (
	"context"

	"github.com/sitewalk/sitewalk/frontmatter"
	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/walker"
)

// mostSources are as many content files as are read for the sake of a line.
const mostSources = 1000

// Sources finds the lines of content files from which findings on their built pages
// come: a key of the front matter that says what the finding quotes, and no other.
func (b *Build) Sources(ctx context.Context) {
	tree, left := b.Settings.Site.Content, mostSources
	if tree == nil {
		return
	}
	r := frontmatter.NewReader(b.Settings.Site.Front)
	b.Findings.Each(func(d *diag.Diagnostic) {
		file, ok := tree.Shown(d.Source.File)
		if !frontmatter.Blamed(d.Code) || d.Source.Line > 0 || !ok || left == 0 {
			return
		}
		left--
		_, _, _ = tree.Visit(ctx, file, func(f *walker.File) {
			d.Source.Line, d.Source.Col = r.Cause(f, d.Code, d.Message)
		})
	})
}
