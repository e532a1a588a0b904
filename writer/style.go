package writer

import (
	_ "embed"
	"path"

	"github.com/sitewalk/sitewalk/internal/diag"
)

// stylesheet makes the XML readable in browsers, which drop XSLT one by one.
//
//go:embed stylesheet.css
var stylesheet []byte

// style drafts the stylesheet of the XML, or does without when a file of that
// name is there that is not ours.
func (r *job) style() error {
	if !r.Stylesheet || !r.has("xml") {
		r.Stylesheet = false
		return nil
	}
	name := path.Join(r.sub(), r.stem()+".css")
	if err := r.take(name, false); err != nil {
		r.Stylesheet = false
		r.Diags.Errorf(diag.Pos{File: name}, "output-taken", "rename that file, or switch output.stylesheet off",
			"the stylesheet of the sitemap is not written: %v", err)
		return nil
	}
	return r.putPlain(r.dir, name, stylesheet)
}
