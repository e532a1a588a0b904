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

// An Answer describes how the host answers a request for a URL, and whether the sitemap lists the
// page in the answer.
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

// Answers computes how the host of a site answers requests. It is safe for concurrent use. New
// creates Answers.
type Answers struct {
	of        *explainer
	pageless  func() map[string]*site.ContentFile // content files without a built page, by the path the page would have
	aliases   func() map[string][]string          // listed URLs by the file that would redirect to them
	spellings func() map[string]string            // listed URLs by part and mapping.SpellingKey of the path
}

// New returns Answers for the site in r.
func New(r *site.Result) *Answers {
	s := newExplainer(r)
	return &Answers{
		of: s, pageless: sync.OnceValue(s.unbuiltContentFiles), aliases: sync.OnceValue(s.listedURLsByAliasFile), spellings: sync.OnceValue(s.listedURLsBySpelling),
	}
}

// AnswerRequest computes the answer of the host to a request for the URL loc, without sending a
// request. It ignores the fragment of loc. The query of loc does not decide which file is sent.
// AnswerRequest returns the zero Answer for a URL of another site.
func (a *Answers) AnswerRequest(ctx context.Context, loc string) Answer {
	loc, _, _ = strings.Cut(loc, "#")
	if p := a.listedPage(loc); p != nil {
		return a.addFilePaths(p, Answer{Status: http.StatusOK, Listed: true})
	}
	if !a.of.World.Facts.Parts.ContainsURL(loc) {
		return Answer{}
	}
	return a.answerUnlisted(ctx, loc)
}

// answerUnlisted returns the answer to a request for loc, a URL of the site that the sitemap does
// not list.
func (a *Answers) answerUnlisted(ctx context.Context, loc string) Answer {
	bare, _, _ := strings.Cut(loc, "?")
	part, urlPath, ok := a.of.World.FindPart(bare)
	if !ok {
		return Answer{Status: http.StatusNotFound, Exclusion: site.Exclusion{Text: "no file can have that address"}}
	}
	reply := part.Host.Answer(urlPath, a.newFileCheck(ctx, part))
	switch {
	case reply.Status == http.StatusOK:
		out := a.answerFile(ctx, part, reply)
		out.Either = a.isArbitraryChoice(out.At, bare)
		return out
	case reply.To != "":
		return Answer{Status: reply.Status, To: redirectTarget(part, reply, loc), Exclusion: site.Exclusion{Reason: page.Redirect, Pos: reply.Pos, Text: reply.Text}}
	}
	if !part.Host.IsKnown() && reply.Pos.File == "" { // an unknown host may serve a.html at /a
		if p := a.of.Page(path.Join(part.Dir, part.FileAt(urlPath, true))); p != nil && !p.Listed() {
			return a.answerPage(ctx, p, Answer{Status: http.StatusOK})
		}
	}
	return a.answerError(part, urlPath, reply)
}

// isArbitraryChoice reports whether the page at listedURL could just as well be listed at the URL
// loc, because no setting and no link of the site prefers listedURL. It returns false if the
// sitemap does not list listedURL, or if loc ends in ".html".
func (a *Answers) isArbitraryChoice(listedURL, loc string) bool {
	p := a.listedPage(listedURL)
	if p == nil || strings.HasSuffix(loc, ".html") {
		return false
	}
	return a.of.World.HasArbitraryEnding(p)
}

// listedPage returns the page that the sitemap lists at the URL loc, or nil.
func (a *Answers) listedPage(loc string) *site.Page {
	if i, ok := a.of.List.Find(loc); ok {
		return a.of.List[i]
	}
	return nil
}

// FindRespelled returns the listed URL that equals loc except for case, a trailing slash, ".html"
// or "index.html". It returns "" if there is no such URL.
func (a *Answers) FindRespelled(loc string) string {
	part, urlPath, ok := a.of.World.FindPart(loc)
	if !ok {
		return ""
	}
	return a.spellings()[part.Dir+mapping.SpellingKey(urlPath)]
}

// listedURLsBySpelling returns a map with all listed URLs. Each key consists of the folder of a
// part of the site and the mapping.SpellingKey of a URL path. For the path "/A/" in the folder de,
// the key is "de/a".
func (s *explainer) listedURLsBySpelling() map[string]string {
	all := map[string]string{}
	for _, p := range s.List {
		all[s.World.PartOf(p).Dir+mapping.SpellingKey(s.World.URLPath(p))] = p.Entry.Loc
	}
	return all
}

// newFileCheck returns a function that reports whether a file exists in the folder of part. Unlike
// part.Exists, the returned function also finds files that are not pages.
func (a *Answers) newFileCheck(ctx context.Context, part *site.Part) func(string) bool {
	return func(file string) bool {
		if part.Exists(file) {
			return true
		}
		return a.of.o.Pages != nil && a.of.isFile(ctx, a.of.o.Pages, path.Join(part.Dir, file))
	}
}

// redirectTarget returns the absolute URL of the target of a redirect. reply is the host's answer
// to a request for the URL loc. A target path in a rule is relative to the base URL, unless it
// begins with the path of the base URL. If the target in a rule is not valid, redirectTarget
// returns reply.To unchanged.
func redirectTarget(part *site.Part, reply hosting.Answer, loc string) string {
	if reply.Pos.File == "" {
		to, _ := part.Base.Loc(reply.To)
		return to
	}
	resolve := func(to string) (string, error) { return part.Base.Resolve(to, loc, "") }
	if strings.HasPrefix(reply.To, "/") && !strings.HasPrefix(reply.To, part.Base.Prefix()) {
		resolve = part.ResolveURL
	}
	if to, err := resolve(reply.To); err == nil {
		return to
	}
	return reply.To
}

// addFilePaths returns a copy of out with File and Source set to the paths of the built file and
// the content file of the page p. If there is no such file, the field keeps its value.
func (a *Answers) addFilePaths(p *site.Page, out Answer) Answer {
	if p.File() != "" {
		out.File = a.of.World.Pos(p).File
	}
	if p.Content != nil {
		out.Source = a.of.World.ContentPos(p).File
	}
	return out
}

// answerFile returns the answer for reply, an answer of the host with status 200. The host sends a
// page, another file, or content that is not in a file.
func (a *Answers) answerFile(ctx context.Context, part *site.Part, reply hosting.Answer) Answer {
	out := Answer{Status: http.StatusOK}
	file := path.Join(part.Dir, reply.File)
	sent := a.of.Page(file)
	switch {
	case reply.File == "":
		out.Exclusion = site.Exclusion{Reason: page.Excluded, Pos: reply.Pos, Text: "a rule serves something else there"}
	case sent == nil:
		_, glob := a.of.o.Pages.Filter.Decide(file)
		out.File = a.of.o.Pages.DisplayName(file)
		out.Exclusion = site.Exclusion{Reason: page.Excluded, Text: cmp.Or(glob, "the file is not a page")}
	default:
		return a.answerPage(ctx, sent, out)
	}
	return out
}

// answerPage returns a copy of out, the incomplete answer to a request for the page p. For a listed
// page, the copy also contains the listed URL. For a page that is left out, it contains the reason.
// It always contains the paths of the page's files.
func (a *Answers) answerPage(ctx context.Context, p *site.Page, out Answer) Answer {
	if p.Reason() == page.Listed {
		out.At = p.Entry.Loc
		return a.addFilePaths(p, out)
	}
	return a.addFilePaths(p, a.answerLeftOut(ctx, p, out))
}

// answerLeftOut returns a copy of out, the incomplete answer to a request for the page p, which is
// left out of the sitemap. The copy also contains the reason, and the target of a redirect or a
// canonical link. Without a pages tree, its status is 404 if the generator does not build the page.
func (a *Answers) answerLeftOut(ctx context.Context, p *site.Page, out Answer) Answer {
	s := a.of
	out.Exclusion = *p.Excluded
	switch p.Reason() {
	case page.Canonical:
		out.To = p.Excluded.Text
	case page.Duplicate:
		if _, listed := s.List.Find(p.Entry.Loc); listed {
			out.At = p.Entry.Loc
		}
	}
	if p.Reason().Has(page.Unbuilt) && s.o.Pages == nil {
		out.Status = http.StatusNotFound
	}
	if p.Facts.OwnReason == page.Listed {
		return out
	}
	again, ok := s.readAgain(ctx, p)
	if !ok {
		return out
	}
	fillExclusionPosition(&out.Exclusion, &again)
	if again.Facts.Refresh == "" {
		return out
	}
	if to, err := s.World.PartOf(p).Base.Resolve(again.Facts.Refresh, p.Entry.Loc, again.Facts.Base); err == nil {
		out.To, out.Refresh = to, true // pages of jekyll-redirect-from also have a noindex
	}
	return out
}

// answerError returns the answer for reply, an answer of the host with an error status. If a
// content file would have a page at urlPath, the answer explains why the page was not built.
func (a *Answers) answerError(part *site.Part, urlPath string, reply hosting.Answer) Answer {
	out := Answer{Status: reply.Status, Exclusion: site.Exclusion{Pos: reply.Pos, Text: reply.Text}}
	for file := range site.PossibleFilesAt(urlPath) {
		src := a.pageless()[path.Join(part.Dir, file)]
		if src == nil {
			continue
		}
		var e Explanation
		a.of.explainUnbuiltContentFile(&e, src)
		out.Source, out.Exclusion = e.Source, e.Exclusion
		break
	}
	return out
}

// unbuiltContentFiles returns a map of the content files that have no built page. The key is the
// path that the built file would have. It returns nil for a site without a pages tree.
func (s *explainer) unbuiltContentFiles() map[string]*site.ContentFile {
	if s.o.Pages == nil {
		return nil
	}
	all, built := map[string]*site.ContentFile{}, map[*site.ContentFile]bool{}
	for p := range s.FilePages() {
		built[p.Content] = true
	}
	for _, src := range s.World.ContentFiles {
		if src.Output != "" && !built[src] {
			all[src.Output] = src
		}
	}
	return all
}

// AliasTargets returns the listed URLs of the pages whose front matter names the URL loc as an
// alias. It returns nil if there are none.
func (a *Answers) AliasTargets(loc string) (locs []string) {
	part, urlPath, ok := a.of.World.FindPart(loc)
	if !ok {
		return nil
	}
	for file := range site.PossibleFilesAt(urlPath) {
		locs = append(locs, a.aliases()[path.Join(part.Dir, file)]...)
	}
	return locs
}

// listedURLsByAliasFile returns a map of the listed URLs of pages with aliases. The key is the path
// of the file that would redirect from the alias to these URLs.
func (s *explainer) listedURLsByAliasFile() map[string][]string {
	all := map[string][]string{}
	for _, p := range s.List {
		if p.Content == nil || p.Content.Facts == nil {
			continue
		}
		for _, file := range s.World.Mapping.AliasFiles(p.Content.File, p.Content.Facts) {
			all[file] = append(all[file], p.Entry.Loc)
		}
	}
	return all
}
