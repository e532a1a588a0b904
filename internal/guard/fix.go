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
	host      *hosting.Site
	base      mapping.Base
	generator string
	answer    func(ctx context.Context, loc string) site.Answer
}

// aliasKeys are the keys under which generators take a page's former addresses.
var aliasKeys = map[string]string{"hugo": "aliases", "jekyll": "redirect_from"}

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
	key := aliasKeys[f.generator]
	source := f.answer(ctx, to).Source
	if key == "" || source == "" {
		return "", ""
	}
	quoted, _ := json.Marshal(fromPath) // the generators put the path of the base URL before it
	return key + ": [" + string(quoted) + "]", source
}
