package config

import (
	"github.com/sitewalk/sitewalk/internal/generator"
	"github.com/sitewalk/sitewalk/internal/hosting"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/site"
	"github.com/sitewalk/sitewalk/writer"
)

// Choices returns the words that a flag takes, nil when it takes any text, and
// whether it takes several of them with commas between.
func Choices(flag string) (words []string, several bool) {
	switch flag {
	case "host":
		return hosting.Names(), false
	case "generator":
		return generatorNames(), false
	case "reason":
		return page.ReasonNames(), true
	case "format":
		return writer.Formats(), true
	case "lastmod":
		return append(site.SourceNames(), "none"), true
	case "gzip":
		return writer.Compressions, false
	}
	return nil, false
}

// The words for a generator besides its name.
const (
	auto        = "auto"
	noGenerator = "none" // whose files are read
)

func generatorNames() []string {
	return append(append([]string{auto}, generator.Names()...), noGenerator)
}
