package config

import (
	"errors"
	"fmt"
)

// Init returns the name and the text of a settings file for a project. Keys that the user
// gives are set. Detected values and all other keys are comments. The missing settings do not
// stop Init.
func Init(in Input) (name string, src []byte, missing []error, err error) {
	r := newResolver(in)
	r.resolveTrees()
	r.resolveBase()
	r.resolveIndexNow()
	if len(r.wrong) > 0 {
		return "", nil, nil, errors.Join(r.wrong...)
	}
	return "sitemap.yaml", newStarterFile(r.starterValues(), r.archiveRules()), r.absent, nil
}

// starterValues returns the known values by key.
func (r *resolver) starterValues() map[string]starterValue {
	values := map[string]starterValue{}
	for _, o := range r.s.Origins {
		from := o.Why
		if o.Pos.File != "" {
			from = o.Pos.String()
		}
		values[o.Key] = starterValue{Value: o.Value, From: from, Given: o.By == "flag"}
	}
	set := func(key, value string) {
		k := values[key]
		k.Value = value
		values[key] = k
	}
	if b := r.s.Site.Base.String(); b != "" {
		set("base_url", b)
	}
	if t := r.s.Site.Pages; t != nil {
		set("pages.dir", r.relativeToRoot(t.Dir))
	} else if len(r.project.Publish) == 1 {
		set("pages.dir", r.project.Publish[0])
	}
	if t := r.s.Site.Content; t != nil && t.Dir != r.root {
		set("content.dir", r.relativeToRoot(t.Dir))
	}
	return values
}

// archiveRules returns the lines with rules that leave out the generator's lists of pages, as
// comments.
func (r *resolver) archiveRules() (lines []string) {
	for _, glob := range r.project.Archives {
		lines = append(lines, fmt.Sprintf("  - {urls: %q, exclude: true}\n", glob))
	}
	if lines != nil {
		lines = append([]string{"# To leave out the pages by which " + r.project.Name + " lists others (tags, categories, authors, further pages):\n"}, lines...)
	}
	return lines
}
