package explain

import (
	"cmp"
	"context"
	"net/http"
	"path"
	"strings"
	"sync"

	"github.com/sitewalk/sitewalk/internal/hosting"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
)

// An Answer describes the answer of the host to a request for a URL of the site, and whether the
// sitemap lists the page in the answer.
type Answer struct {
	Status    int            // HTTP status; 0 for a URL of another site
	Listed    bool           // the sitemap lists exactly this URL
	At        string         // the listed URL of the same page if it is a different URL; otherwise ""
	Either    bool           // At and this URL are equally good; no setting of the site prefers At
	To        string         // target of a redirect or of a meta refresh in the page
	Refresh   bool           // To is the target of a meta refresh; the status is 200
	Exclusion site.Exclusion // why the page is not listed, or the rule that redirects
	File      string         // path of the file that is sent, as the user would type it
	Source    string         // path of the content file of the page, built or not, as the user would type it
}

// Answers computes the answers of a host to requests. It is not safe for concurrent use.
type Answers struct {
	// Again reports whether Of reads the file of a page that is left out again, to find the target
	// of its meta refresh and the line of its noindex. If Again is nil, Of reads every such file.
	Again func(file string) bool

	of        *explainer
	moved     map[string]Answer                   // computed answers that redirect, by URL
	pageless  func() map[string]*site.ContentFile // content files without a built page, by the path the page would have
	aliases   func() map[string][]string          // listed URLs by the file that would redirect to them
	spellings func() map[string]string            // listed URLs by part and mapping.Spelling of the path
}

// New returns Answers for the site in r.
func New(r *site.Result) *Answers {
	s := newExplainer(r)
	return &Answers{
		of: s, moved: map[string]Answer{}, pageless: sync.OnceValue(s.pageless), aliases: sync.OnceValue(s.aliases), spellings: sync.OnceValue(s.spellings),
	}
}

// Of returns the answer to a request for the URL loc. It ignores the fragment. The query of loc has
// no effect on the file that is sent.
func (a *Answers) Of(ctx context.Context, loc string) Answer {
	loc, _, _ = strings.Cut(loc, "#")
	if r := a.listed(loc); r != nil {
		return a.about(r, Answer{Status: http.StatusOK, Listed: true})
	}
	if !a.of.World.Facts.Parts.Owns(loc) {
		return Answer{}
	}
	if moved, ok := a.moved[loc]; ok {
		return moved
	}
	answer := a.unlisted(ctx, loc)
	if answer.To != "" {
		a.moved[loc] = answer
	}
	return answer
}

// unlisted returns the answer to a request for loc, a URL of the site that the sitemap does not
// list.
func (a *Answers) unlisted(ctx context.Context, loc string) Answer {
	bare, _, _ := strings.Cut(loc, "?")
	p, urlPath, ok := a.of.World.FindPart(bare)
	if !ok {
		return Answer{Status: http.StatusNotFound, Exclusion: site.Exclusion{Text: "no file can have that address"}}
	}
	reply := p.Host.Answer(urlPath, a.exists(ctx, p))
	switch {
	case reply.Status == http.StatusOK:
		out := a.fileAnswer(ctx, p, reply)
		out.Either = a.isArbitrary(out.At, bare)
		return out
	case reply.To != "":
		return Answer{Status: reply.Status, To: target(p, reply, loc), Exclusion: site.Exclusion{Reason: page.Redirect, Pos: reply.Pos, Text: reply.Text}}
	}
	return a.nothingSent(p, urlPath, reply)
}

// isArbitrary reports whether the choice between the URLs at and loc of the same page is arbitrary:
// at is listed, but no setting and no link of the site prefers at. It returns false if loc ends in
// ".html".
func (a *Answers) isArbitrary(at, loc string) bool {
	r := a.listed(at)
	if r == nil || strings.HasSuffix(loc, ".html") {
		return false
	}
	return a.of.World.HasArbitraryEnding(r)
}

// listed returns the page that the sitemap lists with the URL loc, or nil.
func (a *Answers) listed(loc string) *site.Page {
	if i, ok := a.of.List.Find(loc); ok {
		return a.of.List[i]
	}
	return nil
}

// Respelled returns the listed URL that differs from loc only in case, a trailing slash, ".html" or
// "index.html". It returns "" if there is none.
func (a *Answers) Respelled(loc string) string {
	p, urlPath, ok := a.of.World.FindPart(loc)
	if !ok {
		return ""
	}
	return a.spellings()[p.Dir+mapping.Spelling(urlPath)]
}

// spellings returns the listed URLs by part and mapping.Spelling of the path.
func (s *explainer) spellings() map[string]string {
	all := map[string]string{}
	for _, r := range s.List {
		all[s.World.PartOf(r).Dir+mapping.Spelling(s.World.Path(r))] = r.Entry.Loc
	}
	return all
}

// exists returns a function that reports whether the folder of p contains a file. It also finds
// files that are not pages.
func (a *Answers) exists(ctx context.Context, p *site.Part) func(string) bool {
	return func(file string) bool {
		if p.Exists(file) {
			return true
		}
		return a.of.o.Pages != nil && a.of.isFile(ctx, a.of.o.Pages, path.Join(p.Dir, file))
	}
}

// target returns the absolute URL of reply.To, the target of a redirect of loc. A path in a rule is
// relative to the base URL, unless it begins with the path of the base URL.
func target(p *site.Part, reply hosting.Answer, loc string) string {
	if reply.Pos.File == "" {
		to, _ := p.Base.Loc(reply.To)
		return to
	}
	resolve := func(to string) (string, error) { return p.Base.Resolve(to, loc, "") }
	if strings.HasPrefix(reply.To, "/") && !strings.HasPrefix(reply.To, p.Base.Prefix()) {
		resolve = p.Resolve
	}
	if to, err := resolve(reply.To); err == nil {
		return to
	}
	return reply.To
}

// about returns out with the file and the content file of the page r.
func (a *Answers) about(r *site.Page, out Answer) Answer {
	if r.File() != "" {
		out.File = a.of.World.Pos(r).File
	}
	if r.Content != nil {
		out.Source = a.of.World.ContentPos(r).File
	}
	return out
}

// fileAnswer returns the answer for reply, a host's answer with status 200: a page, another file,
// or other content.
func (a *Answers) fileAnswer(ctx context.Context, p *site.Part, reply hosting.Answer) Answer {
	out := Answer{Status: http.StatusOK}
	file := path.Join(p.Dir, reply.File)
	sent := a.of.Page(file)
	switch {
	case reply.File == "":
		out.Exclusion = site.Exclusion{Reason: page.Excluded, Pos: reply.Pos, Text: "a rule serves something else there"}
	case sent == nil:
		_, glob := a.of.o.Pages.Filter.Decide(file)
		out.File = a.of.o.Pages.Show(file)
		out.Exclusion = site.Exclusion{Reason: page.Excluded, Text: cmp.Or(glob, "the file is not a page")}
	default:
		return a.page(ctx, sent, out)
	}
	return out
}

// page completes out, the answer that sends the page r, listed or not.
func (a *Answers) page(ctx context.Context, r *site.Page, out Answer) Answer {
	if r.Reason() == page.Listed {
		out.At = r.Entry.Loc
		return a.about(r, out)
	}
	return a.about(r, a.outAnswer(ctx, r, out))
}

// outAnswer completes out, the answer that sends the page r, which is left out of the sitemap.
func (a *Answers) outAnswer(ctx context.Context, r *site.Page, out Answer) Answer {
	s := a.of
	out.Exclusion = *r.Excluded
	switch r.Reason() {
	case page.Canonical:
		out.To = r.Excluded.Text
	case page.Duplicate:
		out.At = r.Entry.Loc
	case page.Draft, page.Scheduled, page.Expired, page.NotRendered:
		if s.o.Pages == nil {
			out.Status = http.StatusNotFound // the page is not built yet
		}
	}
	if r.Facts.OwnReason == page.Listed || a.Again != nil && !a.Again(r.File()) {
		return out
	}
	again, ok := s.again(ctx, r)
	if !ok {
		return out
	}
	pinpoint(&out.Exclusion, &again)
	if again.Facts.Refresh == "" {
		return out
	}
	if to, err := s.World.PartOf(r).Base.Resolve(again.Facts.Refresh, s.World.PageURL(r), again.Facts.Base); err == nil {
		out.To, out.Refresh = to, true // pages of jekyll-redirect-from also have a noindex
	}
	return out
}

// nothingSent returns the answer for reply, a host's answer with an error status. If a content file
// would have a page at urlPath, the verdict explains why the page was not built.
func (a *Answers) nothingSent(p *site.Part, urlPath string, reply hosting.Answer) Answer {
	out := Answer{Status: reply.Status, Exclusion: site.Exclusion{Pos: reply.Pos, Text: reply.Text}}
	for file := range site.FilesAt(urlPath) {
		src := a.pageless()[path.Join(p.Dir, file)]
		if src == nil {
			continue
		}
		var e Explanation
		a.of.explainUnbuilt(&e, src)
		out.Source, out.Exclusion = e.Source, e.Exclusion
		break
	}
	return out
}

// pageless returns the content files without a built page, by the path that the page would have.
func (s *explainer) pageless() map[string]*site.ContentFile {
	if s.o.Pages == nil {
		return nil
	}
	all, built := map[string]*site.ContentFile{}, map[*site.ContentFile]bool{}
	for r := range s.FilePages() {
		built[r.Content] = true
	}
	for _, src := range s.World.ContentFiles {
		if src.Output != "" && !built[src] {
			all[src.Output] = src
		}
	}
	return all
}

// Aliases returns the listed URLs of the pages whose content files name the URL loc as an alias in
// front matter.
func (a *Answers) Aliases(loc string) (locs []string) {
	p, urlPath, ok := a.of.World.FindPart(loc)
	if !ok {
		return nil
	}
	for file := range site.FilesAt(urlPath) {
		locs = append(locs, a.aliases()[path.Join(p.Dir, file)]...)
	}
	return locs
}

// aliases returns the listed URLs by the file that would redirect to them.
func (s *explainer) aliases() map[string][]string {
	all := map[string][]string{}
	for _, r := range s.List {
		if r.Content == nil || r.Content.Facts == nil {
			continue
		}
		for _, file := range s.World.Mapping.AliasFiles(r.Content.File, r.Content.Facts) {
			all[file] = append(all[file], r.Entry.Loc)
		}
	}
	return all
}
