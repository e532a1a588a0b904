package hosting

import (
	"strings"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/mapping"
)

// maxRobots is how much of a robots.txt Google reads: 500 kibibytes.
const maxRobots = 500 << 10

// Disallowed returns the line of robots.txt that forbids all agents a URL path
// below the base.
func (s *Site) Disallowed(urlPath string) (Verdict, bool) {
	if s == nil || len(s.robots.rules) == 0 {
		return Verdict{}, false
	}
	loc, err := s.origin.Loc(urlPath)
	if err != nil {
		return Verdict{}, false
	}
	best := s.robots.decides(robotsPath(loc[len(s.origin.String())-1:]))
	if best == nil || best.allow {
		return Verdict{}, false
	}
	return best.verdict, true
}

var escapedPath = strings.NewReplacer("*", "%2A", "$", "%24")

// robotsPath normalizes a path so that a * or $ in it is not taken for a mark.
func robotsPath(path string) string {
	return escapedPath.Replace(mapping.CleanPath(path))
}

// robotsPattern normalizes a pattern as paths are, but for its marks. It is
// false for one that stands for no path.
func robotsPattern(pattern string) (normalized string, ok bool) {
	if pattern == "" || pattern[0] != '/' && pattern[0] != '*' {
		return "", false
	}
	pattern, end := strings.CutSuffix(pattern, "$")
	pieces := strings.Split(pattern, "*")
	for i, p := range pieces {
		pieces[i] = robotsPath(p)
	}
	normalized = strings.Join(pieces, "*")
	if end {
		normalized += "$"
	}
	return normalized, true
}

// robotsTxt reads robots.txt. It is only looked for at the root of a host, so
// the file of a site below a path says nothing.
func (l *loader) robotsTxt() {
	f, ok := l.open(l.Publish, l.PublishName, "robots.txt", maxRobots)
	if !ok {
		return
	}
	if l.Base.Prefix() != "/" {
		l.diags.Notef(f.pos(0), "robots-below-root", "put its rules into the robots.txt at the root of the host",
			"crawlers read robots.txt at the root of a host only, not below %s; it is not obeyed", l.Base)
		return
	}
	r := robotsReader{loader: l, file: f}
	for line := range strings.SplitSeq(robotsBreaks.Replace(string(f.src)), "\n") {
		r.n++
		r.line(line)
	}
}

// robotsBreaks are the line breaks that robots.txt may have besides \n.
var robotsBreaks = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// A robotsReader is a robots.txt under way.
type robotsReader struct {
	*loader
	file     file
	n        int
	agents   bool // the last line that counts named an agent
	hasAgent bool // an agent was named at all
	all      bool // the group is for all agents
}

// The spellings that Google's parser takes.
var robotsKeys = map[string]string{
	"user-agent": "agent", "useragent": "agent", "user agent": "agent",
	"allow":    "allow",
	"disallow": "disallow", "dissallow": "disallow", "dissalow": "disallow",
	"disalow": "disallow", "diasllow": "disallow", "disallaw": "disallow",
}

// line reads "key: value" with a comment. Lines that are not understood are
// skipped, as all crawlers do.
func (r *robotsReader) line(line string) {
	text, _, _ := strings.Cut(line, "#")
	text = strings.TrimSpace(text)
	key, value, ok := strings.Cut(text, ":")
	if words := strings.Fields(text); !ok && len(words) == 2 {
		key, value = words[0], words[1]
	}
	value = strings.TrimSpace(value)
	switch kind := robotsKeys[strings.ToLower(strings.TrimSpace(key))]; kind {
	case "agent":
		if !r.agents {
			r.all = false
		}
		r.agents, r.hasAgent = true, true
		r.all = r.all || value == "*" || strings.HasPrefix(value, "* ") || strings.HasPrefix(value, "*\t")
	case "allow", "disallow":
		r.agents = false
		if !r.hasAgent {
			r.bad(text, "it stands before the first User-agent")
			return
		}
		if r.all && value != "" {
			r.rule(text, value, kind == "allow")
		}
	}
}

func (r *robotsReader) rule(text, value string, allow bool) {
	pattern, ok := robotsPattern(value)
	if !ok {
		r.bad(text, "the path must begin with / or *")
		return
	}
	if strings.Contains(value, "?") {
		return // it is about queries, which pages do not have
	}
	r.site.robots.add(pattern, robotsRule{allow: allow, verdict: Verdict{Pos: r.file.pos(r.n), Text: text}})
	if i := strings.LastIndexByte(value, '/'); allow && i >= 0 && strings.HasPrefix(value[i+1:], "index.htm") {
		r.rule(text, value[:i+1]+"$", allow) // Google: a folder's index file is the folder
	}
}

func (r *robotsReader) bad(text, why string) {
	r.diags.Warnf(diag.Pos{File: r.file.name, Line: r.n}, "bad-robots-line", "correct the line, or remove it",
		"%q is ignored: %s", clip(text), why).Subject = text
}
