package hosting

import (
	"strings"

	"github.com/temoto/robotstxt"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/mapping"
)

// maxRobots is how much of a robots.txt Google reads: 500 kibibytes.
const maxRobots = 500 << 10

// A robotsRule is one Allow or Disallow line. What it matches is for
// temoto/robotstxt to say, which is asked for each rule alone, since among
// several it chooses otherwise than Google and RFC 9309 do: it counts a
// wildcard's length by its regular expression and gives a tie to the first
// rule and not to Allow. Around its answer for one pattern this is mended:
//   - its expressions are not anchored, so what stands before the first
//     wildcard is compared first, and a pattern whose only mark is the $ at its
//     end is compared as a whole;
//   - it takes "*" alone for nothing;
//   - it puts a slash before a pattern that has none and so matches no path;
//   - it does not normalize percent-encodings;
//   - it refuses a whole file for one bad line, and cannot name lines, so
//     lines and groups are read here;
//   - a pattern is only tried where its pieces stand in the path, in order, so
//     that no pattern costs more than the path is long.
type robotsRule struct {
	allow   bool
	pattern string   // normalized
	pieces  []string // of the pattern, between its wildcards and without a $ at the end
	whole   bool     // the pattern is one piece and a $
	least   int      // how many characters a match has at least
	group   *robotstxt.Group
	verdict Verdict
}

// Disallowed returns the line of robots.txt that forbids all agents a URL path
// below the base: of all lines that match the longest pattern decides, and
// Allow where two are equally long, RFC 9309 section 2.2.2.
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

func (r *robotsRule) match(path string) bool {
	switch {
	case !r.mayMatch(path):
		return false
	case r.whole:
		return path == r.pieces[0]
	}
	return !r.group.Test(path)
}

var escapedPath = strings.NewReplacer("*", "%2A", "$", "%24")

// robotsPath normalizes a path so that a * or $ in it is not taken for a mark.
func robotsPath(path string) string {
	return escapedPath.Replace(mapping.CleanPath(path))
}

// newRobotsRule normalizes a pattern and prepares its match; ok is false for
// one that matches nothing.
func newRobotsRule(pattern string, allow bool) (r robotsRule, ok bool) {
	if pattern == "" || pattern[0] != '/' && pattern[0] != '*' {
		return r, false
	}
	pattern, end := strings.CutSuffix(pattern, "$")
	pieces := strings.Split(pattern, "*")
	for i, p := range pieces {
		pieces[i] = robotsPath(p)
		r.least += len(pieces[i])
	}
	r.allow, r.pieces, r.whole = allow, pieces, end && len(pieces) == 1
	r.pattern = strings.Join(pieces, "*")
	for strings.Contains(r.pattern, "**") {
		r.pattern = strings.ReplaceAll(r.pattern, "**", "*")
	}
	test := r.pattern
	if end {
		r.pattern += "$"
		test = r.pattern
	}
	if test == "*" || test == "*$" {
		test = "/"
	}
	data, err := robotstxt.FromString("User-agent: *\nDisallow: " + test + "\n")
	if err != nil {
		return r, false
	}
	r.group = data.FindGroup("*")
	return r, true
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
	for line := range lines(string(f.src)) {
		r.n++
		r.line(line)
	}
	l.site.robots.arrange()
}

// lines splits at every line break that robots.txt may have.
func lines(s string) func(yield func(string) bool) {
	return strings.SplitSeq(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s), "\n")
}

// A robotsReader is a robots.txt under way.
type robotsReader struct {
	*loader
	file   file
	n      int
	agents bool // the last line that counts named an agent
	named  bool // an agent was named at all
	all    bool // the group is for all agents
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
		r.agents, r.named = true, true
		r.all = r.all || value == "*" || strings.HasPrefix(value, "* ") || strings.HasPrefix(value, "*\t")
	case "allow", "disallow":
		r.agents = false
		if !r.named {
			r.bad(text, "it stands before the first User-agent")
			return
		}
		if r.all && value != "" {
			r.rule(text, value, kind == "allow")
		}
	}
}

func (r *robotsReader) rule(text, value string, allow bool) {
	rule, ok := newRobotsRule(value, allow)
	if !ok {
		r.bad(text, "the path must begin with / or *")
		return
	}
	rule.verdict = Verdict{Pos: r.file.pos(r.n), Text: text}
	rules := &r.site.robots.rules
	*rules = append(*rules, rule)
	if i := strings.LastIndexByte(value, '/'); allow && i >= 0 && strings.HasPrefix(value[i+1:], "index.htm") {
		r.rule(text, value[:i+1]+"$", allow) // Google: a folder's index file is the folder
	}
}

func (r *robotsReader) bad(text, why string) {
	r.diags.Warnf(diag.Pos{File: r.file.name, Line: r.n}, "bad-robots-line", "correct the line, or remove it",
		"%q is ignored: %s", shortened(text), why).Subject = text
}
