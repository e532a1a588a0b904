package config

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/generator"
	"github.com/sitewalk/sitewalk/internal/hosting"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/internal/strict"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/writer"
)

// A resolver converts flags, environment variables and a settings file into Settings.
type resolver struct {
	input    Input
	settings *Settings // the result
	file     *File     // the settings file
	root     string    // the absolute path of the project's folder
	repoRoot string    // the folder above root that has a netlify.toml with root as its base; or ""
	project  *generator.Project
	diags    diag.List // findings about files

	groupRules *mapping.Rules // the glob of each item of output.sitemaps

	namedSources  []string // the date sources that the lastmod setting names; nil if it is not set
	flagErrors    []error  // mistakes in flags and environment variables, or in reading a second settings file
	missing       []error  // errors for required settings that are not set
	hasSitesBelow bool     // missing has an error that names sites below the root
}

// An Origin tells the user where the value of a setting comes from.
type Origin struct {
	Key   string   `json:"key"`
	Value string   `json:"value"`
	By    string   `json:"by"` // "flag", "environment", "file", "detected" or "default"
	Pos   diag.Pos `json:"pos"`
	Why   string   `json:"why,omitempty"` // description of the source: "--host", "$URL"; often "" if Pos is set
}

// newResolver returns a resolver for in. Its settings have their default values.
func newResolver(in Input) *resolver {
	s := &Settings{Gone: &mapping.Rules{}, ServedByCode: &mapping.Rules{}, Findings: diag.Levels{}, ReadFiles: map[string]bool{}}
	s.Site.Now, s.Site.Rules, s.Site.Hosting = in.Now, &mapping.Rules{}, hosting.Unknown
	s.Site.ObeyRobots, s.Site.Page.Alternates = true, true
	return &resolver{input: in, settings: s, project: &generator.Project{}, root: in.Dir, file: &File{Name: "sitemap.yaml"}}
}

// recordOrigin adds an Origin to the settings. The value comes from pos, a position in a file, or
// from why, such as "--host". by is the kind of source, such as "flag"; see Origin.By.
func (r *resolver) recordOrigin(key, value, by string, pos diag.Pos, why string) {
	r.settings.Origins = append(r.settings.Origins, Origin{key, value, by, pos, why})
}

// A setting describes the flag, the environment variable and the valid words of a key, such as
// "host".
type setting struct {
	flag  string   // name of the flag: "base-url", with the variable SITEWALK_BASE_URL; or ""
	env   string   // name of the variable if it does not follow from flag: "INDEXNOW_KEY"
	words []string // the valid words; nil allows any text
}

// keySettings describes each key that has a flag, an environment variable or a fixed set of words.
var keySettings = map[string]setting{
	"base_url":           {flag: "base-url"},
	"config":             {flag: "config"},
	"content.dir":        {flag: "content"},
	"findings":           {flag: "level", words: diag.LevelNames},
	"generator":          {flag: "generator", words: slices.Concat([]string{auto}, generator.Names(), []string{noGenerator})},
	"git_date":           {words: []string{"author", "committer"}},
	"host":               {flag: "host", words: hosting.Names()},
	"jobs":               {flag: "jobs"},
	"lastmod":            {flag: "lastmod", words: append(site.SourceNames(), noSources)},
	"ledger":             {flag: "ledger"},
	"ledger.new":         {words: []string{"today", "none"}},
	"ledger.on_error":    {words: []string{"fail", "continue"}},
	"now":                {env: "SOURCE_DATE_EPOCH"}, // https://reproducible-builds.org/specs/source-date-epoch/
	"output":             {flag: "output"},
	"output.formats":     {flag: "format", words: writer.Formats},
	"output.gzip":        {flag: "gzip", words: append([]string{"false", "true"}, writer.GzipModes...)},
	"output.indexnow":    {flag: "key", env: "INDEXNOW_KEY"}, // the name in other tools
	"output.llms.copies": {words: []string{auto, "off"}},
	"output.split":       {words: writer.Splits},
	"max_loss":           {flag: "max-loss"},
	"pages.dir":          {flag: "dir"},
	"previews":           {words: []string{"keep", "skip"}},
	"submit.google":      {flag: "google"},
	"urls.html":          {words: []string{"keep", "strip", "exact"}},
	"urls.slash":         {words: []string{"keep", "add", "remove"}},
}

// Values of settings for which the resolver has a special case.
const (
	auto        = "auto"
	noGenerator = "none" // value of generator: read the files of no generator
	noSources   = "none" // value of lastmod: use no date source
)

// FlagWords returns the words that a flag accepts, such as "xml" and "rss" for "format". It returns
// nil if the flag accepts any text or does not exist.
func FlagWords(flag string) []string {
	if flag == "gzip" {
		return writer.GzipModes // without true and false, which are for the settings file
	}
	for _, s := range keySettings {
		if s.flag == flag && flag != "" {
			return s.words
		}
	}
	return nil
}

// A choice is the value of a setting together with its source.
type choice struct {
	text
	key string // key of the setting: "host"
	who string // name of the source in errors: "host", "--host", "SITEWALK_HOST"
	by  string // kind of source as in Origin.By: "flag"; "" if the setting is not set
	why string // description of the source as in Origin.Why: "--host"
}

// fileChoice returns a choice for value, which is in the settings file. key may name an item of a
// list, such as "rules[1].url".
func fileChoice(key string, value text) choice {
	return choice{text: value, key: key, who: key, by: "file"}
}

// lookUpSetting returns the value of the setting key: from a flag, or else from the environment, or
// else fileValue from the settings file. If the setting has no value, choice.by is "". The caller
// then uses a detected value or the default.
func (r *resolver) lookUpSetting(key string, fileValue text) choice {
	s := keySettings[key]
	env := s.env
	if env == "" && s.flag != "" {
		env = "SITEWALK_" + strings.ToUpper(strings.ReplaceAll(s.flag, "-", "_"))
	}
	_, given := r.input.Flags[s.flag]
	switch {
	case given && s.flag == "dir":
		return choice{text{V: r.input.Flags.Value("dir")}, key, "publish directory", "flag", "DIR"}
	case given:
		return choice{text{V: r.input.Flags.Value(s.flag)}, key, "--" + s.flag, "flag", "--" + s.flag}
	case env != "" && r.input.Getenv(env) != "":
		return choice{text{V: r.input.Getenv(env)}, key, env, "environment", "$" + env}
	case fileValue.IsSet():
		return fileChoice(key, fileValue)
	}
	return choice{key: key}
}

// resolveText returns the value of the setting called key: from a flag, the environment or
// fileValue, in this order. If there is a value, resolveText also records its origin.
func (r *resolver) resolveText(key string, fileValue text) choice {
	c := r.lookUpSetting(key, fileValue)
	if c.by != "" {
		r.recordOrigin(key, c.V, c.by, c.Pos, c.why)
	}
	return c
}

// resolveFileValue returns v, the value of key in the settings file. It records the origin of v, if
// v is set.
func resolveFileValue[T any](r *resolver, key string, v strict.Value[T]) T {
	if v.IsSet() {
		r.recordOrigin(key, fmt.Sprint(v.V), "file", v.Pos, "")
	}
	return v.V
}

// resolveWord returns the value of a setting that accepts only certain words, or "" if it is not
// set. It rejects any other value and returns "".
func (r *resolver) resolveWord(key string, fileValue text) string {
	c := r.resolveText(key, fileValue)
	if c.by == "" {
		return ""
	}
	return r.checkWord(c, keySettings[key].words)
}

// rejectValue reports that the value of c is invalid. For a value in a file, it adds a finding with
// the given code. For a flag or a variable, it adds an error. The message begins with the name of
// the source, such as "--host".
func (r *resolver) rejectValue(c choice, code, format string, args ...any) {
	if c.Pos != (diag.Pos{}) {
		r.diags.Errorf(c.Pos, code, "", "%s %s", c.who, fmt.Sprintf(format, args...)).Subject = c.who
		return
	}
	r.flagErrors = append(r.flagErrors, fmt.Errorf("%s %s", c.who, fmt.Sprintf(format, args...)))
}

// checkWord returns the value of c if it is one of words. Otherwise it rejects c and returns "".
func (r *resolver) checkWord(c choice, words []string) string {
	if slices.Contains(words, c.V) {
		return c.V
	}
	guess := ""
	if near := strict.NearestWord(c.V, words); near != "" {
		guess = fmt.Sprintf("; did you mean %q?", near)
	}
	r.rejectValue(c, "bad-value", "%q is not one of %s%s", c.V, strings.Join(words, ", "), guess)
	return ""
}

// splitWords splits typed, the value of a flag or a variable, at commas. It trims white space and
// drops empty words: "xml, rss," gives "xml" and "rss".
func splitWords(typed string) (out []string) {
	for word := range strings.SplitSeq(typed, ",") {
		if word = strings.TrimSpace(word); word != "" {
			out = append(out, word)
		}
	}
	return out
}

// resolveList is like resolveText for a setting whose value is a list. c is the setting with its
// source. A flag or a variable separates the items with commas.
func (r *resolver) resolveList(key string, fileValue texts) (items []text, c choice) {
	all := make([]string, len(fileValue.V))
	for i, v := range fileValue.V {
		all[i] = v.V
	}
	c = r.resolveText(key, text{V: strings.Join(all, ","), Pos: fileValue.Pos})
	switch c.by {
	case "":
		return nil, c
	case "file":
		return fileValue.V, c
	}
	for _, word := range splitWords(c.V) {
		items = append(items, text{V: word})
	}
	return items, c
}

// checkWords returns those items of a list that are in words. It rejects other items and repeated
// items. c is the source of the list.
func (r *resolver) checkWords(items []text, c choice, words []string) (out []string) {
	for _, item := range items {
		item.V = strings.TrimSpace(item.V)
		switch item := c.withItem(item); {
		case slices.Contains(out, item.V):
			r.rejectValue(item, "bad-value", "names %q twice", item.V)
		case r.checkWord(item, words) != "":
			out = append(out, item.V)
		}
	}
	return out
}

// withItem returns a copy of c for one item of the list c, with the value and the position of item.
// An item without a position gets the position of c.
func (c choice) withItem(item text) choice {
	item.Pos = cmp.Or(item.Pos, c.Pos)
	c.text = item
	return c
}

// joinErrors returns all errors that stop the command as one error, or nil. It drops the errors
// about missing settings if flags, variables or the settings file have mistakes, or if the command
// skips this preview deployment.
func (r *resolver) joinErrors() error {
	n := 0
	for _, d := range r.diags {
		if d.Severity == diag.Error && d.Pos.File == r.file.Name {
			n++
		}
	}
	switch {
	case n == 0 && len(r.flagErrors) == 0 && (r.settings.SkipReason == "" || !r.input.SkipsPreviews):
		r.flagErrors = r.missing
	case n == 1:
		r.flagErrors = append(r.flagErrors, fmt.Errorf("%s has a mistake", r.file.Name))
	case n > 1:
		r.flagErrors = append(r.flagErrors, fmt.Errorf("%s has %d mistakes", r.file.Name, n))
	}
	return errors.Join(r.flagErrors...)
}

// projectPath returns p as an absolute path. A relative p is relative to the root of the project.
func (r *resolver) projectPath(p string) string { return files.Abs(r.root, p) }

// choicePath returns the value of c as an absolute path. A path in the settings file is relative to
// the root of the project. Any other path is relative to the working directory.
func (r *resolver) choicePath(c choice) string {
	if c.by == "file" {
		return r.projectPath(c.V)
	}
	return files.Abs(r.input.Dir, c.V)
}
