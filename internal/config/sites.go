package config

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/hosting"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/writer"
)

// maxSites is the maximum length of facts.Options.Sites.
const maxSites = 255

// resolveSites sets the folders that have a base URL of their own, and the output options of their
// sitemaps.
func (r *resolver) resolveSites() {
	dirs := map[string]bool{}
	for i, v := range r.file.Sites {
		if i == maxSites {
			r.diags.Errorf(v.Pos, "bad-value", "", "sites has more than %d folders", maxSites)
			return
		}
		if part, ok := r.newPart(v.V); ok {
			if dirs[part.Dir] {
				r.diags.Errorf(v.V.Dir.Pos, "bad-value", "", "sites names the folder %q twice", part.Dir)
				continue
			}
			dirs[part.Dir] = true
			host := r.loadPartHost(&part)
			r.settings.Site.Sites, r.settings.Site.Hosts = append(r.settings.Site.Sites, part), append(r.settings.Site.Hosts, host)
			r.settings.Parts = append(r.settings.Parts, r.newPartOutput(part))
			r.recordOrigin("sites "+part.Dir, part.Base.String(), "file", v.Pos, "")
		}
	}
}

// resolveSiteFolders sets the folders of the sites setting and their base URLs. Unlike
// resolveSites, it does not look for the folders.
func (r *resolver) resolveSiteFolders() {
	for _, v := range r.file.Sites {
		dir := filepath.FromSlash(v.V.Dir.V)
		if base, err := mapping.ParseBase(v.V.BaseURL.V); err == nil && filepath.IsLocal(dir) {
			r.settings.Site.Sites = append(r.settings.Site.Sites, facts.Part{Dir: filepath.ToSlash(dir), Base: base})
		}
	}
}

// newPart converts an item of the sites setting into a facts.Part. It rejects an invalid folder or
// base URL and returns false. It also returns false if the site has no publish directory.
func (r *resolver) newPart(v SubSite) (facts.Part, bool) {
	dir := fileChoice("sites.dir", v.Dir)
	base, err := mapping.ParseBase(v.BaseURL.V)
	clean := path.Clean(filepath.ToSlash(v.Dir.V))
	switch {
	case v.Dir.V == "" || clean == "." || !filepath.IsLocal(filepath.FromSlash(clean)):
		r.reject(dir, "bad-path", "%q is not a folder below the publish directory", v.Dir.V)
		return facts.Part{}, false
	case err != nil:
		r.reject(fileChoice("sites.base_url", v.BaseURL), "bad-url", "%v", err)
		return facts.Part{}, false
	case r.settings.Site.Pages == nil:
		return facts.Part{}, false
	}
	return facts.Part{Dir: clean, Base: base}, true
}

// loadPartHost reads the hosting platform's files in the folder of part, and sets the URL style of
// part. A known platform of the whole site also serves the part.
func (r *resolver) loadPartHost(part *facts.Part) *hosting.Site {
	dir := filepath.Join(r.settings.Site.Pages.Dir, filepath.FromSlash(part.Dir))
	in := hosting.Input{
		Publish: r.find.folder(dir), PublishName: r.find.displayName(dir),
		Getenv: r.input.Getenv, Base: part.Base, Name: hosting.Auto, NextEnding: r.project.NextEnding,
	}
	if h := r.settings.Site.Host; h.IsKnown() {
		in.Name = h.Name()
	}
	h, diags := hosting.Load(in)
	r.diags = append(r.diags, diags...)
	part.Style = h.Style()
	if r.settings.Site.Host.EncodesPunctuation() {
		part.Base = part.Base.EncodePunctuation()
	}
	r.overrideStyle(&part.Style)
	return h
}

// newPartOutput returns output options that write the sitemap of part into the folder of part.
func (r *resolver) newPartOutput(part facts.Part) writer.Options {
	w := r.settings.Writer
	w.Dir = filepath.Join(w.Dir, filepath.FromSlash(part.Dir))
	w.Publish = filepath.Join(w.Publish, filepath.FromSlash(part.Dir))
	w.Leftovers = nil
	w.LLMS.Base, w.LLMS.Languages = part.Base.String(), nil
	whole := &r.settings.Writer.LLMS // the llms.txt files of the whole site; the part writes those in its folder
	whole.Languages = slices.DeleteFunc(whole.Languages, func(l writer.Language) bool { return strings.HasPrefix(l.Dir+"/", part.Dir+"/") })
	w.Base, w.Index, w.Group = part.Base.String(), nil, r.groupFinder(part.Base)
	return w
}
