package config

import (
	"bytes"
	"strings"

	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/generator"
	"github.com/sitewalk/sitewalk/internal/robots"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// suggestBase returns the base URL that the home page, robots.txt and sitemap.xml of a built
// site agree on, or "".
func suggestBase(dir string) string {
	suggestion := ""
	for _, address := range []string{readHomeAddress(dir), readRobotsAddress(dir), readSitemapAddress(dir)} {
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

// readAddressFile returns the beginning of a file of the site, or nil.
func readAddressFile(dir, name string) []byte {
	src, err := files.Begin(dir, name, maxAddressFile)
	if err != nil {
		return nil
	}
	return src
}

// readHomeAddress returns the canonical address or og:url of a folder's home page, or "".
func readHomeAddress(dir string) string {
	var facts page.Facts
	page.NewReader(page.Options{}).Bytes(readAddressFile(dir, "index.html"), &facts)
	if strings.Contains(facts.Canonical, "://") {
		return facts.Canonical
	}
	return facts.OGURL
}

// readRobotsAddress returns the folder of the sitemap that a folder's robots.txt names, or "".
func readRobotsAddress(dir string) string {
	for _, line := range robots.SitemapLines(readAddressFile(dir, "robots.txt")) {
		return line.Value[:strings.LastIndexByte(line.Value, '/')+1]
	}
	return ""
}

// readSitemapAddress returns the folder of the shortest address in a folder's sitemap.xml, or "".
func readSitemapAddress(dir string) string {
	shortest := ""
	for item, err := range sitemap.NewReader(bytes.NewReader(readAddressFile(dir, "sitemap.xml"))).All() {
		if err != nil {
			break
		}
		if shortest == "" || item.Loc != "" && len(item.Loc) < len(shortest) {
			shortest = item.Loc
		}
	}
	return shortest[:strings.LastIndexByte(shortest, '/')+1]
}
