package site

import (
	"cmp"
	"context"
	"net/http"
	"path"
	"strings"
	"sync"

	"github.com/sitewalk/sitewalk/internal/hosting"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
)

// An Answer is what becomes of a URL on a site: what its host sends, and whether
// the sitemap lists what is sent.
type Answer struct {
	Status  int     // 0 where the URL is of another site, of which nothing is known
	Listed  bool    // the sitemap lists the URL as it is spelled here
	At      string  // where the page that is sent is listed under another URL
	Either  bool    // nobody says that At is the better one of the addresses that the host answers
	To      string  // where a redirect leads, or a page that refreshes to another
	Refresh bool    // To is what the page itself leads to, with status 200
	Verdict Verdict // why a page that is sent is not listed, and what decides over a redirect
	File    string  // that is sent, as the user would type it
	Source  string  // the content file of the page, likewise, also where it was not built
}

// Answers finds out what becomes of URLs. It is for one goroutine.
type Answers struct {
	// Again, if not nil, reports whether a page that is out has to be read once
	// more, which tells where it refreshes to and at which line it says noindex.
	Again func(file string) bool
	// Has, if not nil, reports whether a file of the pages tree that is no page is
	// known to be there. Of all others the system is asked.
	Has func(file string) bool

	site      *explainer
	pageless  func() map[string]*ContentFile // content files that have no page, by the file they would make
	aliases   func() map[string][]string     // listed URLs, by the files that would lead to them
	spellings func() map[string]string       // listed URLs, by folder and spelling
}

// Answers returns what becomes of URLs on the site.
func (r *Result) Answers() *Answers {
	s := &explainer{r.world, r}
	return &Answers{
		site: s, pageless: sync.OnceValue(s.pageless), aliases: sync.OnceValue(s.aliases), spellings: sync.OnceValue(s.spellings),
	}
}

// Of says what becomes of a URL. A fragment makes no difference, a query none to
// which file is sent.
func (a *Answers) Of(ctx context.Context, loc string) Answer {
	loc, _, _ = strings.Cut(loc, "#")
	if r := a.listed(loc); r != nil {
		return a.about(r, Answer{Status: http.StatusOK, Listed: true})
	}
	p := a.site.world.owner(loc)
	if p == nil {
		return Answer{}
	}
	bare, _, _ := strings.Cut(loc, "?")
	urlPath, ok := p.Base.Path(bare)
	if !ok {
		return Answer{Status: http.StatusNotFound, Verdict: Verdict{Text: "no file can have that address"}}
	}
	reply := p.host.Answer(urlPath, a.exists(ctx, p))
	switch {
	case reply.Status == http.StatusOK:
		out := a.fileAnswer(ctx, p, reply)
		out.Either = a.unsaid(out.At, bare)
		return out
	case reply.To != "":
		return Answer{Status: reply.Status, To: p.target(reply, loc), Verdict: Verdict{page.Redirect, reply.Pos, reply.Text}}
	}
	return a.nothingSent(p, urlPath, reply)
}

// unsaid reports whether a page is asked for with another ending than it is listed
// with, though not by the name of its file, and neither the settings nor the site
// itself has an opinion.
func (a *Answers) unsaid(at, loc string) bool {
	r := a.listed(at)
	if r == nil || strings.HasSuffix(loc, ".html") {
		return false
	}
	_, by := a.site.world.ending(r)
	return by == byName
}

// listed returns the page that the sitemap lists at exactly that URL, or nil.
func (a *Answers) listed(loc string) *Page {
	if i, ok := a.site.res.List.Find(loc); ok {
		return a.site.res.List.pages[i]
	}
	return nil
}

// Respelled returns the listed URL that differs from another in spelling only:
// case, a slash at the end, .html, index.html; "" when there is none.
func (a *Answers) Respelled(loc string) string {
	p, urlPath, ok := a.site.world.below(loc)
	if !ok {
		return ""
	}
	return a.spellings()[p.Dir+mapping.Spelling(urlPath)]
}

func (s *explainer) spellings() map[string]string {
	all := map[string]string{}
	for _, r := range s.res.List.pages {
		all[s.world.part(r).Dir+mapping.Spelling(s.world.path(r))] = r.Entry.Loc
	}
	return all
}

// exists reports whether a part has a file, a page or not.
func (a *Answers) exists(ctx context.Context, p *part) func(string) bool {
	return func(file string) bool {
		there := p.exists(file)
		file = path.Join(p.Dir, file)
		switch {
		case there || a.site.world.o.Pages == nil:
			return there
		case a.Has == nil:
		case a.Has(file):
			return true
		case a.Has(path.Dir(file)): // which is no folder, then
			return false
		}
		return a.site.isFile(ctx, file)
	}
}

// target returns where a redirect leads as an absolute URL. A path in a rule is
// one below the base, unless it is written with the base's own.
func (p *part) target(reply hosting.Answer, loc string) string {
	to := reply.To
	if reply.Pos.File == "" {
		to, _ = p.Base.Loc(to)
		return to
	}
	prefix := p.Base.Prefix()
	if strings.HasPrefix(to, "/") && (prefix == "/" || strings.HasPrefix(to, prefix)) || !strings.HasPrefix(to, "/") {
		if abs, err := p.Base.Resolve(to, loc, ""); err == nil {
			return abs
		}
		return to
	}
	if abs, err := p.resolve(to); err == nil {
		return abs
	}
	return to
}

// about completes an answer by the files of a page.
func (a *Answers) about(r *Page, out Answer) Answer {
	if r.Said.File != "" {
		out.File = a.site.world.pos(r).File
	}
	if r.Content != nil {
		out.Source = a.site.world.contentPos(r).File
	}
	return out
}

// fileAnswer is the answer of a file, or of a rule that serves something else.
func (a *Answers) fileAnswer(ctx context.Context, p *part, reply hosting.Answer) Answer {
	out := Answer{Status: http.StatusOK}
	file := path.Join(p.Dir, reply.File)
	i, ok := findFact(a.site.world.pages, file)
	switch {
	case reply.File == "":
		out.Verdict = Verdict{page.Excluded, reply.Pos, "a rule serves something else there"}
	case !ok:
		_, glob := a.site.world.o.Pages.Filter.Why(file)
		out.File = a.site.world.o.Pages.Show(file)
		out.Verdict = Verdict{Reason: page.Excluded, Text: cmp.Or(glob, "the file is no page")}
	default:
		return a.page(ctx, &a.site.res.pages[i], out)
	}
	return out
}

// page is the answer of a page, listed or not.
func (a *Answers) page(ctx context.Context, r *Page, out Answer) Answer {
	if r.Reason() == page.Listed {
		out.At = r.Entry.Loc
		return a.about(r, out)
	}
	return a.about(r, a.outAnswer(ctx, r, out))
}

// outAnswer is the answer of a page that is out.
func (a *Answers) outAnswer(ctx context.Context, r *Page, out Answer) Answer {
	s := a.site
	out.Verdict = *r.Out
	switch r.Reason() {
	case page.Canonical:
		out.To = r.Out.Text
	case page.Duplicate:
		out.At = r.Entry.Loc
	case page.Draft, page.Scheduled, page.Expired, page.NotRendered:
		if s.world.o.Pages == nil {
			out.Status = http.StatusNotFound // of a page that is yet to be built
		}
	}
	if r.Said.Own == page.Listed || a.Again != nil && !a.Again(r.Said.File) {
		return out
	}
	again, ok := s.again(ctx, r)
	if !ok {
		return out
	}
	pinpoint(&out.Verdict, &again)
	if again.Facts.Refresh == "" {
		return out
	}
	if to, err := s.world.part(r).Base.Resolve(again.Facts.Refresh, s.world.where(r), again.Facts.Base); err == nil {
		out.To, out.Refresh = to, true // also where the page says noindex, as those of jekyll-redirect-from do
	}
	return out
}

// nothingSent is the answer where nothing is sent, with why a content file made no
// page there.
func (a *Answers) nothingSent(p *part, urlPath string, reply hosting.Answer) Answer {
	out := Answer{Status: reply.Status, Verdict: Verdict{Pos: reply.Pos, Text: reply.Text}}
	for _, file := range filesAt(p, urlPath) {
		src := a.pageless()[file]
		if src == nil {
			continue
		}
		var e Explanation
		a.site.explainUnbuilt(&e, src)
		out.Source, out.Verdict = e.Source, e.Verdict
		break
	}
	return out
}

// filesAt returns the files that a host may serve at a URL path.
func filesAt(p *part, urlPath string) []string {
	at := path.Join(p.Dir, strings.TrimPrefix(urlPath, "/"))
	return []string{at, at + ".html", path.Join(at, "index.html")}
}

func (s *explainer) pageless() map[string]*ContentFile {
	if s.world.o.Pages == nil {
		return nil
	}
	all, built := map[string]*ContentFile{}, map[*ContentFile]bool{}
	for _, src := range s.world.pairs {
		built[src] = true
	}
	for _, src := range s.world.contentFiles {
		if src.out != "" && !built[src] {
			all[src.out] = src
		}
	}
	return all
}

// Aliases returns the listed URLs of the pages whose content files name the URL
// as a further address of theirs.
func (a *Answers) Aliases(loc string) (locs []string) {
	p, urlPath, ok := a.site.world.below(loc)
	if !ok {
		return nil
	}
	for _, file := range filesAt(p, urlPath) {
		locs = append(locs, a.aliases()[file]...)
	}
	return locs
}

func (s *explainer) aliases() map[string][]string {
	all := map[string][]string{}
	for _, r := range s.res.List.pages {
		if r.Content == nil || r.Content.Facts == nil {
			continue
		}
		for _, file := range s.world.mapping.Aliases(r.Content.File, r.Content.Facts) {
			all[file] = append(all[file], r.Entry.Loc)
		}
	}
	return all
}
