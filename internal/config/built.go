package config

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"

	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/generator"
)

// builtFolder returns the folder that a choice names. It returns "" when that
// is no folder, and when it is the root of a project whose built site lies in a
// folder below: then the sources would be listed too, and each page's URL would
// begin with the name of that folder.
func (r *resolver) builtFolder(c choice) string {
	dir := r.folder(c)
	if dir == "" || c.by == "detected" || r.hasHome(dir) {
		return dir
	}
	all, _ := generator.Detect(r.lookups.dir(dir), "", r.in.getenv)
	for _, p := range all {
		for _, publish := range p.Publish {
			below := filepath.Join(dir, filepath.FromSlash(publish))
			if p.Name != "" && below != dir && within(dir, below) && r.hasHome(below) {
				r.noteAbsence(fmt.Errorf("%s is the root of a %s project, whose built site is in %s; run: sitewalk %[3]s",
					r.show(dir), p.Name, r.show(below)))
				return ""
			}
		}
	}
	return dir
}

// hasHome reports whether a folder has a home page, other than a template, which
// begins with front matter.
func (r *resolver) hasHome(dir string) bool {
	name := filepath.Join(dir, "index.html")
	r.lookups[name] = true
	if !files.IsRegular(name) {
		return false
	}
	f, err := files.Open(name)
	if err != nil {
		return true // a home page all the same
	}
	defer f.Close()
	var head [3]byte
	_, _ = io.ReadFull(f, head[:])
	return !bytes.Equal(head[:], []byte("---"))
}
