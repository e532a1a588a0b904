package config

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/generator"
)

// detectProjects returns the projects at the root: all, or those of the generator that the
// user names.
func (r *resolver) detectProjects() ([]generator.Project, diag.List) {
	name := r.resolveWord("generator", r.file.Generator)
	if name == noGenerator {
		return generator.Folders(r.find.folder(r.root)), nil
	}
	all, diags := generator.Detect(r.find.folder(r.root), r.find.displayName(r.root), r.input.Getenv)
	if name == "" || name == auto {
		return all, diags
	}
	one := slices.DeleteFunc(slices.Clone(all), func(p generator.Project) bool { return p.Name != name })
	if len(one) == 0 {
		r.reject(r.lookUp("generator", r.file.Generator), "bad-value", "%q: no file of that generator is in %s, %s", name, r.root, describeOthers(all))
	}
	return one, diags
}

// describeOthers lists the generators whose files were found, for an error.
func describeOthers(all []generator.Project) string {
	var names []string
	for _, p := range all {
		if p.Name != "" {
			names = append(names, p.Name)
		}
	}
	if names == nil {
		return "nor one of another; name the folders of the site and its content"
	}
	return "but files of " + strings.Join(names, " and ")
}

// chooseProject sets the project. Of several projects, it chooses the one that publishes dir,
// or else the only one that is built.
func (r *resolver) chooseProject(dir choice, contentOnly bool) {
	all, diags := r.detectProjects()
	r.project = &generator.Project{}
	fits := r.isFolder
	if dir.by != "" {
		fits = func(publish string) bool { return r.projectPath(publish) == r.choicePath(dir) }
	}
	var fit []*generator.Project
	for i := range all {
		if len(all) == 1 || slices.ContainsFunc(all[i].Publish, fits) {
			fit = append(fit, &all[i])
		}
	}
	switch {
	case len(fit) == 0:
	case len(fit) == 1:
		r.project, r.settings.Server = fit[0], fit[0].Server
		r.diags = append(r.diags, diags...)
		r.recordProjectOrigins()
	case dir.by == "" && !contentOnly:
		r.addMissing(fmt.Errorf("%s; say which: %s", describeProjects(fit), choiceHint(fit)))
	default:
		r.recordOrigin("generator", noGenerator, "default", diag.Pos{}, describeProjects(fit)+"; --generator says which")
	}
}

// addMissing records a required setting that is not set. The error stops the command unless
// the settings file has mistakes.
func (r *resolver) addMissing(err error) { r.missing = append(r.missing, err) }

// describeProjects lists projects and their publish folders, for an error.
func describeProjects(ps []*generator.Project) string {
	var names []string
	for _, p := range ps {
		who := "the folder"
		if p.Name != "" {
			who = p.Name + " with"
		}
		names = append(names, who+" "+strings.Join(p.Publish, " or "))
	}
	return fmt.Sprintf("there are %d built sites here: %s", len(ps), strings.Join(names, ", "))
}

// choiceHint returns the command that chooses one of several projects: by folder, or by
// generator if two publish to the same folder.
func choiceHint(ps []*generator.Project) string {
	for i, p := range ps {
		for _, other := range ps[:i] {
			if slices.Equal(p.Publish, other.Publish) {
				return "sitewalk --generator NAME"
			}
		}
	}
	return "sitewalk DIR"
}

// recordFolderOrigin records the origin of a detected folder: a generator's file, or the
// generator's default.
func (r *resolver) recordFolderOrigin(key, dir, does string) {
	for _, f := range r.project.Settings {
		if f.Value != "" && path.Clean(f.Value) == path.Clean(dir) {
			r.recordOrigin(key, dir, "detected", f.Pos, "")
			return
		}
	}
	why := ""
	if r.project.Name != "" {
		why = "where " + r.project.Name + " " + does
	}
	r.recordOrigin(key, dir, "detected", diag.Pos{}, why)
}

// recordProjectOrigins records the settings in the generator's files as origins.
func (r *resolver) recordProjectOrigins() {
	if r.project.Name == "" {
		return // the folder alone is known, which is a setting of its own
	}
	pos := diag.Pos{}
	if len(r.project.Settings) > 0 {
		pos.File = r.project.Settings[0].Pos.File
	}
	if !slices.ContainsFunc(r.settings.Origins, func(o Origin) bool { return o.Key == "generator" }) {
		r.recordOrigin("generator", r.project.Name, "detected", pos, "")
	}
	for _, f := range r.project.Settings {
		r.recordOrigin(r.project.Name+" "+f.Key, f.Value, "detected", f.Pos, "")
	}
}

// isFolder reports whether a path, relative to the project, is a folder.
func (r *resolver) isFolder(name string) bool { return r.find.isFolder(r.projectPath(name)) }
