package config

import (
	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/internal/hosting"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/mapping"
)

// host settles how URLs are shaped and what the host's files say.
func (r *resolver) host() {
	in := hosting.Input{Root: r.lookups.dir(r.root), RootName: r.show(r.root), Getenv: r.in.getenv, Base: r.s.Site.Base}
	in.Name = r.oneOf(r.pick("host", "host", r.in.Flags.Host, r.file.Host))
	if r.above != "" {
		in.Above, in.AboveName = r.lookups.dir(r.above), r.show(r.above)
	}
	if t := r.s.Site.Pages; t != nil {
		in.Publish, in.PublishName = r.lookups.dir(t.Dir), r.show(t.Dir)
	}
	h, diags, err := hosting.Load(in)
	if err != nil {
		return // every name was checked
	}
	r.diags = append(r.diags, diags...)
	r.s.Site.Host, r.s.Site.Style = h, h.Style()
	switch {
	case in.Name != hosting.Auto:
	case h.IsKnown():
		r.s.Origins = append(r.s.Origins, Origin{Key: "host", Value: h.Name(), By: "detected", Why: h.Why()})
	default:
		r.origin("host", h.Name(), "default", diag.Pos{}) // nothing points to a host
	}
	r.urls(&r.s.Site.Style)
}

// The words for how URLs are shaped.
var (
	htmlStyles  = map[string]mapping.HTML{"keep": mapping.KeepHTML, "strip": mapping.StripHTML}
	slashStyles = map[string]mapping.Slash{"keep": mapping.KeepSlash, "add": mapping.AddSlash, "remove": mapping.RemoveSlash}
)

// urls overrides the host's style.
func (r *resolver) urls(s *mapping.Style) {
	r.oneOf(r.fromFile("urls.html", r.file.URLs.HTML))
	r.oneOf(r.fromFile("urls.slash", r.file.URLs.Slash))
	r.s.Site.Overrides = site.Overrides{HTML: r.file.URLs.HTML.Said(), Slash: r.file.URLs.Slash.Said()}
	r.urlStyle(s)
}

// urlStyle is urls for words that are checked.
func (r *resolver) urlStyle(s *mapping.Style) {
	if style, ok := htmlStyles[r.file.URLs.HTML.V]; ok {
		s.HTML = style
	}
	if style, ok := slashStyles[r.file.URLs.Slash.V]; ok {
		s.Slash = style
	}
}
