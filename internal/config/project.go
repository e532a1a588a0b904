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

// A finder finds projects and built sites.
type finder struct {
	Dir     string // the working folder
	Getenv  func(string) string
	lookups // nil records nothing
}

// findRoot returns the root of the project. The first of these folders is the root:
//
//	the user names               root
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
		return r.find.rootOfPublishDir(files.Abs(r.input.Dir, c.V))
	case r.lookUp("content.dir", text{}).by != "" || r.input.Flags["from"] != nil:
		return r.input.Dir
	}
	return r.find.rootAround(r.input.TargetFile)
}

// rootAround returns the root of the project around the working folder or around a page.
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

// rootOfPublishDir returns the root of the project that publishes a folder, or of the project in
// the folder.
func (f *finder) rootOfPublishDir(publish string) string {
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

// maxParents is how far above a folder its project is looked for.
const maxParents = 8

// searchFolders returns dir and the folders above it that may be the root of its project. It
// stops at the top of a repository, at the user's home, and where the owner or the file system
// changes.
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

// isProject reports whether a folder has a settings file, a platform's file, files of a
// generator, or a conventional publish folder.
func (f *finder) isProject(dir string) bool {
	if f.hasSettings(dir) {
		return true
	}
	tree := files.Tree(dir)
	_, isNetlify := hosting.NetlifyBase(tree)
	all, _ := generator.Detect(tree, "", f.Getenv)
	return isNetlify || len(all) > 0 || len(hosting.Publications(tree, "", f.Getenv)) > 0
}

// projects returns the projects of the generators whose files are in a folder.
func (f *finder) projects(dir string) []generator.Project {
	all, _ := generator.Detect(files.Tree(dir), "", f.Getenv)
	return slices.DeleteFunc(all, isFolderOnly)
}

// isFolderOnly reports whether a project was found by its publish folder alone.
func isFolderOnly(p generator.Project) bool { return p.Name == "" }

// enterNetlifyBase makes the base of netlify.toml the root of the project. If the root is such
// a base already, it finds the netlify.toml above, as on Netlify.
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

// netlifyRepository returns the folder above a project whose netlify.toml names the project as
// its base, or "".
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

// openProject reads the settings file that the user names, or else the one in dir. The
// file's folder, or dir, becomes the root of the project.
func (r *resolver) openProject(dir string) error {
	if c := r.resolveText("config", text{}); c.by != "" {
		return r.load(r.choicePath(c))
	}
	if filepath.Clean(dir) != filepath.Clean(r.input.Dir) {
		r.settings.ProjectDir = r.find.displayName(dir)
	}
	return r.openRoot(dir)
}

// openRoot makes a folder the root of the project, and reads the settings file in it.
func (r *resolver) openRoot(dir string) error {
	path, notes := r.find.settingsIn(dir)
	r.root, r.file = dir, &File{Name: r.find.displayName(filepath.Join(dir, "sitemap.yaml"))}
	if path != "" {
		if err := r.load(path); err != nil {
			return err
		}
	}
	r.diags = append(r.diags, notes...)
	return nil
}

// maxFile is the maximum size of a sitemap.yaml in bytes. The YAML decoder needs 80 times as much
// memory. A longer list of extra URLs belongs in a file for --from.
const maxFile = 4 << 20

// load reads a settings file. Its folder becomes the root of the project.
func (r *resolver) load(path string) error {
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
