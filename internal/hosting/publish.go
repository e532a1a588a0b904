package hosting

import (
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/internal/strict"
)

// A Publication is a folder that a platform's own file says is published.
type Publication struct {
	Host string
	Dir  string // relative to the folder that holds the file, slash-separated
	Pos  diag.Pos
}

// Publications returns what the files in a folder say that the platforms
// publish, one for each platform at most.
func Publications(root fs.FS, rootName string, getenv func(string) string) (all []Publication) {
	l := &loader{Input: Input{Root: root, RootName: rootName, Getenv: getenv}, site: new(Site)}
	for _, read := range []func(*loader) (Publication, bool){
		(*loader).netlifyPublish, (*loader).vercelPublish, (*loader).wranglerPublish, (*loader).gitlabPublish, (*loader).firebasePublish,
		(*loader).renderPublish, (*loader).azurePublish,
	} {
		if p, ok := read(l); ok && fs.ValidPath(p.Dir) {
			all = append(all, p)
		}
	}
	return all
}

// NetlifyBase returns the folder that netlify.toml says the build runs in, ""
// for the one that holds the file; false without such a file.
func NetlifyBase(root fs.FS) (base string, ok bool) {
	l := &loader{Input: Input{Root: root}, site: new(Site)}
	c, _, ok := l.netlifyBuild()
	return c.base(), ok
}

// netlifyBuild is what netlify.toml says of where the site is built.
// https://docs.netlify.com/build/configure-builds/file-based-configuration/
type netlifyBuild struct {
	Build struct {
		Base    strict.Value[string] `yaml:"base"`
		Publish strict.Value[string] `yaml:"publish"`
	} `yaml:"build"`
}

func (c netlifyBuild) base() string { return local(c.Build.Base.V) }

// local returns a path below a folder, "" for the folder itself.
func local(p string) string {
	if p = strings.TrimPrefix(path.Clean("/"+p), "/"); p == "." {
		return ""
	}
	return p
}

func (l *loader) netlifyBuild() (c netlifyBuild, f file, ok bool) {
	f, ok = l.fromRoot("netlify.toml")
	if ok {
		n, _ := strict.TOML(f.name, f.src)
		strict.Options{Lenient: true}.Decode(f.name, n, &c)
	}
	return c, f, ok
}

// netlifyPublish: the folder is relative to the base, unless it begins with a
// slash.
func (l *loader) netlifyPublish() (Publication, bool) {
	c, _, ok := l.netlifyBuild()
	dir := c.Build.Publish
	if !ok || dir.V == "" {
		return Publication{}, false
	}
	if !strings.HasPrefix(dir.V, "/") {
		dir.V = path.Join(c.base(), dir.V)
	}
	return publication("netlify", dir), true
}

func publication(host string, dir strict.Value[string]) Publication {
	p := Publication{host, local(dir.V), dir.Pos}
	if p.Dir == "" {
		p.Dir = "."
	}
	return p
}

// vercelPublish: outputDirectory, else what a build has left by the Build Output
// API.
func (l *loader) vercelPublish() (Publication, bool) {
	var c struct {
		Output strict.Value[string] `yaml:"outputDirectory"`
	}
	if f, ok := l.fromRoot("vercel.json"); ok {
		n, _ := strict.JSON(f.name, f.src)
		strict.Options{Lenient: true}.Decode(f.name, n, &c)
	}
	const built = ".vercel/output"
	switch {
	case c.Output.V != "":
		return publication("vercel", c.Output), true
	case isFile(l.Root, built+"/config.json"):
		return Publication{"vercel", built + "/static", diag.Pos{File: path.Join(l.RootName, built, "config.json")}}, true
	}
	return Publication{}, false
}

func (l *loader) wranglerPublish() (Publication, bool) {
	w, ok := l.wrangler()
	switch {
	case ok && w.Assets.Directory.V != "":
		return publication("cloudflare", w.Assets.Directory), true
	case ok && w.Pages.V != "":
		return publication("cloudflare", w.Pages), true
	}
	return Publication{}, false
}

// firebasePublish: the folder of a project with one site.
func (l *loader) firebasePublish() (Publication, bool) {
	_, c := l.firebaseFile()
	if len(c.Hosting) != 1 || c.Hosting[0].Public.V == "" {
		return Publication{}, false
	}
	return publication("firebase", c.Hosting[0].Public), true
}

// azurePublish: the folder of the one configuration of swa-cli.config.json, relative to
// that of the application.
// https://azure.github.io/static-web-apps-cli/docs/cli/swa-config/
func (l *loader) azurePublish() (Publication, bool) {
	f, ok := l.fromRoot("swa-cli.config.json")
	if !ok {
		return Publication{}, false
	}
	var c struct {
		Configurations map[string]struct {
			App    string               `yaml:"appLocation"`
			Output strict.Value[string] `yaml:"outputLocation"`
		} `yaml:"configurations"`
	}
	n, _ := strict.JSON(f.name, f.src)
	strict.Options{Lenient: true}.Decode(f.name, n, &c)
	for _, one := range c.Configurations {
		dir := one.Output
		if len(c.Configurations) > 1 || dir.V == "" || strings.Contains(dir.V, "://") { // a development server
			return Publication{}, false
		}
		dir.V = local(one.App) + "/" + dir.V
		return publication("azure", dir), true
	}
	return Publication{}, false
}

// publishes reports whether a folder, as a file in the root names it, is the one that
// is published.
func (l *loader) publishes(dir string) bool {
	return path.Join(filepath.ToSlash(l.RootName), local(dir)) == path.Clean(filepath.ToSlash(l.PublishName))
}

// publisher returns which of several sites publishes the folder. One alone does,
// whatever folder it names.
func (l *loader) publisher(f file, key string, dirs []strict.Value[string]) (int, bool) {
	var fits []int
	for i, dir := range dirs {
		if l.publishes(dir.V) {
			fits = append(fits, i)
		}
	}
	switch {
	case len(dirs) == 1:
		return 0, true
	case len(fits) == 1:
		return fits[0], true
	case len(dirs) == 0:
		return 0, false
	case len(fits) == 0:
		l.diags.Notef(f.pos(0), "undecidable-rule", fmt.Sprintf("let %q of one of them name the folder", key),
			"none of its %d sites publishes %s; the rules of none are taken", len(dirs), l.PublishName)
		return 0, false
	}
	l.diags.Notef(place(f, dirs[fits[0]].Pos), "undecidable-rule", "build each site into a folder of its own",
		"%d of its sites publish %s; the first one's rules are taken", len(fits), l.PublishName)
	return fits[0], true
}
