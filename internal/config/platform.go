package config

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/internal/gitdates"
	"github.com/sitewalk/sitewalk/internal/hosting"
)

// A publication is a folder that a platform's own file says is published.
type publication struct {
	hosting.Publication
	dir string // its path
}

// who says it: "netlify.toml:2".
func (p publication) who() string { return p.Pos.String() }

// maxUp is how far above the site the file of a platform is looked for.
const maxUp = 8

// enterBase enters the folder that netlify.toml says the build runs in, and finds the
// repository's root when sitewalk runs in that folder, as it does on Netlify.
func (r *resolver) enterBase() {
	base, here := hosting.NetlifyBase(r.lookups.dir(r.root))
	switch {
	case here && base != "" && r.s.File == "" && r.isFolder(filepath.FromSlash(base)):
		r.above = r.root
		if err := r.open(filepath.Join(r.inRoot(base), "sitemap.yaml"), false); err != nil {
			r.wrong = append(r.wrong, err)
		}
	case !here:
		r.above = r.repository()
	}
}

// repository returns the folder above the site whose netlify.toml has the site's
// folder as its base; "" when there is none.
func (r *resolver) repository() string {
	dir := r.root
	for range maxUp {
		if gitdates.IsTop(dir) || filepath.Dir(dir) == dir {
			return ""
		}
		dir = filepath.Dir(dir)
		if info, err := os.Stat(filepath.Join(dir, "netlify.toml")); err != nil || !info.Mode().IsRegular() {
			continue
		}
		if base, _ := hosting.NetlifyBase(r.lookups.dir(dir)); base != "" && filepath.Join(dir, filepath.FromSlash(base)) == r.root {
			return dir
		}
		return ""
	}
	return ""
}

// publications returns the folders that the platforms' files say are published,
// each once; only that of the host when it is known which it is.
func (r *resolver) publications() (all []publication) {
	for _, dir := range []string{r.root, r.above} {
		if dir == "" {
			continue
		}
		for _, p := range hosting.Publications(r.lookups.dir(dir), r.show(dir), r.in.getenv) {
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
// named; "" when nobody says.
func (r *resolver) platformAtWork() string {
	return cmp.Or(r.choose("host", "host", r.in.Flags.Host, r.file.Host).V, hosting.Builder(r.in.getenv))
}

// platform returns the folder that the platform publishes, which counts when
// the user has named none. The choice is empty when no platform names a folder,
// and when that folder does not exist and the generator's does.
func (r *resolver) platform() (c choice) {
	all := r.publications()
	there := slices.DeleteFunc(slices.Clone(all), func(p publication) bool { return !r.isFolder(p.dir) })
	switch {
	case len(all) == 0:
		return c
	case len(there) > 1:
		r.noteAbsence(fmt.Errorf("%s publishes %s and %s publishes %s; say which: sitewalk DIR",
			there[0].who(), r.show(there[0].dir), there[1].who(), r.show(there[1].dir)))
		return c
	case len(there) == 1:
		return r.choiceOf(there[0])
	}
	r.awaited = &all[0]
	return c
}

// choiceOf returns the choice that a platform's file makes.
func (r *resolver) choiceOf(p publication) choice {
	r.s.Origins = append(r.s.Origins, Origin{Key: "pages.dir", Value: r.show(p.dir), By: "detected", Pos: p.Pos})
	return choice{text: text{V: p.dir}, key: "pages.dir", who: p.who(), by: "detected"}
}

// other reports that the generator writes to another folder than the platform
// publishes, where both are there.
func (r *resolver) other(c choice) {
	if c.by != "detected" {
		return
	}
	for _, usual := range r.project.Publish {
		if dir := r.inRoot(usual); r.project.Name != "" && dir != c.V && r.isFolder(usual) && !within(dir, c.V) {
			r.diags.Warnf(diag.Pos{File: c.who}, "publish-folders", "let both name the same folder, or say which: sitewalk DIR",
				"it publishes %s, and %s writes to %s; %[1]s is taken", r.show(c.V), r.project.Name, r.show(dir))
		}
	}
}

// await returns the platform's folder as the one to wait for, when neither it
// nor the generator's exists yet.
func (r *resolver) await(dir choice) choice {
	if dir.by != "" || r.awaited == nil || !r.in.Await || slices.ContainsFunc(r.project.Publish, r.isFolder) {
		return dir
	}
	p := *r.awaited
	r.awaited = nil
	return r.choiceOf(p)
}

// notThere reports a platform's folder that does not exist although the
// generator's does. When neither exists, the platform's is the folder to build
// into, and nothing is wrong.
func (r *resolver) notThere(dir string) {
	p := r.awaited
	if p == nil {
		return
	}
	if dir != "" {
		r.diags.Warnf(p.Pos, "publish-folders", "let both name the same folder, or say which: sitewalk DIR",
			"it publishes %s, which is not there; %s is taken", r.show(p.dir), r.show(dir))
		return
	}
	r.absent = []error{fmt.Errorf("%s publishes %s, which is not there; build the site first, or name its folder: sitewalk DIR",
		p.who(), path.Clean(r.show(p.dir)))}
}
