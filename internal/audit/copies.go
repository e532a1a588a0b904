package audit

import (
	"bytes"
	"context"
	"maps"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/engine"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/llms"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/walker"
)

// A copyCollector collects the links to Markdown copies and to llms.txt files from the heads of
// pages, while the pages are read.
type copyCollector struct {
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

// CollectPage stores the links to Markdown copies and llms.txt files of one page.
func (c *copyCollector) CollectPage(b facts.Body) {
	if !bytes.Contains(b.Src, []byte("text/markdown")) && !bytes.Contains(b.Src, []byte(llms.Name)) {
		return
	}
	var heads page.Heads
	var h copyHead
	heads.Find(b.Src, func(kind page.HeadKind, value []byte, _ int) {
		switch kind {
		case page.HeadBase:
			h.base = string(value)
		case page.HeadMarkdown:
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
	*CheckRun
	heads    map[string]copyHead     // links of each page, by file of the page; only pages with such links
	tree     *facts.Tree             // files in the publish directory
	copies   map[string]*site.Page   // page of each Markdown file, by file; nil if no page was found
	sections map[string]*copySection // by name of the section, as llms.SectionKey returns it
}

// A copySection records which listed pages of one section have no Markdown copy. A section is a top
// folder of the site, such as "/blog", or the pages at the root.
type copySection struct {
	hasCopies bool         // at least one listed page of the section has a copy
	without   []*site.Page // listed pages without a copy, except lists of pages; see isListOfPages
}

// Report adds findings about three mistakes: copies whose page is gone or hidden; pages without a
// copy, if other pages of their section have one; and pages that name a wrong llms.txt.
func (c *copyCollector) Report(ctx context.Context, run *CheckRun) error {
	j := &copyChecker{CheckRun: run, heads: c.heads, tree: run.Settings.Site.Pages, copies: map[string]*site.Page{}, sections: map[string]*copySection{}}
	if err := j.findMarkdown(ctx); err != nil {
		return err
	}
	for p := range run.Result.FilePages() {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		j.matchPage(p)
	}
	j.reportStrayCopies()
	j.reportMissingCopies()
	j.checkDescribedByLLMS(ctx)
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

// matchPage sets p as the page of its Markdown copies in c.copies. It skips copies that belong to
// another listed page. If p is listed, matchPage also records in c.sections whether p has a copy. A
// list of other pages, such as the posts with one tag, needs no copy.
func (c *copyChecker) matchPage(p *site.Page) {
	part, head := c.Result.World.PartOf(p), c.heads[p.Facts.File]
	names := engine.MarkdownCopyNames(p.Facts.File)
	for _, address := range head.copies {
		if name := engine.ResolveMarkdownCopy(part, p.Facts, address, head.base); name != "" {
			names = append(names, name)
		}
	}
	hasCopy := false
	for _, name := range names {
		if of, is := c.copies[name]; is && (of == nil || !of.Listed()) {
			c.copies[name] = p
		}
		hasCopy = hasCopy || engine.MarkdownCopyExists(c.tree, name)
	}
	if !p.Listed() {
		return
	}
	section := llms.SectionKey(part.Base.String(), p.Loc)
	s := c.sections[section]
	if s == nil {
		s = &copySection{}
		c.sections[section] = s
	}
	s.hasCopies = s.hasCopies || hasCopy
	if !hasCopy && !c.isListOfPages(p) {
		s.without = append(s.without, p)
	}
}

// reportStrayCopies reports Markdown copies whose page is gone, or is left out for a reason with
// the trait page.Withheld, such as a redirect or a noindex. A Markdown file without a page counts
// as the copy of a page that is gone if its folder contains copies of other pages. Files in
// capitals, such as README.md, do not count.
func (c *copyChecker) reportStrayCopies() {
	folders := map[string]bool{}
	for name, p := range c.copies {
		folders[path.Dir(name)] = folders[path.Dir(name)] || p != nil
	}
	for _, name := range slices.Sorted(maps.Keys(c.copies)) {
		p, base := c.copies[name], strings.TrimSuffix(path.Base(name), ".md")
		why := ""
		switch {
		case p == nil && folders[path.Dir(name)] && base != strings.ToUpper(base):
			why = "is gone"
		case p != nil && p.Reason().Has(page.Withheld):
			why = "is left out: " + p.Reason().String()
		}
		if why == "" {
			continue
		}
		d := diag.Warnf(diag.Pos{File: c.tree.DisplayName(name)}, "llms-stray-copy", "delete the copy, or let the page be listed",
			"the page of the Markdown copy %s", why).About(name).Because(why)
		if p != nil && p.Reason() == page.NoIndex {
			d.Severity = diag.Note // intended, for example, for a development version
		}
		c.Findings.Add(d)
	}
}

// reportMissingCopies adds one finding for each section in which some listed pages have a copy and
// others do not.
func (c *copyChecker) reportMissingCopies() {
	var shared []diag.Diagnostic
	for _, name := range slices.Sorted(maps.Keys(c.sections)) {
		s := c.sections[name]
		if !s.hasCopies {
			continue
		}
		for _, p := range s.without {
			shared = append(shared, diag.Notef(c.Result.World.Pos(p), "llms-missing-copy", "let the generator write it",
				"the page has no Markdown copy, and others of %s/ have one", name).About(name+"/"))
		}
	}
	addShared(c.Findings, shared)
}

// checkDescribedByLLMS checks the llms.txt files that listed pages name with rel="describedby". It
// reports an llms.txt that does not exist or does not cover the page. An llms.txt covers the pages
// in and below its folder.
// See https://llmstxt.org/changes.html.
func (c *copyChecker) checkDescribedByLLMS(ctx context.Context) {
	var shared []diag.Diagnostic
	for p := range c.Result.FilePages() {
		part, head := c.Result.World.PartOf(p), c.heads[p.Facts.File]
		for _, address := range head.descriptions {
			loc, err := part.Base.Resolve(address, p.Facts.FileLoc, head.base)
			folder, is := strings.CutSuffix(loc, llms.Name)
			if err != nil || !p.Listed() || !is || !strings.HasSuffix(folder, "/") {
				continue
			}
			a := c.explainer.PredictResponse(ctx, loc)
			why := ""
			switch {
			case a.Status != 0 && a.Status != http.StatusOK:
				why = loc + " does not exist"
			case a.Status != 0 && !strings.HasPrefix(p.Loc, folder):
				why = loc + " covers only the pages below its folder"
			default:
				continue
			}
			shared = append(shared, diag.Warnf(c.Result.World.Pos(p), "llms-describedby", `name the llms.txt of the page's folder or of one above it`,
				`rel="describedby": %s`, why).About(why))
		}
	}
	addShared(c.Findings, shared)
}
