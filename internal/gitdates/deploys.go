package gitdates

import (
	"math"
	"path"
	"slices"
)

// several is how many pages of a site a deploy changes at least: fewer may well be changed
// by hand at once. A version of a documentation is always built, and may have one page.
const several = 3

// many is how many pages a folder has at least of which a commit that changes most is a
// deploy: what is edited by hand at once lies together, too.
const many = 10

// hundred is how many pages a commit changes at least that is a deploy of a larger folder by
// a third of it.
const hundred = 100

// deploys tells which commits are deploys, from the built files that are asked for. The
// history is read backwards, so each folder shrinks to what it held at the time.
type deploys struct {
	folders map[string][]*folder // around a file, its own first, by its name at this point of the history
	own     []*folder            // with what lies in each alone
	changed []change             // by the commit that is read
}

// A change is that of one built file.
type change struct {
	name  string
	added bool
}

// A folder may be deployed at once.
type folder struct{ files, changed, least int }

// deployed reports whether a commit changed most of the folder, or a third of a large one:
// a hundred pages are not edited by hand in one commit.
func (f *folder) deployed() bool {
	return f.changed >= f.least && 2*f.changed > f.files || f.changed >= hundred && 3*f.changed > f.files
}

// around returns the folders around a file, which are made as they are met.
func (d *deploys) around(folders map[string]*folder, unit, name string) (all []*folder) {
	least := 1
	if unit == "" {
		least = several
	}
	add := func(key string, least int) {
		f := folders[key]
		if f == nil {
			f = &folder{least: least}
			folders[key] = f
		}
		f.files++
		all = append(all, f)
	}
	own := "in " + path.Dir(name)
	if folders[own] == nil {
		folders[own] = &folder{least: math.MaxInt}
		d.own = append(d.own, folders[own])
	}
	add(own, 0)
	add("unit "+unit, least)
	add("all", several)
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		add("folder "+dir, many)
	}
	return all
}

// findBuilt finds the files that a generator built among those that git tracks.
func (w *search) findBuilt(files []file, built func(string) (string, bool)) {
	if built == nil {
		return
	}
	folders := map[string]*folder{}
	d := deploys{folders: map[string][]*folder{}}
	for i, f := range files {
		if unit, ok := built(f.given); ok && w.files[i].tracked && !w.files[i].link && d.folders[f.name] == nil {
			d.folders[f.name] = d.around(folders, unit, f.name)
		}
	}
	w.deploys = d
}

// change notes that the commit changed a built file, and reports whether it is one.
func (d *deploys) change(name string, added bool) bool {
	folders := d.folders[name]
	for _, f := range folders {
		f.changed++
	}
	if folders == nil {
		return false
	}
	d.changed = append(d.changed, change{name, added})
	return true
}

// rename goes on under the older name of a file.
func (d *deploys) rename(name, from string) {
	if folders := d.folders[name]; folders != nil {
		delete(d.folders, name)
		d.folders[from] = folders
	}
}

// everywhere reports whether the commit changed something in most of the folders that have
// pages, though it may be less than half of the pages: what another tool has built may lie
// in a few.
func (d *deploys) everywhere() bool {
	if len(d.changed) < many {
		return false
	}
	with, changed := 0, 0
	for _, f := range d.own {
		if f.files > 0 {
			with++
		}
		if f.changed > 0 {
			changed++
		}
	}
	return changed >= many && 2*changed > with
}

// endCommit says of each built file that the commit changed whether that was by a deploy, and
// goes on to the next commit.
func (d *deploys) endCommit(say func(name string, deployed, added bool)) {
	everywhere := d.everywhere()
	for _, c := range d.changed {
		say(c.name, everywhere || slices.ContainsFunc(d.folders[c.name], (*folder).deployed), c.added)
	}
	for _, c := range d.changed {
		for _, f := range d.folders[c.name] {
			if f.changed = 0; c.added {
				f.files--
			}
		}
		if c.added {
			delete(d.folders, c.name)
		}
	}
	d.changed = d.changed[:0]
}
