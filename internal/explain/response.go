package explain

import (
	"cmp"
	"context"
	"net/http"
	"path"
	"strings"

	"github.com/sitewalk/sitewalk/internal/hosting"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
)

// A Response predicts how the host responds to a request for a URL. It also tells whether the
// sitemap lists the page in the response.
type Response struct {
	Status      int            // HTTP status; 0 for a URL of another site
	Listed      bool           // the sitemap lists exactly this URL
	ListedURL   string         // the listed URL of the same page if it is a different URL; otherwise ""
	IsArbitrary bool           // ListedURL and this URL are equally good; no setting and no link of the site prefers ListedURL
	To          string         // target of a redirect, or of a meta refresh or canonical link in the page
	Refresh     bool           // To is the target of a meta refresh; the status is 200
	Exclusion   site.Exclusion // why the page is not listed, or the rule that redirects or answers with an error
	File        string         // path of the file that is sent, as the user would type it
	Source      string         // path of the content file of the page, built or not, as the user would type it
}

// PredictResponse predicts the response of the host to a request for the URL loc. It sends no
// request. It ignores the fragment of loc. It assumes that the host sends the same file with and
// without the query. For a URL of another site, it returns the zero Response.
func (s *Explainer) PredictResponse(ctx context.Context, loc string) Response {
	loc, _, _ = strings.Cut(loc, "#")
	if p := s.listedPage(loc); p != nil {
		return s.addFilePaths(p, Response{Status: http.StatusOK, Listed: true})
	}
	if !s.World.Facts.Parts.ContainsURL(loc) {
		return Response{}
	}
	return s.predictUnlisted(ctx, loc)
}

// predictUnlisted predicts the response to a request for loc, a URL of the site that the sitemap
// does not list.
func (s *Explainer) predictUnlisted(ctx context.Context, loc string) Response {
	bare, _, _ := strings.Cut(loc, "?")
	part, urlPath, ok := s.World.FindPart(bare)
	if !ok {
		return Response{Status: http.StatusNotFound, Exclusion: site.Exclusion{Text: "no file can have that address"}}
	}
	answer := part.Hosting.Answer(urlPath, s.newFileCheck(ctx, part))
	switch {
	case answer.Status == http.StatusOK:
		out := s.fileResponse(ctx, part, answer)
		out.IsArbitrary = s.isArbitraryChoice(out.ListedURL, bare)
		return out
	case answer.To != "":
		return Response{Status: answer.Status, To: redirectTarget(part, answer, loc), Exclusion: site.Exclusion{Reason: page.Redirect, Pos: answer.Pos, Text: answer.Text}}
	}
	if !part.Hosting.IsKnown() && answer.Pos.File == "" { // an unknown host may serve a.html at /a
		if p := s.Page(path.Join(part.Dir, part.FileAt(urlPath, true))); p != nil && !p.Listed() {
			return s.pageResponse(ctx, p, Response{Status: http.StatusOK})
		}
	}
	return s.errorResponse(part, urlPath, answer)
}

// isArbitraryChoice reports whether the page at listedURL could just as well be listed at the URL
// loc, because no setting, canonical link or other link of the site prefers listedURL. It returns
// false if the sitemap does not list listedURL, or if loc ends in ".html".
func (s *Explainer) isArbitraryChoice(listedURL, loc string) bool {
	p := s.listedPage(listedURL)
	if p == nil || strings.HasSuffix(loc, ".html") {
		return false
	}
	return s.World.HasArbitraryEnding(p)
}

// listedPage returns the page that the sitemap lists at the URL loc, or nil.
func (s *Explainer) listedPage(loc string) *site.Page {
	if i, ok := s.List.Find(loc); ok {
		return s.List[i]
	}
	return nil
}

// FindRespelled returns the listed URL that equals loc except for case, a trailing slash, ".html"
// or "index.html". It returns "" if there is no such URL.
func (s *Explainer) FindRespelled(loc string) string {
	part, urlPath, ok := s.World.FindPart(loc)
	if !ok {
		return ""
	}
	return s.spellings()[part.Dir+mapping.SpellingKey(urlPath)]
}

// listedURLsBySpelling returns a map of all listed URLs. A key consists of the folder of the part
// that contains the URL, and the mapping.SpellingKey of the URL path. For the path "/A/" in the
// folder de, the key is "de/a".
func (s *Explainer) listedURLsBySpelling() map[string]string {
	all := map[string]string{}
	for _, p := range s.List {
		all[s.World.PartOf(p).Dir+mapping.SpellingKey(s.World.URLPath(p))] = p.Loc
	}
	return all
}

// newFileCheck returns a function that reports whether a file exists in the folder of part. Unlike
// part.Exists, the returned function also finds files that are not pages.
func (s *Explainer) newFileCheck(ctx context.Context, part *site.Part) func(string) bool {
	return func(file string) bool {
		if part.Exists(file) {
			return true
		}
		return s.o.Pages != nil && s.isFile(ctx, s.o.Pages, path.Join(part.Dir, file))
	}
}

// redirectTarget returns the absolute URL of the target of a redirect. answer is the host's answer
// to a request for the URL loc. A target path that begins with "/" is relative to the base URL,
// unless it begins with the path of the base URL. If the target in a rule is not valid,
// redirectTarget returns answer.To unchanged.
func redirectTarget(part *site.Part, answer hosting.Answer, loc string) string {
	if answer.Pos.File == "" {
		to, _ := part.Base.Loc(answer.To)
		return to
	}
	resolve := func(to string) (string, error) { return part.Base.Resolve(to, loc, "") }
	if strings.HasPrefix(answer.To, "/") && !strings.HasPrefix(answer.To, part.Base.Prefix()) {
		resolve = part.ResolveURL
	}
	if to, err := resolve(answer.To); err == nil {
		return to
	}
	return answer.To
}

// addFilePaths returns a copy of out with the paths of the built file and the content file of the
// page p in File and Source. If p has no such file, the field keeps its value.
func (s *Explainer) addFilePaths(p *site.Page, out Response) Response {
	if p.File() != "" {
		out.File = s.World.Pos(p).File
	}
	if p.Content != nil {
		out.Source = s.World.ContentPos(p).File
	}
	return out
}

// fileResponse returns the response for answer, an answer of the host with status 200. The host
// sends a page, another file, or content that is not in a file.
func (s *Explainer) fileResponse(ctx context.Context, part *site.Part, answer hosting.Answer) Response {
	out := Response{Status: http.StatusOK}
	file := path.Join(part.Dir, answer.File)
	sent := s.Page(file)
	switch {
	case answer.File == "":
		out.Exclusion = site.Exclusion{Reason: page.Excluded, Pos: answer.Pos, Text: "a rule of the host serves other content there"}
	case sent == nil:
		_, glob := s.o.Pages.Filter.Decide(file)
		out.File = s.o.Pages.DisplayName(file)
		out.Exclusion = site.Exclusion{Reason: page.Excluded, Text: cmp.Or(glob, "the file is not a page")}
	default:
		return s.pageResponse(ctx, sent, out)
	}
	return out
}

// pageResponse completes out, the response to a request for the page p, and returns it. It adds the
// paths of the page's files. It also adds the listed URL of a listed page, or the reason why a page
// is left out.
func (s *Explainer) pageResponse(ctx context.Context, p *site.Page, out Response) Response {
	if p.Reason() == page.Listed {
		out.ListedURL = p.Loc
		return s.addFilePaths(p, out)
	}
	return s.addFilePaths(p, s.excludedPageResponse(ctx, p, out))
}

// excludedPageResponse completes out, the response to a request for the page p, and returns it. p
// must be left out of the sitemap. excludedPageResponse adds the reason, the target of a meta
// refresh or a canonical link, and the listed URL of a duplicate. If the generator does not build
// the page, and there is no pages tree, the status becomes 404.
func (s *Explainer) excludedPageResponse(ctx context.Context, p *site.Page, out Response) Response {
	out.Exclusion = *p.Exclusion
	switch p.Reason() {
	case page.Canonical:
		out.To = p.Exclusion.Text
	case page.Duplicate:
		if _, listed := s.List.Find(p.Loc); listed {
			out.ListedURL = p.Loc
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
	addExclusionDetails(&out.Exclusion, &again)
	if again.Facts.Refresh == "" {
		return out
	}
	if to, err := s.World.PartOf(p).Base.Resolve(again.Facts.Refresh, p.Loc, again.Facts.Base); err == nil {
		out.To, out.Refresh = to, true // pages of jekyll-redirect-from also have a noindex
	}
	return out
}

// errorResponse returns the response for answer, an answer of the host with an error status. If a
// content file would have a page at urlPath, the response explains why the page was not built.
func (s *Explainer) errorResponse(part *site.Part, urlPath string, answer hosting.Answer) Response {
	out := Response{Status: answer.Status, Exclusion: site.Exclusion{Pos: answer.Pos, Text: answer.Text}}
	for file := range site.PossibleFilesAt(urlPath) {
		src := s.unbuilt()[path.Join(part.Dir, file)]
		if src == nil {
			continue
		}
		var e Explanation
		s.explainUnbuiltContentFile(&e, src)
		out.Source, out.Exclusion = e.Source, e.Exclusion
		break
	}
	return out
}

// unbuiltContentFiles returns a map of the content files that have no built page. The key is the
// path that the built file would have. It returns nil for a site without a pages tree.
func (s *Explainer) unbuiltContentFiles() map[string]*site.ContentFile {
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
func (s *Explainer) AliasTargets(loc string) (locs []string) {
	part, urlPath, ok := s.World.FindPart(loc)
	if !ok {
		return nil
	}
	for file := range site.PossibleFilesAt(urlPath) {
		locs = append(locs, s.aliases()[path.Join(part.Dir, file)]...)
	}
	return locs
}

// listedURLsByAliasFile returns a map of the listed URLs of pages with aliases. The key is the path
// of the file that would redirect from the alias to these URLs.
func (s *Explainer) listedURLsByAliasFile() map[string][]string {
	all := map[string][]string{}
	for _, p := range s.List {
		if p.Content == nil || p.Content.Facts == nil {
			continue
		}
		for _, file := range s.World.Mapping.AliasFiles(p.Content.File, p.Content.Facts) {
			all[file] = append(all[file], p.Loc)
		}
	}
	return all
}
