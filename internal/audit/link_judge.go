package audit

import (
	"cmp"
	"context"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/explain"
	"github.com/sitewalk/sitewalk/internal/parallel"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/page"
)

// A judge compares the links with what the site serves.
type judge struct {
	*LinkCollector
	res   *site.Result
	o     *site.Options
	found *diag.Report
	ends  []int32 // of each target: the page that it ends at, or noPage
	list  []int32 // of each listed URL: its page, or noPage

	mu       sync.Mutex
	troubles map[uint32]*trouble // by target

	content struct { // the file read last
		name string
		text []byte
		read int64 // bytes that were searched
	}
}

const (
	noPage  = -1
	unknown = -2 // an end that is still to be found out
)

// A trouble is what is wrong with a target. The message says what becomes of the address,
// which with its fragment, if it has one, is the subject.
type trouble struct {
	diag.Diagnostic
	on      int     // pages that have it
	first   int32   // of them
	places  []place // in the order of pages, as many as are to be told
	written string  // the address as the first page has it
}

// A place is where a link stands.
type place struct {
	page int32
	pos  diag.Pos
}

// Judge reports what is wrong with the links of all pages that were taken in, and
// sorted.
func (c *LinkCollector) Judge(ctx context.Context, res *site.Result, o *site.Options, found *diag.Report) error {
	j := &judge{LinkCollector: c, res: res, o: o, found: found, troubles: map[uint32]*trouble{}}
	j.follow(ctx)
	if c.o.Fragments {
		j.fragments(ctx)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	j.tell(ctx)
	j.graph()
	return ctx.Err()
}

// follow finds out where each target ends, on all processors.
func (j *judge) follow(ctx context.Context) {
	j.listed()
	parallel.Spread(ctx, len(j.ends), func() func(id int) {
		f := follower{j, j.answers()}
		return func(id int) {
			if j.ends[id] == unknown {
				j.ends[id] = f.target(ctx, uint32(id))
			}
		}
	})
}

// listed finds the targets that are listed, which most are, and with it the page
// of each listed URL. A page that no other page links to ends at itself.
func (j *judge) listed() {
	pages := make([]int32, len(j.targets.keys)) // by target, from 1
	for i := range j.pages {
		pages[j.pages[i].self] = int32(i) + 1
	}
	j.ends = make([]int32, len(pages))
	parallel.Each(len(pages), func(id int) {
		if j.ends[id] = pages[id] - 1; j.asked(id) {
			j.ends[id] = unknown
		}
	})
	j.list = make([]int32, len(j.res.List))
	parallel.Each(len(j.list), func(i int) { j.find(i, pages) })
}

// find finds the page of URL i of the list, which no other one has. Pages are those
// of the targets, from 1.
func (j *judge) find(i int, pages []int32) {
	id, file := j.targets.named(j.res.List[i].Entry.Loc), j.res.List[i].File()
	at := int32(noPage)
	if id != elsewhere {
		at = pages[id] - 1
	}
	if at < 0 || j.pages[at].file != file {
		at = j.index(file)
	}
	if j.list[i] = at; id != elsewhere {
		j.ends[id] = at
	}
}

// answers asks the site what becomes of URLs. Only a page that refreshes has to be
// read again to say so.
func (j *judge) answers() *explain.Answers {
	a := explain.New(j.res)
	a.Has = j.others.has
	a.Again = func(file string) bool {
		i := j.index(file)
		return i == noPage || j.pages[i].moves
	}
	return a
}

// A follower follows targets on one goroutine.
type follower struct {
	*judge
	answers *explain.Answers
}

// target returns the page that an address ends at.
func (f follower) target(ctx context.Context, id uint32) int32 {
	key := f.targets.loc(id)
	if strings.Contains(key, "#") || f.byHost(key) || f.LinkCollector.o.Ignore != nil && f.LinkCollector.o.Ignore(key) {
		return noPage // fragments come later
	}
	end, wrong := f.chain(ctx, key)
	if wrong.Code != "" {
		f.has(id, wrong)
	}
	if end.Status != http.StatusOK {
		return noPage
	}
	return f.index(f.below(end.File))
}

// has keeps what is wrong with a target.
func (j *judge) has(id uint32, wrong diag.Diagnostic) {
	wrong.Subject = j.targets.loc(id)
	j.mu.Lock()
	defer j.mu.Unlock()
	j.troubles[id] = &trouble{Diagnostic: wrong}
}

// byHost reports whether hosts answer for an address themselves, without a file:
// Netlify's functions, forms and images, Cloudflare's and Vercel's own scripts.
func (f follower) byHost(key string) bool {
	b := f.bases[max(0, owner(f.bases, []byte(key)))]
	rest := strings.TrimPrefix(key, b.String())
	return slices.ContainsFunc([]string{".netlify/", "cdn-cgi/", "_vercel/"}, func(own string) bool { return strings.HasPrefix(rest, own) })
}

// maxHops is the number of redirects in a row that Google follows.
const maxHops = 10

// chain follows an address to its end, and says what is wrong with it, without a code when
// nothing is.
func (f follower) chain(ctx context.Context, key string) (end explain.Answer, wrong diag.Diagnostic) {
	at, first, forever := key, explain.Answer{}, true
	for hop := range maxHops + 1 {
		end = f.answers.Of(ctx, at)
		if end.To == "" || !end.Refresh && end.Status < 300 {
			return end, f.ended(key, at, first, end, hop > 0 && forever)
		}
		if hop == 0 {
			first = end
		}
		forever = forever && (end.Refresh || end.Status == http.StatusMovedPermanently || end.Status == http.StatusPermanentRedirect)
		to, _, _ := strings.Cut(end.To, "#")
		if at = to; at == key {
			break
		}
	}
	return explain.Answer{}, diag.Errorf(diag.Pos{}, "dead-link", "link to the page itself", "is redirected in a circle, or too often%s", ruleBy(first))
}

// ended says what is wrong with an address that ends at another, or at itself.
func (f follower) ended(key, at string, first, end explain.Answer, forever bool) (wrong diag.Diagnostic) {
	way := ""
	if at != key {
		way = "is redirected to " + at + ruleBy(first) + ", which "
	}
	v := end.Verdict
	switch {
	case end.Status == http.StatusNotFound && end.Source != "":
		why := ""
		if v.Reason != page.Listed {
			why = ": " + v.Reason.String()
		}
		return diag.Errorf(diag.Pos{}, "unbuilt-link", "publish the page, or remove the link", "%sis not built from %s%s", way, end.Source, why)
	case end.Status == http.StatusNotFound && f.eitherWay(at), end.Status == 0 && at == key:
		return wrong
	case end.Status == http.StatusNotFound || end.Status == http.StatusGone:
		return diag.Errorf(diag.Pos{}, "dead-link", "", "%sis answered %d%s", way, end.Status, ruleBy(end))
	case at != key && forever:
		return diag.Warnf(diag.Pos{}, "redirected-link", "link to "+at, "is redirected to %s%s", at, ruleBy(first))
	}
	return wrong
}

// eitherWay reports whether an address would lead to a page on hosts that leave
// .html out, where it is not known which host it is.
func (f follower) eitherWay(key string) bool {
	if f.o.Host.IsKnown() {
		return false
	}
	for _, other := range []string{key + ".html", strings.TrimSuffix(key, ".html")} {
		if _, ok := f.res.List.Find(other); ok && other != key {
			return true
		}
	}
	return false
}

func ruleBy(a explain.Answer) string {
	if s := a.Verdict.Pos.String(); s != "" {
		return " (" + s + ")"
	}
	return ""
}

// index returns the number of the page that a file of the pages tree is, or noPage.
func (j *judge) index(file string) int32 {
	i, ok := slices.BinarySearchFunc(j.pages, file, func(v *pageLinks, file string) int { return cmp.Compare(v.file, file) })
	if !ok {
		return noPage
	}
	return int32(i)
}

// shown returns a file of the pages tree as the user would type it, and below is
// its inverse.
func (j *judge) shown(file string) string { return path.Join(j.o.Pages.Name, file) }

func (j *judge) below(shown string) string {
	return strings.TrimPrefix(shown, strings.TrimSuffix(j.shown("x"), "x"))
}
