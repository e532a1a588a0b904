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
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/hosting"
)

// resolvePublishDir returns the publish directory, or "" if it finds none. dir is the result of
// userPublishDir. The first of these sources that names an existing folder decides:
//
//  1. userPublishDir: sitewalk DIR, or pages.dir. A missing folder is an error.
//  2. envPublishDir: READTHEDOCS_OUTPUT. A missing folder is ignored.
//  3. platformPublishDir: publish in netlify.toml. A missing folder is an error, or only a warning if
//     source 4 or 5 has a folder.
//  4. requireGeneratorPublishDir: publishDir in hugo.toml, or public. A missing folder is an error. If
//     the folder has no home page, and the root is a built site, source 5 decides.
//  5. requireGeneratorPublishDir: the root, if it is a built site. Otherwise there is an error.
//
// If there are several generators, the folder of source 1, 2 or 3 chooses the generator. In watch
// mode, sitewalk waits for a missing folder of source 1, 3 or 4. Only the folder of source 1 may be
// behind a symbolic link that leads out of the project.
func (r *resolver) resolvePublishDir(dir choice) string {
	if dir.by != "" {
		r.chooseProject(dir, false)
		return r.checkPublishDir(dir)
	}
	found := r.detectPublishDir()
	if r.linksOutOfProject(found) {
		r.addMissingSettingError(fmt.Errorf("%s: %w; if the site is there, run: %s", r.displayName(found), files.ErrOutside, r.commandWithDir(r.displayName(found))))
		return ""
	}
	return found
}

// linksOutOfProject reports whether a symbolic link in dir, a path in the project, leads to a
// folder outside of the project.
func (r *resolver) linksOutOfProject(dir string) bool {
	return files.LinksOutOfProject(cmp.Or(r.repoRoot, r.root), dir)
}

// detectPublishDir returns the publish directory from an environment variable, a platform's file or
// a generator, or the root if it is a built site. resolvePublishDir lists these sources.
// detectPublishDir returns "" if it finds no folder.
func (r *resolver) detectPublishDir() string {
	dir := r.envPublishDir()
	var missing *hosting.Publication // the platform's folder does not exist
	if dir.by == "" {
		dir, missing = r.platformPublishDir()
	}
	r.chooseProject(dir, false)
	switch {
	case dir.by != "":
		if dir.by == "detected" {
			r.reportOtherPublishDir(dir)
		}
		return r.choicePath(dir)
	case missing != nil && r.input.Watch && !slices.ContainsFunc(r.project.Publish, r.isFolder):
		return r.publicationChoice(*missing).V
	}
	folder := r.requireGeneratorPublishDir()
	if missing != nil {
		r.reportMissingPublishDir(*missing, folder)
	}
	return folder
}

// userPublishDir returns the publish directory that the user names on the command line or in the
// settings file. A command such as "sitewalk ." may name the root of the project although the site
// is built in another folder. If such a root has no home page, userPublishDir returns the folder in
// the settings file. If the settings file names no folder, and the site is built below the root, it
// returns a choice that is not set. The caller then detects the folder.
func (r *resolver) userPublishDir(fileValue text) choice {
	c := r.lookUpSetting("pages.dir", fileValue)
	if c.by != "file" && c.V != "" && r.choicePath(c) == r.root && !r.hasHomePage(r.root) {
		if fileValue.IsSet() {
			c = fileChoice(c.key, fileValue)
		} else if r.firstBuiltFolder(r.root, r.publishFolders(r.root)) != "" {
			return choice{key: c.key}
		}
	}
	if c.by != "" {
		r.recordOrigin(c.key, c.V, c.by, c.Pos, c.why)
	}
	return c
}

// checkFolder returns the absolute path of the folder that c names. If there is no such folder, it
// rejects c and returns "". In watch mode, it accepts a publish directory that does not exist yet.
func (r *resolver) checkFolder(c choice) (dir string) {
	dir = r.choicePath(c)
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist) && c.key == "pages.dir" && r.input.Watch:
		return dir
	case errors.Is(err, fs.ErrNotExist) && c.key == "pages.dir":
		r.rejectValue(c, "bad-path", "%q: %v; build the site first, or name its folder", c.V, diag.Cause(err))
	case err != nil:
		r.rejectValue(c, "bad-path", "%q: %v", c.V, diag.Cause(err))
	case !info.IsDir() && c.key == "pages.dir" && path.Ext(c.V) == ".html":
		r.rejectValue(c, "bad-path", "%q is a page; name its folder: %s", c.V, r.commandWithDir(r.displayName(filepath.Dir(dir))))
	case !info.IsDir():
		r.rejectValue(c, "bad-path", "%q is not a folder", c.V)
	default:
		return dir
	}
	return ""
}

// checkPublishDir is like checkFolder. It also rejects a folder that has no home page but contains
// a built site, because each URL would begin with the name of an inner folder. It accepts such a
// folder if hasGeneratorSites returns true. If the settings file names the folder or has the key
// sites, checkPublishDir rejects the folder only if the folder is the root of a generator project.
func (r *resolver) checkPublishDir(c choice) (dir string) {
	dir = r.checkFolder(c)
	if dir == "" || r.hasHomePage(dir) || r.hasGeneratorSites(dir) {
		return dir
	}
	name := r.displayName(dir)
	for _, p := range r.projects(dir) {
		if built := r.firstBuiltFolder(dir, p.Publish); built != "" {
			r.addMissingSettingError(fmt.Errorf("%s is the root of a %s project, whose built site is in %s; run: %s",
				name, p.Name, r.displayName(built), r.commandWithDir(r.displayName(built))))
			return ""
		}
	}
	if c.by == "file" || len(r.file.Sites) > 0 { // the settings file names this folder on purpose
		return dir
	}
	if built := r.firstBuiltFolder(dir, usualPublishDirs); built != "" {
		r.addMissingSettingError(fmt.Errorf("%s has no home page, and %s has one; run: %s", name, r.displayName(built), r.commandWithDir(r.displayName(built))))
		return ""
	}
	if below := r.describeSitesBelow(dir); len(below) > 1 {
		r.hasSitesBelow = true
		r.addMissingSettingError(fmt.Errorf("%s contains several sites; name one, as %s: %s", name, r.commandWithDir("DIR"), strings.Join(below, ", ")))
		return ""
	}
	return dir
}

// envPublishDir returns the publish directory that a build service names in an environment
// variable, such as READTHEDOCS_OUTPUT. It returns the zero choice if no variable is set or the
// folder does not exist.
func (r *resolver) envPublishDir() choice {
	dir, why := hosting.EnvPublishDir(r.input.Getenv)
	if dir == "" || !r.isFolder(dir) {
		return choice{}
	}
	r.recordOrigin("pages.dir", r.displayName(dir), "environment", diag.Pos{}, why)
	return choice{text: text{V: dir}, key: "pages.dir", who: why, by: "environment"}
}

// platformPublishDir returns the publish directory that a platform's file such as netlify.toml
// names. If the files name only folders that do not exist, c is zero, and missing is one of them.
// If several folders exist, it adds an error. In this case, and if no file names a folder, both
// results are zero.
func (r *resolver) platformPublishDir() (c choice, missing *hosting.Publication) {
	folders := []string{r.root}
	if r.repoRoot != "" {
		folders = append(folders, r.repoRoot)
	}
	host := cmp.Or(r.lookUpSetting("host", r.file.Host).V, hosting.BuildHost(r.input.Getenv)) // the platform of the host setting, or the one that runs the build
	all := r.publications(host, folders...)
	there := slices.DeleteFunc(slices.Clone(all), func(p hosting.Publication) bool { return !r.isFolder(p.Dir) })
	switch {
	case len(all) == 0:
		return c, nil
	case len(there) > 1:
		r.addMissingSettingError(fmt.Errorf("%s publishes %s and %s publishes %s; choose one: %s",
			there[0].Pos, r.displayName(there[0].Dir), there[1].Pos, r.displayName(there[1].Dir), r.commandWithDir("DIR")))
		return c, nil
	case len(there) == 1:
		return r.publicationChoice(there[0]), nil
	}
	return c, &all[0]
}

// publications returns the publish directories that the files of platforms in folders name, as
// absolute paths, sorted and without duplicates. If one of the files belongs to the platform host,
// such as "netlify", it returns only the directories in the files of this platform.
func (r *resolver) publications(host string, folders ...string) (all []hosting.Publication) {
	for _, dir := range folders {
		for _, p := range hosting.ConfiguredPublishDirs(r.recordingFolder(dir), r.displayName(dir), r.input.Getenv) {
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

// publicationChoice returns the directory of p as the value of pages.dir, and records its origin.
func (r *resolver) publicationChoice(p hosting.Publication) choice {
	r.recordOrigin("pages.dir", r.displayName(p.Dir), "detected", p.Pos, "")
	return choice{text: text{V: p.Dir}, key: "pages.dir", who: p.Pos.String(), by: "detected"}
}

// reportOtherPublishDir warns if the generator writes to an existing folder that does not contain
// c, the folder that the platform publishes.
func (r *resolver) reportOtherPublishDir(c choice) {
	for _, usual := range r.project.Publish {
		if dir := r.projectPath(usual); r.project.Name != "" && dir != c.V && r.isFolder(usual) && !files.Contains(dir, c.V) {
			r.diags.Warnf(diag.Pos{File: c.who}, "publish-folders", "let both name the same folder, or choose one: "+r.commandWithDir("DIR"),
				"it publishes %s, and %s writes to %s; %[1]s is used", r.displayName(c.V), r.project.Name, r.displayName(dir))
		}
	}
}

// reportMissingPublishDir reports that p, the publish directory in a platform's file, does not
// exist. If dir is set, this is a warning: sitewalk uses dir, the result of
// requireGeneratorPublishDir, instead. If dir is "", it is an error, which replaces the earlier
// errors in r.missing.
func (r *resolver) reportMissingPublishDir(p hosting.Publication, dir string) {
	if dir != "" {
		r.diags.Warnf(p.Pos, "publish-folders", "let both name the same folder, or choose one: "+r.commandWithDir("DIR"),
			"it publishes %s, which does not exist; %s is used", r.displayName(p.Dir), r.displayName(dir))
		return
	}
	r.missing = []error{fmt.Errorf("%s publishes %s, which does not exist; build the site first, or name its folder: %s",
		p.Pos, path.Clean(r.displayName(p.Dir)), r.commandWithDir("DIR"))}
}

// requireGeneratorPublishDir returns the existing folder that the generator publishes to, or the
// root of the project if only the root is a built site. In watch mode, it returns the only folder
// of the generator even if the folder is missing. Otherwise it adds an error, unless there is one
// already, and returns "".
func (r *resolver) requireGeneratorPublishDir() string {
	if len(r.missing) > 0 { // an error is recorded already
		return ""
	}
	usual := r.project.Publish
	if len(usual) == 1 && r.input.Watch {
		r.recordFolderOrigin("pages.dir", usual[0], "publishes")
		return r.projectPath(usual[0])
	}
	exist := slices.DeleteFunc(slices.Clone(usual), func(name string) bool { return !r.isFolder(name) })
	switch {
	case len(exist) > 1:
		r.addMissingSettingError(fmt.Errorf("the site may be in %s; name the folder: %s", strings.Join(exist, " or "), r.commandWithDir("DIR")))
	case len(exist) == 1 && (r.hasHomePage(r.projectPath(exist[0])) || !r.isBuiltSite(r.root)):
		r.recordFolderOrigin("pages.dir", exist[0], "publishes")
		return r.projectPath(exist[0])
	case len(exist) == 1: // the root is a built site that still contains an old project
		return r.useRootAsPublishDir()
	case len(usual) > 0:
		r.addMissingSettingError(fmt.Errorf("the %s project here publishes to %s, which does not exist; build the site first, or name its folder: %s",
			r.project.Name, strings.Join(usual, " or "), r.commandWithDir("DIR")))
	default:
		return r.requirePublishDirWithoutProject()
	}
	return ""
}

// useRootAsPublishDir returns the root of the project, and records the root as the detected value
// of pages.dir.
func (r *resolver) useRootAsPublishDir() (root string) {
	r.recordOrigin("pages.dir", r.displayName(r.root), "detected", diag.Pos{File: r.displayName(r.projectPath("index.html"))}, "")
	return r.root
}

// requirePublishDirWithoutProject returns the root as the publish directory if the root is a built
// site and describeSitesBelow finds no site. Otherwise it adds an error that names the built sites
// below the root, if there are any, and returns "".
func (r *resolver) requirePublishDirWithoutProject() string {
	hint := "name its folder: " + r.commandWithDir("DIR")
	if below := r.describeSitesBelow(r.root); len(below) > 0 {
		hint, r.hasSitesBelow = "name its folder, as "+r.commandWithDir("DIR")+": "+strings.Join(below, ", "), true
	} else if usual := r.firstBuiltFolder(r.root, usualPublishDirs); usual != "" {
		hint = "if it is in " + r.displayName(usual) + ", run: " + r.commandWithDir(r.displayName(usual))
	} else if r.isBuiltSite(r.root) {
		return r.useRootAsPublishDir()
	}
	r.addMissingSettingError(fmt.Errorf("no built site was found in %s; %s", r.root, hint))
	return ""
}

// commandWithDir returns the command line that names dir as the publish directory, for messages:
// "sitewalk public", or "sitewalk explain PATH --dir public" for the command explain.
func (r *resolver) commandWithDir(dir string) string {
	if r.input.Explain {
		return "sitewalk explain PATH --dir " + dir
	}
	return "sitewalk " + dir
}
