package config

import (
	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/internal/generator"
	"github.com/sitewalk/sitewalk/internal/hosting"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/writer"
)

// choices returns the words that a key of sitemap.yaml takes, of which the first holds
// where nobody chooses; nil when it takes any text.
func choices(key string) []string {
	switch key {
	case "host":
		return hosting.Names()
	case "generator":
		return append(append([]string{auto}, generator.Names()...), noGenerator)
	case "lastmod":
		return append(site.SourceNames(), noSources)
	case "git":
		return []string{"author", "committer"}
	case "previews":
		return []string{"keep", "skip"}
	case "urls.html":
		return []string{"keep", "strip"}
	case "urls.slash":
		return []string{"keep", "add", "remove"}
	case "ledger.new":
		return []string{"today", "none"}
	case "ledger.on_error":
		return []string{"fail", "continue"}
	case "output.formats":
		return writer.Formats()
	case "output.split":
		return writer.Splits
	case "output.gzip":
		return append([]string{"false", "true"}, writer.Compressions...)
	case "findings":
		return diag.LevelNames
	}
	return nil
}

// Choices returns the words that a flag takes, nil when it takes any text, and
// whether it takes several of them with commas between.
func Choices(flag string) (words []string, several bool) {
	switch flag {
	case "host", "generator":
		return choices(flag), false
	case "reason":
		return page.ReasonNames(), true
	case "format":
		return choices("output.formats"), true
	case "lastmod":
		return choices(flag), true
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

const noSources = "none" // of lastmod
