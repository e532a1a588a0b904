package hosting

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/robots"
	"github.com/sitewalk/sitewalk/internal/strict"
	"github.com/sitewalk/sitewalk/page"
)

const robotsHeader = "X-Robots-Tag"

// NoIndexRule returns the rule that sends an X-Robots-Tag with noindex for a URL path, which is
// relative to the base URL. If several rules do, it returns the last of them. ok is false if there
// is no such rule.
func (h *Host) NoIndexRule(urlPath string) (a Answer, ok bool) {
	var sent []*rule // the headers that the host sends
	for r := range h.headers.matching(urlPath) {
		inSameTable := func(other *rule) bool { return other.inAlwaysTable == r.inAlwaysTable }
		if r.removesEarlier || r.replacesEarlier || h.sendsLastHeaderOnly {
			sent = slices.DeleteFunc(sent, inSameTable)
		}
		if !r.removesEarlier && !(r.yieldsToEarlier && slices.ContainsFunc(sent, inSameTable)) {
			sent = append(sent, r)
		}
	}
	for _, r := range slices.Backward(sent) {
		if hasNoIndex(r.tag) {
			return Answer{Pos: r.pos, Text: robotsHeader + ": " + r.tag}, true
		}
	}
	return Answer{}, false
}

// SelectsHeadersByFile reports whether the host selects headers by the name of the file that it
// sends. Other hosts select them by the URL.
func (h *Host) SelectsHeadersByFile() bool { return h.platform.name == "apache" }

// hasNoIndex reports whether an X-Robots-Tag value forbids all search engines, or Google, to index
// the page.
func hasNoIndex(value string) bool { return page.ParseRobots(value).NoIndex("googlebot") }

// DisallowRule returns the line of robots.txt that forbids all major search engines to fetch a URL
// path, which is relative to the base URL. ok is false if there is no such line.
func (h *Host) DisallowRule(urlPath string) (a Answer, ok bool) {
	if h.robots == nil {
		return Answer{}, false
	}
	loc, err := cmp.Or(h.base, h.origin).Loc(urlPath)
	if err != nil {
		return Answer{}, false
	}
	return h.DisallowRuleForURL(loc)
}

// DisallowRuleForURL is like DisallowRule for the URL loc, which may have a query. ok is false for
// a URL with another scheme, host or port than the base URL.
func (h *Host) DisallowRuleForURL(loc string) (a Answer, ok bool) {
	path, ok := h.pathInRobots(loc)
	if !ok {
		return Answer{}, false
	}
	line, forbids := h.robots.ForbiddingLine(path)
	if !forbids {
		return Answer{}, false
	}
	return Answer{Pos: diag.Pos{File: h.robotsFile, Line: line.Number}, Text: line.Text}, true
}

// ForbiddenEngines yields the name of each major search engine that robots.txt forbids to fetch the
// URL loc, together with the position of the line. It yields nothing if the rules for all crawlers,
// below "User-agent: *", forbid loc too.
func (h *Host) ForbiddenEngines(loc string) iter.Seq2[string, diag.Pos] {
	return func(yield func(string, diag.Pos) bool) {
		path, ok := h.pathInRobots(loc)
		if !ok {
			return
		}
		for engine, line := range h.robots.ForbiddenEngines(path) {
			if !yield(engine, diag.Pos{File: h.robotsFile, Line: line.Number}) {
				return
			}
		}
	}
}

// pathInRobots returns the path and the query of the URL loc. ok is false if the site has no
// robots.txt, or if loc has another scheme, host or port than the base URL.
func (h *Host) pathInRobots(loc string) (path string, ok bool) {
	origin := h.origin.String() // with a slash at the end
	if h.robots == nil || !strings.HasPrefix(loc, origin) {
		return "", false
	}
	return loc[len(origin)-1:], true
}

// readRobots reads robots.txt, and adds findings for its mistakes. If the base URL has a path,
// readRobots ignores the rules and adds a finding, because crawlers read only the robots.txt at the
// root of a host. Read the Docs is an exception: it serves the robots.txt of the default version at
// the root.
//
// See https://docs.readthedocs.com/platform/stable/reference/robots.html
func (l *loader) readRobots() {
	f, ok := l.openFile(l.Publish, l.PublishName, "robots.txt", robots.MaxBytes)
	if !ok {
		return
	}
	if l.Base.Prefix() != "/" && l.host.platform.name != "readthedocs" {
		l.diags.Notef(f.pos(0), "robots-below-root", "put its rules into the robots.txt at the root of the host",
			"crawlers read robots.txt at the root of a host only, not below %s; it is not obeyed", l.Base)
		return
	}
	rules, mistakes := robots.Parse(f.src)
	l.host.robots, l.host.robotsFile = rules, f.name
	for _, m := range mistakes {
		l.diags.Warnf(f.pos(m.Number), "bad-robots-line", "correct the line, or remove it", "%q is ignored: %s", truncate(m.Text), m.Reason).Subject = m.Text
	}
}

// A robotsTag is the value of X-Robots-Tag in the headers of a rule. In a configuration file,
// headers are a map from name to value, or a list of maps with the keys "key" and "value". If
// X-Robots-Tag occurs several times, the last one counts. If the value is a list, its items are
// joined: "noindex, nofollow".
type robotsTag struct{ strict.Value[string] }

// DecodeNode implements strict.Custom. It decodes n, the headers of a rule, and keeps only
// X-Robots-Tag.
func (r *robotsTag) DecodeNode(d *strict.Decoder, n *yaml.Node) bool {
	set := func(name string, value *yaml.Node) {
		var values []string
		if strings.EqualFold(name, robotsHeader) && d.Decode(value, &values) {
			r.Value = strict.Value[string]{V: strings.Join(values, ", "), Pos: d.Pos(value)}
		}
	}
	if n.Kind != yaml.SequenceNode {
		return d.ForEachEntry(n, set)
	}
	var list []struct {
		Key   string    `yaml:"key"`
		Value yaml.Node `yaml:"value"`
	}
	if !d.Decode(n, &list) {
		return false
	}
	for i := range list {
		set(list[i].Key, &list[i].Value)
	}
	return true
}
