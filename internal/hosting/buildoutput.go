package hosting

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/mapping"
)

// A vercelOutput is the config.json that a build leaves beside the files that
// Vercel serves: vercel.json and what the framework adds to it, made into routes.
// https://vercel.com/docs/build-output-api/configuration
type vercelOutput struct {
	Routes    []vercelRoute `yaml:"routes"`
	Overrides map[string]struct {
		Path string `yaml:"path"`
	} `yaml:"overrides"`
}

const outputDir = ".vercel/output"

// publishesOutput reports whether what is published is the static folder of the
// Build Output API.
func (l *loader) publishesOutput() bool {
	return path.Join(filepath.ToSlash(l.RootName), outputDir, "static") == path.Clean(filepath.ToSlash(l.PublishName))
}

// buildOutput reads its config.json, where it is what is published.
func (l *loader) buildOutput() (file, bool) {
	if !l.publishesOutput() {
		return file{}, false
	}
	return l.open(l.Root, l.RootName, outputDir+"/config.json", MaxFile)
}

// vercelOutput takes the routes in their phases: those before the first handle
// come before the files, those of the phase hit give headers to files, and those
// of the phase error answer for none. All others are tried where no file is.
func (l *loader) vercelOutput(f file) {
	var c vercelOutput
	l.decode(f, &c)
	s := l.site
	s.headers.last = true
	var skips []diag.Pos // routes that are not followed
	phase := ""
	for i := range c.Routes {
		r := &c.Routes[i]
		if r.Handle.V != "" {
			phase = r.Handle.V
			continue
		}
		r.Continue = r.Continue || phase == "hit"
		if phase == "error" {
			break
		}
		if rule, err := l.vercelRoute(f, r, phase == ""); err != nil {
			skips = append(skips, rule.pos)
		}
	}
	if len(skips) > 0 {
		l.diags.Notef(skips[0], "undecidable-rule", "exclude the pages by a rule of sitemap.yaml if no crawler can reach them",
			"%d of its routes cannot be matched in linear time and are not followed; the pages stay in", len(skips))
	}
	files := staticFiles{at: map[string]string{}, elsewhere: map[string]bool{}}
	for file, o := range c.Overrides {
		if o.Path == "" || o.Path == file {
			continue
		}
		files.at[strings.TrimPrefix(o.Path, "/")], files.elsewhere[file] = file, true
		if strings.HasSuffix(file, ".html") && !isIndex(strings.TrimSuffix(file, ".html")) {
			s.style.HTML = mapping.StripHTML
		}
	}
	s.handling = files.serve
}

// staticFiles are those of the Build Output API, of which some are served under
// other paths than their own.
type staticFiles struct {
	at        map[string]string // the file that is served at a path
	elsewhere map[string]bool   // the files that are served elsewhere
}

func (v staticFiles) serve(r request) (file, to string) {
	names := []string{r.path, path.Join(r.path, "index"), path.Join(r.path, "index.html")}
	if r.dir {
		names = append(names[1:], r.path)
	}
	for _, name := range names {
		if file := v.at[name]; file != "" && r.exists(file) {
			return file, ""
		}
		if exact := name == r.path; !v.elsewhere[name] && name != "" && (!exact || !r.dir) && (exact || strings.HasSuffix(name, ".html")) && r.exists(name) {
			return name, ""
		}
	}
	return "", ""
}
