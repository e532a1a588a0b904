package hosting

import (
	"bytes"
	"regexp"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/sitewalk/sitewalk/internal/strict"
)

// A wrangler is what Cloudflare's configuration file says of URLs.
// https://developers.cloudflare.com/workers/wrangler/configuration/
type wrangler struct {
	file   file
	Pages  strict.Value[string] `yaml:"pages_build_output_dir"`
	Main   strict.Value[string] `yaml:"main"`
	Assets struct {
		wranglerAssets
		First yaml.Node `yaml:"run_worker_first"` // true, or a list of paths
	} `yaml:"assets"`
	Env map[string]struct {
		Assets wranglerAssets `yaml:"assets"`
	} `yaml:"env"`
}

type wranglerAssets struct {
	Directory strict.Value[string] `yaml:"directory"`
	HTML      strict.Value[string] `yaml:"html_handling"`
	NotFound  strict.Value[string] `yaml:"not_found_handling"`
}

// workers reports whether the project is a worker with assets and not a Pages
// project.
func (w wrangler) workers() bool {
	return w.Assets.Directory.Said() || w.Assets.HTML.Said() || w.Assets.NotFound.Said()
}

// static reports whether the project serves files at all.
func (w wrangler) static() bool { return w.workers() || w.Pages.Said() }

// wrangler reads the first of the files that wrangler itself would take.
func (l *loader) wrangler() (w wrangler, ok bool) {
	f, ok := l.fromRoot("wrangler.json", "wrangler.jsonc", "wrangler.toml")
	if !ok {
		return w, false
	}
	if !strings.HasSuffix(f.name, ".toml") {
		f.src = plainJSON(f.src)
	}
	w.file = f
	l.decode(f, &w)
	l.environment(&w)
	return w, true
}

// runsFirst reports whether code runs before the assets are looked for.
func (w wrangler) runsFirst() bool {
	first := w.Assets.First
	return first.Value == "true" || len(first.Content) > 0
}

// Texts are matched as well, so that nothing is looked for in them.
var (
	comments = regexp.MustCompile(`"(?:\\.|[^"\\\n])*"?|//[^\n]*|(?s:/\*.*?(?:\*/|$))`)
	commas   = regexp.MustCompile(`"(?:\\.|[^"\\\n])*"?|,\s*[\]}]`)
)

// plainJSON puts spaces in the place of comments and of commas before a closing
// bracket, so that every value stays where it was.
func plainJSON(src []byte) []byte {
	out := bytes.Clone(src)
	for _, m := range comments.FindAll(out, -1) {
		if m[0] == '"' {
			continue
		}
		for i := range m {
			if m[i] != '\n' {
				m[i] = ' '
			}
		}
	}
	for _, m := range commas.FindAll(out, -1) {
		if m[0] == ',' {
			m[0] = ' '
		}
	}
	return out
}
