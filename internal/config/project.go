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

// findProjectRoot returns the root folder of the project. This depends on what the command line or
// the environment names:
//
//   - The publish directory: see findRootOfPublishDir.
//   - The content directory, or --from: the root is the working directory.
//   - A page or nothing: see findRootAround.
//
// The settings file of --config overrides this result; see loadProjectSettings.
func (r *resolver) findProjectRoot() string {
	c := r.lookUpSetting("pages.dir", text{})
	switch {
	case c.by != "" && c.V != "":
		return r.findRootOfPublishDir(files.Abs(r.input.Dir, c.V))
	case r.lookUpSetting("content.dir", text{}).by != "" || r.input.Flags["from"] != nil:
		return r.input.Dir
	}
	return r.findRootAround(r.input.TargetFile)
}

// findRootAround returns the working directory if it is a project. Otherwise it looks for a folder
// with a settings file or a generator's files: first in the folder of page and the folders above
// it, then above the working directory. page is the path of a page file, or "". If there is no such
// folder, it returns the working directory.
func (r *resolver) findRootAround(page string) string {
	if r.isProject(r.input.Dir) {
		return r.input.Dir
	}
	above := r.foldersAbove(r.input.Dir)[1:]
	if page != "" {
		above = append(r.foldersAbove(filepath.Dir(files.Abs(r.input.Dir, page))), above...)
	}
	for _, dir := range above {
		if r.hasSettingsFile(dir) || len(r.projects(dir)) > 0 {
			return dir
		}
	}
	return r.input.Dir
}

// findRootOfPublishDir returns the root of the project that publishes to the folder publishDir.
// This is the nearest folder with a settings file, from publishDir upwards, but not above the
// working directory. The working directory counts even if it is not above publishDir. Without a
// settings file, it is the nearest folder whose generator or platform publishes to publishDir, or
// publishDir itself if the site is built below it. Otherwise, or if publishDir is not an existing
// folder, it is the working directory.
func (r *resolver) findRootOfPublishDir(publishDir string) string {
	if info, err := os.Stat(publishDir); err != nil || !info.IsDir() {
		return r.input.Dir
	}
	up := r.foldersAbove(publishDir)
	for _, dir := range up {
		if r.hasSettingsFile(dir) {
			return dir
		}
		if dir == r.input.Dir {
			break
		}
	}
	if r.hasSettingsFile(r.input.Dir) {
		return r.input.Dir
	}
	for _, dir := range up {
		folders := r.publishFolders(dir)
		if slices.Contains(folders, publishDir) || dir == publishDir && r.firstBuiltFolder(dir, folders) != "" {
			return dir
		}
	}
	return r.input.Dir
}

// foldersAbove returns dir and the folders above dir, nearest first. One of them may be the root of
// a project. The result ends at the top of a git repository. It also ends below the user's home
// folder, and below a folder with another owner or file system.
func (r *resolver) foldersAbove(dir string) []string {
	all := []string{dir}
	for !git.IsWorkTree(dir) && !r.isUsersHome(dir) {
		above := filepath.Dir(dir)
		if above == dir || r.isUsersHome(above) || !haveSameOwner(dir, above) {
			break
		}
		dir = above
		all = append(all, dir)
	}
	return all
}

// isUsersHome reports whether dir is the home folder of the user.
func (r *resolver) isUsersHome(dir string) bool {
	return dir == r.input.Getenv("HOME") || dir == r.input.Getenv("USERPROFILE")
}

// isProject reports whether dir seems to be the root of a project. Such a folder has a settings
// file, a netlify.toml, another platform's file that sets a publish directory, files of a
// generator, or a publish directory such as public.
func (r *resolver) isProject(dir string) bool {
	if r.hasSettingsFile(dir) {
		return true
	}
	tree := files.DirFS(dir)
	_, isNetlify := hosting.NetlifyBase(tree)
	all, _ := generator.Detect(tree, "", r.input.Getenv)
	return isNetlify || len(all) > 0 || len(hosting.ConfiguredPublishDirs(tree, "", r.input.Getenv)) > 0
}

// projects returns the generator projects in dir. It leaves out projects whose generator is
// unknown.
func (r *resolver) projects(dir string) []generator.Project {
	all, _ := generator.Detect(files.DirFS(dir), "", r.input.Getenv)
	return slices.DeleteFunc(all, hasNoGenerator)
}

// hasNoGenerator reports whether no file of a generator was found in the project p, but only a
// publish directory, such as public.
func hasNoGenerator(p generator.Project) bool { return p.Name == "" }

// resolveNetlifyRoots sets r.root and r.repoRoot if a netlify.toml names a base folder, such as
// base = "docs":
//
//   - If netlify.toml is in r.root, r.root has no settings file, and the folder docs exists, docs
//     becomes r.root, and r.repoRoot the folder that was r.root before.
//   - If r.root is the folder docs, and has no netlify.toml, r.repoRoot becomes the folder above that
//     contains netlify.toml.
func (r *resolver) resolveNetlifyRoots() {
	base, here := hosting.NetlifyBase(r.recordingFolder(r.root))
	switch {
	case here && base != "" && r.settings.File == "" && r.isFolder(filepath.FromSlash(base)):
		r.repoRoot = r.root
		if err := r.setProjectRoot(r.projectPath(base)); err != nil {
			r.flagErrors = append(r.flagErrors, err)
		}
	case !here:
		r.repoRoot = r.netlifyRepository()
	}
}

// netlifyRepository returns the nearest folder above the project with a netlify.toml, if this file
// names the project's folder as "base". Otherwise it returns "".
func (r *resolver) netlifyRepository() string {
	for _, dir := range r.foldersAbove(r.root)[1:] {
		if !files.IsRegular(filepath.Join(dir, "netlify.toml")) {
			continue
		}
		if base, _ := hosting.NetlifyBase(r.recordingFolder(dir)); base != "" && filepath.Join(dir, filepath.FromSlash(base)) == r.root {
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
		r.settings.ProjectDir = r.displayName(dir)
	}
	return r.setProjectRoot(dir)
}

// setProjectRoot makes dir the root of the project, and reads its settings file, if there is one.
func (r *resolver) setProjectRoot(dir string) error {
	path, notes := r.findSettingsFile(dir)
	r.root, r.file = dir, &File{Name: r.displayName(filepath.Join(dir, "sitemap.yaml"))}
	if path != "" {
		if err := r.loadSettingsFile(path); err != nil {
			return err
		}
	}
	r.diags = append(r.diags, notes...)
	return nil
}

// maxFile is the maximum size of the settings file in bytes. The YAML decoder needs about 80 bytes
// of memory for each byte of the file. A user with more URLs can use --from instead.
const maxFile = 4 << 20

// loadSettingsFile reads the settings file at path. The folder of the file becomes the root of the
// project.
func (r *resolver) loadSettingsFile(path string) error {
	r.root, r.file = filepath.Dir(path), &File{Name: r.displayName(path)}
	r.recordLookup(path)
	src, err := files.Read(path, maxFile)
	if err != nil {
		return fmt.Errorf("%s: %w", r.file.Name, diag.Cause(err))
	}
	r.settings.File = path
	r.file, r.diags = Load(r.file.Name, src)
	return nil
}

// recordLookup adds name, the path of a file or folder, to Settings.ReadFiles. The file may be
// missing.
func (r *resolver) recordLookup(name string) { r.settings.ReadFiles[name] = true }

// recordingFolder returns the files in dir as a file system. Open and Stat of the file system
// record the path of the file as a lookup.
func (r *resolver) recordingFolder(dir string) fs.FS {
	return recordingFS{files.DirFS(dir), func(name string) { r.recordLookup(filepath.Join(dir, filepath.FromSlash(name))) }}
}

// A recordingFS is a file system that calls record with each name that Open or Stat looks up.
// ReadDir records nothing.
type recordingFS struct {
	fs.FS
	record func(name string)
}

func (r recordingFS) Open(name string) (fs.File, error) {
	r.record(name)
	return r.FS.Open(name)
}

func (r recordingFS) Stat(name string) (fs.FileInfo, error) {
	r.record(name)
	return fs.Stat(r.FS, name)
}

func (r recordingFS) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(r.FS, name) }

// displayName returns the path p as the user would type it: relative to the working directory, with
// slashes. It returns p, with slashes, if the relative path would begin with "../../".
func (r *resolver) displayName(p string) string {
	rel, err := filepath.Rel(r.input.Dir, p)
	if far := filepath.FromSlash("../../"); err != nil || strings.HasPrefix(rel, far) {
		return filepath.ToSlash(p)
	}
	return filepath.ToSlash(rel)
}
