package hosting

import (
	"strings"

	"github.com/sitewalk/sitewalk/internal/strict"
)

// readAmplify reads the X-Robots-Tag headers in customHttp.yml or customHttp.yaml. It reads no
// redirects, because Amplify stores them in the settings of the app and not in a file.
// See https://docs.aws.amazon.com/amplify/latest/userguide/setting-custom-headers.html
func (l *loader) readAmplify() {
	l.host.sendsLastHeaderOnly = true
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
