package audit

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/engine"
	"github.com/sitewalk/sitewalk/internal/explain"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/llms"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/walker"
)

// A MarkdownCopyCollector collects the links to Markdown copies and to llms.txt files from the
// heads of pages, while the pages are read. It is safe for concurrent use.
type MarkdownCopyCollector struct {
	mu    sync.Mutex
	heads map[string]copyHead // by file of the page; only pages with such links
}

// A copyHead contains the links to Markdown copies and to llms.txt files in the head of one page.
// The addresses are as the page writes them.
type copyHead struct {
	base         string   // address of the base element; "" without one
	copies       []string // addresses of links with type="text/markdown"
	descriptions []string // addresses of links with rel="describedby"
}

// CollectPage stores the links to Markdown copies and llms.txt files of one page. It can be used as
// facts.Options.Bodies.
func (c *MarkdownCopyCollector) CollectPage(_ int, b facts.Body) {
	if !bytes.Contains(b.Src, []byte("text/markdown")) && !bytes.Contains(b.Src, []byte(llms.Name)) {
		return
	}
	var heads page.Heads
	var h copyHead
	heads.Find(b.Src, func(kind page.HeadKind, value []byte, _ int) {
		switch kind {
		case page.HeadBase:
			h.base = string(value)
		case page.HeadCopy:
			h.copies = append(h.copies, string(value))
		case page.HeadDescribedBy:
			h.descriptions = append(h.descriptions, string(value))
		}
	})
	if len(h.copies)+len(h.descriptions) > 0 {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.heads[b.File] = h
	}
}

// A copyChecker compares the Markdown files of a site with its pages. A Markdown file with the text
// of a page, written for language models, is called the copy of that page.
type copyChecker struct {
	*MarkdownCopyCollector
	res       *site.Result
	tree      *facts.Tree
	found     *diag.Report
	pageLists *mapping.Rules          // rules that match the URL paths of lists of other pages, such as tags
	copies    map[string]*site.Page   // page of each Markdown file, by file; nil if no page was found
	sections  map[string]*copySection // by name of the section, as llms.SectionKey returns it
}

// A copySection contains the listed pages of one section that have no copy. A section is a top
// folder of the site, such as "/blog".
type copySection struct {
	hasCopies bool         // at least one page of the section has a copy
	without   []*site.Page // listed pages without a copy
}

// Check adds findings about three mistakes: copies whose page is gone or hidden; pages without a
// copy, if other pages of their section have one; and pages that name a wrong llms.txt. Rules in
// pageLists match the URL paths of lists of other pages, which need no copy.
func (c *MarkdownCopyCollector) Check(ctx context.Context, res *site.Result, tree *facts.Tree, pageLists *mapping.Rules, found *diag.Report) error {
	j := &copyChecker{
		MarkdownCopyCollector: c, res: res, tree: tree, found: found, pageLists: pageLists,
		copies: map[string]*site.Page{}, sections: map[string]*copySection{},
	}
	if err := j.findMarkdown(ctx); err != nil {
		return err
	}
	for r := range res.FilePages() {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		j.matchPage(r)
	}
	j.reportStrayCopies()
	j.reportMissingCopies()
	j.checkDescribedBy(ctx)
	return ctx.Err()
}

// findMarkdown adds all Markdown files of the site to c.copies, with nil as their page.
func (c *copyChecker) findMarkdown(ctx context.Context) error {
	only, err := walker.NewFilter([]string{"**/*.md"}, nil)
	if err != nil {
		return err
	}
	var mu sync.Mutex
	_, err = c.tree.Files.Walk(ctx, walker.Options{Filter: only}, func(_ int, f *walker.File) {
		mu.Lock()
		defer mu.Unlock()
		c.copies[f.Path] = nil
	})
	return err
}

// matchPage sets r as the page of its Markdown copies in c.copies. It skips copies that belong to
// another listed page. If r is listed, matchPage also records in c.sections whether r has a copy. A
// list of other pages, such as the posts with one tag, needs no copy.
func (c *copyChecker) matchPage(r *site.Page) {
	part, head := c.res.World.PartOf(r), c.heads[r.Facts.File]
	names := engine.MarkdownCopyNames(r.Facts.File)
	for _, address := range head.copies {
		if name := engine.ResolveMarkdownCopy(part, r.Facts, address, head.base); name != "" {
			names = append(names, name)
		}
	}
	hasCopy := false
	for _, name := range names {
		if of, is := c.copies[name]; is && (of == nil || !of.Listed()) {
			c.copies[name] = r
		}
		hasCopy = hasCopy || engine.MarkdownCopyExists(c.tree, name)
	}
	if !r.Listed() {
		return
	}
	section := llms.SectionKey(part.Base.String(), r.Entry.Loc)
	s := c.sections[section]
	if s == nil {
		s = &copySection{}
		c.sections[section] = s
	}
	s.hasCopies = s.hasCopies || hasCopy
	if !hasCopy && c.pageLists.FirstMatch(c.res.World.URLPath(r)) < 0 {
		s.without = append(s.without, r)
	}
}

// reportStrayCopies reports Markdown copies whose page is redirected, hidden from search engines or
// gone. A Markdown file without a page counts as the copy of a page that is gone if its folder
// contains copies of other pages. Files in capitals, such as README.md, do not count.
func (c *copyChecker) reportStrayCopies() {
	folders := map[string]bool{}
	for name, r := range c.copies {
		folders[path.Dir(name)] = folders[path.Dir(name)] || r != nil
	}
	for _, name := range slices.Sorted(maps.Keys(c.copies)) {
		r, base := c.copies[name], strings.TrimSuffix(path.Base(name), ".md")
		why := ""
		switch {
		case r == nil && folders[path.Dir(name)] && base != strings.ToUpper(base):
			why = "is gone"
		case r != nil && r.Reason().Has(page.Withheld):
			why = "is left out: " + r.Reason().String()
		}
		if why == "" {
			continue
		}
		d := diag.Warnf(diag.Pos{File: c.tree.DisplayName(name)}, "llms-stray-copy", "delete the copy, or let the page be listed",
			"the page of the Markdown copy %s", why).About(name).Because(why)
		if r != nil && r.Reason() == page.NoIndex {
			d.Severity = diag.Note // intended, for example, for a development version
		}
		c.found.Add(d)
	}
}

// reportMissingCopies adds one finding for each section in which some listed pages have a copy and
// others do not.
func (c *copyChecker) reportMissingCopies() {
	for _, name := range slices.Sorted(maps.Keys(c.sections)) {
		s := c.sections[name]
		if !s.hasCopies || len(s.without) == 0 {
			continue
		}
		pos := c.res.World.Pos(s.without[0])
		d := diag.Notef(pos, "llms-missing-copy", "let the generator write it", "the page has no Markdown copy, and others of %s/ have one%s",
			name, formatMore(s.without[1:], func(r *site.Page) string { return c.res.World.Pos(r).File })).About(name + "/")
		d.Anywhere = true
		addWithPlaces(c.found, d, s.without[1:], c.res.World.Pos)
	}
}

// formatMore returns text that ends a finding, such as "; also on 3 more pages, such as a.html".
// name returns the name of an item, such as its file. The result is "" if more is empty.
func formatMore[T any](more []T, name func(T) string) string {
	if len(more) == 0 {
		return ""
	}
	return fmt.Sprintf("; also on %s, such as %s", diag.Count(len(more), "more page"), name(more[0]))
}

// checkDescribedBy checks the llms.txt files that listed pages name with rel="describedby". It
// reports an llms.txt that does not exist or does not cover the page. An llms.txt covers the pages
// in and below its folder.
// See https://llmstxt.org/changes.html.
func (c *copyChecker) checkDescribedBy(ctx context.Context) {
	answers, wrong := explain.New(c.res), map[string][]*site.Page{}
	for r := range c.res.FilePages() {
		part, head := c.res.World.PartOf(r), c.heads[r.Facts.File]
		for _, address := range head.descriptions {
			loc, err := part.Base.Resolve(address, r.Facts.FileLoc, head.base)
			folder, is := strings.CutSuffix(loc, llms.Name)
			if err != nil || !r.Listed() || !is || !strings.HasSuffix(folder, "/") {
				continue
			}
			a := answers.AnswerRequest(ctx, loc)
			switch {
			case a.Status != 0 && a.Status != http.StatusOK:
				wrong[loc+" does not exist"] = append(wrong[loc+" does not exist"], r)
			case a.Status != 0 && !strings.HasPrefix(r.Entry.Loc, folder):
				wrong[loc+" covers only the pages below its folder"] = append(wrong[loc+" covers only the pages below its folder"], r)
			}
		}
	}
	for _, why := range slices.Sorted(maps.Keys(wrong)) {
		on := wrong[why]
		d := diag.Warnf(c.res.World.Pos(on[0]), "llms-describedby", `name the llms.txt of the page's folder or of one above it`,
			`rel="describedby": %s%s`, why, formatMore(on[1:], func(r *site.Page) string { return c.res.World.Pos(r).File })).About(why)
		d.Anywhere = true
		addWithPlaces(c.found, d, on[1:], c.res.World.Pos)
	}
}
