package config

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/sitemap"
)

// resolveRules sets the rules and the default fields of entries.
func (r *resolver) resolveRules() {
	var rules []mapping.Rule
	for i, v := range r.file.Rules {
		if rule, ok := r.newRule(fmt.Sprintf("rules[%d]", i+1), v.V, v.Pos); ok {
			rules = append(rules, rule)
		}
	}
	r.settings.Site.Rules, _ = mapping.NewRules(rules) // each was checked
	r.settings.Site.Page.Titles = r.needsTitles()
	d := r.file.Defaults
	r.settings.Site.Defaults = sitemap.URL{ChangeFreq: d.ChangeFreq, Priority: d.Priority}
}

// newRule returns the rule at a key of the settings file. It reports false for a rule without
// a valid glob.
func (r *resolver) newRule(key string, v Rule, pos diag.Pos) (rule mapping.Rule, ok bool) {
	rule = mapping.Rule{Exclude: v.Exclude.V, Set: v.Fields, Pos: pos}
	rule.Listing = mapping.Listing{Section: v.Section.V, Limit: v.Limit.V, Optional: v.Optional.V}
	if v.Limit != (number{}) && v.Limit.V < 1 {
		r.diags.Errorf(v.Limit.Pos, "bad-value", "", "%s.limit %d is not positive; exclude: true lists none", key, v.Limit.V)
	}
	if v.URL.IsSet() {
		r.checkAddress(fileChoice(key+".url", v.URL))
		rule.Set.Loc = v.URL.V
	}
	switch files, urls := v.Files.V != "", v.URLs.V != ""; {
	case files == urls:
		r.reject(fileChoice(key, text{Pos: pos}), "bad-value", `needs files or urls, one of them; write files: "blog/**", or urls: "/blog/**"`)
		return rule, false
	case files:
		rule.Match, ok = r.checkFileGlob(fileChoice(key+".files", v.Files))
	default:
		rule.Match, ok = r.checkURLGlob(fileChoice(key+".urls", v.URLs))
	}
	if !ok {
		return rule, false
	}
	if v.Exclude.IsSet() && !v.Exclude.V {
		r.diags.Warnf(v.Exclude.Pos, "idle-rule", "leave it out; what one source excludes no other brings back",
			"exclude: false does nothing")
	} else if !rule.Exclude && !hasFields(rule.Set) && rule.Listing == (mapping.Listing{}) && !r.hasErrors() {
		r.diags.Warnf(pos, "idle-rule", "give it exclude, url, lastmod, changefreq or priority", "the rule for %q does nothing", rule.Match).Subject = rule.Match
	}
	return rule, true
}

// hasErrors reports whether the file has had an error so far. A rule whose values failed to
// parse looks idle, and is not reported as idle then.
func (r *resolver) hasErrors() bool {
	return slices.ContainsFunc(r.diags, func(d diag.Diagnostic) bool { return d.Severity == diag.Error })
}

// checkAddress reports whether a choice is a URL or a path below the base URL. It rejects the
// choice otherwise.
func (r *resolver) checkAddress(c choice) bool {
	if strings.HasPrefix(c.V, "/") && !strings.HasPrefix(c.V, "//") {
		return true
	}
	if u, err := url.Parse(c.V); err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https") {
		return true
	}
	r.reject(c, "bad-url", "%q is neither an http or https URL nor a path below the base URL; write /a/ or https://example.com/a/", c.V)
	return false
}

// resolveExtra adds the URLs without a file.
func (r *resolver) resolveExtra() {
	for i, v := range r.file.Extra {
		key := fmt.Sprintf("extra[%d]", i+1)
		if !v.V.Loc.IsSet() {
			r.reject(fileChoice(key, text{Pos: v.Pos}), "bad-value", "has no loc")
			continue
		}
		u := v.V.Fields
		u.Loc = v.V.Loc.V
		if r.checkAddress(fileChoice(key+".loc", v.V.Loc)) {
			r.settings.Site.Extra = append(r.settings.Site.Extra, site.Extra{URL: u, Pos: v.V.Loc.Pos})
		}
	}
}

// languageTag is a language with its script and region, as search engines take
// them: https://developers.google.com/search/docs/specialty/international/localized-versions
var languageTag = regexp.MustCompile(`^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$`)

// resolvePages sets what is read of pages, and which of them are listed.
func (r *resolver) resolvePages() {
	o := &r.settings.Site
	o.Page.Images = r.resolveBool("images", r.file.Images)
	o.ObeyRobots = r.resolveBool("obey_robots", r.file.ObeyRobots) || !r.file.ObeyRobots.IsSet()
	for _, v := range r.file.Versions.V {
		o.Versions.Names = append(o.Versions.Names, v.V)
	}
	o.Versions.Pos = r.file.Versions.Pos
}

// resolveLanguages sets the folders of the languages.
func (r *resolver) resolveLanguages() {
	dirs, codes, xdefault := map[string]string{}, map[string]string{}, ""
	for i, v := range r.file.Languages {
		key := fmt.Sprintf("languages[%d]", i+1)
		code := fileChoice(key+".code", v.V.Code)
		if code.V == "" {
			r.reject(fileChoice(key, text{Pos: v.Pos}), "bad-value", "has no code; write one such as de or de-CH")
			continue
		}
		if !languageTag.MatchString(code.V) {
			r.reject(code, "bad-value", "%q is not a language; write one such as de, de-CH or zh-Hant", code.V)
		}
		dir := strings.Trim(v.V.Dir.V, "/")
		if other, twice := dirs[dir]; twice {
			r.reject(fileChoice(key, text{Pos: v.Pos}), "bad-value", "names the folder %q of %s again", dir, other)
		}
		if other, twice := codes[strings.ToLower(code.V)]; twice {
			r.reject(code, "bad-value", "%q is that of %s already; each language has one folder", code.V, other)
		}
		if v.V.XDefault.V {
			if xdefault != "" {
				r.reject(fileChoice(key, text{Pos: v.Pos}), "bad-value", "repeats the x_default of %s; only one folder can be for readers of no listed language", xdefault)
			}
			xdefault = key
		}
		dirs[dir], codes[strings.ToLower(code.V)] = code.V, key
		r.settings.Site.Languages = append(r.settings.Site.Languages, site.Language{Dir: dir, Code: code.V, XDefault: v.V.XDefault.V, Pos: v.Pos})
	}
}

// hasFields reports whether a rule sets a field of an entry.
func hasFields(u sitemap.URL) bool {
	return u.Loc != "" || !u.LastMod.IsZero() || !u.Plain()
}

// resolveMaxLoss sets how many URLs may be missing.
func (r *resolver) resolveMaxLoss() {
	c := r.resolveText("max_loss", r.file.MaxLoss)
	if c.by == "" {
		return
	}
	var err error
	if r.settings.MaxLoss, err = site.ParseMaxLoss(c.V); err != nil {
		r.reject(c, "bad-value", "%v", err)
	}
}

// resolveGone sets the globs of URLs that are gone on purpose, and of URLs that a server
// answers without a file.
func (r *resolver) resolveGone() {
	r.settings.Gone = r.newURLRules("diff.gone", r.file.Diff.Gone)
	r.settings.ServedByCode = r.newURLRules("links.ignore", r.file.Links.Ignore)
}

// usualArchives are globs of the pages by which most generators list others.
var usualArchives = []string{
	"/**/{tag,tags,category,categories,author,authors,archive,archives,topics,series}{,.html,/**}",
	"/**/{page,p}/*{,/}", "/**/{page,index}{,-,_}[0-9]*{,/,/index.html}",
	"/**/[12][0-9][0-9][0-9]{,/,/[01][0-9]{,/}}",
}

// resolveHeads sets the check of heads, and the lists of pages that the check excepts.
func (r *resolver) resolveHeads() {
	r.settings.ChecksHeads = r.resolveBool("check.heads", r.file.Check.Heads)
	var rules []mapping.Rule
	for _, glob := range slices.Concat(r.project.Archives, usualArchives) {
		rules = append(rules, mapping.Rule{Match: glob})
	}
	r.settings.Archives, _ = mapping.NewRules(rules)
}

// newURLRules compiles the URL globs of a list.
func (r *resolver) newURLRules(key string, list texts) *mapping.Rules {
	var rules []mapping.Rule
	for i, g := range list.V {
		if match, ok := r.checkURLGlob(fileChoice(fmt.Sprintf("%s[%d]", key, i+1), g)); ok {
			rules = append(rules, mapping.Rule{Match: match, Pos: g.Pos})
		}
	}
	all, _ := mapping.NewRules(rules) // each was tried
	return all
}

// checkURLGlob reports whether a choice is a glob of URL paths. It rejects the choice
// otherwise.
func (r *resolver) checkURLGlob(c choice) (string, bool) {
	if c.V != "" && !strings.HasPrefix(c.V, "/") {
		path := "/" + c.V
		if u, err := url.Parse(c.V); err == nil && u.Host != "" {
			path = u.Path
		}
		r.reject(c, "bad-glob", `%q does not begin with a slash; it is matched against the path of a URL below the base URL: write %q`, c.V, path)
		return "", false
	}
	return c.V, r.isGlob(c)
}

// checkFileGlob reports whether a choice is a glob of files below their folder. It rejects the
// choice otherwise.
func (r *resolver) checkFileGlob(c choice) (string, bool) {
	if strings.HasPrefix(c.V, "/") {
		r.reject(c, "bad-glob", `%q begins with a slash; it is matched against the path of a file below its folder: write %q, or urls: %q`, c.V, strings.TrimLeft(c.V, "/"), c.V)
		return "", false
	}
	return c.V, r.isGlob(c)
}

// isGlob reports whether a choice is a glob. It rejects the choice otherwise.
func (r *resolver) isGlob(c choice) bool {
	_, err := mapping.NewRules([]mapping.Rule{{Match: c.V}})
	if err != nil {
		r.reject(c, "bad-glob", "%v", err)
	}
	return err == nil
}
