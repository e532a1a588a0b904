package config

import (
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/report"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/internal/strict"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/sitemap"
)

// maxRules is the maximum number of rules, and of globs of one key, in a settings file. sitewalk
// compares each of them with each page or link.
const maxRules = 10_000

// rejectTooMany reports whether n, the number of items in the list key, is greater than maxRules.
// If so, it adds a finding. pos is the position of the list.
func (r *resolver) rejectTooMany(key string, n int, pos diag.Pos) (rejected bool) {
	if n > maxRules {
		r.diags.Errorf(pos, "bad-value", "join them with wildcards", "%s has %d items; at most %d are allowed", key, n, maxRules)
	}
	return n > maxRules
}

// resolveRules sets the rules that change or exclude sitemap entries, and the default values of
// entries.
func (r *resolver) resolveRules() {
	if n := len(r.file.Rules); n > maxRules && r.rejectTooMany("rules", n, r.file.Rules[maxRules].Pos) {
		return
	}
	var rules []mapping.Rule
	for i, v := range r.file.Rules {
		if rule, ok := r.newRule(fmt.Sprintf("rules[%d]", i+1), v.V, v.Pos); ok {
			rules = append(rules, rule)
		}
	}
	r.settings.Site.Rules, _ = mapping.NewRules(rules) // newRule has checked each glob
	r.settings.Site.Page.Titles = r.hasRuleWithIncompleteNews()
	d := r.file.Defaults
	r.settings.Site.Defaults = sitemap.URL{
		ChangeFreq: resolveFileValue(r, "defaults.changefreq", d.ChangeFreq),
		Priority:   resolveFileValue(r, "defaults.priority", d.Priority),
	}
}

// newRule converts v, an item in the list of rules, into a mapping.Rule. key names the item, such
// as "rules[1]". ok is false if v has no valid glob, or has both files and urls.
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
		r.rejectValue(fileChoice(key, text{Pos: pos}), "bad-value", `needs files or urls, one of them; write files: "blog/**", or urls: "/blog/**"`)
		return rule, false
	case files:
		rule.Match, ok = r.checkFileGlob(fileChoice(key+".files", v.Files))
	default:
		rule.Match, ok = r.checkURLGlob(fileChoice(key+".urls", v.URLs))
	}
	if !ok {
		return rule, false
	}
	isIdle := !rule.Exclude && rule.Set.Loc == "" && rule.Set.LastMod.IsZero() && rule.Set.HasOnlyLocAndLastMod() && rule.Listing == (mapping.Listing{})
	if v.Exclude.IsSet() && !v.Exclude.V {
		r.diags.Warnf(v.Exclude.Pos, "idle-rule", "remove it; no other source can list a page that one source excludes",
			"exclude: false does nothing")
	} else if isIdle && !r.hasErrors() {
		// after an error, a value may be missing because it was invalid
		r.diags.Warnf(pos, "idle-rule", "give it exclude, url, lastmod, changefreq or priority", "the rule for %q does nothing", rule.Match).Subject = rule.Match
	}
	return rule, true
}

// hasErrors reports whether one of the findings so far is an error.
func (r *resolver) hasErrors() bool {
	return slices.ContainsFunc(r.diags, func(d diag.Diagnostic) bool { return d.Severity == diag.Error })
}

// checkAddress reports whether the value of c is an http or https URL, or a path such as "/a/".
// Otherwise it rejects c.
func (r *resolver) checkAddress(c choice) bool {
	if strings.HasPrefix(c.V, "/") && !strings.HasPrefix(c.V, "//") {
		return true
	}
	if u, err := url.Parse(c.V); err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https") {
		return true
	}
	r.rejectValue(c, "bad-url", "%q is neither an http or https URL nor a path below the base URL; write /a/ or https://example.com/a/", c.V)
	return false
}

// resolveExtra sets the entries of the extra setting: URLs for which the site has no file.
func (r *resolver) resolveExtra() {
	for i, v := range r.file.Extra {
		key := fmt.Sprintf("extra[%d]", i+1)
		if !v.V.Loc.IsSet() {
			r.rejectValue(fileChoice(key, text{Pos: v.Pos}), "bad-value", "has no loc")
			continue
		}
		u := v.V.Fields
		u.Loc = v.V.Loc.V
		if r.checkAddress(fileChoice(key+".loc", v.V.Loc)) {
			r.settings.Site.Extra = append(r.settings.Site.Extra, site.Extra{URL: u, Pos: v.V.Loc.Pos})
		}
	}
}

// languageTag matches the language tags for hreflang: a language, an optional script and an
// optional region, such as "de", "zh-Hant" or "de-CH". See
// https://developers.google.com/search/docs/specialty/international/localized-versions
var languageTag = regexp.MustCompile(`^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$`)

// resolvePageOptions sets the options of the settings images, obey_robots and versions.
func (r *resolver) resolvePageOptions() {
	o := &r.settings.Site
	o.Page.Images = resolveFileValue(r, "images", r.file.Images)
	o.ObeyRobots = resolveFileValue(r, "obey_robots", r.file.ObeyRobots) || !r.file.ObeyRobots.IsSet()
	versions, c := r.resolveList("versions", r.file.Versions)
	for _, v := range versions {
		o.Versions.Names = append(o.Versions.Names, v.V)
	}
	o.Versions.Pos = c.Pos
}

// resolveLanguages sets the languages that the settings file lists, with their folders. It rejects
// invalid languages, repeated languages and folders, and a second x_default.
func (r *resolver) resolveLanguages() {
	dirs, codes, xdefault := map[string]string{}, map[string]string{}, ""
	for i, v := range r.file.Languages {
		key := fmt.Sprintf("languages[%d]", i+1)
		code := fileChoice(key+".code", v.V.Code)
		if code.V == "" {
			r.rejectValue(fileChoice(key, text{Pos: v.Pos}), "bad-value", "has no code; write a code such as de or de-CH")
			continue
		}
		if !languageTag.MatchString(code.V) {
			r.rejectValue(code, "bad-value", "%q is not a language; write a code such as de, de-CH or zh-Hant", code.V)
		}
		dir := strings.Trim(v.V.Dir.V, "/")
		if other, twice := dirs[dir]; twice {
			r.rejectValue(fileChoice(key, text{Pos: v.Pos}), "bad-value", "names the folder %q of %s again", dir, other)
		}
		if other, twice := codes[strings.ToLower(code.V)]; twice {
			r.rejectValue(code, "bad-value", "%q is already the language of %s; each language has one folder", code.V, other)
		}
		if v.V.XDefault.V {
			if xdefault != "" {
				r.rejectValue(fileChoice(key, text{Pos: v.Pos}), "bad-value", "repeats the x_default of %s; only one folder can be for readers of no listed language", xdefault)
			}
			xdefault = key
		}
		dirs[dir], codes[strings.ToLower(code.V)] = code.V, key
		r.settings.Site.Languages = append(r.settings.Site.Languages, site.Language{Dir: dir, Code: code.V, XDefault: v.V.XDefault.V, Pos: v.Pos})
	}
}

// resolveMaxLoss sets how many URLs may disappear from one sitemap to the next: a number, or a
// percentage such as "10%".
func (r *resolver) resolveMaxLoss() {
	c := r.resolveText("max_loss", r.file.MaxLoss)
	if c.by == "" {
		return
	}
	var err error
	if r.settings.MaxLoss, err = site.ParseMaxLoss(c.V); err != nil {
		r.rejectValue(c, "bad-value", "%v", err)
	}
}

// resolveURLGlobs compiles the globs of two settings: diff.gone for URLs that may disappear from
// the sitemap, and links.ignore for URLs that the server serves without a file.
func (r *resolver) resolveURLGlobs() {
	r.settings.Gone = r.compileURLGlobs("diff.gone", r.file.Diff.Gone)
	r.settings.ServedByCode = r.compileURLGlobs("links.ignore", r.file.Links.Ignore)
}

// usualArchives contains URL globs of archive pages, which list other pages by tag, category,
// author or date. Further pages of such a list, such as /page/2/, are archive pages too.
var usualArchives = []string{
	"/**/{tag,tags,category,categories,author,authors,archive,archives,topics,series}{,.html,/**}",
	"/**/{page,p}/*{,/}", "/**/{page,index}{,-,_}[0-9]*{,/,/index.html}",
	"/**/[12][0-9][0-9][0-9]{,/,/[01][0-9]{,/}}",
}

// resolveHeadCheck sets whether the HTML heads of pages are checked.
func (r *resolver) resolveHeadCheck() {
	r.settings.ChecksHeads = resolveFileValue(r, "check.heads", r.file.Check.Heads)
}

// resolveArchives sets the globs of archive pages: the globs of the generator and usualArchives.
func (r *resolver) resolveArchives() {
	var rules []mapping.Rule
	for _, glob := range slices.Concat(r.project.Archives, usualArchives) {
		rules = append(rules, mapping.Rule{Match: glob})
	}
	r.settings.Archives, _ = mapping.NewRules(rules)
}

// compileURLGlobs compiles list, the globs in the setting key. It rejects invalid globs and drops
// them. If there are too many globs, it rejects the list and returns rules without globs.
func (r *resolver) compileURLGlobs(key string, list texts) *mapping.Rules {
	if r.rejectTooMany(key, len(list.V), list.Pos) {
		return &mapping.Rules{}
	}
	var rules []mapping.Rule
	globs, _ := r.resolveList(key, list)
	for i, g := range globs {
		if match, ok := r.checkURLGlob(fileChoice(fmt.Sprintf("%s[%d]", key, i+1), g)); ok {
			rules = append(rules, mapping.Rule{Match: match, Pos: g.Pos})
		}
	}
	all, _ := mapping.NewRules(rules) // checkURLGlob has checked each glob
	return all
}

// checkURLGlob returns the value of c, a glob of URL paths such as "/blog/**". It rejects c and
// returns false if the glob is invalid or does not begin with a slash.
func (r *resolver) checkURLGlob(c choice) (glob string, ok bool) {
	if c.V != "" && !strings.HasPrefix(c.V, "/") {
		path := "/" + c.V
		if u, err := url.Parse(c.V); err == nil && u.Host != "" {
			path = u.Path
		}
		r.rejectValue(c, "bad-glob", `%q does not begin with a slash; it is matched against the path of a URL below the base URL: write %q`, c.V, path)
		return "", false
	}
	return c.V, r.checkGlob(c)
}

// checkFileGlob returns the value of c, a glob of file paths such as "blog/**". It rejects c and
// returns false if the glob is invalid or begins with a slash.
func (r *resolver) checkFileGlob(c choice) (glob string, ok bool) {
	if strings.HasPrefix(c.V, "/") {
		r.rejectValue(c, "bad-glob", `%q begins with a slash; it is matched against the path of a file below its folder: write %q, or urls: %q`, c.V, strings.TrimLeft(c.V, "/"), c.V)
		return "", false
	}
	return c.V, r.checkGlob(c)
}

// checkGlob reports whether the value of c is a valid glob. Otherwise it rejects c.
func (r *resolver) checkGlob(c choice) bool {
	_, err := mapping.NewRules([]mapping.Rule{{Match: c.V}})
	if err != nil {
		r.rejectValue(c, "bad-glob", "%v", err)
	}
	return err == nil
}

// resolveFindingLevels sets the levels of finding codes, such as bad-date=off. The --level flag and
// its environment variable override the settings file.
func (r *resolver) resolveFindingLevels() {
	for _, code := range slices.Sorted(maps.Keys(r.file.Findings)) {
		v := r.file.Findings[code]
		r.setLevel(fileChoice("findings."+code, text{V: string(v.V), Pos: v.Pos}), code)
	}
	typed := r.lookUpSetting("findings", text{})
	for _, t := range splitWords(typed.V) {
		code, level, hasLevel := strings.Cut(t, "=")
		if !hasLevel {
			r.rejectValue(choice{who: typed.who, by: typed.by}, "bad-value", "%q names no level; write CODE=LEVEL, as in bad-date=off", t)
			continue
		}
		r.setLevel(choice{text: text{V: level}, who: typed.who + " " + code, by: typed.by, why: typed.why + " " + code}, code)
	}
}

// setLevel sets the level of all findings with the given code to c.V. It rejects an unknown code or
// level.
func (r *resolver) setLevel(c choice, code string) {
	if c.V == "false" {
		c.V = "off"
	}
	if !r.checkCode(c, code) {
		return
	}
	if level := r.checkWord(c, diag.LevelNames); level != "" {
		r.settings.Findings[code] = level
		key := "findings." + code
		r.settings.Origins = slices.DeleteFunc(r.settings.Origins, func(o Origin) bool { return o.Key == key }) // removes the origin in the settings file
		r.recordOrigin(key, c.V, c.by, c.Pos, c.why)
	}
}

// checkCode reports whether code is the code of a finding, such as "bad-date". If it is not,
// checkCode rejects c, the setting that contains the code.
func (r *resolver) checkCode(c choice, code string) bool {
	var names []string
	for _, one := range report.Codes() {
		if one.Name == code {
			return true
		}
		names = append(names, one.Name)
	}
	guess := "https://github.com/sitewalk/sitewalk/blob/main/docs/diagnostics.md lists them"
	if near := strict.NearestWord(code, names); near != "" {
		guess = "did you mean " + near + "?"
	}
	r.rejectValue(c, "bad-value", "sets a code that no finding has; %s", guess)
	return false
}
