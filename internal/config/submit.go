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

// resolveIndexNow sets the key that proves to IndexNow who owns the site.
// See https://www.indexnow.org/documentation
func (r *resolver) resolveIndexNow() {
	c := r.resolveText("output.indexnow", r.file.Output.IndexNow)
	if c.by == "" {
		return
	}
	if err := writer.CheckKey(c.V); err != nil {
		r.rejectValue(c, "bad-value", "%v", err)
		return
	}
	r.settings.Writer.IndexNowKey = c.V
}

// resolveGoogle sets whether to submit the sitemap to Google Search Console, and to which property
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
		r.rejectValue(c, "bad-value", "%q %v", c.V, err)
		return
	}
	r.settings.Property = c.V
}

// resolveSitemapName sets the options that determine the URLs of the sitemaps that an earlier build
// has written: base URL, file name, formats and compression.
func (r *resolver) resolveSitemapName() {
	w := &r.settings.Writer
	w.Base, w.Name = r.settings.Site.Base.String(), r.checkFileName(r.resolveText("output.name", r.file.Output.Name), writer.CheckEntry)
	w.Formats, w.Gzip = r.resolveFormats(), r.resolveGzip()
}

// resolveSiteBaseURLs adds an element to Site.Sites and to Parts for each item of the setting
// sites. The elements have the base URL of the item, but not its folder. An item with an invalid
// URL is skipped without a finding.
func (r *resolver) resolveSiteBaseURLs() {
	for _, v := range r.file.Sites {
		if base, err := mapping.ParseBase(v.V.BaseURL.V); err == nil {
			part := r.settings.Writer
			part.Base = base.String()
			r.settings.Site.Sites, r.settings.Parts = append(r.settings.Site.Sites, facts.Part{Base: base}), append(r.settings.Parts, part)
		}
	}
}

// checkProperty returns an error if name cannot be a property in Google Search Console. The error
// is worded to follow the name, such as "is not a property of Search Console".
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
