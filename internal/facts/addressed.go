package facts

import (
	"strings"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/page"
)

// addressed takes an absolute address, where front matter is to give a path, for
// what it is: a path when it is one of the site, else the page of another site,
// which has no place in this one.
func (l *contentLearner) addressed(f *page.Facts) {
	base := l.s.Parts[0].Base
	for _, at := range []*string{&f.Permalink, &f.Slug} {
		if !namesHost(*at) {
			continue
		}
		loc, _ := base.Resolve(*at, base.String(), "")
		if urlPath, below := base.Path(base.OwnScheme(loc)); below && at == &f.Permalink {
			*at = urlPath
			continue
		}
		f.Diags.Warnf(diag.Pos{}, "bad-url", "write a path, as in /about/; a rule with url gives a page another address of the site",
			"the front matter gives the page the address %q, which is none below %s; the page is left out", *at, base)
		if f.Skip == page.Listed {
			f.Skip, f.SkipNote = page.InvalidURL, *at
		}
		*at = ""
	}
}

// namesHost reports whether an address is no path: it names its scheme or its
// host.
func namesHost(ref string) bool {
	ref = strings.ToLower(strings.TrimSpace(ref))
	if strings.HasPrefix(ref, "//") || strings.Contains(ref, "://") {
		return true
	}
	switch scheme, _, ok := strings.Cut(ref, ":"); scheme {
	case "javascript", "mailto", "data", "http", "https":
		return ok
	}
	return false
}
