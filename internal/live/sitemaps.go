package live

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/fetch"
	"github.com/sitewalk/sitewalk/internal/robots"
	"github.com/sitewalk/sitewalk/sitemap"
)

// urlOverhead is the memory in bytes for one URL, not counting its text.
const urlOverhead = 512

// A SitemapHandler contains the functions that Visit.ReadSitemaps calls with the content of
// sitemaps, and the memory budget.
type SitemapHandler struct {
	Budget  *fetch.Budget
	OnFile  func(fetch.File)                                       // called with each readable file, but not while a secret header is in use
	OnEntry func(e sitemap.Entry, pos diag.Pos, by fetch.Referrer) // called with each URL, its position, and the sitemap that lists it
}

// A queuedSitemap is a sitemap that ReadSitemaps still has to read.
type queuedSitemap struct {
	loc   string
	name  string         // display name in findings
	from  fetch.Referrer // the index that lists the sitemap; zero if there is none
	pos   diag.Pos       // position of its entry in the index
	index string         // display name of the index; "" if there is none
	depth int            // number of indexes above the sitemap
}

// ReadSitemaps reads the sitemap at loc. If it is an index, ReadSitemaps also reads the sitemaps in
// it, except the IgnoredSitemaps. It passes the files and entries to the functions of h, and adds
// findings for problems with a sitemap. It returns an error only if ctx ends or the memory budget
// is used up.
func (v *Visit) ReadSitemaps(ctx context.Context, loc string, h SitemapHandler) error {
	visited := map[string]bool{}
	for queue := []queuedSitemap{{loc: loc, name: fetch.WithoutPassword(loc)}}; len(queue) > 0; queue = queue[1:] {
		s := queue[0]
		if visited[s.loc] {
			continue
		}
		visited[s.loc] = true
		more, err := v.readSitemap(ctx, s, h)
		if err != nil {
			return err
		}
		queue = append(queue, more...)
	}
	return nil
}

// readSitemap requests the sitemap s and passes its file and entries to the functions of h. It adds
// findings for problems with the answer. If s is an index, it returns the child sitemaps. It
// returns an error only if ctx ends or the memory budget is used up.
func (v *Visit) readSitemap(ctx context.Context, s queuedSitemap, h SitemapHandler) (children []queuedSitemap, err error) {
	reply, err := v.requestFile(ctx, s.from, s.loc)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		v.reportUnusable(s, "Couldn't fetch", "is the site up, and does its name resolve to the right host? ask your host", "cannot be reached: "+v.reasonText(err))
		return nil, nil
	}
	defer reply.Close()
	if line := v.forbiddingLine(reply.At.URL.String()); line != "" {
		v.reportUnusable(s, "Couldn't fetch", "allow it in robots.txt", "is forbidden by robots.txt"+v.truncateSiteText(": "+line))
	}
	if reply.Status != http.StatusOK {
		v.reportStatus(s, reply.Status)
		return nil, nil
	}
	content := v.readContent(s, reply)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if content == nil {
		return nil, nil
	}
	if v.o.Fetch.Secret == nil { // findings about a file would quote text of the site
		h.OnFile(fetch.File{Name: s.name, Loc: reply.At.URL.String(), Index: s.index, Content: content})
	}
	return v.readItems(s, reply.At, content, h)
}

// reportUnusable adds a finding about a sitemap that crawlers cannot use. consoleError is the error
// message that Google Search Console shows in this case.
func (v *Visit) reportUnusable(s queuedSitemap, consoleError, hint, text string) {
	v.o.Findings.Add(diag.Errorf(s.pos, "live-sitemap", hint, "%s %s%s%q", s.name, text, consoleMessage, consoleError).About(s.name))
}

// consoleMessage comes before the error message of Search Console in a finding.
const consoleMessage = "; Search Console says "

// reportStatus adds a finding about a sitemap that the site answered with a status other than 200.
func (v *Visit) reportStatus(s queuedSitemap, status int) {
	p := newRefusalProblem(&answer{Status: status})
	if p == nil || p.code != "live-blocked" {
		v.reportUnusable(s, "Couldn't fetch", "deploy it; is this its address?", "answers "+statusText(status))
		return
	}
	d := diag.Errorf(s.pos, "live-blocked", p.hint, "%s %s", s.name, p.text)
	if d.Severity = p.severity; d.Severity == diag.Error {
		d.Message += consoleMessage + `"Couldn't fetch"`
	}
	v.o.Findings.Add(d.About(s.name))
}

// requestFile requests loc, a sitemap or robots.txt, and follows redirects that fetch.CheckRequest
// permits. It repeats the request after a temporary failure. It returns an answer with any status.
// referrer is the sitemap that lists loc, or zero.
func (v *Visit) requestFile(ctx context.Context, referrer fetch.Referrer, loc string) (*fetch.Reply, error) {
	o := v.o.Fetch
	o.Accept = "application/xml, text/xml, text/plain"
	for attempt := 0; ; attempt++ {
		if err := v.pace.wait(ctx); err != nil {
			return nil, err
		}
		reply, err := referrer.Follow(ctx, loc, o)
		status, header := 0, http.Header(nil)
		if err == nil {
			status, header = reply.Status, reply.Header
		}
		if ctx.Err() != nil || !v.delayForRetry(ctx, attempt, status, header) {
			return reply, err
		}
		if err == nil {
			reply.Close()
		}
	}
}

var gzipMagic = []byte("\x1f\x8b")

// readContent returns the decompressed content of the response r for the sitemap s, without byte
// order marks and white space at its beginning. If crawlers cannot use the content, readContent
// adds a finding and returns nil.
func (v *Visit) readContent(s queuedSitemap, r *fetch.Reply) []byte {
	raw := bufio.NewReader(r)
	magic, _ := raw.Peek(len(gzipMagic))
	isPacked := bytes.Equal(magic, gzipMagic)
	src, err := fetch.Unpack(raw, fetch.MaxFileBytes, fetch.ErrTooLarge)
	var all []byte
	if err == nil {
		all, err = io.ReadAll(src)
	}
	var consoleError, hint, text string
	switch {
	case errors.Is(err, fetch.ErrTooLarge):
		consoleError, hint, text = "File size error", "divide it; sitewalk build does", "cannot be read: "+err.Error()
	case err != nil:
		consoleError, hint, text = "Couldn't fetch", "is the whole file deployed?", "cannot be read to its end: "+v.reasonText(err)
	case bytes.HasPrefix(all, gzipMagic):
		consoleError, hint, text = "Compression error", "upload it without further compression", "is compressed with gzip twice"
	case len(bytes.TrimSpace(all)) == 0:
		consoleError, hint, text = "Empty sitemap", "deploy it again", "is empty"
	case htmlStart.Match(all[:min(len(all), 512)]):
		consoleError, hint, text = "Sitemap is HTML", "deploy the file; a rule that sends each address to index.html must leave files alone", "is answered with a web page"
	default:
		v.reportEncoding(s, r, all, isPacked)
		return leadingJunk.ReplaceAll(all, nil)
	}
	v.reportUnusable(s, consoleError, hint, text)
	return nil
}

// leadingJunk matches byte order marks and white space at the beginning of a sitemap. Some tools
// write them before the XML declaration by mistake.
var leadingJunk = regexp.MustCompile(`^[\x{feff}\s]+`)

// reportEncoding adds findings for mistakes in the Content-Type, the character encoding, the first
// bytes and the compression of a readable sitemap. content is the decompressed sitemap. isPacked is
// true if the body of the response r is a gzip file.
func (v *Visit) reportEncoding(s queuedSitemap, r *fetch.Reply, content []byte, isPacked bool) {
	warn := func(hint, text string) {
		v.o.Findings.Add(diag.Warnf(s.pos, "live-sitemap", hint, "%s %s", s.name, text).About(s.name))
	}
	_, params, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch charset := strings.ToLower(params["charset"]); {
	case isHTML(r.Header.Get("Content-Type")):
		warn(`serve it with the header "Content-Type: application/xml"`, "is a sitemap that is served as HTML; Google reads it, others may not")
	case charset != "" && charset != "utf-8" && charset != "us-ascii":
		warn("serve it as UTF-8", `is not served as UTF-8, which a sitemap has to be; Search Console may say "Parsing error"`)
	}
	before := leadingJunk.Find(content)
	if bytes.ContainsAny(before, " \t\r\n") && bytes.HasPrefix(content[len(before):], []byte("<?xml")) {
		v.reportUnusable(s, "Leading whitespace", "remove everything before it, even blank lines", "has white space before its XML declaration")
	} else if bytes.HasPrefix(before, []byte("\ufeff\ufeff")) {
		v.reportUnusable(s, "Parsing error", "write one byte order mark, or better none", "begins with two byte order marks")
	}
	isNamedGzip := strings.HasSuffix(r.At.URL.Path, ".gz")
	switch {
	case isNamedGzip && !isPacked && !r.Unpacked:
		v.reportUnusable(s, "Compression error", "compress it, or name it without .gz", "is not compressed, and its name ends in .gz")
	case isPacked && !isNamedGzip && r.Unpacked:
		v.reportUnusable(s, "Compression error", "upload it without compression, or let the server not compress it again", "is compressed with gzip twice")
	case isPacked && !isNamedGzip:
		warn(`serve it with the header "Content-Encoding: gzip", or uncompressed`, `is compressed, but neither its name nor a header shows it; Search Console may say "Unsupported format"`)
	}
}

// readItems passes the URLs of the sitemap s to h.OnEntry. at is the URL of the sitemap after
// redirects. If s is an index, readItems returns its child sitemaps without the IgnoredSitemaps. It
// returns no children if they are nested too deeply. It returns an error only if the memory budget
// is used up.
func (v *Visit) readItems(s queuedSitemap, at fetch.Referrer, content []byte, h SitemapHandler) (children []queuedSitemap, err error) {
	r := sitemap.NewReader(bytes.NewReader(content))
	for range sitemap.MaxURLs { // an index may have as many children
		item, err := r.Next()
		if err != nil {
			return children, nil // the protocol checks of the caller report the error
		}
		if err := h.Budget.Charge(len(item.Loc) + urlOverhead); err != nil {
			return nil, err
		}
		pos := diag.Pos{File: s.name, Line: item.Line, Col: item.Col}
		switch {
		case item.Loc == "":
		case !item.Sitemap:
			h.OnEntry(item.Entry, pos, at)
		case slices.Contains(v.o.IgnoredSitemaps, item.Loc):
		case s.depth < fetch.MaxDepth:
			name := fetch.WithoutPassword(item.Loc)
			if v.o.Fetch.Secret != nil {
				name = fmt.Sprintf("the sitemap in line %d of %s", item.Line, s.name)
			}
			children = append(children, queuedSitemap{item.Loc, name, at, pos, s.name, s.depth + 1})
		}
	}
	return children, nil
}

// isUnreachable reports whether a request failed with err because there is no connection to the
// host.
func isUnreachable(err error) bool {
	e, ok := errors.AsType[*net.OpError](err)
	return ok && (e.Op == "dial" || e.Op == "proxyconnect")
}

// ReadRobots requests the robots.txt of the host of loc and stores its rules in v.robots, unless
// they are already there. Call it before any other request to the host. file is the name of the
// built robots.txt, or "" if the build contains none. ReadRobots returns an error if loc is not a
// URL, if there is no connection to the host, or if ctx ends. If crawlers cannot read the rules
// because of the status or the type of the answer, it adds a finding.
func (v *Visit) ReadRobots(ctx context.Context, loc, file string) error {
	u, err := url.Parse(loc)
	if err != nil || v.robots[origin(u)] != nil {
		return err
	}
	root := origin(u)
	v.robots[root] = new(robots.Rules)
	at, isBuilt := root+"robots.txt", file != ""
	report := func(code, hint, text string) {
		v.o.Findings.Add(diag.Errorf(diag.Pos{File: file}, code, hint, "%s %s", at, text).About(at))
	}
	reply, err := v.requestFile(ctx, fetch.Referrer{}, at)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if isUnreachable(err) {
		return diag.Hintedf("is this machine online, and is the address right? sitewalk build -v prints where it comes from",
			"%s cannot be reached: %s", root, v.reasonText(err))
	}
	var src []byte
	if err == nil {
		defer reply.Close()
		src, err = io.ReadAll(io.LimitReader(reply, robots.MaxBytes))
	}
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		report("live-error", "crawlers then treat the whole site as disallowed", "cannot be read: "+v.reasonText(err))
	case reply.Status >= 500 || reply.Status == http.StatusTooManyRequests:
		report("live-error", "crawlers then treat the whole site as disallowed: let it answer 200 or 404", "answers "+statusText(reply.Status))
	case reply.Status >= 400 && isBuilt:
		report("live-missing", "deploy it again", "answers "+statusText(reply.Status)+", and was built")
	case reply.Status == http.StatusOK && htmlStart.Match(src[:min(len(src), 512)]) && isBuilt:
		report("live-type", "deploy the file", "is answered with a web page, so crawlers read no rules")
	case reply.Status == http.StatusOK:
		v.robots[root], _ = robots.Parse(src)
	}
	return nil
}
