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

// A resolver turns what the user typed into settings that the program can use.
type resolver struct {
	in      Input
	file    *File
	root    string // the project's folder
	above   string // the repository's, where a platform's file lies above the project; "" is none
	project *generator.Project
	s       *Settings
	find    *Finder
	diags   diag.List // about files

	groupRules *mapping.Rules // what each of the writer's groups matches

	guesses int // wrong words that nearest was asked about

	asksLedger bool    // somebody named it in lastmod
	wrong      []error // about flags and environment
	absent     []error // about what no setting says
}

// An Origin says who decided a setting.
type Origin struct {
	Key   string   `json:"key"`
	Value string   `json:"value"`
	By    string   `json:"by"` // "flag", "environment", "file", "detected" or "default"
	Pos   diag.Pos `json:"pos"`
	Why   string   `json:"why,omitempty"` // what decided when that is no place in a file: "--host", "$URL"
}

// newResolver returns a resolver for an input, with the settings that hold where
// no setting decides.
func newResolver(in Input) *resolver {
	if in.Getenv == nil {
		in.Getenv = func(string) string { return "" }
	}
	s := &Settings{Gone: &mapping.Rules{}, Answered: &mapping.Rules{}, Findings: diag.Levels{}}
	s.Site.Now, s.Site.Rules, s.Site.Host = in.Now, &mapping.Rules{}, hosting.Unknown
	s.Site.ObeyRobots, s.Site.Page.Alternates = true, true
	return &resolver{in: in, s: s, find: &Finder{Dir: in.Dir, Getenv: in.Getenv}, project: &generator.Project{}, root: in.Dir, file: &File{Name: "sitemap.yaml"}}
}

// recordOrigin records the origin of a setting: the place where it is said, the reason in
// words, or both.
func (r *resolver) recordOrigin(key, value, by string, pos diag.Pos, why string) {
	r.s.Origins = append(r.s.Origins, Origin{key, value, by, pos, why})
}

// A setting is how a key is chosen that more than sitemap.yaml may say, or that takes
// only a few words.
type setting struct {
	flag  string          // that stands for it, as SITEWALK_FLAG does; "" is none
	env   string          // its variable, if that is called otherwise
	words func() []string // that it takes; nil is any text
	list  bool            // it takes several
}

// settings has a setting for each such key.
var settings = map[string]setting{
	"base_url":        {flag: "base-url"},
	"config":          {flag: "config"},
	"content.dir":     {flag: "content"},
	"findings":        {flag: "level", words: oneOf(diag.LevelNames...)},
	"generator":       {flag: "generator", words: generators},
	"git_date":        {words: oneOf("author", "committer")},
	"host":            {flag: "host", words: hosting.Names},
	"jobs":            {flag: "jobs"},
	"lastmod":         {flag: "lastmod", words: lastmodWords, list: true},
	"ledger":          {flag: "ledger"},
	"ledger.new":      {words: oneOf("today", "none")},
	"ledger.on_error": {words: oneOf("fail", "continue")},
	"now":             {env: "SOURCE_DATE_EPOCH"}, // https://reproducible-builds.org/specs/source-date-epoch/
	"output":          {flag: "output"},
	"output.formats":  {flag: "format", words: oneOf(writer.Formats...), list: true},
	"output.gzip":     {flag: "gzip", words: oneOf(append([]string{"false", "true"}, writer.Compressions...)...)},
	"output.indexnow": {flag: "key", env: "INDEXNOW_KEY"}, // as other tools call it
	"output.split":    {words: oneOf(writer.Splits...)},
	"max_loss":        {flag: "max-loss"},
	"pages.dir":       {flag: "dir"},
	"previews":        {words: oneOf("keep", "skip")},
	"submit.google":   {flag: "google"},
	"urls.html":       {words: oneOf("keep", "strip")},
	"urls.slash":      {words: oneOf("keep", "add", "remove")},
}

// Words of settings that mean something elsewhere, too.
const (
	auto        = "auto"
	noGenerator = "none" // whose files are read
	noSources   = "none" // of lastmod
)

func oneOf(words ...string) func() []string { return func() []string { return words } }

func generators() []string {
	return slices.Concat([]string{auto}, generator.Names(), []string{noGenerator})
}

func lastmodWords() []string { return append(site.SourceNames(), noSources) }

// FlagWords returns the words that a flag takes, nil when it takes any text, and
// whether it takes several of them with commas between.
func FlagWords(flag string) (words []string, several bool) {
	if flag == "gzip" {
		return writer.Compressions, false // the other words say whether it is given
	}
	for _, s := range settings {
		if s.flag == flag && flag != "" && s.words != nil {
			return s.words(), s.list
		}
	}
	return nil, false
}

// A choice is a value that somebody decided.
type choice struct {
	text
	key string // "host"
	who string // "host", "--host", "SITEWALK_HOST"
	by  string // as in Origin; "" for the default
	why string // as in Origin
}

// inFile returns the choice that the file makes with the text under a key, or in an item
// of a list.
func inFile(key string, said text) choice { return choice{text: said, key: key, who: key, by: "file"} }

// choose returns who decides a setting: the flag, else the environment, else the file.
// It is the one place that knows this order. What is detected counts when nothing else
// decides, and then the default.
func (r *resolver) choose(key string, file text) choice {
	s := settings[key]
	env := s.env
	if env == "" && s.flag != "" {
		env = "SITEWALK_" + strings.ToUpper(strings.ReplaceAll(s.flag, "-", "_"))
	}
	_, given := r.in.Flags[s.flag]
	switch {
	case given && s.flag == "dir":
		return choice{text{V: r.in.Flags.One("dir")}, key, "publish directory", "flag", "DIR"}
	case given:
		return choice{text{V: r.in.Flags.One(s.flag)}, key, "--" + s.flag, "flag", "--" + s.flag}
	case env != "" && r.in.Getenv(env) != "":
		return choice{text{V: r.in.Getenv(env)}, key, env, "environment", "$" + env}
	case file.IsSet():
		return inFile(key, file)
	}
	return choice{key: key}
}

// pick is choose, and records the origin of the setting.
func (r *resolver) pick(key string, file text) choice {
	c := r.choose(key, file)
	if c.by != "" {
		r.recordOrigin(key, c.V, c.by, c.Pos, c.why)
	}
	return c
}

// pickWord is pick for a key that takes one of a few words; "" is the default. A wrong word is
// reported.
func (r *resolver) pickWord(key string, file text) string {
	c := r.pick(key, file)
	if c.by == "" {
		return ""
	}
	return r.among(c, settings[key].words())
}

// reject reports a choice that is not valid, at the place where it was made.
func (r *resolver) reject(c choice, code, format string, args ...any) {
	if c.Pos != (diag.Pos{}) {
		r.diags.Errorf(c.Pos, code, "", "%s %s", c.who, fmt.Sprintf(format, args...)).Subject = c.who
		return
	}
	r.wrong = append(r.wrong, fmt.Errorf("%s %s", c.who, fmt.Sprintf(format, args...)))
}

// among returns the choice if it is one of words, else "". A wrong word is reported.
func (r *resolver) among(c choice, words []string) string {
	if slices.Contains(words, c.V) {
		return c.V
	}
	guess := ""
	if near := r.nearest(c.V, words); near != "" {
		guess = fmt.Sprintf("; did you mean %q?", near)
	}
	r.reject(c, "bad-value", "%q is not one of %s%s", c.V, strings.Join(words, ", "), guess)
	return ""
}

// manyWrong is how many wrong words are compared with all right ones.
const manyWrong = 100

// nearest returns the word that a wrong one most likely means, or "".
func (r *resolver) nearest(word string, words []string) string {
	if r.guesses++; r.guesses > manyWrong {
		return ""
	}
	return strict.NearestWord(word, words)
}

// wordsOf returns what stands between commas.
func wordsOf(typed string) (out []string) {
	for word := range strings.SplitSeq(typed, ",") {
		if word = strings.TrimSpace(word); word != "" {
			out = append(out, word)
		}
	}
	return out
}

// pickList is pick for a key that is a list.
func (r *resolver) pickList(key string, file texts) (items []text, c choice) {
	all := make([]string, len(file.V))
	for i, v := range file.V {
		all[i] = v.V
	}
	c = r.pick(key, text{V: strings.Join(all, ","), Pos: file.Pos})
	switch c.by {
	case "":
		return nil, c
	case "file":
		return file.V, c
	}
	for _, word := range wordsOf(c.V) {
		items = append(items, text{V: word})
	}
	return items, c
}

// several returns the items of a list that are among words. Others, and those that
// stand there twice, are reported.
func (r *resolver) several(items []text, c choice, words []string) (out []string) {
	for _, item := range items {
		item.V = strings.TrimSpace(item.V)
		switch item := c.at(item); {
		case slices.Contains(out, item.V):
			r.reject(item, "bad-value", "names %q twice", item.V)
		case r.among(item, words) != "":
			out = append(out, item.V)
		}
	}
	return out
}

// at returns the choice that one item of a list is.
func (c choice) at(item text) choice {
	item.Pos = cmp.Or(item.Pos, c.Pos)
	c.text = item
	return c
}

// err returns what stops the command, once everything was looked at.
func (r *resolver) err() error {
	n := 0
	for _, d := range r.diags {
		if d.Severity == diag.Error && d.Pos.File == r.file.Name {
			n++
		}
	}
	switch {
	case n == 0 && len(r.wrong) == 0 && (r.s.Skip == "" || !r.in.Skips):
		r.wrong = r.absent
	case n == 1:
		r.wrong = append(r.wrong, fmt.Errorf("%s has a mistake", r.file.Name))
	case n > 1:
		r.wrong = append(r.wrong, fmt.Errorf("%s has %d mistakes", r.file.Name, n))
	}
	return errors.Join(r.wrong...)
}

// inRoot returns the path of what the file names: relative to the project.
func (r *resolver) inRoot(p string) string { return files.Abs(r.root, p) }

// path returns the path that a choice names: relative to the project when the
// file says it, else to the working directory.
func (r *resolver) path(c choice) string {
	if c.by == "file" {
		return r.inRoot(c.V)
	}
	return files.Abs(r.in.Dir, c.V)
}
