package explain

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/sitewalk/sitewalk/internal/generator"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/page"
)

// explainMissingContentFile explains target as the path of a content file that does not exist, for
// example because it was deleted. The explanation contains the commit that removed the file, and
// the page at the file's output path. If there is no such page, it contains the URL that the page
// would have. explainMissingContentFile returns false if target cannot be the path of a content
// file.
func (s *Explainer) explainMissingContentFile(ctx context.Context, e *Explanation, target string) (isContentFile bool) {
	if s.o.Content == nil || strings.Contains(target, "://") {
		return false
	}
	all := possibleFiles(s.o.Content, target)
	file := all[len(all)-1]
	isContent := s.o.Content.Filter.Match(file) || generator.HasPageExt(file)
	if !isContent || path.IsAbs(file) || strings.HasPrefix(file, "../") || path.Ext(file) == ".html" {
		return false
	}
	e.Source, e.IsMissing = s.o.Content.DisplayName(file), true
	renamed := s.explainRemoval(ctx, e, file)
	out, _, ok := s.World.Mapping.OutputFile(file, &page.Facts{})
	if !ok || s.o.Pages == nil {
		return true
	}
	index, below := s.World.Facts.Parts.FindByFile(out)
	part := &s.World.Parts[index]
	_, e.URL, _ = part.Base.FileURL(part.Style, below)
	p := s.pageAtPath(out)
	switch {
	case p == nil:
		s.explainURLWithoutPage(e, part, part.Style.URLPath(below))
		if renamed != nil && renamed.Listed() && e.Next != "" {
			e.Similar, e.Next = nil, "redirect it to "+renamed.Loc+"; sitewalk diff prints the line"
		}
	case p.Content == nil && p.Listed():
		e.URL, e.File = p.Loc, s.World.Pos(p).File
		e.Next = "an earlier build left " + e.File + ": delete " + cmp.Or(s.o.Pages.Name, "the built site") + " and build again"
	case p.Content == nil:
		e.Source = ""
		s.explainPage(ctx, e, p)
		e.Pairing = strings.TrimSuffix(s.o.Content.DisplayName(file)+" does not exist: "+e.Removed, ": ")
	default:
		s.explainPage(ctx, e, p)
	}
	return true
}

// explainRemoval sets e.Removed to text about the commit that deleted or renamed file, a path in
// the content tree. If git has no such commit, e.Removed stays unchanged. If the commit renamed the
// file, renamed is the page of the file with the new name, or nil if there is no such page.
func (s *Explainer) explainRemoval(ctx context.Context, e *Explanation, file string) (renamed *site.Page) {
	removal := s.World.FindRemoval(ctx, file)
	if removal.Commit == "" {
		return nil
	}
	at := fmt.Sprintf("commit %s of %s", removal.Commit, removal.Date.DayOnly())
	if removal.NewName == "" {
		e.Removed = at + " deleted it"
		return nil
	}
	for p := range s.FilePages() {
		if p.Content != nil && s.o.Content.Path(p.Content.File) == removal.NewName {
			e.Removed = at + " renamed it to " + s.World.ContentPos(p).File
			return p
		}
	}
	e.Removed = at + " renamed it to " + filepath.Base(removal.NewName)
	return nil
}
