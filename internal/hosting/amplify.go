package hosting

import (
	"strings"

	"github.com/sitewalk/sitewalk/internal/strict"
)

// readAmplify reads the headers in customHttp.yml, in the root of the project. Amplify keeps
// redirects in the settings of the app, so no file has them.
// See https://docs.aws.amazon.com/amplify/latest/userguide/setting-custom-headers.html
func (l *loader) readAmplify() {
	l.site.lastHeader = true
	var c struct {
		Headers []struct {
			Pattern strict.Value[string] `yaml:"pattern"`
			Headers robotsTag            `yaml:"headers"`
		} `yaml:"customHeaders"`
	}
	f := l.decodeFirst(&c, "customHttp.yml", "customHttp.yaml")
	for _, h := range c.Headers {
		p, err := amplifyPath.compile("/" + strings.TrimPrefix(h.Pattern.V, "/"))
		l.addHeaderRule(f, h.Headers, h.Pattern, p, err)
	}
}
