package guard

import (
	"context"
	"encoding/json"

	"github.com/sitewalk/sitewalk/internal/hosting"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/site"
)

// A fixer writes the line that leads from a lost URL to the page that took its
// place: into the host's own file, else into the page's content file, where the
// generator makes a page of it that leads there.
type fixer struct {
	host   *hosting.Site
	base   mapping.Base
	key    string // of front matter for former addresses, "" when the generator has none
	answer func(ctx context.Context, loc string) site.Answer
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
	quoted, _ := json.Marshal(fromPath) // the generators put the path of the base URL before it
	return f.key + ": [" + string(quoted) + "]", source
}
