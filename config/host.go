package config

import (
	"github.com/sitewalk/sitewalk/mapping"
)

// hosts are the names that host takes.
var hosts = []string{"auto", "netlify", "vercel", "cloudflare", "github", "s3", "nginx", "none"}

// host settles how URLs are shaped and what the host's files say.
func (r *resolver) host() {
	name := r.oneOf(r.pick("host", "host", r.in.Flags.Host, r.file.Host), "auto", hosts...)
	_ = name
	switch r.oneOf(r.said("urls.html", r.file.URLs.HTML), "", "keep", "strip") {
	case "keep":
		r.s.Site.Style.HTML = mapping.KeepHTML
	case "strip":
		r.s.Site.Style.HTML = mapping.StripHTML
	}
	switch r.oneOf(r.said("urls.slash", r.file.URLs.Slash), "", "keep", "add", "remove") {
	case "keep":
		r.s.Site.Style.Slash = mapping.KeepSlash
	case "add":
		r.s.Site.Style.Slash = mapping.AddSlash
	case "remove":
		r.s.Site.Style.Slash = mapping.RemoveSlash
	}
}
