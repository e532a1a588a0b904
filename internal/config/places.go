package config

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/generator"
	"github.com/sitewalk/sitewalk/internal/glob"
	"github.com/sitewalk/sitewalk/internal/hosting"
	"github.com/sitewalk/sitewalk/walker"
)

// resolveTrees finds the built site, the content and the generator.
func (r *resolver) resolveTrees() {
	pages := r.file.Pages
	dir := r.publishDirChoice(pages.V.Dir)
	content := r.resolveText("content.dir", r.file.Content.Dir)
	for _, c := range []choice{dir, content} {
		if c.by != "" && c.V == "" { // most likely a variable that is not set, which must not stand for the working directory
			r.reject(c, "bad-path", "is empty; name a folder, or . for the one that you are in")
		}
	}
	contentOnly := content.by != "" && dir.by == "" && !pages.IsSet()
	r.s.From = r.in.Flags.Value("from")
	listOnly := r.s.From != "" && dir.by == "" && !pages.IsSet() && content.by == ""
	var missing *hosting.Publication // what the platform publishes, and is not there
	if dir.by == "" && !contentOnly && !listOnly {
		dir, missing = r.platformFolder()
	}
	r.chooseProject(dir, contentOnly)
	if listOnly {
		return // the list alone is the site
	}
	if dir.by == "detected" {
		r.reportOtherFolder(dir)
	}
	var include, exclude []string
	if pages.IsSet() || r.in.Flags["include"] != nil || r.in.Flags["exclude"] != nil {
		include, exclude = r.resolveGlobs()
	}
	publish := ""
	if !contentOnly {
		publish = r.findPublishDir(dir, missing)
		r.s.Site.Pages = r.newTree(publish, walker.Narrow(include, walker.HTMLFiles), exclude)
		include, exclude = nil, nil
	}
	if content.by != "" || len(r.project.Content) > 0 {
		r.resolveContent(content, publish, include, exclude)
	}
	r.s.Site.Page.EditLinks = r.resolveBool("content.edit_links", r.file.Content.EditLinks) && r.s.Site.Content != nil
}

// publishDirChoice returns the choice of the publish directory. If the user names the root of
// a built project, its publish folder is detected instead.
func (r *resolver) publishDirChoice(file text) choice {
	c := r.lookUp("pages.dir", file)
	if c.by != "file" && c.V != "" && r.choicePath(c) == r.root && !r.find.HasHomePage(r.root) {
		if file.IsSet() {
			c = fileChoice(c.key, file)
		} else if r.find.IsBuilt(r.root) {
			return choice{key: c.key}
		}
	}
	if c.by != "" {
		r.recordOrigin(c.key, c.V, c.by, c.Pos, c.why)
	}
	return c
}

// resolveBool returns a switch of the settings file, false by default, and records its origin.
func (r *resolver) resolveBool(key string, v boolean) bool {
	if v.IsSet() {
		r.recordOrigin(key, fmt.Sprint(v.V), "file", v.Pos, "")
	}
	return v.V
}

// detectProjects returns the projects at the root: all, or those of the generator that the
// user names.
func (r *resolver) detectProjects() ([]generator.Project, diag.List) {
	name := r.resolveWord("generator", r.file.Generator)
	if name == noGenerator {
		return generator.Folders(r.find.Folder(r.root)), nil
	}
	all, diags := generator.Detect(r.find.Folder(r.root), r.find.DisplayName(r.root), r.in.Getenv)
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
		r.project, r.s.Server = fit[0], fit[0].Server
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
	if !slices.ContainsFunc(r.s.Origins, func(o Origin) bool { return o.Key == "generator" }) {
		r.recordOrigin("generator", r.project.Name, "detected", pos, "")
	}
	for _, f := range r.project.Settings {
		r.recordOrigin(r.project.Name+" "+f.Key, f.Value, "detected", f.Pos, "")
	}
}

// isFolder reports whether a path, relative to the project, is a folder.
func (r *resolver) isFolder(name string) bool { return r.find.IsFolder(r.projectPath(name)) }

// newTree returns the files of a folder that the globs select, or nil if dir is "".
func (r *resolver) newTree(dir string, include, exclude []string) *facts.Tree {
	filter, err := walker.NewFilter(include, exclude)
	if dir == "" || err != nil {
		return nil // reported where it was found
	}
	name := r.find.DisplayName(dir)
	if name == "." {
		name = ""
	}
	return &facts.Tree{Files: walker.Dir(dir), Filter: filter, Name: name, Dir: dir}
}

// resolveGlobs returns the globs of the files to list. Flags replace the includes of the file
// and add to its excludes.
func (r *resolver) resolveGlobs() (include, exclude []string) {
	file := r.file.Pages.V
	include = r.flagGlobs("include")
	if len(r.in.Flags["include"]) == 0 {
		include = r.checkGlobs(fileChoice("pages.include", text{Pos: file.Include.Pos}), file.Include.V)
	}
	exclude = r.flagGlobs("exclude")
	return include, append(exclude, r.checkGlobs(fileChoice("pages.exclude", text{Pos: file.Exclude.Pos}), file.Exclude.V)...)
}

// flagGlobs returns the valid globs of a flag.
func (r *resolver) flagGlobs(flag string) []string {
	var globs []text
	for _, g := range r.in.Flags[flag] {
		globs = append(globs, text{V: g})
	}
	return r.checkGlobs(choice{key: "pages." + flag, who: "--" + flag, by: "flag", why: "--" + flag}, globs)
}

// checkGlobs returns the valid globs of a list. It rejects the others.
func (r *resolver) checkGlobs(c choice, items []text) (good []string) {
	var all []string
	for _, item := range items {
		all = append(all, item.V)
		g := strings.TrimPrefix(item.V, "./")
		if _, err := walker.NewFilter([]string{g}, nil); err != nil {
			r.reject(c.forItem(item), "bad-glob", "%v", err)
			continue
		}
		good = append(good, g)
	}
	if len(items) > 0 || c.IsSet() {
		r.recordOrigin(c.key, strings.Join(all, " "), c.by, c.Pos, c.why)
	}
	return good
}

// resolveContent sets the content tree: the named folder, or else the generator's. The publish
// directory is never part of the content.
func (r *resolver) resolveContent(c choice, publish string, include, exclude []string) {
	dirs := slices.DeleteFunc(slices.Clone(r.project.Content), func(d string) bool { return !r.isFolder(d) })
	top := ""
	switch {
	case c.by != "":
		top, dirs = r.checkFolder(c), nil
	case len(dirs) == 1:
		top, dirs = r.projectPath(dirs[0]), nil
	case len(dirs) > 1:
		top, dirs = r.commonFolder(dirs)
	}
	if top == "" {
		return
	}
	if rel, inside := files.Below(top, publish); inside && publish != "" {
		if rel == "." {
			return // the pages are their own sources
		}
		exclude = append(exclude, glob.Quote(filepath.ToSlash(rel))+"/**")
	}
	kinds := slices.Concat(walker.ContentFiles, walker.AnyCase(r.project.Templates...))
	if include = walker.Narrow(include, kinds); len(include) == 0 {
		include = prefixGlobs(dirs, kinds)
	}
	r.s.Site.Content = r.newTree(top, include, exclude)
	if c.by == "" {
		r.recordFolderOrigin("content.dir", strings.Join(r.project.Content, " "), "has its content")
	}
	r.s.Site.Mapping = *r.contentMapping(top)
}

// contentMapping returns the generator's mapping for content files below top.
func (r *resolver) contentMapping(top string) *generator.Content {
	if rel, inside := files.Below(top, r.root); inside && rel != "." {
		return r.project.Mapping.Around(filepath.ToSlash(rel))
	}
	return r.project.Mapping.At(r.relativeToRoot(top))
}

// commonFolder returns a folder that contains all dirs, and their paths below it. It is the
// project's folder unless a dir is outside of the project.
func (r *resolver) commonFolder(dirs []string) (top string, inside []string) {
	top = r.root
	for slices.ContainsFunc(dirs, func(d string) bool { return !files.Contains(top, r.projectPath(d)) }) && filepath.Dir(top) != top {
		top = filepath.Dir(top)
	}
	for _, d := range dirs {
		if rel, err := filepath.Rel(top, r.projectPath(d)); err == nil {
			inside = append(inside, filepath.ToSlash(rel))
		}
	}
	return top, inside
}

// prefixGlobs returns globs for files below each of dirs, or the globs as they are if dirs is
// empty.
func prefixGlobs(dirs, globs []string) []string {
	if len(dirs) == 0 {
		return globs
	}
	var out []string
	for _, d := range dirs {
		for _, g := range globs {
			out = append(out, path.Join(glob.Quote(d), g))
		}
	}
	return out
}

// relativeToRoot returns the path of dir relative to the project, with slashes.
func (r *resolver) relativeToRoot(dir string) string {
	rel, err := filepath.Rel(r.root, dir)
	if err != nil {
		return filepath.ToSlash(dir)
	}
	return filepath.ToSlash(rel)
}
