package config

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/generator"
	"github.com/sitewalk/sitewalk/internal/glob"
	"github.com/sitewalk/sitewalk/walker"
)

// resolveTrees sets the generator project, and the trees of files to read: the built site and the
// content files. If the URLs come from --from, and the user names neither pages nor content files,
// it sets no tree.
func (r *resolver) resolveTrees() {
	pages := r.file.Pages
	dir := r.userPublishDir(pages.V.Dir)
	content := r.resolveText("content.dir", r.file.Content.Dir)
	for _, c := range []choice{dir, content} {
		if c.by != "" && c.V == "" { // probably an unset variable in a script; it must not mean the working directory
			r.rejectValue(c, "bad-path", "is empty; name a folder, or . for the one that you are in")
		}
	}
	r.settings.From = r.input.Flags.Value("from")
	namesPages := dir.by != "" || pages.IsSet()
	var publish string
	switch {
	case content.by != "" && !namesPages:
		r.chooseProject(dir, true)
	case r.settings.From != "" && !namesPages: // the URLs of --from are the whole site
		r.chooseProject(dir, false)
		return
	default:
		publish = r.resolvePublishDir(dir)
	}
	r.useGeneratorSites(publish)
	var include, exclude []string
	if pages.IsSet() || r.input.Flags["include"] != nil || r.input.Flags["exclude"] != nil {
		include, exclude = r.resolveGlobs(publish)
	}
	if content.by == "" || namesPages {
		r.settings.Site.Pages = r.newTree(publish, walker.RestrictToExtensions(include, walker.HTMLFiles), exclude)
		include, exclude = nil, nil
	}
	if content.by != "" || len(r.project.Content) > 0 {
		r.resolveContent(content, publish, include, exclude)
	}
	r.settings.Site.Page.EditLinks = resolveFileValue(r, "content.edit_links", r.file.Content.EditLinks) && r.settings.Site.Content != nil
}

// newTree returns the tree of the files in dir that match a glob in include and no glob in exclude.
// It returns nil if dir is "" or a glob is invalid.
func (r *resolver) newTree(dir string, include, exclude []string) *facts.Tree {
	filter, err := walker.NewFilter(include, exclude)
	if dir == "" || err != nil {
		return nil // the error is already reported
	}
	name := r.displayName(dir)
	if name == "." {
		name = ""
	}
	return &facts.Tree{Files: walker.Dir(dir), Filter: filter, Name: name, Dir: dir}
}

// resolveGlobs returns the valid globs of pages.include and pages.exclude. The flag --include
// replaces the globs of pages.include in the settings file. The flag --exclude adds globs to those
// of pages.exclude. publish is the publish directory.
func (r *resolver) resolveGlobs(publish string) (include, exclude []string) {
	file := r.file.Pages.V
	include = r.flagGlobs("include", publish)
	if len(r.input.Flags["include"]) == 0 {
		include = r.checkGlobs(fileChoice("pages.include", text{Pos: file.Include.Pos}), file.Include.V, publish)
	}
	exclude = r.flagGlobs("exclude", publish)
	return include, append(exclude, r.checkGlobs(fileChoice("pages.exclude", text{Pos: file.Exclude.Pos}), file.Exclude.V, publish)...)
}

// flagGlobs returns the valid globs of flag, which is "include" or "exclude". It rejects invalid
// globs. publish is the publish directory.
func (r *resolver) flagGlobs(flag, publish string) []string {
	var globs []text
	for _, g := range r.input.Flags[flag] {
		globs = append(globs, text{V: g})
	}
	return r.checkGlobs(choice{key: "pages." + flag, who: "--" + flag, by: "flag", why: "--" + flag}, globs, publish)
}

// checkGlobs returns the valid globs in items, and adds them to Settings.Globs. It rejects invalid
// globs. It also rejects a glob that is the path of a folder in publish, the publish directory,
// because globs match files. c is the key and the source of the list. checkGlobs also records the
// origin of the list.
func (r *resolver) checkGlobs(c choice, items []text, publish string) (good []string) {
	if r.rejectTooMany(c.key, len(items), c.Pos) {
		return nil
	}
	var all []string
	for _, item := range items {
		all = append(all, item.V)
		g := strings.TrimPrefix(item.V, "./")
		if _, err := walker.NewFilter([]string{g}, nil); err != nil {
			r.rejectValue(c.withItem(item), "bad-glob", "%v", err)
			continue
		}
		if publish != "" && r.isFolder(filepath.Join(publish, g)) {
			r.rejectValue(c.withItem(item), "bad-glob", "glob %q is a folder, and globs match files; write %q for all files below it", g, g+"/**")
			continue
		}
		good = append(good, g)
		r.settings.Globs = append(r.settings.Globs, Glob{g, c.who, c.withItem(item).Pos})
	}
	if len(items) > 0 || c.IsSet() {
		r.recordOrigin(c.key, strings.Join(all, " "), c.by, c.Pos, c.why)
	}
	return good
}

// resolveContent sets the tree of content files. The tree is in the folder that c names or, if c is
// not set, in the generator's content folders. It excludes publish, the publish directory. There is
// no tree of content files if publish is the content folder itself, or if a symbolic link in a path
// of the generator leads out of the project. resolveContent also sets the mapping from content
// files to pages.
func (r *resolver) resolveContent(c choice, publish string, include, exclude []string) {
	dirs := slices.DeleteFunc(slices.Clone(r.project.Content), func(d string) bool { return !r.isFolder(d) })
	if i := slices.IndexFunc(dirs, func(d string) bool { return r.linksOutOfProject(r.projectPath(d)) }); i >= 0 && c.by == "" {
		name := r.displayName(r.projectPath(dirs[i]))
		r.diags.Warnf(diag.Pos{File: name}, "outside-link", "copy the content into the project, or name it: --content "+name,
			"%v; its content is not read", files.ErrOutside)
		return
	}
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
	if rel, inside := files.RelBelow(top, publish); inside && publish != "" {
		if rel == "." {
			return // the content folder is the publish directory itself
		}
		exclude = append(exclude, glob.Quote(filepath.ToSlash(rel))+"/**")
	}
	kinds := slices.Concat(walker.ContentFiles, walker.ExtensionGlobs(r.project.Templates...))
	if include = walker.RestrictToExtensions(include, kinds); len(include) == 0 {
		include = prefixGlobs(dirs, kinds)
	}
	r.settings.Site.Content = r.newTree(top, include, exclude)
	if c.by == "" {
		r.recordFolderOrigin("content.dir", strings.Join(r.project.Content, " "), "has its content")
	}
	r.settings.Site.Mapping = *r.contentMapping(top)
	r.settings.Site.Mapping.PublishedLanguage = r.publishedSite().Dir
}

// contentMapping returns the generator's mapping from content files to pages, for content paths
// relative to top.
func (r *resolver) contentMapping(top string) *generator.Mapping {
	if rel, inside := files.RelBelow(top, r.root); inside && rel != "." {
		return r.project.Mapping.RelativeToParent(filepath.ToSlash(rel))
	}
	return r.project.Mapping.RelativeTo(r.relativeToRoot(top))
}

// commonFolder returns top, the innermost folder that contains the root of the project and all
// dirs. This is the root itself if it contains all dirs. inside contains dirs as paths relative to
// top, with slashes.
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

// prefixGlobs puts each of dirs before each of globs: "blog" and "**/*.md" give "blog/**/*.md". It
// returns globs unchanged if dirs is empty.
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

// relativeToRoot returns the path of dir relative to the root of the project, with slashes.
func (r *resolver) relativeToRoot(dir string) string {
	rel, err := filepath.Rel(r.root, dir)
	if err != nil {
		return filepath.ToSlash(dir)
	}
	return filepath.ToSlash(rel)
}
