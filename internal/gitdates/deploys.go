package gitdates

// several is how many pages of a site a deploy changes at least: fewer may well be changed
// by hand at once. A version of a documentation is always built, and may have one page.
const several = 3

// deploys tells which commits are deploys, from the built files that are asked for. The
// history is read backwards, so each folder shrinks to what it held at the time.
type deploys struct {
	folder  map[string]*folder // of a file, by its name at this point of the history
	all     folder             // the whole site
	changed []change           // by the commit that is read
}

// A change is that of one built file.
type change struct {
	name  string
	added bool
}

// A folder is deployed at once.
type folder struct{ files, changed, least int }

func (f *folder) deployed() bool { return f.changed >= f.least && 2*f.changed > f.files }

// findBuilt finds the files that a generator built among those that git tracks.
func (w *search) findBuilt(prefix string, files []file, built func(string) (string, bool)) {
	if built == nil {
		return
	}
	folders := map[string]*folder{"": {least: several}}
	d := deploys{folder: map[string]*folder{}, all: folder{least: several}}
	for i, f := range files {
		name, ok := built(f.given)
		if !ok || !w.files[i].tracked || w.files[i].link || d.folder[prefix+f.name] != nil {
			continue
		}
		if folders[name] == nil {
			folders[name] = &folder{least: 1}
		}
		folders[name].files++
		d.folder[prefix+f.name] = folders[name]
		d.all.files++
	}
	w.deploys = d
}

// change notes that the commit changed a built file, and reports whether it is one.
func (d *deploys) change(name string, added bool) bool {
	f := d.folder[name]
	if f == nil {
		return false
	}
	f.changed++
	d.all.changed++
	d.changed = append(d.changed, change{name, added})
	return true
}

// rename goes on under the older name of a file.
func (d *deploys) rename(name, from string) {
	if f := d.folder[name]; f != nil {
		delete(d.folder, name)
		d.folder[from] = f
	}
}

// settle says of each built file that the commit changed whether that was by a deploy, and
// goes on to the next commit.
func (d *deploys) settle(say func(name string, deployed, added bool)) {
	for _, c := range d.changed {
		say(c.name, d.all.deployed() || d.folder[c.name].deployed(), c.added)
	}
	d.all.changed = 0
	for _, c := range d.changed {
		f := d.folder[c.name]
		if f.changed = 0; c.added {
			f.files--
			d.all.files--
			delete(d.folder, c.name)
		}
	}
	d.changed = d.changed[:0]
}
