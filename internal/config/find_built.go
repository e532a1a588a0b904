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

// Built returns where below its root a project has been built; "" when it has not, or
// when the root itself has a home page.
func (f *Finder) Built(root string, p generator.Project) string {
	if f.HasHomePage(root) {
		return ""
	}
	for _, publish := range p.Publish {
		if built := files.Abs(root, publish); built != root && files.Within(root, built) && f.HasHomePage(built) {
			return built
		}
	}
	return ""
}

// IsBuilt reports whether the files in a folder name a folder below that has a home page.
// A home page of the folder itself says that it is the site.
func (f *Finder) IsBuilt(root string) bool {
	return slices.ContainsFunc(f.builds(root), func(p generator.Project) bool { return f.Built(root, p) != "" })
}

// builds returns what the files of generators and hosts in a folder name as built sites.
// A folder of a usual name counts if a sitemap.yaml or a host's file makes it a project.
func (f *Finder) builds(dir string) []generator.Project {
	tree := files.Tree(dir)
	all, _ := generator.Detect(tree, "", f.Getenv)
	hosts := hosting.Publications(tree, "", f.Getenv)
	if _, netlify := hosting.NetlifyBase(tree); len(hosts) == 0 && !netlify && !f.hasSettings(dir) {
		return slices.DeleteFunc(all, isNameless)
	}
	for _, p := range hosts {
		if p.Dir != "." {
			all = append(all, generator.Project{Publish: []string{filepath.FromSlash(p.Dir)}})
		}
	}
	return all
}

// IsSite reports whether a folder that is no project is itself a built site: it has a
// home page that nothing is left to be made of.
func (f *Finder) IsSite(dir string) bool {
	manifest := filepath.Join(dir, "package.json")
	f.Note(manifest)
	if _, err := os.Stat(manifest); err == nil || !f.HasHomePage(dir) {
		return false
	}
	home, err := files.Begin(filepath.Join(dir, "index.html"), maxHomePage)
	return err == nil && !ofSource.Match(home)
}

// maxHomePage is how much of a home page is looked at.
const maxHomePage = 256 << 10

// ofSource finds a script that only a development server has.
var ofSource = regexp.MustCompile(`(?i)<script[^>]*\ssrc\s*=\s*["']?/?src/`)

// UsualBelow returns the folder of a usual name that holds a home page, "" if there is none.
func (f *Finder) UsualBelow(dir string) string {
	for _, name := range []string{"output", "public", "dist", "build", "_site", "htdocs"} {
		if at := filepath.Join(dir, name); f.HasHomePage(at) {
			return at
		}
	}
	return ""
}

// HasHomePage reports whether a folder has a home page, other than a template, which
// begins with front matter.
func (f *Finder) HasHomePage(dir string) bool {
	name := filepath.Join(dir, "index.html")
	f.Note(name)
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
