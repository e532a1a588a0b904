package config

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/generator"
	"github.com/sitewalk/sitewalk/internal/hosting"
	"github.com/sitewalk/sitewalk/internal/strict"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/writer"
)

// maxSites is the maximum number of folders in the setting sites, because facts.Page stores the
// index of its folder in a byte.
const maxSites = 255

// hasGeneratorSites reports whether the generator's files set separate base URLs for folders in
// publish, such as a domain for each language. It returns false if publish has a home page and is
// not the generator's publish directory.
func (r *resolver) hasGeneratorSites(publish string) bool {
	isUsual := func(dir string) bool { return r.projectPath(dir) == publish }
	return len(r.project.Sites) > 0 && (slices.ContainsFunc(r.project.Publish, isUsual) || !r.hasHomePage(publish))
}

// useGeneratorSites sets the setting sites to the folders below publish for which the generator's
// files set separate base URLs. It does nothing if the settings file has the setting. It adds an
// error if a base URL is unknown.
func (r *resolver) useGeneratorSites(publish string) {
	if publish == "" || len(r.file.Sites) > 0 || !r.hasGeneratorSites(publish) {
		return
	}
	for _, s := range r.project.Sites {
		if s.BaseURL == "" {
			r.addMissingSettingError(fmt.Errorf("the address of the folder %s is not known; write the true address into %s, or name the folder under sites in sitemap.yaml", s.Dir, s.Pos))
			return
		}
	}
	for _, s := range r.project.Sites {
		r.file.Sites = append(r.file.Sites, strict.Value[SubSite]{V: SubSite{Dir: text{V: s.Dir, Pos: s.Pos}, BaseURL: text{V: s.BaseURL, Pos: s.Pos}}, Pos: s.Pos})
	}
}

// publishedSite returns the generator's site that the publish directory contains: the site with the
// folder "de" for public/de. If there is none, it returns a site with the base URL of the project
// and without a folder.
func (r *resolver) publishedSite() generator.Site {
	if t := r.settings.Site.Pages; t != nil && !r.hasGeneratorSites(t.Dir) {
		for _, s := range r.project.Sites {
			if filepath.Base(t.Dir) == s.Dir {
				return s
			}
		}
	}
	return generator.Site{BaseURL: r.project.BaseURL}
}

// resolveSites sets the folders in the setting sites, with their base URLs, their platforms, and
// the output options of their sitemaps. It rejects invalid base URLs, invalid or repeated folders,
// and more than maxSites folders.
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
			r.settings.Site.Sites, r.settings.Site.SiteHostings = append(r.settings.Site.Sites, part), append(r.settings.Site.SiteHostings, host)
			r.settings.siteOutputs = append(r.settings.siteOutputs, r.newPartOutput(part))
			by := "file"
			if v.Pos.File != r.file.Name {
				by = "detected"
			}
			r.recordOrigin("sites "+part.Dir, part.Base.String(), by, v.Pos, "")
		}
	}
}

// resolveSiteBaseURLs adds the folder and base URL of each item of the setting sites to Site.Sites.
// Settings.Outputs then contains a copy of Settings.Writer with this base URL for each item. Unlike
// resolveSites, resolveSiteBaseURLs sets no other output options, and skips invalid items without a
// finding.
func (r *resolver) resolveSiteBaseURLs() {
	for _, v := range r.file.Sites {
		dir := filepath.FromSlash(v.V.Dir.V)
		if base, err := mapping.ParseBase(v.V.BaseURL.V); err == nil && filepath.IsLocal(dir) {
			part := r.settings.Writer
			part.Base = base.String()
			r.settings.Site.Sites = append(r.settings.Site.Sites, facts.Part{Dir: filepath.ToSlash(dir), Base: base})
			r.settings.siteOutputs = append(r.settings.siteOutputs, part)
		}
	}
}

// newPart converts v, an item of the setting sites, into a facts.Part. It rejects an invalid folder
// or base URL and returns false. It also returns false, without a finding, if there is no publish
// directory.
func (r *resolver) newPart(v SubSite) (facts.Part, bool) {
	dir := fileChoice("sites.dir", v.Dir)
	base, err := mapping.ParseBase(v.BaseURL.V)
	clean := path.Clean(filepath.ToSlash(v.Dir.V))
	switch {
	case v.Dir.V == "" || clean == "." || !filepath.IsLocal(filepath.FromSlash(clean)):
		r.rejectValue(dir, "bad-path", "%q is not a folder below the publish directory", v.Dir.V)
		return facts.Part{}, false
	case err != nil:
		r.rejectValue(fileChoice("sites.base_url", v.BaseURL), "bad-url", "%v", err)
		return facts.Part{}, false
	case r.settings.Site.Pages == nil:
		return facts.Part{}, false
	}
	return facts.Part{Dir: clean, Base: base}, true
}

// loadPartHost returns the hosting platform of part, a folder of the setting sites, and sets the
// URL style of part. It reads the platform's files in the folder of part. If the platform of the
// whole site is known, the part has the same platform.
func (r *resolver) loadPartHost(part *facts.Part) *hosting.Host {
	dir := filepath.Join(r.settings.Site.Pages.Dir, filepath.FromSlash(part.Dir))
	in := hosting.Input{
		Publish: r.recordingFolder(dir), PublishName: r.displayName(dir),
		Getenv: r.input.Getenv, Base: part.Base, Name: hosting.Auto, NextEnding: r.project.NextEnding, ExactURLs: r.file.URLs.HTML.V == "exact",
	}
	if h := r.settings.Site.Hosting; h.IsKnown() {
		in.Name = h.Name()
	}
	h, diags := hosting.Load(in)
	r.diags = append(r.diags, diags...)
	part.Style = h.Style()
	if r.settings.Site.Hosting.EncodesPunctuation() {
		part.Base = part.Base.EncodePunctuation()
	}
	r.applyStyleSettings(&part.Style)
	return h
}

// newPartOutput returns the output options for the sitemap of part, a folder of the setting sites.
// The sitemap is written into this folder. newPartOutput also removes the languages in this folder
// from the llms.txt files of the whole site, because the part gets files of its own.
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
