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

// A Finder finds projects and built sites. Its zero Lookups records nothing.
type Finder struct {
	Dir     string // the working folder
	Getenv  func(string) string
	Lookups // what was looked for; nil records nothing
}

// FindRoot returns the root of the project around the working folder or around the file about.
// It is the nearest folder with a settings file or a generator's files, or else the working
// folder.
func (f *Finder) FindRoot(about string) string {
	if f.isProject(f.Dir) {
		return f.Dir
	}
	above := f.searchFolders(f.Dir)[1:]
	if about != "" {
		above = append(f.searchFolders(filepath.Dir(files.Abs(f.Dir, about))), above...)
	}
	for _, dir := range above {
		if f.hasSettings(dir) || len(f.Projects(dir)) > 0 {
			return dir
		}
	}
	return f.Dir
}

// FindRootOf returns the root of the project that named belongs to: named itself, a project
// that publishes named, or the nearest folder with a settings file. Without one, it returns
// the working folder.
func (f *Finder) FindRootOf(named string) string {
	if info, err := os.Stat(named); err != nil || !info.IsDir() {
		return f.Dir
	}
	up := f.searchFolders(named)
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
		if !files.Contains(dir, f.Dir) { // around the working folder only these count, as in Root
			all = f.builtProjects(dir)
		}
		for _, p := range all {
			if slices.ContainsFunc(p.Publish, func(publish string) bool { return files.Abs(dir, publish) == named }) || dir == named && f.BuiltFolder(dir, p) != "" {
				return dir
			}
		}
	}
	return f.Dir
}

// maxParents is how far above a folder its project is looked for.
const maxParents = 8

// searchFolders returns dir and the folders above it that may be the root of its project. It
// stops at the top of a repository, at the user's home, and where the owner or the file system
// changes.
func (f *Finder) searchFolders(dir string) []string {
	all := []string{dir}
	for len(all) <= maxParents && !git.IsTop(dir) && !f.isUsersHome(dir) {
		above := filepath.Dir(dir)
		if above == dir || f.isUsersHome(above) || !sameOwner(dir, above) {
			break
		}
		dir = above
		all = append(all, dir)
	}
	return all
}

// isUsersHome reports whether dir is the home folder of the user.
func (f *Finder) isUsersHome(dir string) bool {
	return dir == f.Getenv("HOME") || dir == f.Getenv("USERPROFILE")
}

// isProject reports whether a folder has a settings file, a platform's file, or files of a
// generator.
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

// Projects returns the projects of the generators whose files are in a folder.
func (f *Finder) Projects(dir string) []generator.Project {
	all, _ := generator.Detect(files.Tree(dir), "", f.Getenv)
	return slices.DeleteFunc(all, isFolderOnly)
}

// isFolderOnly reports whether a project was found by its publish folder alone.
func isFolderOnly(p generator.Project) bool { return p.Name == "" }

const (
	maxSitesBelow  = 6   // sites that are named
	maxSiteFolders = 200 // folders that are searched for sites
)

// SitesBelow returns the sites in the folders of a folder, up to two levels down. A project is named
// with its generator. A folder with a home page counts if the page names another host than those
// before it.
func (f *Finder) SitesBelow(root string) (found []string) {
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
				found = append(found, f.DisplayName(at)+" ("+projects[0].Name+")")
			case f.hasSettings(at):
				found = append(found, f.DisplayName(at))
			case f.HasHomePage(at):
				if host := sitemap.HostOf(readHomeAddress(at)); host != "" && !hosts[host] {
					hosts[host] = true
					found = append(found, f.DisplayName(at))
				}
			case HasFile(at, "package.json") && f.ConventionalFolder(at) != "":
				found = append(found, f.DisplayName(f.ConventionalFolder(at)))
			case depth > 0:
				search(at, depth-1)
			}
		}
	}
	search(root, 1)
	return found
}

// NetlifyRepository returns the folder above a project whose netlify.toml names the project as
// its base, or "".
func (f *Finder) NetlifyRepository(root string) string {
	for _, dir := range f.searchFolders(root)[1:] {
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

// Lookups are the paths of files that were looked for, whether they exist or not. A nil
// Lookups records nothing.
type Lookups map[string]bool

// Record records the lookup of a file.
func (a Lookups) Record(name string) {
	if a != nil {
		a[name] = true
	}
}

// IsFolder reports whether name is a folder. It records the lookup.
func (a Lookups) IsFolder(name string) bool {
	a.Record(name)
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// Folder returns the files of a folder as a file system that records each lookup.
func (a Lookups) Folder(dir string) fs.FS {
	if a == nil {
		return files.Tree(dir)
	}
	return recordingFS{files.Tree(dir), dir, a}
}

// A recordingFS is a file system that records which files are opened or described. It does not
// record listings.
type recordingFS struct {
	fs.FS
	dir     string
	lookups Lookups
}

func (n recordingFS) record(name string) {
	n.lookups.Record(filepath.Join(n.dir, filepath.FromSlash(name)))
}

func (n recordingFS) Open(name string) (fs.File, error) {
	n.record(name)
	return n.FS.Open(name)
}

func (n recordingFS) Stat(name string) (fs.FileInfo, error) {
	n.record(name)
	return fs.Stat(n.FS, name)
}

func (n recordingFS) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(n.FS, name) }
