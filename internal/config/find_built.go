package config

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/generator"
	"github.com/sitewalk/sitewalk/internal/hosting"
)

// BuiltFolder returns the publish folder of a project if it has a home page. It returns "" if
// it has none, or if the root has a home page.
func (f *Finder) BuiltFolder(root string, p generator.Project) string {
	if f.HasHomePage(root) {
		return ""
	}
	for _, publish := range p.Publish {
		if built := files.Abs(root, publish); built != root && files.Contains(root, built) && f.HasHomePage(built) {
			return built
		}
	}
	return ""
}

// IsBuilt reports whether a project at root has a publish folder with a home page, and root
// has none.
func (f *Finder) IsBuilt(root string) bool {
	return slices.ContainsFunc(f.builtProjects(root), func(p generator.Project) bool { return f.BuiltFolder(root, p) != "" })
}

// builtProjects returns the projects in a folder, by the files of generators and platforms. A
// conventional publish folder counts only beside a settings file or a platform's file.
func (f *Finder) builtProjects(dir string) []generator.Project {
	tree := files.Tree(dir)
	all, _ := generator.Detect(tree, "", f.Getenv)
	hosts := hosting.Publications(tree, "", f.Getenv)
	if _, netlify := hosting.NetlifyBase(tree); len(hosts) == 0 && !netlify && !f.hasSettings(dir) {
		return slices.DeleteFunc(all, isFolderOnly)
	}
	for _, p := range hosts {
		if p.Dir != "." {
			all = append(all, generator.Project{Publish: []string{filepath.FromSlash(p.Dir)}})
		}
	}
	return all
}

// IsBuiltSite reports whether a folder without a project is a built site. Its home page must
// not be a source file.
func (f *Finder) IsBuiltSite(dir string) bool {
	manifest := filepath.Join(dir, "package.json")
	f.Record(manifest)
	if _, err := os.Stat(manifest); err == nil || !f.HasHomePage(dir) {
		return false
	}
	home, err := files.Begin(dir, "index.html", maxAddressFile)
	return err == nil && !sourceScript.Match(home)
}

// maxAddressFile is the maximum number of bytes of a home page, robots.txt or sitemap that are
// searched for the address of the site.
const maxAddressFile = 256 << 10

// sourceScript matches a script element that only a development server serves.
var sourceScript = regexp.MustCompile(`(?i)<script[^>]*\ssrc\s*=\s*["']?/?src/`)

// ConventionalFolder returns the publish folder with a conventional name below dir that has a
// home page, or "".
func (f *Finder) ConventionalFolder(dir string) string {
	for _, name := range []string{"output", "public", "dist", "build", "_site", "htdocs"} {
		if at := filepath.Join(dir, name); f.HasHomePage(at) {
			return at
		}
	}
	return ""
}

// HasHomePage reports whether a folder has an index.html without front matter.
func (f *Finder) HasHomePage(dir string) bool {
	name := filepath.Join(dir, "index.html")
	f.Record(name)
	if !files.IsRegular(name) {
		return false
	}
	page, err := files.Open(name)
	if err != nil {
		return true // a home page all the same
	}
	defer page.Close()
	var head [3]byte
	_, _ = io.ReadFull(page, head[:])
	return !bytes.Equal(head[:], []byte("---"))
}
