package audit

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/sitewalk/sitewalk/internal/explain"
	"github.com/sitewalk/sitewalk/internal/files"
)

// fix returns the line that redirects a lost URL to its replacement, and the file for the line.
// The file is the redirect file of the host, or the page's content file if the generator
// supports aliases. fix returns "" if neither is possible.
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
	source, key := a.Of(ctx, to).Source, site.Mapping.AliasKey // "" if the generator has no aliases
	if key == "" || source == "" {
		return "", ""
	}
	text, _ := files.Begin(d.o.path(source), 16) // an unreadable file counts as YAML
	return aliasLine(key, fromPath, strings.TrimPrefix(string(text), "\ufeff")), source
}

// aliasLine returns an alias line in the front matter format of begin. alias is relative to the
// base URL, because generators add the path of the base URL.
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
