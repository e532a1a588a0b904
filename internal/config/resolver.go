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
	find     *finder
	diags    diag.List // findings about files

	groupRules *mapping.Rules // the glob of each item of output.sitemaps
	numGuesses int            // number of calls of suggestWord

	namesLedger   bool    // the lastmod setting contains "ledger"
	flagErrors    []error // mistakes in flags and environment variables
	missing       []error // errors for required settings that are not set
	hasSitesBelow bool    // missing has an error that names sites below the root
}

// An Origin records where the value of a setting comes from.
type Origin struct {
	Key   string   `json:"key"`
	Value string   `json:"value"`
	By    string   `json:"by"` // "flag", "environment", "file", "detected" or "default"
	Pos   diag.Pos `json:"pos"`
	Why   string   `json:"why,omitempty"` // the source if Pos is zero: "--host", "$URL"
}

// newResolver returns a resolver for in whose settings have their default values.
func newResolver(in Input) *resolver {
	if in.Getenv == nil {
		in.Getenv = func(string) string { return "" }
	}
	s := &Settings{Gone: &mapping.Rules{}, ServedByCode: &mapping.Rules{}, Findings: diag.Levels{}}
	s.Site.Now, s.Site.Rules, s.Site.Host = in.Now, &mapping.Rules{}, hosting.Unknown
	s.Site.ObeyRobots, s.Site.Page.Alternates = true, true
	return &resolver{input: in, settings: s, find: &finder{Dir: in.Dir, Getenv: in.Getenv}, project: &generator.Project{}, root: in.Dir, file: &File{Name: "sitemap.yaml"}}
}

// recordOrigin appends an Origin to the settings. The source of the value is pos, a position in a
// file, or why, a description such as "--host", or both.
func (r *resolver) recordOrigin(key, value, by string, pos diag.Pos, why string) {
	r.settings.Origins = append(r.settings.Origins, Origin{key, value, by, pos, why})
}

// A setting describes a key that has a flag, an environment variable or a fixed set of words.
type setting struct {
	flag  string          // name of the flag: "base-url", with the variable SITEWALK_BASE_URL; or ""
	env   string          // name of the variable if it is a different one: "INDEXNOW_KEY"
	words func() []string // the valid words; nil allows any text
	list  bool            // the value is a list
}

// keySettings has the setting of each key with a flag, a variable or a fixed set of words.
var keySettings = map[string]setting{
	"base_url":           {flag: "base-url"},
	"config":             {flag: "config"},
	"content.dir":        {flag: "content"},
	"findings":           {flag: "level", words: wordsFunc(diag.LevelNames...)},
	"generator":          {flag: "generator", words: generatorWords},
	"git_date":           {words: wordsFunc("author", "committer")},
	"host":               {flag: "host", words: hosting.Names},
	"jobs":               {flag: "jobs"},
	"lastmod":            {flag: "lastmod", words: lastmodWords, list: true},
	"ledger":             {flag: "ledger"},
	"ledger.new":         {words: wordsFunc("today", "none")},
	"ledger.on_error":    {words: wordsFunc("fail", "continue")},
	"now":                {env: "SOURCE_DATE_EPOCH"}, // https://reproducible-builds.org/specs/source-date-epoch/
	"output":             {flag: "output"},
	"output.formats":     {flag: "format", words: wordsFunc(writer.Formats...), list: true},
	"output.gzip":        {flag: "gzip", words: wordsFunc(append([]string{"false", "true"}, writer.Compressions...)...)},
	"output.indexnow":    {flag: "key", env: "INDEXNOW_KEY"}, // as other tools call it
	"output.llms.copies": {words: wordsFunc(auto, "off")},
	"output.split":       {words: wordsFunc(writer.Splits...)},
	"max_loss":           {flag: "max-loss"},
	"pages.dir":          {flag: "dir"},
	"previews":           {words: wordsFunc("keep", "skip")},
	"submit.google":      {flag: "google"},
	"urls.html":          {words: wordsFunc("keep", "strip")},
	"urls.slash":         {words: wordsFunc("keep", "add", "remove")},
}

// Words of settings that the resolver compares with.
const (
	auto        = "auto"
	noGenerator = "none" // value of generator: read the files of no generator
	noSources   = "none" // value of lastmod: use no date source
)

// wordsFunc returns a function that returns words, for setting.words.
func wordsFunc(words ...string) func() []string { return func() []string { return words } }

// generatorWords returns the words that the setting "generator" accepts.
func generatorWords() []string {
	return slices.Concat([]string{auto}, generator.Names(), []string{noGenerator})
}

// lastmodWords returns the words that the setting "lastmod" accepts.
func lastmodWords() []string { return append(site.SourceNames(), noSources) }

// FlagWords returns the words that a flag accepts, or nil if the flag accepts any text. several
// reports whether the flag accepts a list of words, separated by commas.
func FlagWords(flag string) (words []string, several bool) {
	if flag == "gzip" {
		return writer.Compressions, false // true and false are valid only in the settings file
	}
	for _, s := range keySettings {
		if s.flag == flag && flag != "" && s.words != nil {
			return s.words(), s.list
		}
	}
	return nil, false
}

// A choice is the value of a setting and the source of the value.
type choice struct {
	text
	key string // key of the setting: "host"
	who string // name of the source in errors: "host", "--host", "SITEWALK_HOST"
	by  string // kind of source as in Origin.By: "flag"; "" if the setting is not set
	why string // description of the source as in Origin.Why: "--host"
}

// fileChoice returns the choice of a value in the settings file. key may name a list item:
// "rules[1].url".
func fileChoice(key string, said text) choice {
	return choice{text: said, key: key, who: key, by: "file"}
}

// lookUp returns the value of the setting key from a flag, or else from the environment, or else
// from the settings file; file is the value there. Only lookUp knows this order. If the setting is
// not set, choice.by is "", and the caller uses a detected value or the default.
func (r *resolver) lookUp(key string, file text) choice {
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
	case file.IsSet():
		return fileChoice(key, file)
	}
	return choice{key: key}
}

// resolveText returns the value of the setting key like lookUp, and records its origin if it is
// set.
func (r *resolver) resolveText(key string, file text) choice {
	c := r.lookUp(key, file)
	if c.by != "" {
		r.recordOrigin(key, c.V, c.by, c.Pos, c.why)
	}
	return c
}

// resolveBool returns v, the value of key in the settings file, and records its origin if it is set.
func (r *resolver) resolveBool(key string, v boolean) bool {
	if v.IsSet() {
		r.recordOrigin(key, fmt.Sprint(v.V), "file", v.Pos, "")
	}
	return v.V
}

// resolveWord is like resolveText for a key with a fixed set of words. It returns "" if the setting
// is not set. It rejects any other word and returns "".
func (r *resolver) resolveWord(key string, file text) string {
	c := r.resolveText(key, file)
	if c.by == "" {
		return ""
	}
	return r.checkWord(c, keySettings[key].words())
}

// reject reports that the value of c is not valid. For a value in a file it adds a finding with
// the code, and otherwise an error. The message begins with the name of the source.
func (r *resolver) reject(c choice, code, format string, args ...any) {
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
	if near := r.suggestWord(c.V, words); near != "" {
		guess = fmt.Sprintf("; did you mean %q?", near)
	}
	r.reject(c, "bad-value", "%q is not one of %s%s", c.V, strings.Join(words, ", "), guess)
	return ""
}

// maxGuesses is the maximum number of wrong words for which suggestWord searches a suggestion.
const maxGuesses = 100

// suggestWord returns the one of words that a misspelled word probably means, or "". After
// maxGuesses calls it always returns "".
func (r *resolver) suggestWord(word string, words []string) string {
	if r.numGuesses++; r.numGuesses > maxGuesses {
		return ""
	}
	return strict.NearestWord(word, words)
}

// splitWords splits typed at commas. It trims white space and drops empty words.
func splitWords(typed string) (out []string) {
	for word := range strings.SplitSeq(typed, ",") {
		if word = strings.TrimSpace(word); word != "" {
			out = append(out, word)
		}
	}
	return out
}

// resolveList is like resolveText for a key whose value is a list. In a flag or variable, the items
// are separated by commas. c has the source of the list.
func (r *resolver) resolveList(key string, file texts) (items []text, c choice) {
	all := make([]string, len(file.V))
	for i, v := range file.V {
		all[i] = v.V
	}
	c = r.resolveText(key, text{V: strings.Join(all, ","), Pos: file.Pos})
	switch c.by {
	case "":
		return nil, c
	case "file":
		return file.V, c
	}
	for _, word := range splitWords(c.V) {
		items = append(items, text{V: word})
	}
	return items, c
}

// checkWords returns the items of the list c that are among words. It rejects all others, and
// repeated items.
func (r *resolver) checkWords(items []text, c choice, words []string) (out []string) {
	for _, item := range items {
		item.V = strings.TrimSpace(item.V)
		switch item := c.forItem(item); {
		case slices.Contains(out, item.V):
			r.reject(item, "bad-value", "names %q twice", item.V)
		case r.checkWord(item, words) != "":
			out = append(out, item.V)
		}
	}
	return out
}

// forItem returns a copy of c with the value and position of one item of the list. An item without
// a position gets the position of the list.
func (c choice) forItem(item text) choice {
	item.Pos = cmp.Or(item.Pos, c.Pos)
	c.text = item
	return c
}

// joinErrors returns all errors that stop the command, joined, or nil. Errors about missing
// settings count only if flags and settings file have no mistakes.
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

// projectPath returns the absolute path of p, resolved against the root of the project.
func (r *resolver) projectPath(p string) string { return files.Abs(r.root, p) }

// choicePath returns the value of c as an absolute path. A path in the settings file is relative to
// the root of the project. Any other path is relative to the working directory.
func (r *resolver) choicePath(c choice) string {
	if c.by == "file" {
		return r.projectPath(c.V)
	}
	return files.Abs(r.input.Dir, c.V)
}
