package config

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

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

// findProjectRoot returns the root folder of the project. This depends on what the command line or
// the environment names:
//
//   - The publish directory: see findRootOfPublishDir.
//   - The content directory, or --from: it is the working directory.
//   - A page or nothing: see findRootAround.
//
// The settings file of --config overrides this result; see loadProjectSettings.
func (r *resolver) findProjectRoot() string {
	c := r.lookUpSetting("pages.dir", text{})
	switch {
	case c.by != "" && c.V != "":
		return r.find.findRootOfPublishDir(files.Abs(r.input.Dir, c.V))
	case r.lookUpSetting("content.dir", text{}).by != "" || r.input.Flags["from"] != nil:
		return r.input.Dir
	}
	return r.find.findRootAround(r.input.TargetFile)
}

// findRootAround returns the working directory if it is a project. Otherwise it looks for a folder
// with a settings file or a generator's files: first in the folder of page and the folders above
// it, then above the working directory. page is the path of a page file, or "". If there is no such
// folder, it returns the working directory.
func (f *finder) findRootAround(page string) string {
	if f.isProject(f.Dir) {
		return f.Dir
	}
	above := f.foldersAbove(f.Dir)[1:]
	if page != "" {
		above = append(f.foldersAbove(filepath.Dir(files.Abs(f.Dir, page))), above...)
	}
	for _, dir := range above {
		if f.hasSettingsFile(dir) || len(f.projects(dir)) > 0 {
			return dir
		}
	}
	return f.Dir
}

// findRootOfPublishDir returns the root of the project that publishes to the folder publishDir.
// This is the nearest folder with a settings file, from publishDir up to the working directory.
// Without a settings file, it is the nearest folder whose generator or platform publishes to
// publishDir, or publishDir itself if the site is built below it. Otherwise it is the working
// directory.
func (f *finder) findRootOfPublishDir(publishDir string) string {
	if info, err := os.Stat(publishDir); err != nil || !info.IsDir() {
		return f.Dir
	}
	up := f.foldersAbove(publishDir)
	for _, dir := range up {
		if f.hasSettingsFile(dir) {
			return dir
		}
		if dir == f.Dir {
			break
		}
	}
	if f.hasSettingsFile(f.Dir) {
		return f.Dir
	}
	for _, dir := range up {
		folders := f.publishFolders(dir)
		if slices.Contains(folders, publishDir) || dir == publishDir && f.firstBuiltFolder(dir, folders) != "" {
			return dir
		}
	}
	return f.Dir
}

// foldersAbove returns dir and the folders above dir, nearest first. One of them may be the root of
// a project. The result ends at the top of a git repository. It also ends below the user's home
// folder, and below a folder with another owner or file system.
func (f *finder) foldersAbove(dir string) []string {
	all := []string{dir}
	for !git.IsWorkTree(dir) && !f.isUsersHome(dir) {
		above := filepath.Dir(dir)
		if above == dir || f.isUsersHome(above) || !haveSameOwner(dir, above) {
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

// isProject reports whether dir seems to be the root of a project. Such a folder has a settings
// file, a file of a platform such as netlify.toml, files of a generator, or a publish directory
// such as public.
func (f *finder) isProject(dir string) bool {
	if f.hasSettingsFile(dir) {
		return true
	}
	tree := files.DirFS(dir)
	_, isNetlify := hosting.NetlifyBase(tree)
	all, _ := generator.Detect(tree, "", f.Getenv)
	return isNetlify || len(all) > 0 || len(hosting.ConfiguredPublishDirs(tree, "", f.Getenv)) > 0
}

// projects returns the generator projects in dir. It leaves out projects whose generator is
// unknown.
func (f *finder) projects(dir string) []generator.Project {
	all, _ := generator.Detect(files.DirFS(dir), "", f.Getenv)
	return slices.DeleteFunc(all, isFolderOnly)
}

// isFolderOnly reports whether only the publish directory of p, such as public, was found, but no
// file of a generator.
func isFolderOnly(p generator.Project) bool { return p.Name == "" }

// resolveNetlifyRoots sets r.root and r.repoRoot if a netlify.toml names a base folder, such as
// base = "docs":
//
//   - If this file is in r.root, and r.root has no settings file, r.repoRoot becomes r.root, and
//     r.root becomes its folder docs.
//   - If r.root has no netlify.toml and is the folder docs itself, r.repoRoot becomes the folder
//     above that contains this file.
func (r *resolver) resolveNetlifyRoots() {
	base, here := hosting.NetlifyBase(r.find.recordingFolder(r.root))
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

// netlifyRepository returns the nearest folder above root with a netlify.toml, if this file names
// root as "base". Otherwise it returns "".
func (f *finder) netlifyRepository(root string) string {
	for _, dir := range f.foldersAbove(root)[1:] {
		if !files.IsRegular(filepath.Join(dir, "netlify.toml")) {
			continue
		}
		if base, _ := hosting.NetlifyBase(f.recordingFolder(dir)); base != "" && filepath.Join(dir, filepath.FromSlash(base)) == root {
			return dir
		}
		return ""
	}
	return ""
}

// loadProjectSettings reads the settings file that --config names, and makes its folder the root of
// the project. Without --config, it reads the settings file in dir, and dir becomes the root.
func (r *resolver) loadProjectSettings(dir string) error {
	if c := r.resolveText("config", text{}); c.by != "" {
		return r.loadSettingsFile(r.choicePath(c))
	}
	if filepath.Clean(dir) != filepath.Clean(r.input.Dir) {
		r.settings.ProjectDir = r.find.displayName(dir)
	}
	return r.openRoot(dir)
}

// openRoot makes dir the root of the project. It reads the settings file in dir, if there is one.
func (r *resolver) openRoot(dir string) error {
	path, notes := r.find.findSettingsFile(dir)
	r.root, r.file = dir, &File{Name: r.find.displayName(filepath.Join(dir, "sitemap.yaml"))}
	if path != "" {
		if err := r.loadSettingsFile(path); err != nil {
			return err
		}
	}
	r.diags = append(r.diags, notes...)
	return nil
}

// maxFile is the maximum size of the settings file in bytes. The YAML decoder needs about 80 bytes
// of memory for each byte of the file. Longer lists of URLs can be read with --from.
const maxFile = 4 << 20

// loadSettingsFile reads the settings file at path. The folder of the file becomes the root of the
// project.
func (r *resolver) loadSettingsFile(path string) error {
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

// lookups is the set of paths that the resolver looked for, whether the files exist or not. A nil
// lookups records nothing.
type lookups map[string]bool

// record adds the path name to l, if l is not nil.
func (l lookups) record(name string) {
	if l != nil {
		l[name] = true
	}
}

// isFolder reports whether name is an existing folder. It records name in l whether the folder
// exists or not.
func (l lookups) isFolder(name string) bool {
	l.record(name)
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// recordingFolder returns the files in dir as a file system. Open and Stat of the file system add
// the path of the file to l, unless l is nil.
func (l lookups) recordingFolder(dir string) fs.FS {
	if l == nil {
		return files.DirFS(dir)
	}
	return recordingFS{files.DirFS(dir), dir, l}
}

// A recordingFS is a file system that records paths in lookups: the path of each file that Open or
// Stat looks up. ReadDir records nothing.
type recordingFS struct {
	fs.FS
	dir     string
	lookups lookups
}

func (r recordingFS) recordInFolder(name string) {
	r.lookups.record(filepath.Join(r.dir, filepath.FromSlash(name)))
}

func (r recordingFS) Open(name string) (fs.File, error) {
	r.recordInFolder(name)
	return r.FS.Open(name)
}

func (r recordingFS) Stat(name string) (fs.FileInfo, error) {
	r.recordInFolder(name)
	return fs.Stat(r.FS, name)
}

func (r recordingFS) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(r.FS, name) }

// displayName returns the path p as the user would type it: relative to the working directory, with
// slashes. It returns p, with slashes, if the relative path would begin with "../../".
func (f *finder) displayName(p string) string {
	rel, err := filepath.Rel(f.Dir, p)
	if far := filepath.FromSlash("../../"); err != nil || strings.HasPrefix(rel, far) {
		return filepath.ToSlash(p)
	}
	return filepath.ToSlash(rel)
}
