package audit

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/sitewalk/sitewalk/internal/explain"
	"github.com/sitewalk/sitewalk/internal/files"
)

// fix returns the line that leads from a lost URL to the page that took its place, and the
// file for it: the host's own, else the page's content file, where the generator makes a
// page of it that leads there.
func (d *Diff) fix(ctx context.Context, a *explain.Answers, from, to string) (lines, file string) {
	site := &d.Settings.Site
	fromPath, ok := site.Base.Path(from)
	if !ok {
		return "", ""
	}
	toPath, below := site.Base.Path(to)
	if !below {
		toPath = to
	}
	if lines, file = site.Host.RedirectLine(fromPath, toPath); lines != "" {
		return lines, file
	}
	source, key := a.Of(ctx, to).Source, site.Mapping.AliasKey // "" when the generator has none
	if key == "" || source == "" {
		return "", ""
	}
	text, _ := files.Begin(d.o.path(source), 16) // what cannot be read is taken for YAML
	return aliasLine(key, fromPath, strings.TrimPrefix(string(text), "\ufeff")), source
}

// aliasLine is a line of a page's front matter, in the notation in which it begins.
// The generators put the path of the base URL before an alias themselves.
func aliasLine(key, alias, begin string) string {
	quoted, _ := json.Marshal(alias)
	switch {
	case strings.HasPrefix(begin, "+++"):
		return key + " = [" + string(quoted) + "]"
	case strings.HasPrefix(begin, "{"):
		return `"` + key + `": [` + string(quoted) + "],"
	}
	return key + ": [" + string(quoted) + "]"
}
