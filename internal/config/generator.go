package config

import (
	"fmt"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/generator"
)

// detectProjects returns the generator projects in the root of the project. If the generator
// setting names a generator, it returns only the projects of this generator, and rejects the
// setting if there are none. If the setting is "none", it returns a project without a generator for
// each folder that has a usual name such as public and contains HTML.
func (r *resolver) detectProjects() ([]generator.Project, diag.List) {
	name := r.resolveWord("generator", r.file.Generator)
	if name == noGenerator {
		return generator.DetectFolders(r.recordingFolder(r.root)), nil
	}
	all, diags := generator.Detect(r.recordingFolder(r.root), r.displayName(r.root), r.input.Getenv)
	if name == "" || name == auto {
		return all, diags
	}
	one := slices.DeleteFunc(slices.Clone(all), func(p generator.Project) bool { return p.Name != name })
	if len(one) == 0 {
		r.rejectValue(r.lookUpSetting("generator", r.file.Generator), "bad-value", "%q: no file of that generator is in %s", name, r.root)
	}
	return one, diags
}

// chooseProject sets r.project. If only one project is detected, it chooses this project. Otherwise
// it chooses the only project that publishes to dir or, if dir is not set, the only project whose
// publish directory exists. If no project or several projects fit, r.project is empty. Several
// projects are an error, unless dir is set or contentOnly is true. contentOnly means that the
// command reads only content files.
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
		r.project = fit[0]
		if r.settings.Static = fit[0].Static; fit[0].Static.Dir != "" {
			r.settings.Static.Dir = r.displayName(r.projectPath(fit[0].Static.Dir))
		}
		r.diags = append(r.diags, diags...)
		r.recordProjectOrigins()
	case dir.by == "" && !contentOnly:
		r.addMissingSettingError(fmt.Errorf("%s; choose one: %s", describeProjects(fit), chooseProjectHint(fit)))
	default:
		r.recordOrigin("generator", noGenerator, "default", diag.Pos{}, describeProjects(fit)+"; --generator chooses one")
	}
}

// addMissingSettingError adds the error for a required setting that is not set. joinErrors drops
// these errors if the user must correct other mistakes first.
func (r *resolver) addMissingSettingError(err error) { r.missing = append(r.missing, err) }

// describeProjects returns the beginning of an error that lists projects and their publish
// directories, such as "there are 2 built sites here: Hugo with public, Jekyll with _site".
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

// chooseProjectHint returns the command with which the user chooses one of several projects:
// "sitewalk DIR", or "sitewalk --generator NAME" if two projects publish to the same folder.
func chooseProjectHint(ps []*generator.Project) string {
	for i, p := range ps {
		for _, other := range ps[:i] {
			if slices.Equal(p.Publish, other.Publish) {
				return "sitewalk --generator NAME"
			}
		}
	}
	return "sitewalk DIR"
}

// recordFolderOrigin records the origin of dir, the detected value of the setting key. The origin
// is a position in a file of the generator. If dir is the default of the generator, the origin is a
// text such as "where Hugo publishes". verb is the end of this text: "publishes".
func (r *resolver) recordFolderOrigin(key, dir, verb string) {
	for _, f := range r.project.Settings {
		if f.Value != "" && path.Clean(f.Value) == path.Clean(dir) {
			r.recordOrigin(key, dir, "detected", f.Pos, "")
			return
		}
	}
	why := ""
	if r.project.Name != "" {
		why = "where " + r.project.Name + " " + verb
	}
	r.recordOrigin(key, dir, "detected", diag.Pos{}, why)
}

// recordProjectOrigins records the origin of the detected generator, and of each setting that was
// read from its files.
func (r *resolver) recordProjectOrigins() {
	if r.project.Name == "" {
		return // only the publish directory is known, and has an origin of its own
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

// isFolder reports whether name is an existing folder. A relative name is relative to the root of
// the project. isFolder records the path as a lookup.
func (r *resolver) isFolder(name string) bool {
	name = r.projectPath(name)
	r.recordLookup(name)
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}
