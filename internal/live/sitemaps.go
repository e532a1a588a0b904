package live

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/fetch"
	"github.com/sitewalk/sitewalk/internal/list"
	"github.com/sitewalk/sitewalk/internal/robots"
	"github.com/sitewalk/sitewalk/sitemap"
)

const (
	maxSitemap = 64 << 20 // bytes that are read of a sitemap, of which the protocol allows 50 MiB
	maxDepth   = 3        // indexes within each other
	beside     = 512      // bytes that are kept of a URL beside its text
)

// A Reader is told what the sitemaps of a site have.
type Reader struct {
	Budget *list.Budget
	Judge  func(list.File)                                     // each file that can be judged
	Each   func(e sitemap.Entry, pos diag.Pos, by fetch.Place) // each URL, and the address that names it
}

// A child is a sitemap that is to be asked for.
type child struct {
	loc   string
	from  fetch.Place
	pos   diag.Pos // that names it
	index string
	depth int
}

// Sitemap asks for a sitemap that the user names, and for all that it names.
func (v *Visit) Sitemap(ctx context.Context, loc string, to Reader) error {
	seen := map[string]bool{}
	for queue := []child{{loc: loc}}; len(queue) > 0; queue = queue[1:] {
		c := queue[0]
		if seen[c.loc] {
			continue
		}
		seen[c.loc] = true
		more, err := v.sitemap(ctx, c, to)
		if err != nil {
			return err
		}
		queue = append(queue, more...)
	}
	return nil
}

// sitemap asks for one sitemap, says what is wrong with how it is served, and returns the
// sitemaps that it names.
func (v *Visit) sitemap(ctx context.Context, c child, to Reader) ([]child, error) {
	reply, err := v.follow(ctx, c.from, c.loc)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	shown := fetch.WithoutPassword(c.loc)
	if err != nil {
		v.couldNot(c, "Couldn't fetch", "is the site up, and does its address lead to it? ask your host", "%s cannot be reached: %s", shown, v.text(err.Error()))
		return nil, nil
	}
	defer reply.Close()
	if line := v.forbidden(reply.At.URL.String()); line != "" {
		v.couldNot(c, "Couldn't fetch", "allow it in robots.txt", "%s is forbidden by robots.txt: %q", shown, line)
	}
	if !v.answers(c, reply) {
		return nil, nil
	}
	content := v.content(c, reply)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if content == nil {
		return nil, nil
	}
	to.Judge(list.File{Name: shown, Loc: reply.At.URL.String(), Index: c.index, Content: content})
	return v.items(c, reply.At, content, to)
}

// consoleSays stands before what Search Console says of a sitemap.
const consoleSays = "; Search Console says "

// couldNot reports a sitemap that crawlers cannot use, with what Search Console says of it.
func (v *Visit) couldNot(c child, words, hint, format string, args ...any) {
	v.o.Findings.Add(diag.Errorf(c.pos, "live-sitemap", hint, "%s"+consoleSays+"%q", fmt.Sprintf(format, args...), words).About(c.loc))
}

// follow asks for a file, and follows its redirects within the rule for the network.
func (v *Visit) follow(ctx context.Context, from fetch.Place, loc string) (*fetch.Reply, error) {
	o := v.o.Fetch
	o.Accept = "application/xml, text/xml, text/plain"
	for n := 0; ; n++ {
		if err := v.pace.wait(ctx); err != nil {
			return nil, err
		}
		reply, err := from.Follow(ctx, loc, o)
		s, later := Seen{}, time.Duration(0)
		if err == nil {
			s.Status, s.Mark, later = reply.Status, markOf(reply.Header), fetch.RetryAfter(reply.Header)
			v.pace.hold(v.Takes(reply.Hops))
		}
		if ctx.Err() != nil || !v.again(ctx, n, &s, later) {
			return reply, err
		}
		if err == nil {
			reply.Close()
		}
	}
}

// answers reports whether the answer for a sitemap may be one, and says why not.
func (v *Visit) answers(c child, r *fetch.Reply) bool {
	if r.Status == http.StatusOK {
		return true
	}
	body, _ := io.ReadAll(io.LimitReader(r, maxError))
	s := &Seen{Status: r.Status, Mark: cmp.Or(markOf(r.Header), markIn(r.Status, body))}
	shown := fetch.WithoutPassword(c.loc)
	if t := refusal(s); t != nil && t.code == "live-blocked" {
		d := diag.Errorf(c.pos, "live-blocked", t.hint, "%s %s", shown, verbs(t.text, false))
		if d.Severity = t.severity; d.Severity == diag.Error {
			d.Message += consoleSays + `"Couldn't fetch"`
		}
		v.o.Findings.Add(d.About(c.loc))
		return false
	}
	v.couldNot(c, "Couldn't fetch", "deploy it; is this its address?", "%s answers %s", shown, status(r.Status))
	return false
}

var gzipped = []byte("\x1f\x8b")

// content returns what a sitemap holds, unpacked, or nil if nothing can be read from it.
func (v *Visit) content(c child, r *fetch.Reply) []byte {
	shown := fetch.WithoutPassword(c.loc)
	tooLarge := fmt.Errorf("it is larger than %d MiB, and the protocol allows %d", maxSitemap>>20, sitemap.MaxBytes>>20)
	raw := bufio.NewReader(r)
	magic, _ := raw.Peek(len(gzipped))
	packed := bytes.Equal(magic, gzipped)
	src, err := fetch.Unpack(raw, maxSitemap, tooLarge)
	var all []byte
	if err == nil {
		all, err = io.ReadAll(src)
	}
	switch {
	case errors.Is(err, tooLarge):
		v.couldNot(c, "File size error", "divide it; sitewalk build does", "%s cannot be read: %v", shown, err)
		return nil
	case err != nil:
		v.couldNot(c, "Couldn't fetch", "is the whole file deployed?", "%s cannot be read to its end: %s", shown, v.text(err.Error()))
		return nil
	case bytes.HasPrefix(all, gzipped):
		v.couldNot(c, "Compression error", "upload it without further compression", "%s is compressed with gzip twice", shown)
		return nil
	case len(bytes.TrimSpace(all)) == 0:
		v.couldNot(c, "Empty sitemap", "deploy it again", "%s is empty", shown)
		return nil
	case htmlStart.Match(all[:min(len(all), 512)]):
		v.couldNot(c, "Sitemap is HTML", "deploy the file; a rule that sends each address to index.html must leave files alone", "%s is answered with a web page", shown)
		return nil
	}
	v.served(c, r, all, packed)
	if v.o.Fetch.Secret != nil {
		all = []byte(v.o.Fetch.Secret.Hide(string(all)))
	}
	return beginning.ReplaceAll(all, nil)
}

// beginning is what may stand before an XML declaration by mistake.
var beginning = regexp.MustCompile(`^[\x{feff}\s]+`)

// served says what is wrong with how a sitemap is served that can be read.
func (v *Visit) served(c child, r *fetch.Reply, all []byte, packed bool) {
	shown := fetch.WithoutPassword(c.loc)
	warn := func(hint, format string, args ...any) {
		v.o.Findings.Add(diag.Warnf(c.pos, "live-sitemap", hint, format, args...).About(c.loc))
	}
	media, params, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	before := beginning.Find(all)
	switch charset := strings.ToLower(params["charset"]); {
	case isHTML(r.Header.Get("Content-Type")):
		warn(`serve it with the header "Content-Type: application/xml"`, "%s is a sitemap that is served as %s; Google reads it, others may not", shown, media)
	case charset != "" && charset != "utf-8" && charset != "us-ascii":
		warn("serve it as UTF-8", "%s is served with the encoding %q, and a sitemap has to be in UTF-8; Search Console may say %q", shown, charset, "Parsing error")
	}
	if bytes.ContainsAny(before, " \t\r\n") && bytes.HasPrefix(all[len(before):], []byte("<?xml")) {
		v.couldNot(c, "Leading whitespace", "let nothing write anything before it, not even a blank line", "%s has white space before its XML declaration", shown)
	} else if bytes.HasPrefix(before, []byte("\ufeff\ufeff")) {
		v.couldNot(c, "Parsing error", "write one byte order mark, or better none", "%s begins with two byte order marks", shown)
	}
	switch named := strings.HasSuffix(r.At.URL.Path, ".gz"); {
	case !packed || named:
	case r.Unpacked:
		v.couldNot(c, "Compression error", "upload it without compression, or let the server not compress it again", "%s is compressed with gzip twice", shown)
	default:
		warn(`serve it with the header "Content-Encoding: gzip", or uncompressed`, "%s is compressed, and neither its name nor a header says so; Search Console may say %q", shown, "Unsupported format")
	}
}

// items reads the URLs of a sitemap, and returns the sitemaps that it names.
func (v *Visit) items(c child, at fetch.Place, content []byte, to Reader) (more []child, err error) {
	r, name := sitemap.NewReader(bytes.NewReader(content)), fetch.WithoutPassword(c.loc)
	for n := 0; ; n++ {
		item, err := r.Next()
		if err != nil {
			return more, nil // the judge says what is wrong
		}
		if to.Budget.Keep(len(item.Loc) + beside); to.Budget.Spent() != nil {
			return nil, to.Budget.Spent()
		}
		pos := diag.Pos{File: name, Line: item.Line, Col: item.Col}
		switch {
		case item.Loc == "":
		case !item.Sitemap && n < sitemap.MaxURLs:
			to.Each(item.Entry, pos, at)
		case item.Sitemap && slices.Contains(v.o.Apart, item.Loc):
		case item.Sitemap && n < sitemap.MaxChildren && c.depth < maxDepth:
			more = append(more, child{item.Loc, at, pos, name, c.depth + 1})
		}
	}
}

// Robots asks for the robots.txt of the site of an address, before anything else of that
// site. File is the one that was built, "" if none was.
func (v *Visit) Robots(ctx context.Context, loc, file string) error {
	u, err := url.Parse(loc)
	if err != nil || v.robots[origin(u)] != nil {
		return err
	}
	root := origin(u)
	v.robots[root] = new(robots.Rules)
	at, built, pos := root+"robots.txt", file != "", diag.Pos{File: file}
	reply, err := v.follow(ctx, fetch.Place{}, at)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		v.o.Findings.Add(diag.Errorf(pos, "live-error", "crawlers take that for a prohibition of the whole site", "%s cannot be read: %s", at, v.text(err.Error())).About(at))
		return nil
	}
	defer reply.Close()
	src, err := io.ReadAll(io.LimitReader(reply, robots.Max))
	switch mark := markOf(reply.Header); {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil || mark != "":
	case reply.Status >= 500 || reply.Status == http.StatusTooManyRequests:
		v.o.Findings.Add(diag.Errorf(pos, "live-error", "crawlers take that for a prohibition of the whole site: let it answer 200 or 404", "%s answers %s", at, status(reply.Status)).About(at))
	case reply.Status >= 400 && built:
		v.o.Findings.Add(diag.Errorf(pos, "live-missing", "deploy it again", "%s answers %s, and was built", at, status(reply.Status)).About(at))
	case reply.Status == http.StatusOK && htmlStart.Match(src[:min(len(src), 512)]) && built:
		v.o.Findings.Add(diag.Errorf(pos, "live-type", "deploy the file", "%s is answered with a web page, so crawlers read no rules", at).About(at))
	case reply.Status == http.StatusOK:
		v.robots[root], _ = robots.Parse(src)
	}
	return nil
}

// Patient returns a context for a visit of so many requests: the user's limit, or as long
// as they may well take.
func (v *Visit) Patient(ctx context.Context, limit time.Duration, n int) (context.Context, context.CancelFunc) {
	if limit == 0 {
		limit = Patience(v.Takes(n))
	}
	return fetch.Within(ctx, limit)
}
