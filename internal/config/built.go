package config

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/generator"
	"github.com/sitewalk/sitewalk/internal/hosting"
	"github.com/sitewalk/sitewalk/sitemap"
)

// publishFolders returns the folders that the generators and platforms in a folder publish. A
// conventional publish folder counts only beside a settings file or a platform's file.
func (f *finder) publishFolders(dir string) (folders []string) {
	tree := files.Tree(dir)
	published := hosting.Publications(tree, "", f.Getenv)
	_, isNetlify := hosting.NetlifyBase(tree)
	countsConventional := isNetlify || len(published) > 0 || f.hasSettings(dir)
	all, _ := generator.Detect(tree, "", f.Getenv)
	for _, p := range all {
		if !isFolderOnly(p) || countsConventional {
			for _, publish := range p.Publish {
				folders = append(folders, files.Abs(dir, publish))
			}
		}
	}
	for _, p := range published {
		if p.Dir == "." {
			continue // perhaps a copy of the file in the publish directory
		}
		folders = append(folders, files.Abs(dir, filepath.FromSlash(p.Dir)))
	}
	return folders
}

// builtFolder returns the first of some folders below root that has a home page. It returns ""
// if the root has a home page itself.
func (f *finder) builtFolder(root string, folders []string) string {
	if f.hasHomePage(root) {
		return ""
	}
	for _, dir := range folders {
		if dir = files.Abs(root, dir); dir != root && files.Contains(root, dir) && f.hasHomePage(dir) {
			return dir
		}
	}
	return ""
}

// isBuiltSite reports whether a folder without a project is a built site. Its home page must
// not be a source file.
func (f *finder) isBuiltSite(dir string) bool {
	manifest := filepath.Join(dir, "package.json")
	f.record(manifest)
	if _, err := os.Stat(manifest); err == nil || !f.hasHomePage(dir) {
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

// conventionalFolder returns the publish folder with a conventional name below dir that has a
// home page, or "".
func (f *finder) conventionalFolder(dir string) string {
	for _, name := range []string{"output", "public", "dist", "build", "_site", "htdocs"} {
		if at := filepath.Join(dir, name); f.hasHomePage(at) {
			return at
		}
	}
	return ""
}

// hasHomePage reports whether a folder has an index.html without front matter.
func (f *finder) hasHomePage(dir string) bool {
	name := filepath.Join(dir, "index.html")
	f.record(name)
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

const (
	maxSitesBelow  = 6   // sites that are named
	maxSiteFolders = 200 // folders that are searched for sites
)

// sitesBelow returns the sites in the folders of a folder, up to two levels down. A project is named
// with its generator. A folder with a home page counts if the page names another host than those
// before it.
func (f *finder) sitesBelow(root string) (found []string) {
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
			projects := f.projects(at)
			switch {
			case len(projects) > 0:
				found = append(found, f.displayName(at)+" ("+projects[0].Name+")")
			case f.hasSettings(at):
				found = append(found, f.displayName(at))
			case f.hasHomePage(at):
				if host := sitemap.HostOf(readHomeAddress(at)); host != "" && !hosts[host] {
					hosts[host] = true
					found = append(found, f.displayName(at))
				}
			case HasFile(at, "package.json") && f.conventionalFolder(at) != "":
				found = append(found, f.displayName(f.conventionalFolder(at)))
			case depth > 0:
				search(at, depth-1)
			}
		}
	}
	search(root, 1)
	return found
}
