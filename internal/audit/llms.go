package audit

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/explain"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/fetch"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/llms"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
)

const (
	maxLLMS      = 16 << 20 // maximum size of one llms.txt in bytes
	maxLLMSFiles = 100      // maximum number of llms.txt files to check for one host
)

// isLLMS reports whether the last element of name is "llms.txt".
func isLLMS(name string) bool { return filepath.Base(name) == llms.Name }

// checkSingleLLMS checks the llms.txt at target, a file or URL, without its site. secret is the
// request header for a protected site, or nil.
func (c *CheckRun) checkSingleLLMS(ctx context.Context, target string, secret *fetch.Secret) error {
	j := llmsChecker{CheckRun: c, name: c.displayName(c.o.filePath(target))}
	if fetch.IsURL(target) {
		j.name, j.loc = fetch.WithoutPassword(target), target
		j.base, _ = mapping.ParseBase(target[:strings.LastIndexByte(target, '/')+1])
	}
	text, err := c.readLLMS(ctx, target, secret)
	if err != nil {
		return fmt.Errorf("%s: %w", j.name, diag.Cause(err))
	}
	c.Sitemaps = append(c.Sitemaps, j.name)
	c.URLs = j.check(ctx, text)
	return ctx.Err()
}

// readLLMS returns the content of target, a file or URL. A file of more than maxLLMS bytes is an
// error. For a URL, readLLMS returns only the first maxLLMS bytes of the response.
func (c *CheckRun) readLLMS(ctx context.Context, target string, secret *fetch.Secret) ([]byte, error) {
	if !fetch.IsURL(target) {
		return files.Read(c.o.filePath(target), maxLLMS)
	}
	body, err := fetch.Referrer{}.Open(ctx, target, fetch.Options{Secret: secret, Timeout: c.o.Timeout, Client: c.o.Client, Named: []string{target}})
	if err != nil {
		return nil, err
	}
	defer body.Close()
	return io.ReadAll(io.LimitReader(body, maxLLMS))
}

// checkLLMSFiles checks the llms.txt files of a built site. They are in the publish directory, in
// the folders of languages, and in folders that other hosts serve. checkLLMSFiles also checks the
// llms.txt files that these files link to.
func (c *CheckRun) checkLLMSFiles(ctx context.Context) {
	s := c.Settings
	for i, w := range s.Outputs() {
		dir, base, names := cmp.Or(w.Publish, w.Dir), c.Result.World.Parts[i].Base, []string{llms.Name}
		if i == 0 {
			names = append(names, c.languageLLMSFiles()...)
		}
		done := map[string]bool{}
		for len(names) > 0 && len(done) < maxLLMSFiles && ctx.Err() == nil {
			name := names[0]
			if names = names[1:]; done[name] || dir == "" || !filepath.IsLocal(filepath.FromSlash(name)) {
				continue
			}
			done[name] = true
			names = append(names, c.checkLLMSFile(ctx, base, dir, name)...)
		}
	}
}

// languageLLMSFiles returns the paths of llms.txt in the folders of languages, such as
// "de/llms.txt". It skips the folders that another host serves. The files may not exist.
func (c *CheckRun) languageLLMSFiles() (names []string) {
	for _, l := range c.Settings.Site.Languages {
		elsewhere := slices.ContainsFunc(c.Settings.Site.Sites, func(p facts.Part) bool { return strings.HasPrefix(l.Dir+"/", p.Dir+"/") })
		if !elsewhere {
			names = append(names, path.Join(l.Dir, llms.Name))
		}
	}
	return names
}

// checkLLMSFile checks the llms.txt called name, a path in the folder dir. The folder is served at
// base. checkLLMSFile does nothing if the file does not exist. more are the paths of other llms.txt
// files that the file links to, relative to base.
func (c *CheckRun) checkLLMSFile(ctx context.Context, base mapping.Base, dir, name string) (more []string) {
	file := filepath.Join(dir, filepath.FromSlash(name))
	if !files.IsRegular(file) {
		return nil
	}
	text, err := files.Read(file, maxLLMS)
	if !files.IsInProject(dir, file) {
		err = files.ErrOutside
	}
	if err != nil {
		c.Findings.Add(diag.Errorf(diag.Pos{File: c.displayName(file)}, "bad-file", "make it readable, and shorter", "the file cannot be read: %v", diag.Cause(err)).About(name))
		return nil
	}
	loc, err := base.Loc("/" + name)
	if err != nil {
		return nil
	}
	j := llmsChecker{CheckRun: c, name: c.displayName(file), loc: loc, base: base}
	j.check(ctx, text)
	for _, loc := range j.others {
		if urlPath, ok := base.Path(loc); ok {
			more = append(more, strings.TrimPrefix(urlPath, "/"))
		}
	}
	return more
}

// An llmsChecker checks one llms.txt, written by any tool.
type llmsChecker struct {
	*CheckRun              // its explainer is nil if the file is checked without its site
	name      string       // name or URL of the file as the user would type it
	loc       string       // URL of the file; "" if unknown
	base      mapping.Base // base URL of the site, or the folder of loc if the file is checked without its site; empty if unknown

	items map[string]llms.Link // list items by URL and fragment, to find duplicates
	// others are the URLs of other llms.txt files that this file links to, in the order of the
	// links.
	others []string
}

// check checks an llms.txt with the content text. It sets j.others, and returns the number of
// links.
func (j *llmsChecker) check(ctx context.Context, text []byte) (links int) {
	file := llms.Parse(text)
	j.checkHead(file)
	j.items = map[string]llms.Link{}
	for _, s := range file.Sections {
		for _, l := range s.Links {
			if ctx.Err() != nil {
				return links
			}
			links++
			j.checkLink(ctx, l)
		}
	}
	return links
}

// checkHead reports a missing title. If there is a title, it reports a missing summary.
func (j *llmsChecker) checkHead(file *llms.File) {
	at := diag.Pos{File: j.name, Line: 1}
	switch {
	case file.Title == "":
		j.Findings.Add(diag.Errorf(at, "llms-untitled", `begin the file with a line such as "# Example"`,
			"the file has no title, a heading of level 1, which the format requires").About(j.name))
	case file.Summary == "":
		j.Findings.Add(diag.Notef(at, "llms-no-summary", `write a line such as "> What the site is about" below the title; sitewalk build takes it from output.llms.summary or from the description of the home page`,
			"the file has no summary, a block quote below the title").About(j.name))
	}
}

// addFinding adds a finding about the link l. Findings with the same code and the same cause are
// printed as a group.
func (j *llmsChecker) addFinding(d diag.Diagnostic, l llms.Link, cause string) {
	d.Pos = j.linkPos(l)
	j.Findings.Add(d.About(l.URL).Because(cause))
}

// linkPos returns the position of the URL in the link l.
func (j *llmsChecker) linkPos(l llms.Link) diag.Pos {
	return diag.Pos{File: j.name, Line: l.Line, Col: l.Column}
}

// checkLink reports the link l if it repeats the URL of an earlier list item, or leads to a local
// server. It also reports a misspelt, redirected, dead or unlisted URL of the site.
func (j *llmsChecker) checkLink(ctx context.Context, l llms.Link) {
	loc, err := j.base.Resolve(l.URL, cmp.Or(j.loc, "https://relative.invalid/"), "")
	if err != nil {
		return // for example a mail address
	}
	if l.Item {
		_, place, _ := strings.Cut(l.URL, "#")
		if first, twice := j.items[loc+"#"+place]; twice {
			j.addFinding(diag.Warnf(diag.Pos{}, "llms-doubled-link", "list it once", "%s is already listed at %s", l.URL, j.linkPos(first)), l, "doubled")
			return
		}
		j.items[loc+"#"+place] = l
	}
	switch {
	case mapping.IsLocalHost(loc) && !mapping.IsLocalHost(j.base.String()) && j.loc != "":
		j.addFinding(diag.Errorf(diag.Pos{}, "llms-dead-link", "write the file with the address of the site", "%s is the address of a local server", loc), l, "local")
	case j.explainer != nil && !j.isIgnored(loc):
		if to, how := suggestOwnURL(loc, j.base, j.Settings.Site.Parts().ContainsURL); how != "" {
			j.reportMisspelling(l, loc, j.checkLinkedURL(ctx, l, to), how)
			return
		}
		j.checkLinkedURL(ctx, l, loc)
	}
}

// reportMisspelling reports the link l, whose URL loc is misspelt. correctURL is the URL to write
// instead. reason is part of the message, such as "the site has another scheme".
func (j *llmsChecker) reportMisspelling(l llms.Link, loc, correctURL, reason string) {
	j.addFinding(diag.Warnf(diag.Pos{}, "llms-misspelt-link", "link to "+correctURL, "%s is misspelt: %s", loc, reason), l, reason)
}

// checkLinkedURL checks loc, the URL of the link l with its scheme and host corrected by
// suggestOwnURL. It adds a finding if loc is dead, redirected, misspelt or not listed. If the page
// at loc is listed at another URL, pageURL is that URL; otherwise it is loc. If loc is another
// llms.txt, checkLinkedURL appends it to j.others.
func (j *llmsChecker) checkLinkedURL(ctx context.Context, l llms.Link, loc string) (pageURL string) {
	a := j.explainer.PredictResponse(ctx, loc)
	switch {
	case a.Status == 0 || a.Listed:
	case a.ListedURL != "":
		if !a.IsArbitrary {
			j.reportMisspelling(l, loc, a.ListedURL, servedTwice)
		}
		return a.ListedURL
	case a.To != "" && a.Exclusion.Reason == page.Redirect:
		t := newRedirectTrail(func(loc string) explain.Response { return j.explainer.PredictResponse(ctx, loc) }, loc)
		if t.end.Status == http.StatusNotFound || t.end.Status == http.StatusGone {
			j.reportDeadLink(l, loc, t.end)
			break
		}
		end := t.endURL(loc)
		j.addFinding(diag.Warnf(diag.Pos{}, "llms-redirected-link", "link to "+end, "%s redirects to %s%s", loc, a.To, ruleSuffix(a)), l, "redirects"+ruleSuffix(a))
	case a.Status != http.StatusOK:
		j.reportDeadLink(l, loc, a)
	case a.File == "" || a.Exclusion.Reason == page.Excluded || a.Exclusion.Reason == page.NotHTML: // a file other than a page, such as a Markdown copy
		if strings.HasSuffix(loc, "/"+llms.Name) && loc != j.loc {
			j.others = append(j.others, loc)
		}
	case !a.Exclusion.Reason.Has(page.Deliberate):
		text := a.Exclusion.Reason.String()
		j.addFinding(diag.Notef(diag.Pos{}, "llms-unlisted-link", "remove it, or let the page be listed", "%s is not in the sitemap: %s%s", loc, text, ruleSuffix(a)), l, text)
	}
	return loc
}

// reportDeadLink reports the link l to loc, a URL that the site does not serve. If loc would be the
// Markdown copy of a listed page, the finding names that page. a is the answer of the site for loc,
// or for the last URL if loc redirects.
func (j *llmsChecker) reportDeadLink(l llms.Link, loc string, a explain.Response) {
	bare := strings.TrimSuffix(strings.TrimSuffix(loc, ".mdx"), ".md") // llmstxt.org adds .md to the URL of a page
	if of := j.explainer.FindRespelled(bare); of != "" && bare != loc {
		j.addFinding(diag.Errorf(diag.Pos{}, "llms-missing-twin", "let the generator write it, or link to "+of, "the Markdown copy of %s does not exist: %s", of, loc), l, "copies")
		return
	}
	hint := "remove the link, or publish the page"
	if near := j.explainer.FindRespelled(loc); near != "" {
		hint = "link to " + near
	}
	j.addFinding(diag.Errorf(diag.Pos{}, "llms-dead-link", hint, "%s leads to nothing%s", loc, ruleSuffix(a)), l, folderPrefix(strings.TrimSuffix(loc, "/")))
}
