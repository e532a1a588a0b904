package config

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/hosting"
)

// enterNetlifyBase makes the base of netlify.toml the root of the project. If the root is such
// a base already, it finds the netlify.toml above, as on Netlify.
func (r *resolver) enterNetlifyBase() {
	base, here := hosting.NetlifyBase(r.find.Folder(r.root))
	switch {
	case here && base != "" && r.s.File == "" && r.isFolder(filepath.FromSlash(base)):
		r.repoRoot = r.root
		if err := r.openRoot(r.projectPath(base)); err != nil {
			r.flagErrors = append(r.flagErrors, err)
		}
	case !here:
		r.repoRoot = r.find.NetlifyRepository(r.root)
	}
}

// platformFolder returns the folder that the platform publishes. If the folder does not exist,
// it returns the publication as missing.
func (r *resolver) platformFolder() (c choice, missing *hosting.Publication) {
	if dir, why := hosting.EnvPublishDir(r.in.Getenv); dir != "" && r.isFolder(dir) {
		r.recordOrigin("pages.dir", r.find.DisplayName(dir), "environment", diag.Pos{}, why)
		return choice{text: text{V: dir}, key: "pages.dir", who: why, by: "environment"}, nil
	}
	folders := []string{r.root}
	if r.repoRoot != "" {
		folders = append(folders, r.repoRoot)
	}
	host := cmp.Or(r.lookUp("host", r.file.Host).V, hosting.Builder(r.in.Getenv)) // that runs the build
	all := r.find.Publications(host, folders...)
	there := slices.DeleteFunc(slices.Clone(all), func(p hosting.Publication) bool { return !r.isFolder(p.Dir) })
	switch {
	case len(all) == 0:
		return c, nil
	case len(there) > 1:
		r.addMissing(fmt.Errorf("%s publishes %s and %s publishes %s; say which: sitewalk DIR",
			there[0].Pos, r.find.DisplayName(there[0].Dir), there[1].Pos, r.find.DisplayName(there[1].Dir)))
		return c, nil
	case len(there) == 1:
		return r.publicationChoice(there[0]), nil
	}
	return c, &all[0]
}

// publicationChoice returns the choice that a platform's file makes, and records its origin.
func (r *resolver) publicationChoice(p hosting.Publication) choice {
	r.recordOrigin("pages.dir", r.find.DisplayName(p.Dir), "detected", p.Pos, "")
	return choice{text: text{V: p.Dir}, key: "pages.dir", who: p.Pos.String(), by: "detected"}
}

// reportOtherFolder reports a generator that writes to another folder than the platform
// publishes, if both exist.
func (r *resolver) reportOtherFolder(c choice) {
	for _, usual := range r.project.Publish {
		if dir := r.projectPath(usual); r.project.Name != "" && dir != c.V && r.isFolder(usual) && !files.Contains(dir, c.V) {
			r.diags.Warnf(diag.Pos{File: c.who}, "publish-folders", "let both name the same folder, or say which: sitewalk DIR",
				"it publishes %s, and %s writes to %s; %[1]s is used", r.find.DisplayName(c.V), r.project.Name, r.find.DisplayName(dir))
		}
	}
}

// reportMissingFolder reports a platform's folder that does not exist. If the generator's
// folder dir exists, it is used with a warning.
func (r *resolver) reportMissingFolder(p hosting.Publication, dir string) {
	if dir != "" {
		r.diags.Warnf(p.Pos, "publish-folders", "let both name the same folder, or say which: sitewalk DIR",
			"it publishes %s, which does not exist; %s is used", r.find.DisplayName(p.Dir), r.find.DisplayName(dir))
		return
	}
	r.missing = []error{fmt.Errorf("%s publishes %s, which does not exist; build the site first, or name its folder: sitewalk DIR",
		p.Pos, path.Clean(r.find.DisplayName(p.Dir)))}
}

// findPublishDir returns the publish directory: the chosen one, or else the generator's. It
// returns "" if there is none. A watch waits for a folder that does not exist yet.
func (r *resolver) findPublishDir(dir choice, missing *hosting.Publication) string {
	switch {
	case dir.by != "":
		return r.checkBuiltFolder(dir)
	case missing != nil && r.in.Watch && !slices.ContainsFunc(r.project.Publish, r.isFolder):
		return r.publicationChoice(*missing).V
	}
	usual := r.generatorFolder()
	if missing != nil {
		r.reportMissingFolder(*missing, usual)
	}
	return usual
}

// generatorFolder returns the folder that the generator publishes to, or "" if it does not
// exist and is not watched.
func (r *resolver) generatorFolder() string {
	if len(r.missing) > 0 { // said already
		return ""
	}
	usual := r.project.Publish
	if len(usual) == 1 && r.in.Watch {
		r.recordFolderOrigin("pages.dir", usual[0], "publishes")
		return r.projectPath(usual[0])
	}
	name, err := r.find.FindSite(r.root, r.project)
	switch {
	case err != nil:
		r.addMissing(err)
		return ""
	case name == "":
		r.recordOrigin("pages.dir", r.find.DisplayName(r.root), "detected", diag.Pos{File: r.find.DisplayName(r.projectPath("index.html"))}, "")
		return r.root
	}
	r.recordFolderOrigin("pages.dir", name, "publishes")
	return r.projectPath(name)
}

// hasSitesBelow reports whether an error names sites below the root. Their files may have the
// address.
func (r *resolver) hasSitesBelow() bool {
	return slices.ContainsFunc(r.missing, func(err error) bool {
		_, below := errors.AsType[*BelowError](err)
		return below
	})
}

// checkFolder returns the folder that a choice names. It rejects a choice that is not a folder
// and returns "". A watch accepts a publish directory that does not exist yet.
func (r *resolver) checkFolder(c choice) string {
	p := r.choicePath(c)
	info, err := os.Stat(p)
	switch {
	case errors.Is(err, fs.ErrNotExist) && c.key == "pages.dir" && r.in.Watch:
		return p
	case errors.Is(err, fs.ErrNotExist) && c.key == "pages.dir":
		r.reject(c, "bad-path", "%q: %v; build the site first, or name the folder that holds it", c.V, diag.Cause(err))
	case err != nil:
		r.reject(c, "bad-path", "%q: %v", c.V, diag.Cause(err))
	case !info.IsDir() && c.key == "pages.dir" && path.Ext(c.V) == ".html":
		r.reject(c, "bad-path", "%q is a page; name its folder: sitewalk %s", c.V, r.find.DisplayName(filepath.Dir(p)))
	case !info.IsDir():
		r.reject(c, "bad-path", "%q is not a folder", c.V)
	default:
		return p
	}
	return ""
}

// checkBuiltFolder returns the folder that a choice names, or "" if it is not a folder or only
// contains built sites.
func (r *resolver) checkBuiltFolder(c choice) string {
	dir := r.checkFolder(c)
	if dir == "" || c.by == "detected" || r.find.HasHomePage(dir) {
		return dir
	}
	if err := r.find.CheckSiteFolder(dir, c.by == "file" || len(r.file.Sites) > 0); err != nil {
		r.addMissing(err)
		return ""
	}
	return dir
}
