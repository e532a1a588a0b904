package hosting

import (
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/mapping"
)

// readGitHubDomain reads the file CNAME, which contains the custom domain of a site on GitHub
// Pages. It reports an invalid domain, and a domain other than the host of the base URL. If the
// domain is correct, it sets l.host.hasCustomDomain.
//
// See https://docs.github.com/pages/configuring-a-custom-domain-for-your-github-pages-site
func (l *loader) readGitHubDomain() {
	f, ok := l.openFile(l.Publish, l.PublishName, domainFile, maxDomain)
	if !ok {
		return
	}
	domain := strings.TrimSpace(string(f.src))
	base, err := mapping.ParseBase("https://" + domain)
	pos := diag.Pos{File: f.name, Line: 1}
	switch {
	case err != nil || strings.ContainsAny(domain, "/\n"):
		l.diags.Warnf(pos, "bad-cname", "write one domain and nothing else, such as www.example.com", "%q is not a domain", truncate(domain))
	case l.Base.Host() != "" && base.Host() != l.Base.Host():
		l.diags.Warnf(pos, "cname-mismatch", "let base_url and CNAME name the same domain",
			"the site is published at %s, but the base URL is %s", base.Host(), l.Base)
	default:
		l.host.hasCustomDomain = true
	}
}
