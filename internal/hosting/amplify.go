package hosting

import (
	"path"
	"regexp"
	"strings"

	"github.com/sitewalk/sitewalk/internal/strict"
)

// amplifyConfig is what customHttp.yml says of headers. Redirects are no file:
// they are kept with the app.
// https://docs.aws.amazon.com/amplify/latest/userguide/setting-custom-headers.html
type amplifyConfig struct {
	Headers []struct {
		Pattern strict.Value[string] `yaml:"pattern"`
		Headers []keyedHeader        `yaml:"headers"`
	} `yaml:"customHeaders"`
}

// readAmplify reads customHttp.yml of the project's root.
func (l *loader) readAmplify() {
	l.site.headers.last = true
	var c amplifyConfig
	f := l.read(&c, "customHttp.yml", "customHttp.yaml")
	for _, block := range firstRules(l, f, c.Headers, maxRules) {
		l.robotsTag(f, block.Headers, block.Pattern, amplifyPattern)
	}
}

// amplifyPattern compiles a glob in which ** crosses slashes and * does not.
func amplifyPattern(glob string) (pattern, error) {
	if !strings.HasPrefix(glob, "/") && glob != "" {
		glob = path.Join("/", glob)
	}
	expr := strings.NewReplacer(`/\*\*/`, "/(?:.*/)?", `\*\*`, ".*", `\*`, "[^/]*").Replace(regexp.QuoteMeta(glob))
	return compile("^(?s:"+expr+")$", nil)
}
