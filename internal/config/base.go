package config

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/generator"
	"github.com/sitewalk/sitewalk/internal/hosting"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
)

// resolveBaseURL sets the base URL of the site from the base_url setting. Without the setting, it
// uses the URL on which the generator's files and the platform agree. If they name different URLs,
// it adds an error. If they name no URL, it adds an error, unless r.hasSitesBelow is set.
func (r *resolver) resolveBaseURL() {
	c := r.resolveText("base_url", r.file.BaseURL)
	if c.by != "" {
		b, err := mapping.ParseBase(c.V)
		if err != nil {
			r.rejectValue(c, "bad-url", "%v", strings.TrimPrefix(err.Error(), "base_url "))
		}
		r.settings.Site.Base = b
		if c.by != "flag" && mapping.IsLocalHost(b.String()) {
			r.diags.Warnf(c.Pos, "local-address", "write the address of the live site; for a test, use -b", "%s is %s, the address of a local server", c.who, b).Subject = b.String()
		}
		r.reportOtherPath(b, c.Pos)
		return
	}
	address, err := agreedCandidate(r.baseURLCandidates())
	switch {
	case err != nil:
		r.addMissingSettingError(err)
	case address == nil && r.hasSitesBelow: // the sites below the root may contain the URL
	case address == nil:
		r.addMissingSettingError(r.errNoBaseURL())
	default:
		r.settings.Site.Base = address.base
		by := "detected"
		if address.pos == (diag.Pos{}) && address.why != "" {
			by = "environment"
		}
		r.recordOrigin("base_url", address.base.String(), by, address.pos, address.why)
		if address.hostOnly {
			r.reportOtherPath(address.base, diag.Pos{})
		}
	}
}

// reportOtherPath warns if base, the base URL of the site, lacks the path in the generator's
// configuration, such as /project/. pos is the position of base in the settings file, or zero if
// base comes from another source.
func (r *resolver) reportOtherPath(base mapping.Base, pos diag.Pos) {
	fit := r.withGeneratorPath(base)
	if fit == base {
		return
	}
	hint := "give -b " + fit.String()
	if pos != (diag.Pos{}) {
		hint = "write base_url: " + fit.String()
	}
	for _, s := range slices.Backward(r.project.Settings) {
		if strings.HasSuffix("/"+strings.Trim(s.Value, "/")+"/", fit.Prefix()) {
			r.diags.Warnf(s.Pos, "base-path", hint, "%s puts the site below %s, but the base URL is %s", s.Key, fit.Prefix(), base).Subject = base.String()
			return
		}
	}
}

// errNoBaseURL returns the error that the base URL is unknown. If the home page names a URL, the
// error suggests it.
func (r *resolver) errNoBaseURL() error {
	why := cmp.Or(r.project.WhyNoBase, "the address of the site is not known;")
	if r.settings.Site.Pages != nil {
		if base := suggestBaseURL(r.settings.Site.Pages.Dir); base != (mapping.Base{}) {
			return fmt.Errorf("%s give it with -b %s, which the built site names, or as base_url in sitemap.yaml%s", why, r.withGeneratorPath(base), deploymentNote(r.input.Getenv))
		}
	}
	return fmt.Errorf("%s give it with -b https://your-site%s or as base_url in sitemap.yaml%s",
		why, cmp.Or(r.project.BasePath, "/"), deploymentNote(r.input.Getenv))
}

// deploymentNote returns a note that an environment variable such as VERCEL_URL is not used,
// because it contains the URL of a single deployment. It returns "" if no such variable is set.
func deploymentNote(getenv func(string) string) string {
	for _, name := range []string{"DEPLOY_URL", "DEPLOY_PRIME_URL", "VERCEL_URL", "CF_PAGES_URL"} {
		if v := getenv(name); v != "" {
			return fmt.Sprintf("; %s=%s is the address of one deployment and is not used", name, v)
		}
	}
	return ""
}

// A candidate is a URL that may be the base URL of the site, found in a file or an environment
// variable.
type candidate struct {
	base     mapping.Base
	who      string   // where the URL was found: "URL of Netlify", "baseURL in hugo.toml:1:1"
	pos      diag.Pos // where the URL is in a file; zero for a variable, or if unknown
	why      string   // the variable that contains the URL: "$CI_PAGES_URL, which GitLab sets"; "" for a file
	secure   bool     // the platform serves the site over https, even if another source has http
	hostOnly bool     // only the host of base is known, not its path
}

// baseURLCandidates returns the possible base URLs of the site: from the generator's files, from
// the platform's environment variables, and from a CNAME file. In a published build on Read the
// Docs, the URL that Read the Docs sets is the only candidate.
func (r *resolver) baseURLCandidates() []candidate {
	var all []candidate
	served, certain := hosting.ReadTheDocsURL(r.input.Getenv)
	_, preview := hosting.IsPreview(r.input.Getenv)
	add := func(address string, c candidate) {
		b, err := mapping.ParseBase(address)
		if err == nil && !mapping.IsLocalHost(b.String()) {
			c.base = b
			all = append(all, c)
		}
	}
	if certain && !preview { // the platform serves the site there, whatever the files contain
		add(served.URL, candidate{who: served.Name, why: served.Origin})
		return all
	}
	if u := r.publishedSite().BaseURL; u != "" {
		c := candidate{who: r.project.Name}
		for _, f := range r.project.Settings {
			if strings.HasPrefix(u, strings.TrimSuffix(f.Value, "/")) && strings.Contains(f.Value, "://") {
				c.pos, c.who = f.Pos, fmt.Sprintf("%s in %s", f.Key, f.Pos)
				break
			}
		}
		add(u, c)
	}
	for _, a := range hosting.EnvURLs(r.input.Getenv) {
		add(a.URL, candidate{who: a.Name, why: a.Origin, secure: true, hostOnly: true})
	}
	if h, file := r.customDomain(); h != "" {
		add("https://"+h, candidate{who: file, pos: diag.Pos{File: file, Line: 1}, hostOnly: true})
	}
	if certain && len(all) == 0 {
		add(served.URL, candidate{who: served.Name, why: served.Origin})
	}
	if u := r.input.Getenv("CI_PAGES_URL"); u != "" && len(all) == 0 && hosting.PublishesToGitLabPages(r.recordingFolder(r.root), r.input.Getenv) {
		add(u, candidate{who: "CI_PAGES_URL of GitLab", why: "$CI_PAGES_URL, which GitLab sets"})
	}
	return all
}

// customDomain returns the custom domain in the CNAME file of the publish directory, or else of the
// project's root. file is the path of the CNAME file as the user would type it. If there is no
// custom domain, both results are "".
func (r *resolver) customDomain() (domain, file string) {
	dirs := []string{r.root}
	if r.settings.Site.Pages != nil {
		dirs = append([]string{r.settings.Site.Pages.Dir}, dirs...)
	}
	for _, dir := range dirs {
		if domain, file := hosting.CustomDomain(r.recordingFolder(dir)); domain != "" {
			return domain, r.displayName(filepath.Join(dir, file))
		}
	}
	return "", ""
}

// agreedCandidate returns the first candidate if all candidates have the same host and path. It
// does not compare the path of a later candidate whose field hostOnly is set. The result has an
// https URL if the field secure is set in a later candidate. agreedCandidate returns nil if there
// are no candidates, and an error if hosts or paths differ.
func agreedCandidate(all []candidate) (*candidate, error) {
	if len(all) == 0 {
		return nil, nil
	}
	first := all[0]
	for _, c := range all[1:] {
		if first.base.Host() != c.base.Host() || !c.hostOnly && first.base.Prefix() != c.base.Prefix() {
			return nil, fmt.Errorf("the site has two addresses: %s (%s) and %s (%s); choose one with -b or as base_url in sitemap.yaml",
				first.base, first.who, c.base, c.who)
		}
		if rest, plain := strings.CutPrefix(first.base.String(), "http://"); plain && c.secure {
			if b, err := mapping.ParseBase("https://" + rest); err == nil {
				first.base, first.why = b, "with https, as "+strings.Replace(c.why, ",", " says,", 1)
			}
		}
	}
	return &first, nil
}

// resolveHost sets the hosting platform of the site, the style of its URLs, and the error pages of
// the platform and the generator, such as error.html on S3. Without the host setting, it detects
// the platform from configuration files and environment variables. It also percent-encodes
// punctuation in the base URL if the platform does.
func (r *resolver) resolveHost() {
	in := hosting.Input{Root: r.recordingFolder(r.root), RootName: r.displayName(r.root), Getenv: r.input.Getenv, Base: r.settings.Site.Base, NextEnding: r.project.NextEnding, ExactURLs: r.file.URLs.HTML.V == "exact"}
	in.Name = r.resolveWord("host", r.file.Host)
	if r.repoRoot != "" {
		in.Above, in.AboveName = r.recordingFolder(r.repoRoot), r.displayName(r.repoRoot)
	}
	if t := r.settings.Site.Pages; t != nil {
		in.Publish, in.PublishName = r.recordingFolder(t.Dir), r.displayName(t.Dir)
	}
	h, diags := hosting.Load(in)
	r.diags = append(r.diags, diags...)
	r.settings.Site.Hosting, r.settings.Site.Style = h, h.Style()
	if r.project.Fallback != "" && r.project.Fallback != "index.html" { // index.html is also the home page
		r.settings.Site.ErrorPages = append(r.settings.Site.ErrorPages, r.project.Fallback)
	}
	if h.Name() == "s3" {
		r.settings.Site.ErrorPages = append(r.settings.Site.ErrorPages, "error.html") // the usual error document
	}
	if h.EncodesPunctuation() {
		r.settings.Site.Base = r.settings.Site.Base.EncodePunctuation()
	}
	switch {
	case in.Name != "" && in.Name != hosting.Auto:
	case h.Name() != "none":
		r.recordOrigin("host", h.Name(), "detected", diag.Pos{}, h.Evidence())
	default:
		r.recordOrigin("host", h.Name(), "default", diag.Pos{}, "") // nothing points to a host
	}
	r.resolveWord("urls.html", r.file.URLs.HTML)
	r.resolveWord("urls.slash", r.file.URLs.Slash)
	r.settings.Site.Overrides = site.StyleOverrides{HTML: r.file.URLs.HTML.IsSet(), Slash: r.file.URLs.Slash.IsSet()}
	r.applyStyleSettings(&r.settings.Site.Style)
}

// htmlStyles maps the values of the setting urls.html, such as "strip", to URL styles. slashStyles
// does the same for urls.slash.
var (
	htmlStyles  = map[string]mapping.HTML{"keep": mapping.KeepHTML, "strip": mapping.StripHTML, "exact": mapping.ExactHTML}
	slashStyles = map[string]mapping.Slash{"keep": mapping.KeepSlash, "add": mapping.AddSlash, "remove": mapping.RemoveSlash}
)

// applyStyleSettings sets s.HTML and s.Slash to the values of the settings urls.html and
// urls.slash. A setting that is not set changes nothing.
func (r *resolver) applyStyleSettings(s *mapping.Style) {
	if style, ok := htmlStyles[r.file.URLs.HTML.V]; ok {
		s.HTML = style
	}
	if style, ok := slashStyles[r.file.URLs.Slash.V]; ok {
		s.Slash = style
	}
}

// suggestBaseURL returns the base URL that index.html in dir names. dir is the folder of a built
// site. It returns the zero Base if the file names no URL, a URL on a local host, or a placeholder
// such as https://example.com/.
func suggestBaseURL(dir string) mapping.Base {
	address := readBaseFromHomePage(dir)
	base, err := mapping.ParseBase(address)
	if err != nil || generator.IsPlaceholder(address) || mapping.IsLocalHost(base.String()) {
		return mapping.Base{}
	}
	return base
}

// withGeneratorPath returns base with the path in the generator's configuration:
// https://user.github.io/project/ for https://user.github.io/. It returns base unchanged if there
// is no publish directory, or if base has this path already. It also returns base unchanged if the
// site seems to be built without the path: the publish directory contains a folder of this name, or
// isBuiltWithoutPath returns true.
func (r *resolver) withGeneratorPath(base mapping.Base) mapping.Base {
	urlPath := r.project.BasePath
	if own, err := mapping.ParseBase(r.project.BaseURL); urlPath == "" && err == nil && own.Host() == base.Host() {
		urlPath = own.Prefix()
	}
	fit, err := mapping.ParseBase(base.Origin() + "/" + strings.TrimPrefix(urlPath, "/"))
	if pages := r.settings.Site.Pages; err != nil || pages == nil || strings.HasPrefix(base.Prefix(), fit.Prefix()) ||
		r.isFolder(filepath.Join(pages.Dir, filepath.FromSlash(fit.Prefix()))) || r.isBuiltWithoutPath(fit) {
		return base
	}
	return fit
}

// isBuiltWithoutPath reports whether the site seems to be built for the root of the host, and not
// for the path of base, such as "/project/". The home page then has links such as "/about/", but
// none such as "/project/about/". isBuiltWithoutPath ignores relative links such as "about/".
func (r *resolver) isBuiltWithoutPath(base mapping.Base) bool {
	dir := r.settings.Site.Pages.Dir
	r.recordLookup(filepath.Join(dir, "index.html"))
	fromRoot, below := false, false
	new(page.Refs).Find(readHomePageHead(dir), func(ref page.Ref) {
		link := strings.TrimPrefix(string(ref.Value), base.Origin())
		below = below || strings.HasPrefix(link+"/", base.Prefix())
		fromRoot = fromRoot || strings.HasPrefix(link, "/") && !strings.HasPrefix(link, "//")
	})
	return fromRoot && !below
}

// readHomePageHead returns the first maxHomePageHead bytes of the home page in dir. It returns nil
// if the file cannot be read.
func readHomePageHead(dir string) []byte {
	src, err := files.ReadHead(dir, "index.html", maxHomePageHead)
	if err != nil {
		return nil
	}
	return src
}

// readBaseFromHomePage returns the canonical URL in dir's index.html without a final "index.html",
// as the probable base URL. If there is no absolute canonical URL, it uses the og:url. It returns
// "" if there is neither.
func readBaseFromHomePage(dir string) string {
	var facts page.Facts
	page.NewReader(page.Options{}).ReadBytes(readHomePageHead(dir), &facts)
	address := facts.OGURL
	if strings.Contains(facts.Canonical, "://") {
		address = facts.Canonical
	}
	return strings.TrimSuffix(address, "index.html")
}
