package hosting

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/strict"
)

// A Publication is a folder that a platform's own file says is published.
type Publication struct {
	Host string
	Dir  string // relative to the folder that holds the file, slash-separated
	Pos  diag.Pos
}

// Output returns the folder of which the machine's host publishes what the build leaves
// there, and the variable that names it; "" when none does.
func Output(getenv func(string) string) (dir, why string) {
	if dir := getenv("READTHEDOCS_OUTPUT"); dir != "" && isSet(getenv, "READTHEDOCS") {
		return filepath.Join(dir, "html"), "$READTHEDOCS_OUTPUT/html"
	}
	return "", ""
}

// Publications returns what the files in a folder say that the platforms
// publish, one for each platform at most.
func Publications(root fs.FS, rootName string, getenv func(string) string) (all []Publication) {
	l := newLoader(Input{Root: root, RootName: rootName, Getenv: getenv})
	for _, p := range publishers {
		dir := p.dir(l)
		if name := cmp.Or(local(dir.V), "."); dir.V != "" && fs.ValidPath(name) {
			all = append(all, Publication{p.host, name, dir.Pos})
		}
	}
	return all
}

// NetlifyBase returns the folder that netlify.toml says the build runs in, ""
// for the one that holds the file; false without such a file.
func NetlifyBase(root fs.FS) (base string, ok bool) {
	if !isFile(root, netlifyName) {
		return "", false
	}
	_, c := newLoader(Input{Root: root}).netlifyFile()
	return c.base(), true
}

// local returns a path below a folder, "" for the folder itself.
func local(p string) string {
	if p = strings.TrimPrefix(path.Clean("/"+p), "/"); p == "." {
		return ""
	}
	return p
}

// netlifyPublish: the folder is relative to the base, unless it begins with a
// slash.
func (l *loader) netlifyPublish() strict.Value[string] {
	_, c := l.netlifyFile()
	dir := c.Build.Publish
	if dir.V != "" && !strings.HasPrefix(dir.V, "/") {
		dir.V = path.Join(c.base(), dir.V)
	}
	return dir
}

// vercelPublish: outputDirectory, else what a build has left by the Build Output
// API.
func (l *loader) vercelPublish() strict.Value[string] {
	var c vercelConfig
	l.read(&c, "vercel.json")
	if name := outputDir + "/config.json"; c.Output.V == "" && isFile(l.Root, name) {
		return strict.Value[string]{V: outputDir + "/static", Pos: diag.Pos{File: path.Join(l.RootName, name)}}
	}
	return c.Output
}

func (l *loader) wranglerPublish() strict.Value[string] {
	w := l.readWrangler()
	return cmp.Or(w.Assets.Directory, w.Pages)
}

// firebasePublish: the folder of a project with one site.
func (l *loader) firebasePublish() (none strict.Value[string]) {
	if _, sites := l.firebaseFile(); len(sites) == 1 {
		return sites[0].Public
	}
	return none
}

// azurePublish: the folder of the one configuration of swa-cli.config.json, relative to
// that of the application.
// https://azure.github.io/static-web-apps-cli/docs/cli/swa-config/
func (l *loader) azurePublish() (none strict.Value[string]) {
	var c struct {
		Configurations map[string]struct {
			App    string               `yaml:"appLocation"`
			Output strict.Value[string] `yaml:"outputLocation"`
		} `yaml:"configurations"`
	}
	l.read(&c, "swa-cli.config.json")
	for _, one := range c.Configurations {
		dir := one.Output
		if len(c.Configurations) > 1 || dir.V == "" || strings.Contains(dir.V, "://") { // a development server
			return none
		}
		dir.V = local(one.App) + "/" + dir.V
		return dir
	}
	return none
}

// publishes reports whether a folder, as a file in the root names it, is the one that
// is published.
func (l *loader) publishes(dir string) bool {
	return path.Join(filepath.ToSlash(l.RootName), local(dir)) == path.Clean(filepath.ToSlash(l.PublishName))
}

// publisher returns which of several sites publishes the folder. One alone does,
// of any folder.
func (l *loader) publisher(f file, key string, dirs []strict.Value[string]) (int, bool) {
	var fits []int
	for i, dir := range dirs {
		if l.publishes(dir.V) {
			fits = append(fits, i)
		}
	}
	switch {
	case len(dirs) == 0:
		return 0, false
	case len(dirs) == 1:
		return 0, true
	case len(fits) == 0:
		l.diags.Notef(f.pos(0), "undecidable-rule", fmt.Sprintf("let %q of one of them name the folder", key),
			"none of its %d sites publishes %s; the rules of none are taken", len(dirs), l.PublishName)
		return 0, false
	case len(fits) > 1:
		l.diags.Notef(place(f, dirs[fits[0]].Pos), "undecidable-rule", "build each site into a folder of its own",
			"%d of its sites publish %s; the first one's rules are taken", len(fits), l.PublishName)
	}
	return fits[0], true
}
