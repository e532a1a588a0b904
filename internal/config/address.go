package config

import (
	"bytes"
	"path/filepath"
	"strings"

	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/generator"
	"github.com/sitewalk/sitewalk/internal/robots"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// suggestBaseURL returns the base URL that the home page, robots.txt and sitemap.xml of the built
// site in dir agree on. A file without a URL does not count, nor does a local host or a placeholder
// such as https://example.com/. It returns the zero Base if the files name different URLs, or if no
// file names a URL.
func suggestBaseURL(dir string) (suggestion mapping.Base) {
	for _, address := range []string{readBaseFromHomePage(dir), readBaseFromRobots(dir), readBaseFromSitemap(dir)} {
		base, err := mapping.ParseBase(address)
		if err != nil || generator.IsPlaceholder(address) || mapping.IsLocalHost(base.String()) {
			continue
		}
		if suggestion != (mapping.Base{}) && suggestion != base {
			return mapping.Base{}
		}
		suggestion = base
	}
	return suggestion
}

// withGeneratorPath returns base with the path in the generator's configuration:
// https://user.github.io/project/ for https://user.github.io/. It returns base unchanged if base
// has this path already, or if the site seems to be built without the path: the publish directory
// contains a folder of this name, or isBuiltWithoutPath returns true.
func (r *resolver) withGeneratorPath(base mapping.Base) mapping.Base {
	urlPath := r.project.BasePath
	if own, err := mapping.ParseBase(r.project.BaseURL); urlPath == "" && err == nil && own.Host() == base.Host() {
		urlPath = own.Prefix()
	}
	fit, err := mapping.ParseBase(base.Origin() + "/" + strings.TrimPrefix(urlPath, "/"))
	if pages := r.settings.Site.Pages; err != nil || pages == nil || strings.HasPrefix(base.Prefix(), fit.Prefix()) ||
		r.isFolder(filepath.Join(pages.Dir, filepath.FromSlash(fit.Prefix()))) || r.isBuiltWithoutPath(fit) {
		return base
	}
	return fit
}

// isBuiltWithoutPath reports whether the home page has links to the host of base, such as
// "/about/", but no link to a URL below base. It ignores relative links such as "about/".
func (r *resolver) isBuiltWithoutPath(base mapping.Base) bool {
	dir := r.settings.Site.Pages.Dir
	r.find.record(filepath.Join(dir, "index.html"))
	fromRoot, below := false, false
	new(page.Refs).Find(readFileHead(dir, "index.html"), func(ref page.Ref) {
		link := strings.TrimPrefix(string(ref.Value), base.Origin())
		below = below || strings.HasPrefix(link+"/", base.Prefix())
		fromRoot = fromRoot || strings.HasPrefix(link, "/") && !strings.HasPrefix(link, "//")
	})
	return fromRoot && !below
}

// readFileHead returns the first maxFileHead bytes of the file called name in dir. It returns nil
// if the file cannot be read.
func readFileHead(dir, name string) []byte {
	src, err := files.ReadHead(dir, name, maxFileHead)
	if err != nil {
		return nil
	}
	return src
}

// readBaseFromHomePage returns the canonical URL in dir's index.html without a final "index.html",
// as the probable base URL. If there is no absolute canonical URL, it uses the og:url. It returns
// "" if there is neither.
func readBaseFromHomePage(dir string) string {
	var facts page.Facts
	page.NewReader(page.Options{}).ReadBytes(readFileHead(dir, "index.html"), &facts)
	address := facts.OGURL
	if strings.Contains(facts.Canonical, "://") {
		address = facts.Canonical
	}
	return strings.TrimSuffix(address, "index.html")
}

// readBaseFromRobots returns the first sitemap URL in dir's robots.txt without its file name, as
// the probable base URL: "https://example.com/" for "https://example.com/sitemap.xml". It returns
// "" if robots.txt has no sitemap URL.
func readBaseFromRobots(dir string) string {
	for _, line := range robots.SitemapLines(readFileHead(dir, "robots.txt")) {
		return line.Value[:strings.LastIndexByte(line.Value, '/')+1]
	}
	return ""
}

// readBaseFromSitemap returns the shortest URL in dir's sitemap.xml without the part after its last
// slash, as the probable base URL: "https://example.com/" for "https://example.com/about". It
// returns "" if sitemap.xml has no URL or does not exist.
func readBaseFromSitemap(dir string) string {
	shortest := ""
	for item, err := range sitemap.NewReader(bytes.NewReader(readFileHead(dir, "sitemap.xml"))).All() {
		if err != nil {
			break
		}
		if shortest == "" || item.Loc != "" && len(item.Loc) < len(shortest) {
			shortest = item.Loc
		}
	}
	return shortest[:strings.LastIndexByte(shortest, '/')+1]
}
