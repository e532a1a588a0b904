package config

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/generator"
	"github.com/sitewalk/sitewalk/internal/git"
	"github.com/sitewalk/sitewalk/internal/hosting"
	"github.com/sitewalk/sitewalk/sitemap"
)

// A Finder finds projects, from a working folder.
type Finder struct {
	Dir     string // the working folder
	Getenv  func(string) string
	Lookups // what was looked for; nil records nothing
}

// Root returns the root of the project at hand: the working folder, or else the nearest
// one above it, or above a file that the user asks about, in which a sitemap.yaml or a
// generator's files lie. If there is none, it is still the working folder.
func (f *Finder) Root(about string) string {
	if f.isProject(f.Dir) {
		return f.Dir
	}
	above := f.up(f.Dir)[1:]
	if about != "" {
		above = append(f.up(filepath.Dir(files.Abs(f.Dir, about))), above...)
	}
	for _, dir := range above {
		if f.hasSettings(dir) || len(f.Projects(dir)) > 0 {
			return dir
		}
	}
	return f.Dir
}

// RootOf returns the root of the project to which a folder belongs, as its root, as what
// it publishes, or below its sitemap.yaml; if it belongs to none, the working folder.
func (f *Finder) RootOf(named string) string {
	if info, err := os.Stat(named); err != nil || !info.IsDir() {
		return f.Dir
	}
	up := f.up(named)
	for _, dir := range up {
		if f.hasSettings(dir) {
			return dir
		}
		if dir == f.Dir {
			break
		}
	}
	if f.hasSettings(f.Dir) {
		return f.Dir
	}
	for _, dir := range up {
		all := f.Projects(dir)
		if !files.Within(dir, f.Dir) { // around the working folder only these count, as in Root
			all = f.builds(dir)
		}
		for _, p := range all {
			if slices.ContainsFunc(p.Publish, func(publish string) bool { return files.Abs(dir, publish) == named }) || dir == named && f.Built(dir, p) != "" {
				return dir
			}
		}
	}
	return f.Dir
}

// maxUp is how far above a folder its project is looked for.
const maxUp = 8

// up returns a folder and those above it that may be the root of its project, as far as
// the top of its git repository. A folder of another owner, of another file system or
// of all the user's things is none.
func (f *Finder) up(dir string) []string {
	all := []string{dir}
	for len(all) <= maxUp && !git.IsTop(dir) && !f.isUsersHome(dir) {
		above := filepath.Dir(dir)
		if above == dir || f.isUsersHome(above) || !sameOwner(dir, above) {
			break
		}
		dir = above
		all = append(all, dir)
	}
	return all
}

func (f *Finder) isUsersHome(dir string) bool {
	return dir == f.Getenv("HOME") || dir == f.Getenv("USERPROFILE")
}

// isProject reports whether anything in a folder says what the site is.
func (f *Finder) isProject(dir string) bool {
	if f.hasSettings(dir) {
		return true
	}
	tree := files.Tree(dir)
	if _, netlify := hosting.NetlifyBase(tree); netlify || len(hosting.Publications(tree, "", f.Getenv)) > 0 {
		return true
	}
	all, _ := generator.Detect(tree, "", f.Getenv)
	return len(all) > 0
}

// Projects returns the projects of generators whose files lie in a folder.
func (f *Finder) Projects(dir string) []generator.Project {
	all, _ := generator.Detect(files.Tree(dir), "", f.Getenv)
	return slices.DeleteFunc(all, isNameless)
}

// isNameless reports whether no generator's file says that a project is one.
func isNameless(p generator.Project) bool { return p.Name == "" }

const (
	maxSitesBelow  = 6   // sites that are named
	maxSiteFolders = 200 // folders that are searched for sites
)

// Below returns the sites in the folders of a folder, up to two levels down. A project is named
// with its generator. A folder with a home page counts if the page names another host than those
// before it.
func (f *Finder) Below(root string) (found []string) {
	folders, hosts := 0, map[string]bool{}
	var search func(dir string, depth int)
	search = func(dir string, depth int) {
		entries, _ := fs.ReadDir(files.Tree(dir), ".")
		for _, e := range entries {
			if !e.IsDir() || strings.HasPrefix(e.Name(), ".") || e.Name() == "node_modules" || folders == maxSiteFolders || len(found) == maxSitesBelow {
				continue
			}
			folders++
			at := filepath.Join(dir, e.Name())
			projects := f.Projects(at)
			switch {
			case len(projects) > 0:
				found = append(found, f.Show(at)+" ("+projects[0].Name+")")
			case f.hasSettings(at):
				found = append(found, f.Show(at))
			case f.HasHomePage(at):
				if host := sitemap.HostOf(homeAddress(at)); host != "" && !hosts[host] {
					hosts[host] = true
					found = append(found, f.Show(at))
				}
			case HasFile(at, "package.json") && f.UsualBelow(at) != "":
				found = append(found, f.Show(f.UsualBelow(at)))
			case depth > 0:
				search(at, depth-1)
			}
		}
	}
	search(root, 1)
	return found
}

// NetlifyRepository returns the folder above a project whose netlify.toml has the project's
// folder as its base; "" when there is none.
func (f *Finder) NetlifyRepository(root string) string {
	for _, dir := range f.up(root)[1:] {
		if !files.IsRegular(filepath.Join(dir, "netlify.toml")) {
			continue
		}
		if base, _ := hosting.NetlifyBase(f.Folder(dir)); base != "" && filepath.Join(dir, filepath.FromSlash(base)) == root {
			return dir
		}
		return ""
	}
	return ""
}

// Lookups are the files that were looked for, whether they exist or not, by
// path. A nil one stays empty.
type Lookups map[string]bool

// Note records a file that is looked for.
func (a Lookups) Note(name string) {
	if a != nil {
		a[name] = true
	}
}

// IsFolder reports whether there is a folder at a path, which it records.
func (a Lookups) IsFolder(name string) bool {
	a.Note(name)
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// Folder returns the files of a folder as a file system that records each file it
// is asked for.
func (a Lookups) Folder(dir string) fs.FS {
	if a == nil {
		return files.Tree(dir)
	}
	return noteFS{files.Tree(dir), dir, a}
}

// A noteFS records which files of a folder are opened or described. Listing a
// folder records nothing.
type noteFS struct {
	fs.FS
	dir     string
	lookups Lookups
}

func (n noteFS) note(name string) { n.lookups.Note(filepath.Join(n.dir, filepath.FromSlash(name))) }

func (n noteFS) Open(name string) (fs.File, error) {
	n.note(name)
	return n.FS.Open(name)
}

func (n noteFS) Stat(name string) (fs.FileInfo, error) {
	n.note(name)
	return fs.Stat(n.FS, name)
}

func (n noteFS) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(n.FS, name) }
