package guard

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/sitewalk/sitewalk/internal/explain"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/hosting"
	"github.com/sitewalk/sitewalk/mapping"
)

// A fixer writes the line that leads from a lost URL to the page that took its
// place: into the host's own file, else into the page's content file, where the
// generator makes a page of it that leads there.
type fixer struct {
	host   *hosting.Site
	base   mapping.Base
	key    string // of front matter for former addresses, "" when the generator has none
	answer func(ctx context.Context, loc string) explain.Answer
	path   func(name string) string // of a content file, for the operating system
}

func (f *fixer) fix(ctx context.Context, from, to string) (lines, file string) {
	fromPath, ok := f.base.Path(from)
	if !ok {
		return "", ""
	}
	toPath, below := f.base.Path(to)
	if !below {
		toPath = to
	}
	if lines, file = f.host.RedirectLine(fromPath, toPath); lines != "" {
		return lines, file
	}
	source := f.answer(ctx, to).Source
	if f.key == "" || source == "" {
		return "", ""
	}
	return f.frontMatter(source, fromPath), source
}

// frontMatter is a line of a page's front matter, in the notation that it has.
// The generators put the path of the base URL before an alias themselves.
func (f *fixer) frontMatter(source, alias string) string {
	quoted, _ := json.Marshal(alias)
	text, _ := files.Begin(f.path(source), 16) // what cannot be read is taken for YAML
	switch begin := strings.TrimPrefix(string(text), "\ufeff"); {
	case strings.HasPrefix(begin, "+++"):
		return f.key + " = [" + string(quoted) + "]"
	case strings.HasPrefix(begin, "{"):
		return `"` + f.key + `": [` + string(quoted) + "],"
	}
	return f.key + ": [" + string(quoted) + "]"
}
