package config

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/walker"
)

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
	values := r.starterValues()
	if found := versionsIn(ctx, r.s.Site.Pages); found != "" {
		values["versions"] = starterValue{Value: "latest", From: found}
	}
	return "sitemap.yaml", starterFile(values, r.archives()), r.absent, nil
}

// versionsIn names the versions that lie beside each other in a built site, "" without any.
func versionsIn(ctx context.Context, pages *facts.Tree) string {
	if pages == nil || pages.Dir == "" {
		return ""
	}
	var all []string
	_, _ = pages.Files.Walk(ctx, walker.Options{Filter: pages.Filter, Jobs: 1}, func(_ int, f *walker.File) { all = append(all, f.Path) })
	slices.Sort(all)
	found := site.FindVersionSets(slices.Values(all), func(string) []string { return nil })
	if len(found) == 0 {
		return ""
	}
	var names []string
	for _, f := range found[0].Folders {
		names = append(names, f.Name)
	}
	return fmt.Sprintf("%d beside each other, %s", len(names), strings.Join(names[:min(len(names), 5)], ", "))
}

// starterValues returns the values that are known, by key.
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
		set("pages.dir", r.below(t.Dir))
	} else if len(r.project.Publish) == 1 {
		set("pages.dir", r.project.Publish[0])
	}
	if t := r.s.Site.Content; t != nil && t.Dir != r.root {
		set("content.dir", r.below(t.Dir))
	}
	return values
}

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
