package config

import (
	"path/filepath"
	"strings"

	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/generator"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
)

// suggestBase returns the base URL that the home page of a built site names, or "".
func suggestBase(dir string) string {
	address := readHomeAddress(dir)
	base, err := mapping.ParseBase(address)
	if err != nil || generator.IsPlaceholder(address) || mapping.LocalHost(base.String()) {
		return ""
	}
	return base.String()
}

// readHomeAddress returns the canonical address or og:url of a folder's home page, or "".
func readHomeAddress(dir string) string {
	src, err := files.Begin(filepath.Join(dir, "index.html"), maxHomePage)
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
