package config

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// Example is the content of example.yaml, which is a copy of sitemap.yaml.example. A test checks
// that both files are equal.
//
//go:embed example.yaml
var Example string

const starterHead = `# The settings of sitewalk for this site. Paths are relative to this file. Every key may
# be left out: those in comments below show the default or an example.

`

// Init returns the file name and the content of a new settings file for a project. Settings from
// flags become active lines. Detected settings, and examples of all keys, become comments. missing
// lists an error for each required setting that is unknown. The new file does not contain such a
// setting. err joins the errors about invalid values of flags and environment variables.
func Init(in Input) (name string, src []byte, missing []error, err error) {
	r := newResolver(in)
	r.resolveTrees()
	r.resolveBaseURL()
	r.resolveIndexNow()
	if len(r.flagErrors) > 0 {
		return "", nil, nil, errors.Join(r.flagErrors...)
	}
	var b strings.Builder
	b.WriteString(starterHead)
	r.writeResolvedSettings(&b)
	if len(r.project.Archives) > 0 {
		fmt.Fprintf(&b, "# To leave out the pages by which %s lists others (tags, categories, authors, further pages):\n#rules:\n", r.project.Name)
	}
	for _, glob := range r.project.Archives {
		fmt.Fprintf(&b, "#  - {urls: %q, exclude: true}\n", glob)
	}
	if len(r.project.Archives) > 0 {
		b.WriteString("\n")
	}
	_, example, _ := strings.Cut(Example, "\n\n")
	for line := range strings.Lines(example) {
		if line != "\n" && !strings.HasPrefix(line, "#") {
			line = "#" + line
		}
		b.WriteString(line)
	}
	return "sitemap.yaml", []byte(b.String()), r.missing, nil
}

// writeResolvedSettings writes the values of base_url, output.indexnow, pages.dir and content.dir
// to b. Values from flags become active lines. Other values become comments with their origin. It
// skips settings without a value.
func (r *resolver) writeResolvedSettings(b *strings.Builder) {
	values := map[string]string{"base_url": r.settings.Site.Base.String(), "output.indexnow": r.settings.Writer.IndexNowKey}
	if t := r.settings.Site.Pages; t != nil {
		values["pages.dir"] = r.relativeToRoot(t.Dir)
	}
	if t := r.settings.Site.Content; t != nil {
		values["content.dir"] = r.relativeToRoot(t.Dir)
	}
	for _, o := range r.settings.Origins {
		value := values[o.Key]
		if value == "" {
			continue
		}
		setting := formatSetting(o.Key, value)
		switch {
		case o.By == "flag":
			fmt.Fprintf(b, "%s\n\n", setting)
		case o.Pos.File != "":
			fmt.Fprintf(b, "# detected in %s:\n#%s\n\n", o.Pos, setting)
		default:
			fmt.Fprintf(b, "# detected, %s:\n#%s\n\n", strings.TrimSpace(o.Why), setting)
		}
	}
}

// formatSetting returns the line of a settings file that sets key to value, without the line end:
// "base_url: https://example.com/", or "pages: {dir: public}" for the key "pages.dir".
func formatSetting(key, value string) string {
	n := &yaml.Node{Kind: yaml.ScalarNode, Value: value}
	for i, k := range slices.Backward(strings.Split(key, ".")) {
		n = &yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{{Kind: yaml.ScalarNode, Value: k}, n}}
		if i > 0 {
			n.Style = yaml.FlowStyle
		}
	}
	line, _ := yaml.Marshal(n)
	return strings.TrimSpace(string(line))
}
