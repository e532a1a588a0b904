package config

import (
	"bytes"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/generator"
	"github.com/sitewalk/sitewalk/internal/hosting"
	"github.com/sitewalk/sitewalk/sitemap"
)

// publishFolders returns the absolute paths of the publish directories of the generators and
// platforms that have files in dir. If there is no generator, it includes folders that have a usual
// name such as public and contain HTML, but only if dir has a settings file, a netlify.toml, or
// another platform's file that sets a publish directory.
func (r *resolver) publishFolders(dir string) (folders []string) {
	tree := files.DirFS(dir)
	published := hosting.ConfiguredPublishDirs(tree, "", r.input.Getenv)
	_, isNetlify := hosting.NetlifyBase(tree)
	countsConventional := isNetlify || len(published) > 0 || r.hasSettingsFile(dir)
	all, _ := generator.Detect(tree, "", r.input.Getenv)
	for _, p := range all {
		if !hasNoGenerator(p) || countsConventional {
			for _, publish := range p.Publish {
				folders = append(folders, files.Abs(dir, publish))
			}
		}
	}
	for _, p := range published {
		if p.Dir == "." {
			continue // the file may be a copy in the publish directory itself
		}
		folders = append(folders, files.Abs(dir, filepath.FromSlash(p.Dir)))
	}
	return folders
}

// firstBuiltFolder returns the absolute path of the first folder in folders that is below root and
// has a home page. It returns "" if there is none, or if root itself has a home page.
func (r *resolver) firstBuiltFolder(root string, folders []string) string {
	if r.hasHomePage(root) {
		return ""
	}
	for _, dir := range folders {
		if dir = files.Abs(root, dir); dir != root && files.Contains(root, dir) && r.hasHomePage(dir) {
			return dir
		}
	}
	return ""
}

// isBuiltSite reports whether dir has a home page and is not the source of a JavaScript
// application. A package.json, or a home page that loads a script from src/, identifies such a
// source.
func (r *resolver) isBuiltSite(dir string) bool {
	r.recordLookup(filepath.Join(dir, "package.json"))
	return !HasFile(dir, "package.json") && r.hasHomePage(dir) && !sourceScript.Match(readHomePageHead(dir))
}

// maxHomePageHead is the maximum number of bytes that are read from the beginning of index.html in
// the built site.
const maxHomePageHead = 256 << 10

// sourceScript matches a script element that loads a file from src/. A home page with such an
// element is the source of a JavaScript application: only a development server, such as the
// server of Vite, serves files in src/.
var sourceScript = regexp.MustCompile(`(?i)<script[^>]*\ssrc\s*=\s*["']?/?src/`)

// usualPublishDirs lists usual names of publish directories. If such a folder has a home page, an
// error message suggests the folder.
var usualPublishDirs = []string{"output", "public", "dist", "build", "_site", "htdocs"}

// hasHomePage reports whether dir has an index.html that does not begin with front matter. An
// index.html with front matter is the source of a page. An unreadable index.html counts as a home
// page.
func (r *resolver) hasHomePage(dir string) bool {
	name := filepath.Join(dir, "index.html")
	r.recordLookup(name)
	return files.IsRegular(name) && !bytes.HasPrefix(readHomePageHead(dir), []byte("---"))
}

const (
	maxSitesBelow  = 6   // maximum number of sites that describeSitesBelow returns
	maxSiteFolders = 200 // maximum number of folders that describeSitesBelow searches
)

// describeSitesBelow finds up to maxSitesBelow sites in folders up to two levels below root. It
// returns their names for an error, such as "docs (Hugo)" for a folder docs with a Hugo project. A
// folder that has only a home page is included if the page names a host that no earlier folder
// names.
func (r *resolver) describeSitesBelow(root string) (found []string) {
	folders, hosts := 0, map[string]bool{}
	var search func(dir string, depth int)
	search = func(dir string, depth int) {
		entries, _ := fs.ReadDir(files.DirFS(dir), ".")
		for _, e := range entries {
			if !e.IsDir() || strings.HasPrefix(e.Name(), ".") || e.Name() == "node_modules" || folders == maxSiteFolders || len(found) == maxSitesBelow {
				continue
			}
			folders++
			at := filepath.Join(dir, e.Name())
			projects := r.projects(at)
			switch {
			case len(projects) > 0:
				found = append(found, r.displayName(at)+" ("+projects[0].Name+")")
			case r.hasSettingsFile(at):
				found = append(found, r.displayName(at))
			case r.hasHomePage(at):
				if host := sitemap.HostOf(readBaseFromHomePage(at)); host != "" && !hosts[host] {
					hosts[host] = true
					found = append(found, r.displayName(at))
				}
			case HasFile(at, "package.json") && r.firstBuiltFolder(at, usualPublishDirs) != "":
				found = append(found, r.displayName(r.firstBuiltFolder(at, usualPublishDirs)))
			case depth > 0:
				search(at, depth-1)
			}
		}
	}
	search(root, 1)
	return found
}
