package config

import (
	"github.com/sitewalk/sitewalk/internal/hosting"
	"github.com/sitewalk/sitewalk/site"
	"github.com/sitewalk/sitewalk/writer"
)

// Choices returns the words that a flag takes, nil when any text will do, and
// whether it takes several with commas.
func Choices(flag string) (words []string, several bool) {
	switch flag {
	case "host":
		return hosting.Names(), false
	case "format":
		return writer.Formats(), true
	case "lastmod":
		return append(site.SourceNames(), "none"), true
	case "gzip":
		return writer.Compressions, false
	}
	return nil, false
}
