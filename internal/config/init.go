package config

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/versions"
	"github.com/sitewalk/sitewalk/page"
)

// example is sitemap.yaml.example, which a test holds equal.
//
//go:embed example.yaml
var example string

// Init returns the sitemap.yaml for the project at hand, and its name: what was
// given, and every other key as a comment, what was detected with its value. It
// need not be written, and would be wrong once the generator's files say
// something else. What is still missing is no error.
func Init(ctx context.Context, in Input) (name string, src []byte, missing []error, err error) {
	r := newResolver(in)
	r.trees()
	r.base()
	if in.Flags["key"] != nil {
		r.indexNow()
	}
	if err := ctx.Err(); err != nil {
		return "", nil, nil, err
	}
	if len(r.wrong) > 0 {
		return "", nil, nil, errors.Join(r.wrong...)
	}
	values := r.settings()
	if found := versionsIn(ctx, r.s.Site.Pages); found != "" {
		values["versions"] = known{value: "latest", from: found}
	}
	return "sitemap.yaml", render(values, r.archives()), r.absent, nil
}

// versionsIn names the versions that lie beside each other in a built site, "" without any.
func versionsIn(ctx context.Context, pages *facts.Tree) string {
	if pages == nil || pages.Dir == "" {
		return ""
	}
	all := func(yield func(string) bool) {
		fsys := files.Tree(pages.Dir)
		_ = fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
			switch {
			case ctx.Err() != nil:
				return fs.SkipAll
			case err == nil && d.IsDir() && name != "." && strings.HasPrefix(d.Name(), "."):
				return fs.SkipDir
			case err == nil && !d.IsDir() && page.IsHTML(name) && !yield(name):
				return fs.SkipAll
			}
			return nil
		})
	}
	found := versions.Find(all, func(string) []string { return nil })
	if len(found) == 0 {
		return ""
	}
	var names []string
	for _, f := range found[0].Folders {
		names = append(names, f.Name)
	}
	return fmt.Sprintf("%d beside each other, %s", len(names), strings.Join(names[:min(len(names), 5)], ", "))
}

// A known is the value of a key, and where it was detected; given says that
// the user has typed it.
type known struct {
	value, from string
	given       bool
}

// settings returns the values that are known, by key.
func (r *resolver) settings() map[string]known {
	values := map[string]known{}
	for _, o := range r.s.Origins {
		from := o.Why
		if o.Pos.File != "" {
			from = o.Pos.String()
		}
		values[o.Key] = known{o.Value, from, o.By == "flag"}
	}
	set := func(key, value string) {
		k := values[key]
		k.value = value
		values[key] = k
	}
	if b := r.s.Site.Base.String(); b != "" {
		set("base_url", b)
	}
	if t := r.s.Site.Pages; t != nil {
		set("pages.dir", r.below(t.Dir))
	} else if len(r.project.Publish) == 1 {
		set("pages.dir", r.project.Publish[0])
	}
	if t := r.s.Site.Content; t != nil && t.Dir != r.root {
		set("content.dir", r.below(t.Dir))
	}
	return values
}

const initHead = `# What sitewalk is to do with this site. Every key may be left out; those in
# comments show their default or an example. Paths are relative to this file.
`

var (
	keyOf = regexp.MustCompile(`^( *)([a-z_]+):`)
	// An example is a line of YAML behind a "#". Prose has a blank after the
	// "#"; a line of YAML has none, or at least two where it stands below a
	// key.
	exampleLine = regexp.MustCompile(`^( *)#(\S|  )`)
)

// uncommented returns a line of the example file without the # that makes it an
// example.
func uncommented(line string) string { return exampleLine.ReplaceAllString(line, "$1$2") }

// archives returns the rules that leave out the lists that the generator makes of pages.
func (r *resolver) archives() (lines []string) {
	for _, glob := range r.project.Archives {
		lines = append(lines, fmt.Sprintf("  - {urls: %q, exclude: true}\n", glob))
	}
	if lines != nil {
		lines = append([]string{"# To leave out the pages by which " + r.project.Name + " lists others (tags, categories, authors, further pages):\n"}, lines...)
	}
	return lines
}

// render returns the example with the known values and the rules for archives in place,
// and all other keys commented out.
func render(values map[string]known, archives []string) []byte {
	_, body, _ := strings.Cut(example, "\n\n")
	var b strings.Builder
	b.WriteString(initHead + "\n")
	top := ""
	for line := range strings.Lines(body) {
		line = uncommented(line)
		m := keyOf.FindStringSubmatch(line)
		key := ""
		switch {
		case m != nil && m[1] == "":
			top, key = m[2], m[2]
		case m != nil && m[1] == "  ":
			key = top + "." + m[2]
		}
		switch k, ok := values[key]; {
		case slices.Contains(archives, line): // it is there already
		case ok && k.given:
			fmt.Fprintf(&b, "%s%s: %s\n", m[1], m[2], scalar(k.value))
		case ok:
			fmt.Fprintf(&b, "#%s%s: %s%s\n", m[1], m[2], scalar(k.value), detectedIn(k.from))
		case key == top && m != nil && opens(values, top):
			b.WriteString(line)
		case strings.HasPrefix(line, "#"), line == "\n":
			b.WriteString(line)
		default:
			b.WriteString("#" + line)
		}
		if line == "rules:\n" {
			for _, rule := range archives {
				b.WriteString("#" + strings.TrimPrefix(rule, "#"))
			}
		}
	}
	return []byte(b.String())
}

// detectedIn is the comment behind a value that was detected.
func detectedIn(from string) string {
	if from == "" {
		return "  # detected"
	}
	return "  # detected: " + strings.ReplaceAll(from, "\n", " ")
}

// opens reports whether a value below the key is given.
func opens(values map[string]known, top string) bool {
	for key, k := range values {
		if k.given && strings.HasPrefix(key, top+".") {
			return true
		}
	}
	return false
}

// scalar returns s as a YAML scalar.
func scalar(s string) string {
	b, err := yaml.Marshal(s)
	if err != nil {
		return strconv.Quote(s)
	}
	return strings.TrimSpace(string(b))
}
