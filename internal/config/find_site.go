package config

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/generator"
	"github.com/sitewalk/sitewalk/internal/hosting"
)

// DisplayName returns a path as the user would type it: relative to the working folder, unless it is
// far away.
func (f *Finder) DisplayName(p string) string {
	rel, err := filepath.Rel(f.Dir, p)
	if far := filepath.FromSlash("../../"); err != nil || strings.HasPrefix(rel, far) {
		return filepath.ToSlash(p)
	}
	return filepath.ToSlash(rel)
}

// Publications returns the folders that the platforms' files publish, sorted by path and without
// duplicates. If a file belongs to the given host, Publications returns only the folders of that
// host.
func (f *Finder) Publications(host string, folders ...string) (all []hosting.Publication) {
	for _, dir := range folders {
		for _, p := range hosting.Publications(f.Folder(dir), f.DisplayName(dir), f.Getenv) {
			p.Dir = filepath.Join(dir, filepath.FromSlash(p.Dir))
			all = append(all, p)
		}
	}
	if slices.ContainsFunc(all, func(p hosting.Publication) bool { return p.Host == host }) {
		all = slices.DeleteFunc(all, func(p hosting.Publication) bool { return p.Host != host })
	}
	slices.SortStableFunc(all, func(a, b hosting.Publication) int { return cmp.Compare(a.Dir, b.Dir) })
	return slices.CompactFunc(all, func(a, b hosting.Publication) bool { return a.Dir == b.Dir })
}

// FindSite returns the publish folder of a project as the project names it. It returns "" if
// the root itself is the built site. The error names the reason why no built site is known,
// and the way out.
func (f *Finder) FindSite(root string, p *generator.Project) (string, error) {
	var there []string
	for _, name := range p.Publish {
		if f.IsFolder(files.Abs(root, name)) {
			there = append(there, name)
		}
	}
	switch {
	case len(there) == 1 && !f.HasHomePage(files.Abs(root, there[0])) && f.IsBuiltSite(root):
		return "", nil // a published branch that contains the files of an old project
	case len(there) == 1:
		return there[0], nil
	case len(there) > 1:
		return "", fmt.Errorf("the site may be in %s; say where: sitewalk DIR", strings.Join(there, " or "))
	case len(p.Publish) > 0:
		return "", fmt.Errorf("the %s project here publishes to %s, which does not exist; build the site first, or name its folder: sitewalk DIR",
			p.Name, strings.Join(p.Publish, " or "))
	}
	hint := "name its folder: sitewalk DIR"
	if below := f.SitesBelow(root); len(below) > 0 {
		return "", &BelowError{root, below}
	} else if usual := f.ConventionalFolder(root); usual != "" && !f.HasHomePage(root) {
		hint = "if it is in " + f.DisplayName(usual) + ", run: sitewalk " + f.DisplayName(usual)
	} else if f.IsBuiltSite(root) {
		return "", nil
	}
	return "", fmt.Errorf("no built site was found in %s; %s", root, hint)
}

// A BelowError reports that a folder has no built site, and names the sites below it.
type BelowError struct {
	root     string
	projects []string
}

func (e *BelowError) Error() string {
	return fmt.Sprintf("no built site was found in %s; name its folder, as sitewalk DIR: %s", e.root, strings.Join(e.projects, ", "))
}

// CheckSiteFolder returns an error if dir, which has no home page, is not a built site but
// contains one or several. Each URL would begin with the name of the inner folder. If isMeant
// is true, only a project in dir is an error.
func (f *Finder) CheckSiteFolder(dir string, isMeant bool) error {
	for _, p := range f.Projects(dir) {
		if built := f.BuiltFolder(dir, p); built != "" {
			return fmt.Errorf("%s is the root of a %s project, whose built site is in %s; run: sitewalk %[3]s",
				f.DisplayName(dir), p.Name, f.DisplayName(built))
		}
	}
	if isMeant {
		return nil
	}
	if built := f.ConventionalFolder(dir); built != "" {
		return fmt.Errorf("%s has no home page, and %s has one; run: sitewalk %[2]s", f.DisplayName(dir), f.DisplayName(built))
	}
	if below := f.SitesBelow(dir); len(below) > 1 {
		return fmt.Errorf("%s holds several sites; name one, as sitewalk DIR: %s", f.DisplayName(dir), strings.Join(below, ", "))
	}
	return nil
}
