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

// A publication is a folder that a platform's own file says is published.
type publication struct {
	hosting.Publication
	dir string // its path
}

// who says it: "netlify.toml:2".
func (p publication) who() string { return p.Pos.String() }

// enterBase enters the folder that netlify.toml says the build runs in, and finds the
// repository's root when sitewalk runs in that folder, as it does on Netlify.
func (r *resolver) enterBase() {
	base, here := hosting.NetlifyBase(r.find.Folder(r.root))
	switch {
	case here && base != "" && r.s.File == "" && r.isFolder(filepath.FromSlash(base)):
		r.above = r.root
		if err := r.open(filepath.Join(r.inRoot(base), "sitemap.yaml"), false); err != nil {
			r.wrong = append(r.wrong, err)
		}
	case !here:
		r.above = r.find.Repository(r.root)
	}
}

// publications returns the folders that the platforms' files say are published,
// each once; only that of the host when it is known which it is.
func (r *resolver) publications() (all []publication) {
	for _, dir := range []string{r.root, r.above} {
		if dir == "" {
			continue
		}
		for _, p := range hosting.Publications(r.find.Folder(dir), r.show(dir), r.in.Getenv) {
			all = append(all, publication{p, filepath.Join(dir, filepath.FromSlash(p.Dir))})
		}
	}
	if host := r.platformAtWork(); slices.ContainsFunc(all, func(p publication) bool { return p.Host == host }) {
		all = slices.DeleteFunc(all, func(p publication) bool { return p.Host != host })
	}
	slices.SortStableFunc(all, func(a, b publication) int { return cmp.Compare(a.dir, b.dir) })
	return slices.CompactFunc(all, func(a, b publication) bool { return a.dir == b.dir })
}

// platformAtWork returns the platform that runs the build, or that the user
// named; "" when no setting says.
func (r *resolver) platformAtWork() string {
	return cmp.Or(r.choose("host", r.file.Host).V, hosting.Builder(r.in.Getenv))
}

// platform returns the folder that the platform publishes, which counts when
// the user has named none. The choice is empty when no platform names a folder, and
// when that folder is missing.
func (r *resolver) platform() (c choice, missing *publication) {
	if dir, why := hosting.Output(r.in.Getenv); dir != "" && r.isFolder(dir) {
		r.because("pages.dir", r.show(dir), "environment", diag.Pos{}, why)
		return choice{text: text{V: dir}, key: "pages.dir", who: why, by: "environment"}, nil
	}
	all := r.publications()
	there := slices.DeleteFunc(slices.Clone(all), func(p publication) bool { return !r.isFolder(p.dir) })
	switch {
	case len(all) == 0:
		return c, nil
	case len(there) > 1:
		r.noteAbsence(fmt.Errorf("%s publishes %s and %s publishes %s; say which: sitewalk DIR",
			there[0].who(), r.show(there[0].dir), there[1].who(), r.show(there[1].dir)))
		return c, nil
	case len(there) == 1:
		return r.choiceOf(there[0]), nil
	}
	return c, &all[0]
}

// choiceOf returns the choice that a platform's file makes.
func (r *resolver) choiceOf(p publication) choice {
	r.because("pages.dir", r.show(p.dir), "detected", p.Pos, "")
	return choice{text: text{V: p.dir}, key: "pages.dir", who: p.who(), by: "detected"}
}

// other reports that the generator writes to another folder than the platform
// publishes, where both are there.
func (r *resolver) other(c choice) {
	for _, usual := range r.project.Publish {
		if dir := r.inRoot(usual); r.project.Name != "" && dir != c.V && r.isFolder(usual) && !files.Within(dir, c.V) {
			r.diags.Warnf(diag.Pos{File: c.who}, "publish-folders", "let both name the same folder, or say which: sitewalk DIR",
				"it publishes %s, and %s writes to %s; %[1]s is used", r.show(c.V), r.project.Name, r.show(dir))
		}
	}
}

// notThere reports a platform's folder that does not exist although the
// generator's does. When neither exists, the platform's is the folder to build
// into, and nothing is wrong.
func (r *resolver) notThere(p publication, dir string) {
	if dir != "" {
		r.diags.Warnf(p.Pos, "publish-folders", "let both name the same folder, or say which: sitewalk DIR",
			"it publishes %s, which does not exist; %s is used", r.show(p.dir), r.show(dir))
		return
	}
	r.absent = []error{fmt.Errorf("%s publishes %s, which does not exist; build the site first, or name its folder: sitewalk DIR",
		p.who(), path.Clean(r.show(p.dir)))}
}

// rootAsSite returns the root, whose home page says that it is the built site.
func (r *resolver) rootAsSite() string {
	r.because("pages.dir", r.show(r.root), "detected", diag.Pos{File: r.show(r.inRoot("index.html"))}, "")
	return r.root
}

// publish returns the publish directory; "" when it is missing, and not watched for.
func (r *resolver) publish(dir choice) string {
	switch {
	case dir.by != "" && r.in.Watch && dir.V != "" && errors.Is(stat(r.path(dir)), fs.ErrNotExist):
		return r.path(dir)
	case dir.by != "":
		return r.builtFolder(dir)
	case len(r.absent) > 0: // said already
		return ""
	}
	usual := r.project.Publish
	if len(usual) == 1 && r.in.Watch {
		r.noteDetection("pages.dir", usual[0], "publishes")
		return r.inRoot(usual[0])
	}
	var there []string
	for _, p := range usual {
		if r.isFolder(p) {
			there = append(there, p)
		}
	}
	switch {
	case len(there) == 1 && !r.find.HasHome(r.inRoot(there[0])) && r.find.IsSite(r.root):
		return r.rootAsSite() // a published branch that contains the files of an old project
	case len(there) == 1:
		r.noteDetection("pages.dir", there[0], "publishes")
		return r.inRoot(there[0])
	case len(there) > 1:
		r.noteAbsence(fmt.Errorf("the site may be in %s; say where: sitewalk DIR", strings.Join(there, " or ")))
	case len(usual) > 0:
		r.noteAbsence(fmt.Errorf("the %s project here publishes to %s, which does not exist; build the site first, or name its folder: sitewalk DIR",
			r.project.Name, strings.Join(usual, " or ")))
	default:
		hint := "name its folder: sitewalk DIR"
		below := r.choicesBelow()
		switch {
		case below != "":
			hint = "say which, as sitewalk DIR: " + below
		case r.find.UsualBelow(r.root) != "" && !r.find.HasHome(r.root):
			hint = "if it is in " + r.show(r.find.UsualBelow(r.root)) + ", run: sitewalk " + r.show(r.find.UsualBelow(r.root))
		case r.find.IsSite(r.root):
			return r.rootAsSite()
		}
		r.noteAbsence(fmt.Errorf("no built site was found in %s; %s", r.root, hint))
	}
	return ""
}

// choicesBelow names a few projects that lie below the root.
func (r *resolver) choicesBelow() string {
	var names []string
	for _, p := range r.find.Below(r.root) {
		name := r.show(p.Dir)
		if p.Generator != "" {
			name += " (" + p.Generator + ")"
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

// stat returns why there is nothing at a path.
func stat(p string) error {
	_, err := os.Stat(p)
	return err
}

// folder returns the folder that a choice names, or "" when it is none.
func (r *resolver) folder(c choice) string {
	p := r.path(c)
	info, err := os.Stat(p)
	switch {
	case errors.Is(err, fs.ErrNotExist) && c.key == "pages.dir":
		r.reject(c, "bad-path", "%q: %v; build the site first, or name the folder that holds it", c.V, diag.Cause(err))
	case err != nil:
		r.reject(c, "bad-path", "%q: %v", c.V, diag.Cause(err))
	case !info.IsDir():
		r.reject(c, "bad-path", "%q is not a folder", c.V)
	default:
		return p
	}
	return ""
}

// builtFolder returns the folder that a choice names. It returns "" when that
// is no folder, and when it is the root of a project whose built site lies in a
// folder below: then the sources would be listed too, and each page's URL would
// begin with the name of that folder.
func (r *resolver) builtFolder(c choice) string {
	dir := r.folder(c)
	if dir == "" || c.by == "detected" || r.find.HasHome(dir) {
		return dir
	}
	for _, p := range r.find.Projects(dir) {
		if built := r.find.Built(dir, p); built != "" {
			r.noteAbsence(fmt.Errorf("%s is the root of a %s project, whose built site is in %s; run: sitewalk %[3]s",
				r.show(dir), p.Name, r.show(built)))
			return ""
		}
	}
	if built := r.find.UsualBelow(dir); built != "" && c.by != "file" { // who names the folder there means it
		r.noteAbsence(fmt.Errorf("%s has no home page, and %s has one; run: sitewalk %[2]s", r.show(dir), r.show(built)))
		return ""
	}
	return dir
}
