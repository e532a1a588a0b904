package facts

import (
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/frontmatter"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
	"github.com/sitewalk/sitewalk/walker"
)

// A Content contains the facts of one content file. It is immutable. Most content files have only a
// title and dates. To save memory, the field Facts is nil for these files.
type Content struct {
	File    string       // path in the content tree
	LastMod sitemap.Date // date of the last change, by the front matter
	Date    sitemap.Date // date of creation, by the front matter or the file name
	Facts   *page.Facts  // nil if the file has only a title and dates
	By      *Keys        // front matter keys of LastMod and Date
	Title   string       // only if Options.Page requests titles, or Options.Front needs the title for the URL
	Front   bool         // the file has front matter
}

// Keys contains the names of the front matter keys from which LastMod and Date of a Content were
// read. Most content files of a site share one Keys.
type Keys struct{ LastMod, Date string }

// needsFullFacts reports whether Content.Facts must be set, because f contains facts for which
// Content has no other field.
func needsFullFacts(f *page.Facts) bool {
	return f.Permalink != "" || f.Slug != "" || f.Lang != "" || f.ID != "" || len(f.Skips)+len(f.Aliases)+len(f.Categories)+len(f.Cascades)+len(f.CascadeKeys)+len(f.Diags) > 0 ||
		f.Summary != "" || f.TranslationKey != "" || f.Refresh != "" ||
		f.Dates != (page.Dates{}) || !f.URL.HasOnlyLocAndLastMod()
}

// AllFacts returns all facts of a content file. If src.Facts is nil, it stores them in *buffer and
// returns buffer.
func (src *Content) AllFacts(buffer *page.Facts) *page.Facts {
	if src.Facts != nil {
		return src.Facts
	}
	*buffer = page.Facts{
		URL: sitemap.URL{LastMod: src.LastMod}, LastModBy: src.By.LastMod,
		Date: src.Date, DateBy: src.By.Date, Title: src.Title,
	}
	return buffer
}

// A contentLearner reads the facts of content files. It must be used by one goroutine only.
type contentLearner struct {
	s      *Set
	reader *frontmatter.Reader
	facts  page.Facts
	by     *Keys // keys of the previous file, shared if the next file has the same
}

func (s *Set) newContentLearner() *contentLearner {
	l := &contentLearner{s: s, by: new(Keys)}
	l.reader = frontmatter.NewReader(s.o.Front)
	return l
}

// learnContent returns the facts in the front matter of the content file f. If the file cannot be
// read, the facts contain the reason page.Unreadable and a finding. Without Options.Remember, the
// findings are not in the facts, but in Set.Findings.
func (c *contentLearner) learnContent(f *walker.File) *Content {
	src := &Content{File: f.Path}
	var err error
	if src.Front, err = c.reader.Read(f, f.Path, &c.facts); err != nil {
		c.facts.Skips.Add(page.Unreadable, diag.Pos{}, "")
		c.facts.Diags = newUnreadableFinding(err)
	}
	c.sanitizePermalinkAndSlug(&c.facts)
	c.facts.Diags = setDisplayNames(c.s.o.Content, f.Path, c.facts.Diags)
	if !c.s.o.Remember {
		c.s.Findings.Add(c.facts.Diags...)
		c.facts.Diags = nil
	}
	c.storeFacts(src, &c.facts)
	return src
}

// storeFacts stores the facts f in src. It drops the language, unless the URL may contain the
// language, or the file names its translations.
func (c *contentLearner) storeFacts(src *Content, f *page.Facts) {
	if f.TranslationKey == "" && len(f.URL.Alternates) == 0 && !c.s.o.Front.LangInURL {
		f.Lang = "" // the language follows from the name of the file or folder
	}
	if f.LastModBy != c.by.LastMod || f.DateBy != c.by.Date {
		c.by = &Keys{f.LastModBy, f.DateBy}
	}
	src.Title, src.LastMod, src.Date, src.By = f.Title, f.URL.LastMod, f.Date, c.by
	if needsFullFacts(f) {
		facts := *f
		src.Facts = &facts
	}
}

// sanitizePermalinkAndSlug checks the front matter keys permalink and slug for URLs. It replaces a
// permalink below the base URL with its path. It reports any other URL, empties the key, and leaves
// the page out.
func (c *contentLearner) sanitizePermalinkAndSlug(f *page.Facts) {
	base := c.s.Parts[0].Base
	for _, at := range []*string{&f.Permalink, &f.Slug} {
		if !hasSchemeOrHost(*at) {
			continue
		}
		loc, _ := base.Resolve(*at, base.String(), "")
		if urlPath, below := base.Path(base.WithOwnScheme(loc)); below && at == &f.Permalink {
			*at = urlPath
			continue
		}
		f.Diags.Warnf(diag.Pos{}, "bad-url", "write a path, as in /about/; a rule with url gives a page another address of the site",
			"the front matter gives the page the address %q, which is not below %s; the page is left out", *at, base)
		f.Skips.Add(page.InvalidURL, diag.Pos{}, *at)
		*at = ""
	}
}

// hasSchemeOrHost reports whether ref is a URL and not a path. A URL begins with "//" or with one
// of five frequent schemes, such as "mailto:", or contains "://".
func hasSchemeOrHost(ref string) bool {
	ref = strings.ToLower(strings.TrimSpace(ref))
	if strings.HasPrefix(ref, "//") || strings.Contains(ref, "://") {
		return true
	}
	switch scheme, _, ok := strings.Cut(ref, ":"); scheme {
	case "javascript", "mailto", "data", "http", "https":
		return ok
	}
	return false
}
