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

// enterNetlifyBase enters the folder that netlify.toml says the build runs in, and finds the
// repository's root when sitewalk runs in that folder, as it does on Netlify.
func (r *resolver) enterNetlifyBase() {
	base, here := hosting.NetlifyBase(r.find.Folder(r.root))
	switch {
	case here && base != "" && r.s.File == "" && r.isFolder(filepath.FromSlash(base)):
		r.above = r.root
		if err := r.enter(r.inRoot(base)); err != nil {
			r.wrong = append(r.wrong, err)
		}
	case !here:
		r.above = r.find.NetlifyRepository(r.root)
	}
}

// platform returns the folder that the platform publishes, which counts when
// the user has named none. The choice is empty when no platform names a folder, and
// when that folder is missing.
func (r *resolver) platform() (c choice, missing *hosting.Publication) {
	if dir, why := hosting.Output(r.in.Getenv); dir != "" && r.isFolder(dir) {
		r.recordOrigin("pages.dir", r.find.Show(dir), "environment", diag.Pos{}, why)
		return choice{text: text{V: dir}, key: "pages.dir", who: why, by: "environment"}, nil
	}
	folders := []string{r.root}
	if r.above != "" {
		folders = append(folders, r.above)
	}
	host := cmp.Or(r.choose("host", r.file.Host).V, hosting.Builder(r.in.Getenv)) // that runs the build
	all := r.find.Publications(host, folders...)
	there := slices.DeleteFunc(slices.Clone(all), func(p hosting.Publication) bool { return !r.isFolder(p.Dir) })
	switch {
	case len(all) == 0:
		return c, nil
	case len(there) > 1:
		r.noteAbsence(fmt.Errorf("%s publishes %s and %s publishes %s; say which: sitewalk DIR",
			there[0].Pos, r.find.Show(there[0].Dir), there[1].Pos, r.find.Show(there[1].Dir)))
		return c, nil
	case len(there) == 1:
		return r.choiceOf(there[0]), nil
	}
	return c, &all[0]
}

// choiceOf returns the choice that a platform's file makes.
func (r *resolver) choiceOf(p hosting.Publication) choice {
	r.recordOrigin("pages.dir", r.find.Show(p.Dir), "detected", p.Pos, "")
	return choice{text: text{V: p.Dir}, key: "pages.dir", who: p.Pos.String(), by: "detected"}
}

// other reports that the generator writes to another folder than the platform
// publishes, where both are there.
func (r *resolver) other(c choice) {
	for _, usual := range r.project.Publish {
		if dir := r.inRoot(usual); r.project.Name != "" && dir != c.V && r.isFolder(usual) && !files.Within(dir, c.V) {
			r.diags.Warnf(diag.Pos{File: c.who}, "publish-folders", "let both name the same folder, or say which: sitewalk DIR",
				"it publishes %s, and %s writes to %s; %[1]s is used", r.find.Show(c.V), r.project.Name, r.find.Show(dir))
		}
	}
}

// notThere reports a platform's folder that does not exist although the
// generator's does. When neither exists, the platform's is the folder to build
// into, and nothing is wrong.
func (r *resolver) notThere(p hosting.Publication, dir string) {
	if dir != "" {
		r.diags.Warnf(p.Pos, "publish-folders", "let both name the same folder, or say which: sitewalk DIR",
			"it publishes %s, which does not exist; %s is used", r.find.Show(p.Dir), r.find.Show(dir))
		return
	}
	r.absent = []error{fmt.Errorf("%s publishes %s, which does not exist; build the site first, or name its folder: sitewalk DIR",
		p.Pos, path.Clean(r.find.Show(p.Dir)))}
}

// publish returns the publish directory: what was chosen, or the generator's. A folder that
// a platform publishes and that is missing counts where neither exists yet; a watch waits
// for it. It returns "" when there is none.
func (r *resolver) publish(dir choice, missing *hosting.Publication) string {
	switch {
	case dir.by != "":
		return r.builtFolder(dir)
	case missing != nil && r.in.Watch && !slices.ContainsFunc(r.project.Publish, r.isFolder):
		return r.choiceOf(*missing).V
	}
	usual := r.usual()
	if missing != nil {
		r.notThere(*missing, usual)
	}
	return usual
}

// usual returns the folder that the generator publishes to; "" when it is missing, and
// not watched for.
func (r *resolver) usual() string {
	if len(r.absent) > 0 { // said already
		return ""
	}
	usual := r.project.Publish
	if len(usual) == 1 && r.in.Watch {
		r.noteDetection("pages.dir", usual[0], "publishes")
		return r.inRoot(usual[0])
	}
	name, err := r.find.Site(r.root, r.project)
	switch {
	case err != nil:
		r.noteAbsence(err)
		return ""
	case name == "":
		r.recordOrigin("pages.dir", r.find.Show(r.root), "detected", diag.Pos{File: r.find.Show(r.inRoot("index.html"))}, "")
		return r.root
	}
	r.noteDetection("pages.dir", name, "publishes")
	return r.inRoot(name)
}

// siteIsBelow reports whether the error about the site names the projects below the root.
func (r *resolver) siteIsBelow() bool {
	return slices.ContainsFunc(r.absent, func(err error) bool {
		_, below := errors.AsType[*BelowError](err)
		return below
	})
}

// folder returns the folder that a choice names, or "" when it is none. A watch waits for a
// publish directory.
func (r *resolver) folder(c choice) string {
	p := r.path(c)
	info, err := os.Stat(p)
	switch {
	case errors.Is(err, fs.ErrNotExist) && c.key == "pages.dir" && r.in.Watch:
		return p
	case errors.Is(err, fs.ErrNotExist) && c.key == "pages.dir":
		r.reject(c, "bad-path", "%q: %v; build the site first, or name the folder that holds it", c.V, diag.Cause(err))
	case err != nil:
		r.reject(c, "bad-path", "%q: %v", c.V, diag.Cause(err))
	case !info.IsDir() && c.key == "pages.dir" && path.Ext(c.V) == ".html":
		r.reject(c, "bad-path", "%q is a page; name its folder: sitewalk %s", c.V, r.find.Show(filepath.Dir(p)))
	case !info.IsDir():
		r.reject(c, "bad-path", "%q is not a folder", c.V)
	default:
		return p
	}
	return ""
}

// builtFolder returns the folder that a choice names. It returns "" when that
// is no folder, and when it only holds the built site.
func (r *resolver) builtFolder(c choice) string {
	dir := r.folder(c)
	if dir == "" || c.by == "detected" || r.find.HasHomePage(dir) {
		return dir
	}
	if err := r.find.WrongFolder(dir, c.by == "file" || len(r.file.Sites) > 0); err != nil {
		r.noteAbsence(err)
		return ""
	}
	return dir
}
