package config

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/generator"
	"github.com/sitewalk/sitewalk/internal/gitdates"
	"github.com/sitewalk/sitewalk/internal/hosting"
)

// home returns the root of the project. That is the working folder, or else the nearest
// one above it, or above a file that the user asks about, in which a sitemap.yaml or a
// generator's files lie. Where the user names a
// folder, it is the project to which that belongs, as its root, as what it publishes, or
// below its sitemap.yaml; if it belongs to none, that is still the working folder.
func (r *resolver) home() string {
	c := r.choose("pages.dir", text{})
	switch {
	case c.by != "" && c.V != "":
		return r.homeOf(abs(r.in.Dir, c.V))
	case r.in.Flags["content"] != nil || r.in.Flags["from"] != nil || r.isProject(r.in.Dir):
		return r.in.Dir
	}
	above := r.up(r.in.Dir)[1:]
	if r.in.About != "" {
		above = append(r.up(filepath.Dir(abs(r.in.Dir, r.in.About))), above...)
	}
	for _, dir := range above {
		if hasSettings(dir) || len(r.projectsIn(dir)) > 0 {
			return dir
		}
	}
	return r.in.Dir
}

// here returns the working folder.
func (r *resolver) here() string { return r.in.Dir }

// homeOf is home of a folder that the user names.
func (r *resolver) homeOf(named string) string {
	if info, err := os.Stat(named); err != nil || !info.IsDir() {
		return r.in.Dir
	}
	up := r.up(named)
	for _, dir := range up {
		if hasSettings(dir) {
			return dir
		}
		if dir == r.in.Dir {
			break
		}
	}
	if hasSettings(r.in.Dir) {
		return r.in.Dir
	}
	for _, dir := range up {
		for _, p := range r.projectsIn(dir) {
			if slices.ContainsFunc(p.Publish, func(publish string) bool { return abs(dir, publish) == named }) || dir == named && r.builtIn(dir, p) != "" {
				return dir
			}
		}
	}
	return r.in.Dir
}

// up returns a folder and those above it that may be the root of its project, as far as
// the top of its git repository. A folder of another owner, of another file system or
// of all the user's things is none.
func (r *resolver) up(dir string) []string {
	all := []string{dir}
	for len(all) <= maxUp && !gitdates.IsTop(dir) && !r.isUsersHome(dir) {
		above := filepath.Dir(dir)
		if above == dir || r.isUsersHome(above) || !sameOwner(dir, above) {
			break
		}
		dir = above
		all = append(all, dir)
	}
	return all
}

func (r *resolver) isUsersHome(dir string) bool {
	return dir == r.in.Getenv("HOME") || dir == r.in.Getenv("USERPROFILE")
}

// hasSettings reports whether a sitemap.yaml lies in a folder.
func hasSettings(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, "sitemap.yaml"))
	return err == nil
}

// isProject reports whether anything in a folder says what the site is.
func (r *resolver) isProject(dir string) bool {
	if hasSettings(dir) {
		return true
	}
	tree := files.Tree(dir)
	if _, netlify := hosting.NetlifyBase(tree); netlify || len(hosting.Publications(tree, "", r.in.Getenv)) > 0 {
		return true
	}
	all, _ := generator.Detect(tree, "", r.in.Getenv)
	return len(all) > 0
}

// projectsIn returns the projects of generators whose files lie in a folder.
func (r *resolver) projectsIn(dir string) []generator.Project {
	all, _ := generator.Detect(files.Tree(dir), "", r.in.Getenv)
	return slices.DeleteFunc(all, func(p generator.Project) bool { return p.Name == "" })
}

// builtIn returns where below its root a project has been built; "" when it has not, or
// when the root itself has a home page.
func (r *resolver) builtIn(root string, p generator.Project) string {
	if r.hasHome(root) {
		return ""
	}
	for _, publish := range p.Publish {
		if built := abs(root, publish); built != root && within(root, built) && r.hasHome(built) {
			return built
		}
	}
	return ""
}

const (
	mostProjects = 6   // that are named as choices
	mostFolders  = 200 // in which they are looked for
)

// choicesBelow names the projects that lie in the folders of a folder, or one deeper.
func (r *resolver) choicesBelow(root string) string {
	var found []string
	folders := 0
	var look func(dir string, depth int)
	look = func(dir string, depth int) {
		entries, _ := fs.ReadDir(files.Tree(filepath.Join(root, filepath.FromSlash(dir))), ".")
		for _, e := range entries {
			name := path.Join(dir, e.Name())
			if !e.IsDir() || strings.HasPrefix(e.Name(), ".") || e.Name() == "node_modules" || folders == mostFolders || len(found) == mostProjects {
				continue
			}
			folders++
			at := filepath.Join(root, filepath.FromSlash(name))
			all := r.projectsIn(at)
			switch {
			case len(all) > 0:
				found = append(found, fmt.Sprintf("%s (%s)", r.show(at), all[0].Name))
			case hasSettings(at):
				found = append(found, r.show(at))
			case depth > 0:
				look(name, depth-1)
			}
		}
	}
	look(".", 1)
	return strings.Join(found, ", ")
}
