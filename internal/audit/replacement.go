package audit

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/internal/explain"
	"github.com/sitewalk/sitewalk/internal/fetch"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// suggestReplacements finds the page that probably replaces each lost URL, and stores the URL of
// this page and a redirect line in the change. It skips a lost URL with no candidate or with
// several.
func (c *comparison) suggestReplacements() {
	if c.Site == nil {
		return
	}
	if c.Site.ReadPages != nil {
		var lost, added []*datedURL
		for i := range c.out.List {
			if u := c.lost[c.out.List[i].URL]; u != nil {
				lost = append(lost, u)
			}
		}
		for _, j := range c.added {
			added = append(added, &c.New[j])
		}
		c.Site.ReadPages(lost, added)
	}
	traits := c.newTraits()
	for i := range c.out.List {
		change := &c.out.List[i]
		if change.Class != Lost {
			continue
		}
		if to, how := c.findReplacement(change.URL, traits); to != "" {
			change.To, change.Reason = to, change.Reason+"; "+strings.ReplaceAll(how, "URL", mapping.PathOf(to))
			change.Fix, change.FixFile = c.Site.RedirectLine(change.URL, to)
		}
	}
}

// A trait is a property of a page that usually stays the same when the page gets a new URL, such as
// its title.
type trait struct {
	// value returns the value of the trait for one page, or "" if the page has none.
	value func(*datedURL) string
	// text is the reason to show to the user. "URL" in text is replaced by the path of the new
	// page.
	text string
	new  map[string][]string // added URLs by value of the trait; only values that lost URLs have
	lost map[string]int      // number of lost URLs by value
}

// newTraits returns all traits, the most reliable first. Each contains the values that occur in the
// added and lost pages.
func (c *comparison) newTraits() []trait {
	all := []trait{
		{value: func(u *datedURL) string { return u.Fingerprint }, text: "the same content is now at URL"},
		{value: func(u *datedURL) string { return mapping.SpellingKey(u.Loc) }, text: "it is now spelt URL"},
		{value: pageSlug, text: "a new page has the same name"},
		{value: func(u *datedURL) string { return u.Title }, text: "a new page has the same title"},
	}
	for i := range all {
		all[i].countValues(c)
	}
	return all
}

// countValues sets t.new and t.lost from the added and lost URLs of c. It skips URLs without a
// value.
func (t *trait) countValues(c *comparison) {
	t.new, t.lost = map[string][]string{}, map[string]int{}
	for _, u := range c.lost {
		if k := t.value(u); k != "" {
			t.lost[k]++
		}
	}
	for _, j := range c.added {
		u := &c.New[j]
		if k := t.value(u); t.lost[k] > 0 {
			t.new[k] = append(t.new[k], u.Loc)
		}
	}
}

// findReplacement returns the URL of the page that replaces the lost URL loc, and the reason as
// text for the user. It prefers a page that names loc as an alias. Otherwise it uses the first of
// the traits whose value an added page shares with loc. Both results are "" if no page fits, if
// several pages name loc as an alias, or if several added or lost pages share that value.
func (c *comparison) findReplacement(loc string, traits []trait) (to, how string) {
	switch all := c.Site.Aliases(loc); len(all) {
	case 0:
	case 1:
		return all[0], "a page names it as its further address"
	default:
		return "", ""
	}
	for _, t := range traits {
		k := t.value(c.lost[loc])
		switch n := len(t.new[k]); {
		case n == 1 && t.lost[k] == 1:
			return t.new[k][0], t.text
		case n > 0:
			return "", ""
		}
	}
	return "", ""
}

// pageSlug returns the last element of a URL path, in lower case and without ".html": "b-c" for
// "https://example.com/a/B-c.html". A page that moves to another folder usually keeps this element.
// pageSlug returns "" for "index", for a number or date, and for an element of less than three
// bytes.
func pageSlug(u *datedURL) string {
	urlPath, _, _ := strings.Cut(mapping.PathOf(u.Loc), "?")
	_, name := splitAndNormalizeName(urlPath)
	if len(name) < 3 || name == "index" || strings.Trim(name, "0123456789-_.") == "" {
		return ""
	}
	return name
}

// Limits for reading pages to find out where lost pages went.
const (
	maxLostPages  = 20               // lost pages to request from the live site
	maxAddedPages = 1000             // added pages to compare with the lost pages
	maxLostTime   = 20 * time.Second // time limit for all requests
)

// readTitlesAndFingerprints requests the first maxLostPages lost pages from the live site, and sets
// their titles and fingerprints. It stops requesting after the first request that fails. If the
// live site still serves one of these pages, it also reads the first maxAddedPages added pages.
// list is the URL of the live sitemap.
func (d *DiffRun) readTitlesAndFingerprints(ctx context.Context, list string, lost, added []*datedURL) {
	from, err := url.Parse(list)
	if err != nil || len(lost) == 0 || len(added) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, maxLostTime)
	defer cancel()
	o := d.Settings.Site.Page
	o.ContentHash, o.Titles = true, true
	secret, _ := d.o.secretFor(list)
	fetchOptions := fetch.Options{Secret: secret, Accept: "text/html", Timeout: d.o.Timeout, Client: d.o.Client, Named: d.Settings.BaseURLs()}
	reader, found := page.NewReader(o), false
	for _, u := range lost[:min(len(lost), maxLostPages)] {
		f, err := fetchFacts(ctx, fetch.Referrer{URL: from}, u.Loc, fetchOptions, reader)
		if err != nil {
			break
		}
		if f.Fingerprint != "" {
			u.Title, u.Fingerprint, found = f.Title, f.Fingerprint, true
		}
	}
	if !found {
		return
	}
	var src []byte
	for _, u := range added[:min(len(added), maxAddedPages)] {
		if i, ok := d.Result.List.Find(u.Loc); ok && d.Result.List[i].File() != "" {
			src, _ = d.Settings.Site.Pages.Read(ctx, d.Result.List[i].File(), src)
			var f page.Facts
			reader.ReadBytes(src, &f)
			u.Title, u.Fingerprint = f.Title, f.Fingerprint
		}
	}
}

// fetchFacts requests the page at loc, and returns its facts. The facts are empty if the status of
// the response is not 200.
func fetchFacts(ctx context.Context, from fetch.Referrer, loc string, o fetch.Options, reader *page.Reader) (f page.Facts, err error) {
	reply, err := from.RequestOnce(ctx, loc, o)
	if err != nil {
		return f, err
	}
	defer reply.Close()
	if reply.Status == http.StatusOK {
		err = reader.ReadHTML(reply, &f)
	}
	return f, err
}

// redirectLine returns text that redirects oldLoc to newLoc, and the file for the text. The text is
// the first of these that is possible: a line in the redirect file of the host, a line in the
// redirect map of the generator, an alias in the front matter of the new page, or an HTML page in
// the static folder. Both results are "" if none is possible.
func (d *DiffRun) redirectLine(ctx context.Context, a *explain.Explainer, oldLoc, newLoc string) (lines, file string) {
	site := &d.Settings.Site
	fromPath, ok := site.Base.Path(oldLoc)
	if !ok {
		return "", ""
	}
	toPath, below := site.Base.Path(newLoc)
	if !below {
		toPath = newLoc
	}
	lines, file, isPublished := site.Hosting.RedirectLine(fromPath, toPath)
	if lines != "" && isPublished {
		hint := strings.ReplaceAll(d.Settings.Static.RedirectsHint, "_redirects", file)
		return lines, strings.TrimSuffix(path.Join(d.Settings.Static.Dir, file)+", "+hint, ", ")
	}
	if lines != "" {
		return lines, file
	}
	source, key := a.PredictResponse(ctx, newLoc).Source, site.Mapping.AliasKey
	if site.Mapping.RedirectMap != "" && source != "" {
		newFile, _ := site.Content.FindByDisplayName(source)
		return strings.TrimSuffix(strings.Trim(fromPath, "/"), ".html") + ".md: " + newFile, site.Mapping.RedirectMap
	}
	if key == "" || source == "" {
		return d.redirectPage(fromPath, newLoc)
	}
	dir, name := filepath.Split(d.o.filePath(source))
	text, _ := files.ReadHead(dir, name, 16) // an unreadable file counts as YAML
	return aliasLine(key, fromPath, strings.TrimPrefix(string(text), "\ufeff")), source
}

// redirectPage returns an HTML page that redirects the URL path oldPath to the URL newLoc. file is
// the path for the page in the static folder, for a message. If the generator needs a setting for
// this file, static.PageHint follows the path after a comma. Both results are "" if there is no
// such folder, if the host is unknown, or if a URL contains quotes, spaces or other special
// characters of HTML.
func (d *DiffRun) redirectPage(oldPath, newLoc string) (page, file string) {
	static, host := d.Settings.Static, d.Settings.Site.Hosting
	if static.Dir == "" || !host.IsKnown() || strings.ContainsAny(oldPath+newLoc, "\"'&<> ") {
		return "", ""
	}
	name := strings.TrimPrefix(oldPath, "/")
	switch {
	case strings.HasSuffix(oldPath, "/"):
		name += "index.html"
	case path.Ext(oldPath) == "":
		name += ".html"
	}
	if sitemap.HostOf(newLoc) == d.Settings.Site.Base.Host() {
		newLoc = mapping.PathOf(newLoc)
	}
	page = `<!doctype html><title>Moved</title><meta http-equiv="refresh" content="0; url=` + newLoc + `">`
	return page, strings.TrimSuffix(path.Join(static.Dir, name)+", "+strings.Replace(static.PageHint, "PATH", name, 1), ", ")
}

// aliasLine returns a line of front matter that sets key to a list with alias. The line is TOML,
// JSON or YAML, depending on begin, the first bytes of the content file. alias must not contain the
// path of the base URL, because generators add that path.
func aliasLine(key, alias, begin string) string {
	quoted, _ := json.Marshal(alias)
	switch {
	case strings.HasPrefix(begin, "+++"):
		return key + " = [" + string(quoted) + "]"
	case strings.HasPrefix(begin, "{"):
		return `"` + key + `": [` + string(quoted) + "],"
	}
	return key + ": [" + string(quoted) + "]"
}
