package config

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/generator"
	"github.com/sitewalk/sitewalk/internal/git"
	"github.com/sitewalk/sitewalk/internal/hosting"
)

// A finder finds the root folders of projects, and the folders of built sites.
type finder struct {
	Dir     string // the working directory
	Getenv  func(string) string
	lookups // files that were looked for; nil records nothing
}

// findRoot returns the root folder of the project. It depends on the argument or flag that the user
// gives; the first of these cases applies:
//
//	the user gives               root
//	the settings file (-c)       its folder, see openProject
//	the publish directory        the nearest folder above with a settings file, up to the working folder;
//	                             or the nearest folder that publishes it; or the working folder
//	--content or --from          the working folder
//	a page or nothing            the working folder, if it is a project; or the nearest project around
//	                             the page; or the nearest project around the working folder
func (r *resolver) findRoot() string {
	c := r.lookUp("pages.dir", text{})
	switch {
	case c.by != "" && c.V != "":
		return r.find.projectPublishing(files.Abs(r.input.Dir, c.V))
	case r.lookUp("content.dir", text{}).by != "" || r.input.Flags["from"] != nil:
		return r.input.Dir
	}
	return r.find.rootAround(r.input.TargetFile)
}

// rootAround returns the working directory if that is a project. Otherwise it returns the nearest
// folder with a project above page, or else above the working directory. page is a path or "".
func (f *finder) rootAround(page string) string {
	if f.isProject(f.Dir) {
		return f.Dir
	}
	above := f.searchFolders(f.Dir)[1:]
	if page != "" {
		above = append(f.searchFolders(filepath.Dir(files.Abs(f.Dir, page))), above...)
	}
	for _, dir := range above {
		if f.hasSettings(dir) || len(f.projects(dir)) > 0 {
			return dir
		}
	}
	return f.Dir
}

// projectPublishing returns the root of the project that publishes to the folder publish, or
// publish itself if it contains the project. Without a project it returns the working directory.
func (f *finder) projectPublishing(publish string) string {
	if info, err := os.Stat(publish); err != nil || !info.IsDir() {
		return f.Dir
	}
	up := f.searchFolders(publish)
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
		folders := f.publishFolders(dir)
		if slices.Contains(folders, publish) || dir == publish && f.builtFolder(dir, folders) != "" {
			return dir
		}
	}
	return f.Dir
}

// maxParents is the maximum number of folders above a folder that searchFolders returns.
const maxParents = 8

// searchFolders returns dir and the folders above dir, nearest first, that may be the root of a
// project. It stops at the top of a git repository, below the user's home folder, and below a
// folder with another owner or in another file system.
func (f *finder) searchFolders(dir string) []string {
	all := []string{dir}
	for len(all) <= maxParents && !git.IsWorkTree(dir) && !f.isUsersHome(dir) {
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
func (f *finder) isUsersHome(dir string) bool {
	return dir == f.Getenv("HOME") || dir == f.Getenv("USERPROFILE")
}

// isProject reports whether dir has a settings file, a file of a platform such as netlify.toml,
// files of a generator, or a folder such as public.
func (f *finder) isProject(dir string) bool {
	if f.hasSettings(dir) {
		return true
	}
	tree := files.DirFS(dir)
	_, isNetlify := hosting.NetlifyBase(tree)
	all, _ := generator.Detect(tree, "", f.Getenv)
	return isNetlify || len(all) > 0 || len(hosting.Publications(tree, "", f.Getenv)) > 0
}

// projects returns the generator projects in dir. It leaves out projects that were found only by
// their publish directory.
func (f *finder) projects(dir string) []generator.Project {
	all, _ := generator.Detect(files.DirFS(dir), "", f.Getenv)
	return slices.DeleteFunc(all, isFolderOnly)
}

// isFolderOnly reports whether a project was found only by its publish directory, such as public,
// and has no known generator.
func isFolderOnly(p generator.Project) bool { return p.Name == "" }

// enterNetlifyBase makes the base directory of netlify.toml the root of the project, as Netlify
// does. If the root has no netlify.toml, it sets r.repoRoot to the folder above whose netlify.toml
// has the root as its base directory.
func (r *resolver) enterNetlifyBase() {
	base, here := hosting.NetlifyBase(r.find.folder(r.root))
	switch {
	case here && base != "" && r.settings.File == "" && r.isFolder(filepath.FromSlash(base)):
		r.repoRoot = r.root
		if err := r.openRoot(r.projectPath(base)); err != nil {
			r.flagErrors = append(r.flagErrors, err)
		}
	case !here:
		r.repoRoot = r.find.netlifyRepository(r.root)
	}
}

// netlifyRepository returns the folder above root whose netlify.toml has root as its base
// directory, or "" if there is none.
func (f *finder) netlifyRepository(root string) string {
	for _, dir := range f.searchFolders(root)[1:] {
		if !files.IsRegular(filepath.Join(dir, "netlify.toml")) {
			continue
		}
		if base, _ := hosting.NetlifyBase(f.folder(dir)); base != "" && filepath.Join(dir, filepath.FromSlash(base)) == root {
			return dir
		}
		return ""
	}
	return ""
}

// openProject reads the settings file of --config, or else the settings file in dir. The folder of
// the file, or dir without a file, becomes the root of the project.
func (r *resolver) openProject(dir string) error {
	if c := r.resolveText("config", text{}); c.by != "" {
		return r.loadSettings(r.choicePath(c))
	}
	if filepath.Clean(dir) != filepath.Clean(r.input.Dir) {
		r.settings.ProjectDir = r.find.displayName(dir)
	}
	return r.openRoot(dir)
}

// openRoot makes dir the root of the project, and reads the settings file in dir if there is one.
func (r *resolver) openRoot(dir string) error {
	path, notes := r.find.findSettings(dir)
	r.root, r.file = dir, &File{Name: r.find.displayName(filepath.Join(dir, "sitemap.yaml"))}
	if path != "" {
		if err := r.loadSettings(path); err != nil {
			return err
		}
	}
	r.diags = append(r.diags, notes...)
	return nil
}

// maxFile is the maximum size of sitemap.yaml in bytes. The YAML decoder needs 80 times as much
// memory as the file has bytes. A longer list of extra URLs belongs in a file for --from.
const maxFile = 4 << 20

// loadSettings reads the settings file at path. The folder of the file becomes the root of the
// project.
func (r *resolver) loadSettings(path string) error {
	r.root, r.file = filepath.Dir(path), &File{Name: r.find.displayName(path)}
	r.find.record(path)
	src, err := files.Read(path, maxFile)
	if err != nil {
		return fmt.Errorf("%s: %w", r.file.Name, diag.Cause(err))
	}
	r.settings.File = path
	r.file, r.diags = Load(r.file.Name, src)
	return nil
}
