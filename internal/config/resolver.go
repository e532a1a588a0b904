package config

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/internal/generator"
	"github.com/sitewalk/sitewalk/internal/strict"
	"github.com/sitewalk/sitewalk/mapping"
)

// A resolver turns what the user typed into settings that the program can use.
type resolver struct {
	in      Input
	file    *File
	root    string       // the project's folder
	above   string       // the repository's, where a platform's file lies above the project; "" is none
	awaited *publication // the folder that a platform publishes, and that is not there
	project *generator.Project
	s       *Settings
	lookups lookups
	diags   diag.List // about files

	groupRules *mapping.Rules // what each of the writer's groups matches

	codes   []string // that a finding can have
	guesses int      // wrong words that nearest was asked about

	asksLedger bool    // somebody named it in lastmod
	wrong      []error // about flags and environment
	absent     []error // about what nobody said
}

// An Origin says who decided a setting.
type Origin struct {
	Key   string   `json:"key"`
	Value string   `json:"value"`
	By    string   `json:"by"` // "flag", "environment", "file", "detected" or "default"
	Pos   diag.Pos `json:"pos"`
	Why   string   `json:"why,omitempty"` // what decided when that is no place in a file: "--host", "$URL"
}

func (r *resolver) origin(key, value, by string, pos diag.Pos) {
	r.because(key, value, by, pos, "")
}

// because records the origin of a setting like origin, with a reason in words
// besides the place, or in its stead.
func (r *resolver) because(key, value, by string, pos diag.Pos, why string) {
	r.s.Origins = append(r.s.Origins, Origin{key, value, by, pos, why})
}

// A choice is a value that somebody decided.
type choice struct {
	text
	key string // "host"
	who string // "host", "--host", "SITEWALK_HOST"
	by  string // as in Origin; "" when nobody did
}

// keyFlag names the flag of the key for IndexNow.
const keyFlag = "key"

// variable returns the environment variable that stands for a flag.
func variable(flag string) string {
	if flag == keyFlag {
		return "INDEXNOW_KEY" // as other tools call it
	}
	return "SITEWALK_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// typed returns what a flag says, or else its variable.
func (r *resolver) typed(flag, value string) (c choice) {
	if env := r.in.getenv(variable(flag)); r.in.Flags.Set[flag] {
		c.V, c.who, c.by = value, "--"+flag, "flag"
		if flag == "dir" {
			c.who = "publish directory"
		}
	} else if env != "" {
		c.V, c.who, c.by = env, variable(flag), "environment"
	}
	return c
}

// choose returns who decides a setting: the flag, else the environment, else the file.
// It is the one place that knows this order. What is detected counts when nobody
// decides.
func (r *resolver) choose(key, flag, value string, file text) choice {
	c := r.typed(flag, value)
	if c.by == "" && file.Said() {
		c.text, c.who, c.by = file, key, "file"
	}
	c.key = key
	return c
}

// pick is choose, and records the origin of the setting.
func (r *resolver) pick(key, flag, value string, file text) choice {
	c := r.choose(key, flag, value, file)
	if c.by != "" {
		r.because(key, c.V, c.by, c.Pos, c.why())
	}
	return c
}

// why names the flag or the variable by which a choice was made.
func (c choice) why() string {
	switch {
	case c.by == "environment":
		return "$" + c.who
	case c.by == "flag" && strings.HasPrefix(c.who, "--"):
		return c.who
	case c.by == "flag":
		return "DIR"
	}
	return ""
}

// fromFile returns the choice that the file makes for a key that has no flag.
func (r *resolver) fromFile(key string, file text) choice {
	c := choice{key: key, who: key, text: file}
	if file.Said() {
		c.by = "file"
		r.origin(key, file.V, c.by, file.Pos)
	}
	return c
}

// reject reports a choice that is not valid, at the place where it was made.
func (r *resolver) reject(c choice, code, format string, args ...any) {
	if c.Pos != (diag.Pos{}) {
		r.diags.Errorf(c.Pos, code, "", "%s %s", c.who, fmt.Sprintf(format, args...)).Subject = c.who
		return
	}
	r.wrong = append(r.wrong, fmt.Errorf("%s %s", c.who, fmt.Sprintf(format, args...)))
}

// oneOf returns the choice if it is one of those of its key, and else the first of
// these; a wrong word is reported.
func (r *resolver) oneOf(c choice) string {
	words := choices(c.key)
	return cmp.Or(r.among(c, words), words[0])
}

// among returns the choice if it is one of words, else "". A wrong word is reported.
func (r *resolver) among(c choice, words []string) string {
	if c.by == "" || slices.Contains(words, c.V) {
		return c.V
	}
	guess := ""
	if near := r.nearest(c.V, words); near != "" {
		guess = fmt.Sprintf("; did you mean %q?", near)
	}
	r.reject(c, "bad-value", "%q is none of %s%s", c.V, strings.Join(words, ", "), guess)
	return ""
}

// manyWrong is how many wrong words are compared with all right ones.
const manyWrong = 100

// nearest returns the word that a wrong one most likely means, or "".
func (r *resolver) nearest(word string, words []string) string {
	if r.guesses++; r.guesses > manyWrong {
		return ""
	}
	return strict.Nearest(word, words)
}

// words returns what stands between commas.
func words(typed string) (out []string) {
	for word := range strings.SplitSeq(typed, ",") {
		if word = strings.TrimSpace(word); word != "" {
			out = append(out, word)
		}
	}
	return out
}

// pickList is pick for a key that is a list.
func (r *resolver) pickList(key, flag, typed string, file texts) (items []text, c choice) {
	all := make([]string, len(file.V))
	for i, v := range file.V {
		all[i] = v.V
	}
	c = r.pick(key, flag, typed, text{V: strings.Join(all, ","), Pos: file.Pos})
	if c.by == "file" {
		return file.V, c
	}
	for _, word := range words(c.V) {
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
	return choice{text: item, key: c.key, who: c.who, by: c.by}
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
	case n == 0 && len(r.wrong) == 0 && r.s.Skip == "": // what is missing is not needed to write nothing
		r.wrong = r.absent
	case n == 1:
		r.wrong = append(r.wrong, fmt.Errorf("%s has a mistake", r.file.Name))
	case n > 1:
		r.wrong = append(r.wrong, fmt.Errorf("%s has %d mistakes", r.file.Name, n))
	}
	return errors.Join(r.wrong...)
}

// inRoot returns the path of what the file names: relative to the project.
func (r *resolver) inRoot(p string) string { return abs(r.root, p) }

// path returns the path that a choice names: relative to the project when the
// file says it, else to the working directory.
func (r *resolver) path(c choice) string {
	if c.by == "file" {
		return r.inRoot(c.V)
	}
	return abs(r.in.Dir, c.V)
}

func abs(dir, p string) string {
	if p = filepath.FromSlash(p); filepath.IsAbs(p) {
		return filepath.Clean(p)
	}
	return filepath.Join(dir, p)
}

// show returns a path as the user would type it.
func (r *resolver) show(p string) string {
	rel, err := filepath.Rel(r.in.Dir, p)
	if far := filepath.FromSlash("../../"); err != nil || strings.HasPrefix(rel, far) {
		return filepath.ToSlash(p)
	}
	return filepath.ToSlash(rel)
}

func (in Input) getenv(name string) string {
	if in.Getenv == nil {
		return ""
	}
	return in.Getenv(name)
}
