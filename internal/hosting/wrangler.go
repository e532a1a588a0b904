package hosting

import (
	"bytes"
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

// plainJSON puts spaces in the place of comments and of commas before a closing
// bracket, so that every value stays where it was.
func plainJSON(src []byte) []byte {
	out := append([]byte(nil), src...)
	comma := -1
	for i := 0; i < len(out); i++ {
		switch c := out[i]; {
		case c == '"':
			i, comma = stringEnd(out, i), -1
		case c == '/':
			end := commentEnd(out, i)
			blank(out[i:end])
			i = max(i, end-1)
		case c == ',':
			comma = i
		case c == ']' || c == '}':
			if comma >= 0 {
				out[comma] = ' '
			}
			comma = -1
		case c > ' ':
			comma = -1
		}
	}
	return out
}

// stringEnd returns where the string that begins at i ends, at its last byte.
func stringEnd(src []byte, i int) int {
	for i++; i < len(src) && src[i] != '"' && src[i] != '\n'; i++ {
		if src[i] == '\\' {
			i++
		}
	}
	return i
}

// commentEnd returns the place after the comment that begins at i, or i when
// none does.
func commentEnd(src []byte, i int) int {
	mark := "\n"
	switch {
	case bytes.HasPrefix(src[i:], []byte("/*")):
		mark = "*/"
	case !bytes.HasPrefix(src[i:], []byte("//")):
		return i
	}
	end := bytes.Index(src[i+2:], []byte(mark))
	if end < 0 {
		return len(src)
	}
	return i + 2 + end + len(mark)
}

// blank writes spaces over everything but line breaks.
func blank(b []byte) {
	for i := range b {
		if b[i] != '\n' {
			b[i] = ' '
		}
	}
}
