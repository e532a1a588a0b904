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

// resolveTrees finds the built output and the content, and with them the generator.
func (r *resolver) resolveTrees() {
	pages := r.file.Pages
	dir := r.publishDir(pages.V.Dir)
	content := r.pick("content.dir", r.file.Content.Dir)
	for _, c := range []choice{dir, content} {
		if c.by != "" && c.V == "" { // most likely a variable that is not set, which must not stand for the working directory
			r.reject(c, "bad-path", "is empty; name a folder, or . for the one that you are in")
		}
	}
	contentOnly := content.by != "" && dir.by == "" && !pages.IsSet()
	r.s.From = r.in.Flags.One("from")
	listOnly := r.s.From != "" && dir.by == "" && !pages.IsSet() && content.by == ""
	var missing *hosting.Publication // what the platform publishes, and is not there
	if dir.by == "" && !contentOnly && !listOnly {
		dir, missing = r.platform()
	}
	r.detect(dir, contentOnly)
	if listOnly {
		return // the list alone is the site
	}
	if dir.by == "detected" {
		r.other(dir)
	}
	var include, exclude []string
	if pages.IsSet() || r.in.Flags["include"] != nil || r.in.Flags["exclude"] != nil {
		include, exclude = r.globs()
	}
	publish := ""
	if !contentOnly {
		publish = r.publish(dir, missing)
		r.s.ToolPages = r.project.Parts
		r.s.Site.Pages = r.tree(publish, walker.Narrow(include, walker.HTMLFiles), append(exclude, r.project.Parts...))
		include, exclude = nil, nil
	}
	if content.by != "" || len(r.project.Content) > 0 {
		r.content(content, publish, include, exclude)
	}
	r.s.Site.Page.EditLinks = r.pickBool("content.edit_links", r.file.Content.EditLinks) && r.s.Site.Content != nil
}

// publishDir returns who names the publish directory. Who names the root of a project
// means the one that it has.
func (r *resolver) publishDir(file text) choice {
	c := r.choose("pages.dir", file)
	if c.by != "file" && c.V != "" && r.path(c) == r.root && !r.find.HasHomePage(r.root) {
		if file.IsSet() {
			c = inFile(c.key, file)
		} else if r.find.IsBuilt(r.root) {
			return choice{key: c.key}
		}
	}
	if c.by != "" {
		r.recordOrigin(c.key, c.V, c.by, c.Pos, c.why)
	}
	return c
}

// pickBool returns what the file says of a switch, which is off otherwise.
func (r *resolver) pickBool(key string, v truth) bool {
	if v.IsSet() {
		r.recordOrigin(key, fmt.Sprint(v.V), "file", v.Pos, "")
	}
	return v.V
}

// projects asks the generators' own files, or those of one generator that is
// named.
func (r *resolver) projects() ([]generator.Project, diag.List) {
	name := r.pickWord("generator", r.file.Generator)
	if name == noGenerator {
		return generator.Folders(r.find.Folder(r.root)), nil
	}
	all, diags := generator.Detect(r.find.Folder(r.root), r.find.Show(r.root), r.in.Getenv)
	if name == "" || name == auto {
		return all, diags
	}
	one := slices.DeleteFunc(slices.Clone(all), func(p generator.Project) bool { return p.Name != name })
	if len(one) == 0 {
		r.reject(r.choose("generator", r.file.Generator), "bad-value", "%q: no file of that generator is in %s, %s", name, r.root, whose(all))
	}
	return one, diags
}

// whose names the generators whose files are at hand.
func whose(all []generator.Project) string {
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

// detect asks the generators' own files. Of several projects it takes the one
// whose folder was named, or else the only one that has been built.
func (r *resolver) detect(dir choice, contentOnly bool) {
	all, diags := r.projects()
	r.project = &generator.Project{}
	fits := r.isFolder
	if dir.by != "" {
		fits = func(publish string) bool { return r.inRoot(publish) == r.path(dir) }
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
		r.noteProject()
	case dir.by == "" && !contentOnly:
		r.noteAbsence(fmt.Errorf("%s; say which: %s", alternatives(fit), tellsApart(fit)))
	default:
		r.recordOrigin("generator", noGenerator, "default", diag.Pos{}, alternatives(fit)+"; --generator says which")
	}
}

// noteAbsence records a setting that is missing. It stops the command, unless
// there is a mistake in the file, which may be why the setting is absent.
func (r *resolver) noteAbsence(err error) { r.absent = append(r.absent, err) }

// alternatives names the sites that a project may mean.
func alternatives(ps []*generator.Project) string {
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

// tellsApart is what names one of several projects: its folder, unless others
// publish to the same.
func tellsApart(ps []*generator.Project) string {
	for i, p := range ps {
		for _, other := range ps[:i] {
			if slices.Equal(p.Publish, other.Publish) {
				return "sitewalk --generator NAME"
			}
		}
	}
	return "sitewalk DIR"
}

// noteDetection records the origin of a folder: the generator's own file that
// names it, or the generator's default.
func (r *resolver) noteDetection(key, dir, does string) {
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

// noteProject records what the generator's files say as origins of settings.
func (r *resolver) noteProject() {
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

func (r *resolver) isFolder(name string) bool { return r.find.IsFolder(r.inRoot(name)) }

// tree returns the files of a folder that globs select; nil for no folder.
func (r *resolver) tree(dir string, include, exclude []string) *facts.Tree {
	filter, err := walker.NewFilter(include, exclude)
	if dir == "" || err != nil {
		return nil // reported where it was found
	}
	name := r.find.Show(dir)
	if name == "." {
		name = ""
	}
	return &facts.Tree{Files: walker.Dir(dir), Filter: filter, Name: name, Dir: dir}
}

// globs returns the globs of the files to list. Excludes of the flags and of
// the file add up: out is out.
func (r *resolver) globs() (include, exclude []string) {
	file := r.file.Pages.V
	include = r.typedGlobs("include")
	if len(r.in.Flags["include"]) == 0 {
		include = r.goodGlobs(inFile("pages.include", text{Pos: file.Include.Pos}), file.Include.V)
	}
	exclude = r.typedGlobs("exclude")
	return include, append(exclude, r.goodGlobs(inFile("pages.exclude", text{Pos: file.Exclude.Pos}), file.Exclude.V)...)
}

func (r *resolver) typedGlobs(flag string) []string {
	var globs []text
	for _, g := range r.in.Flags[flag] {
		globs = append(globs, text{V: g})
	}
	return r.goodGlobs(choice{key: "pages." + flag, who: "--" + flag, by: "flag", why: "--" + flag}, globs)
}

// goodGlobs returns the items of a list that are globs. Others are reported.
func (r *resolver) goodGlobs(c choice, items []text) (good []string) {
	var all []string
	for _, item := range items {
		all = append(all, item.V)
		g := strings.TrimPrefix(item.V, "./")
		if _, err := walker.NewFilter([]string{g}, nil); err != nil {
			r.reject(c.at(item), "bad-glob", "%v", err)
			continue
		}
		good = append(good, g)
	}
	if len(items) > 0 || c.IsSet() {
		r.recordOrigin(c.key, strings.Join(all, " "), c.by, c.Pos, c.why)
	}
	return good
}

// content finds the content tree: the folder that was named, or those of the
// generator. What is published below it is no content.
func (r *resolver) content(c choice, publish string, include, exclude []string) {
	dirs := slices.DeleteFunc(slices.Clone(r.project.Content), func(d string) bool { return !r.isFolder(d) })
	top := ""
	switch {
	case c.by != "":
		top, dirs = r.folder(c), nil
	case len(dirs) == 1:
		top, dirs = r.inRoot(dirs[0]), nil
	case len(dirs) > 1:
		top, dirs = r.around(dirs)
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
		include = globsBelow(dirs, kinds)
	}
	r.s.Site.Content = r.tree(top, include, exclude)
	if c.by == "" {
		r.noteDetection("content.dir", strings.Join(r.project.Content, " "), "has its content")
	}
	r.s.Site.Mapping = *r.contentMapping(top)
}

// contentMapping returns the generator's mapping for files below top.
func (r *resolver) contentMapping(top string) *generator.Content {
	if rel, inside := files.Below(top, r.root); inside && rel != "." {
		return r.project.Mapping.Around(filepath.ToSlash(rel))
	}
	return r.project.Mapping.At(r.below(top))
}

// around returns a folder that holds all of dirs, and their paths below it.
// That is the project's folder unless one of them lies outside of it.
func (r *resolver) around(dirs []string) (top string, inside []string) {
	top = r.root
	for slices.ContainsFunc(dirs, func(d string) bool { return !files.Within(top, r.inRoot(d)) }) && filepath.Dir(top) != top {
		top = filepath.Dir(top)
	}
	for _, d := range dirs {
		if rel, err := filepath.Rel(top, r.inRoot(d)); err == nil {
			inside = append(inside, filepath.ToSlash(rel))
		}
	}
	return top, inside
}

// globsBelow returns globs for files below each of some folders; below all of them
// when none is named.
func globsBelow(dirs, globs []string) []string {
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

// below returns a folder's path relative to the project.
func (r *resolver) below(dir string) string {
	rel, err := filepath.Rel(r.root, dir)
	if err != nil {
		return filepath.ToSlash(dir)
	}
	return filepath.ToSlash(rel)
}
