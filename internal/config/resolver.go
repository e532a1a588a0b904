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

// A resolver turns flags, environment and settings file into Settings.
type resolver struct {
	input    Input
	settings *Settings // the result
	file     *File     // the settings file
	root     string    // the folder of the project
	repoRoot string    // the folder of the repository, if a platform's file is above the project
	project  *generator.Project
	find     *finder
	diags    diag.List // findings about files

	groupRules *mapping.Rules // a rule for each group of the writer
	numGuesses int            // number of calls of suggestWord

	namesLedger   bool    // lastmod names the ledger
	flagErrors    []error // mistakes in flags and the environment
	missing       []error // required settings that are not set
	hasSitesBelow bool    // an error names sites below the root, whose files may have the address
}

// An Origin records who decided a setting.
type Origin struct {
	Key   string   `json:"key"`
	Value string   `json:"value"`
	By    string   `json:"by"` // "flag", "environment", "file", "detected" or "default"
	Pos   diag.Pos `json:"pos"`
	Why   string   `json:"why,omitempty"` // what decided when that is no place in a file: "--host", "$URL"
}

// newResolver returns a resolver with the default settings.
func newResolver(in Input) *resolver {
	if in.Getenv == nil {
		in.Getenv = func(string) string { return "" }
	}
	s := &Settings{Gone: &mapping.Rules{}, ServedByCode: &mapping.Rules{}, Findings: diag.Levels{}}
	s.Site.Now, s.Site.Rules, s.Site.Host = in.Now, &mapping.Rules{}, hosting.Unknown
	s.Site.ObeyRobots, s.Site.Page.Alternates = true, true
	return &resolver{input: in, settings: s, find: &finder{Dir: in.Dir, Getenv: in.Getenv}, project: &generator.Project{}, root: in.Dir, file: &File{Name: "sitemap.yaml"}}
}

// recordOrigin records who decided a setting, by a place in a file, a reason in words, or
// both.
func (r *resolver) recordOrigin(key, value, by string, pos diag.Pos, why string) {
	r.settings.Origins = append(r.settings.Origins, Origin{key, value, by, pos, why})
}

// A setting describes a key with a flag, a variable or a fixed set of words.
type setting struct {
	flag  string          // its flag, if it has one; its variable is SITEWALK_FLAG
	env   string          // its variable, if the name is another
	words func() []string // the valid words; nil allows any text
	list  bool            // it has several values
}

// keySettings has a setting for each such key.
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

// Words of settings that mean something elsewhere, too.
const (
	auto        = "auto"
	noGenerator = "none" // whose files are read
	noSources   = "none" // of lastmod
)

func wordsFunc(words ...string) func() []string { return func() []string { return words } }

// generatorWords returns the words of the setting generator.
func generatorWords() []string {
	return slices.Concat([]string{auto}, generator.Names(), []string{noGenerator})
}

// lastmodWords returns the words of the setting lastmod.
func lastmodWords() []string { return append(site.SourceNames(), noSources) }

// FlagWords returns the words that a flag accepts, or nil if it accepts any text. It reports
// whether the flag accepts several, separated by commas.
func FlagWords(flag string) (words []string, several bool) {
	if flag == "gzip" {
		return writer.Compressions, false // the other words say whether it is given
	}
	for _, s := range keySettings {
		if s.flag == flag && flag != "" && s.words != nil {
			return s.words(), s.list
		}
	}
	return nil, false
}

// A choice is the value of a setting and who decided it.
type choice struct {
	text
	key string // "host"
	who string // "host", "--host", "SITEWALK_HOST"
	by  string // as in Origin; "" for the default
	why string // as in Origin
}

// fileChoice returns the choice that the settings file makes by a key, or by an item of a
// list.
func fileChoice(key string, said text) choice {
	return choice{text: said, key: key, who: key, by: "file"}
}

// lookUp returns the choice of a setting: from a flag, or else from the environment, or else from
// the settings file. No other function may decide this order. Detected values and defaults come
// last.
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

// resolveText returns the choice of a setting, as lookUp does, and records its origin.
func (r *resolver) resolveText(key string, file text) choice {
	c := r.lookUp(key, file)
	if c.by != "" {
		r.recordOrigin(key, c.V, c.by, c.Pos, c.why)
	}
	return c
}

// resolveWord is resolveText for a key that accepts a few words. It returns "" for the
// default, and rejects a wrong word.
func (r *resolver) resolveWord(key string, file text) string {
	c := r.resolveText(key, file)
	if c.by == "" {
		return ""
	}
	return r.checkWord(c, keySettings[key].words())
}

// reject reports a choice that is not valid, at its place in the file or as an error.
func (r *resolver) reject(c choice, code, format string, args ...any) {
	if c.Pos != (diag.Pos{}) {
		r.diags.Errorf(c.Pos, code, "", "%s %s", c.who, fmt.Sprintf(format, args...)).Subject = c.who
		return
	}
	r.flagErrors = append(r.flagErrors, fmt.Errorf("%s %s", c.who, fmt.Sprintf(format, args...)))
}

// checkWord returns the choice if it is one of words. It rejects other words and returns "".
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

// maxGuesses is the maximum number of wrong words that get a suggestion.
const maxGuesses = 100

// suggestWord returns the word that the user probably meant, or "". It gives at most maxGuesses
// suggestions.
func (r *resolver) suggestWord(word string, words []string) string {
	if r.numGuesses++; r.numGuesses > maxGuesses {
		return ""
	}
	return strict.NearestWord(word, words)
}

// splitWords splits text at commas, and drops blanks and empty words.
func splitWords(typed string) (out []string) {
	for word := range strings.SplitSeq(typed, ",") {
		if word = strings.TrimSpace(word); word != "" {
			out = append(out, word)
		}
	}
	return out
}

// resolveList is resolveText for a key that is a list.
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

// checkWords returns the items of a list that are among words. It rejects the others and
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

// forItem returns the choice of one item of a list.
func (c choice) forItem(item text) choice {
	item.Pos = cmp.Or(item.Pos, c.Pos)
	c.text = item
	return c
}

// joinErrors returns the error that stops the command, or nil.
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

// projectPath returns the absolute path of p, which is relative to the project.
func (r *resolver) projectPath(p string) string { return files.Abs(r.root, p) }

// choicePath returns the absolute path that a choice names. A path in the settings file is
// relative to the project, others to the working folder.
func (r *resolver) choicePath(c choice) string {
	if c.by == "file" {
		return r.projectPath(c.V)
	}
	return files.Abs(r.input.Dir, c.V)
}
