package config

import (
	"net/url"
	"slices"
	"strings"

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

// resolveGoogle sets whether to submit the sitemap to Google Search Console, and the property to
// submit it to.
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
	switch {
	case isProperty(c.V):
		r.settings.Property = c.V
	case isProperty(c.V + "/"):
		r.rejectValue(c, "bad-value", "%q is not a property of Search Console: its address ends with a slash; write %[1]s/", c.V)
	default:
		r.rejectValue(c, "bad-value", "%q is not a property of Search Console; write https://example.com/ or sc-domain:example.com", c.V)
	}
}

// resolveSitemapURLOptions sets the options that determine the URLs of the sitemaps of an earlier
// build: base URL, file name, formats and compression.
func (r *resolver) resolveSitemapURLOptions() {
	w := &r.settings.Writer
	w.Base, w.Name = r.settings.Site.Base.String(), r.resolveFileName("output.name", r.file.Output.Name, writer.CheckEntry)
	w.Formats, w.Gzip = r.resolveFormats(), r.resolveGzip()
}

// isProperty reports whether name may be a property in Google Search Console: a URL that ends with
// a slash, or a domain after "sc-domain:". The URL must have no user, query or fragment.
func isProperty(name string) bool {
	if domain, ok := strings.CutPrefix(name, "sc-domain:"); ok {
		return domain != "" && !strings.ContainsAny(domain, "/:?# ")
	}
	u, err := url.Parse(name)
	return err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https") && u.User == nil && u.RawQuery == "" && u.Fragment == "" && strings.HasSuffix(u.Path, "/")
}
