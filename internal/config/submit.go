package config

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/writer"
)

// resolveIndexNow sets the key that proves ownership of the site to IndexNow.
// See https://www.indexnow.org/documentation.
func (r *resolver) resolveIndexNow() {
	c := r.resolveText("output.indexnow", r.file.Output.IndexNow)
	if c.by == "" {
		return
	}
	if err := writer.CheckKey(c.V); err != nil {
		r.reject(c, "bad-value", "%v", err)
		return
	}
	r.settings.Writer.IndexNowKey = c.V
}

// resolveGoogle sets whether the sitemap is submitted to Google Search Console, and the property
// there.
func (r *resolver) resolveGoogle() {
	file := text{V: string(r.file.Submit.Google.V), Pos: r.file.Submit.Google.Pos}
	c := r.resolveText("submit.google", file)
	r.settings.SubmitsToGoogle = c.by != "" && c.V != "false"
	if c.V == "true" && c.by != "file" && file.V != "false" { // the flag names no property, but the file may
		c = fileChoice(c.key, file)
	}
	if slices.Contains([]string{"", "true", "false"}, c.V) { // the value names no property
		return
	}
	if err := checkProperty(c.V); err != nil {
		r.reject(c, "bad-value", "%q %v", c.V, err)
		return
	}
	r.settings.Property = c.V
}

// resolveSitemapName sets the options that determine the URLs of the sitemaps which an earlier
// build has written: base URL, file name, formats and compression.
func (r *resolver) resolveSitemapName() {
	w := &r.settings.Writer
	w.Base, w.Name = r.settings.Site.Base.String(), r.checkFileName(r.resolveText("output.name", r.file.Output.Name), writer.CheckEntry)
	w.Formats, w.Gzip = r.resolveFormats(), r.resolveGzip()
}

// resolveOtherHosts sets the base URLs of the sites setting in Site.Sites and Parts. Unlike
// resolveSites, it does not look for the folders.
func (r *resolver) resolveOtherHosts() {
	for _, v := range r.file.Sites {
		if base, err := mapping.ParseBase(v.V.BaseURL.V); err == nil {
			part := r.settings.Writer
			part.Base = base.String()
			r.settings.Site.Sites, r.settings.Parts = append(r.settings.Site.Sites, facts.Part{Base: base}), append(r.settings.Parts, part)
		}
	}
}

// checkProperty returns an error if name cannot be a property of Google Search Console. The text of
// the error continues a sentence that begins with the name.
func checkProperty(name string) error {
	const example = "is not a property of Search Console; write https://example.com/ or sc-domain:example.com"
	if domain, ok := strings.CutPrefix(name, "sc-domain:"); ok {
		if domain == "" || strings.ContainsAny(domain, "/:?# ") {
			return errors.New(example)
		}
		return nil
	}
	u, err := url.Parse(name)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return errors.New(example)
	case !strings.HasSuffix(u.Path, "/"):
		return fmt.Errorf("is not a property of Search Console: its address ends with a slash; write %s/", name)
	}
	return nil
}
