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

// maxAddressFile is how many bytes of a page, sitemap or robots.txt are searched for the
// site's address.
const maxAddressFile = 256 << 10

// suggestBase returns the base URL that the files of a built site agree on, "" without one.
// These are the home page, robots.txt and the site's own sitemap.
func suggestBase(dir string) string {
	suggestion := ""
	for _, address := range []string{homeAddress(dir), robotsAddress(dir), sitemapAddress(dir)} {
		base, err := mapping.ParseBase(address)
		if err != nil || generator.IsPlaceholder(address) || mapping.LocalHost(base.String()) {
			continue
		}
		if suggestion != "" && suggestion != base.String() {
			return ""
		}
		suggestion = base.String()
	}
	return suggestion
}

// homeAddress returns the canonical address or og:url of a folder's home page, or "".
func homeAddress(dir string) string {
	src, err := files.Begin(filepath.Join(dir, "index.html"), maxAddressFile)
	if err != nil {
		return ""
	}
	var facts page.Facts
	page.NewReader(page.Options{}).Bytes(src, &facts)
	if strings.Contains(facts.Canonical, "://") {
		return facts.Canonical
	}
	return facts.OGURL
}

// robotsAddress returns the folder of the sitemap that a folder's robots.txt names, or "".
func robotsAddress(dir string) string {
	src, err := files.Begin(filepath.Join(dir, "robots.txt"), maxAddressFile)
	if err != nil {
		return ""
	}
	for _, line := range robots.SitemapLines(src) {
		return line.Value[:strings.LastIndexByte(line.Value, '/')+1]
	}
	return ""
}

// sitemapAddress returns the shortest address in a folder's sitemap.xml, or "".
func sitemapAddress(dir string) string {
	src, err := files.Begin(filepath.Join(dir, "sitemap.xml"), maxAddressFile)
	if err != nil {
		return ""
	}
	shortest := ""
	for item, err := range sitemap.NewReader(bytes.NewReader(src)).All() {
		if err != nil {
			break
		}
		if shortest == "" || item.Loc != "" && len(item.Loc) < len(shortest) {
			shortest = item.Loc
		}
	}
	return shortest[:strings.LastIndexByte(shortest, '/')+1]
}
