package hosting

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/robots"
	"github.com/sitewalk/sitewalk/internal/strict"
	"github.com/sitewalk/sitewalk/page"
)

const robotsTag = "X-Robots-Tag"

// headers are what a host's rules say of the header X-Robots-Tag, in order.
// Other headers decide nothing.
type headers struct {
	index[header]
	last bool // of several values for one URL the last holds, else all do
}

// A header is one value for the URLs of a pattern.
type header struct {
	pos   diag.Pos
	value string
	unset bool // takes away what earlier rules set

	always bool // Apache's second table of headers, which is sent beside the first
}

// NoIndex returns the rule that serves a URL path below the base with an
// X-Robots-Tag that forbids all agents to index it.
func (s *Site) NoIndex(urlPath string) (Verdict, bool) {
	if len(s.headers.rules) == 0 {
		return Verdict{}, false
	}
	var decides *header
	var tables [2][]string
	for match := range s.headers.matching(urlPath) {
		rule := &match.rule
		values := &tables[0]
		if rule.always {
			values = &tables[1]
		}
		if rule.unset || s.headers.last {
			*values = nil
		}
		if rule.unset {
			continue
		}
		*values = append(*values, rule.value)
		if decides == nil || s.headers.last || noIndex(rule.value) {
			decides = rule
		}
	}
	if !noIndex(strings.Join(tables[0], ", ")) && !noIndex(strings.Join(tables[1], ", ")) {
		return Verdict{}, false
	}
	return Verdict{Pos: decides.pos, Text: robotsTag + ": " + decides.value}, true
}

func noIndex(value string) bool { return page.ParseRobots(value).NoIndex() }

// Disallowed returns the line of robots.txt that forbids all major search engines a URL
// path below the base.
func (s *Site) Disallowed(urlPath string) (Verdict, bool) {
	if s.robots == nil {
		return Verdict{}, false
	}
	loc, err := cmp.Or(s.base, s.origin).Loc(urlPath)
	if err != nil {
		return Verdict{}, false
	}
	line, forbids := s.robots.Forbids(loc[len(s.origin.String())-1:])
	if !forbids {
		return Verdict{}, false
	}
	return Verdict{Pos: diag.Pos{File: s.robotsFile, Line: line.Number}, Text: line.Text}, true
}

// robotsTxt reads robots.txt. It is only looked for at the root of a host, so
// the file of a site below a path says nothing, but on Read the Docs, which serves that of
// the default version there: https://docs.readthedocs.com/platform/stable/reference/robots.html
func (l *loader) robotsTxt() {
	f, ok := l.open(l.Publish, l.PublishName, "robots.txt", robots.Max)
	if !ok {
		return
	}
	if l.Base.Prefix() != "/" && l.site.host.name != "readthedocs" {
		l.diags.Notef(f.pos(0), "robots-below-root", "put its rules into the robots.txt at the root of the host",
			"crawlers read robots.txt at the root of a host only, not below %s; it is not obeyed", l.Base)
		return
	}
	rules, mistakes := robots.Parse(f.src)
	l.site.robots, l.site.robotsFile = rules, f.name
	if line, engine, ok := rules.ForbiddenEngine("/"); ok {
		l.diags.Notef(f.pos(line.Number), "robots-engine", "remove the line if "+engine+" may list the site",
			"%q keeps %s from the site; pages that other search engines may fetch are listed", line.Text, engine)
	}
	for _, m := range mistakes {
		l.diags.Warnf(f.pos(m.Number), "bad-robots-line", "correct the line, or remove it", "%q is ignored: %s", clip(m.Text), m.Why).Subject = m.Text
	}
}

// addBlock adds the headers of one path's block. Values of one name are sent
// as one, in the order of their lines.
func (h *headers) addBlock(p pattern, rules []header) {
	if len(rules) == 0 {
		return
	}
	sum := rules[0]
	if i := slices.IndexFunc(rules, func(rule header) bool { return noIndex(rule.value) }); i >= 0 {
		sum.pos = rules[i].pos
	}
	values := make([]string, len(rules))
	for i, rule := range rules {
		values[i] = rule.value
	}
	sum.value = strings.Join(values, ", ")
	h.add(p, sum)
}

// A keyedHeader is a header as the JSON files of several hosts have it.
type keyedHeader struct {
	Key   string               `yaml:"key"`
	Value strict.Value[string] `yaml:"value"`
}

// lastTag returns the last X-Robots-Tag of a list, which replaces all earlier ones.
func lastTag(list []keyedHeader) (tag header, ok bool) {
	for _, h := range list {
		if strings.EqualFold(h.Key, robotsTag) {
			tag, ok = header{pos: h.Value.Pos, value: h.Value.V}, true
		}
	}
	return tag, ok
}

// robotsTag adds the last X-Robots-Tag of a list for what is compiled of a path.
func (l *loader) robotsTag(f file, list []keyedHeader, path strict.Value[string], compile func(string) (pattern, error)) {
	tag, ok := lastTag(list)
	if !ok {
		return
	}
	p, err := compile(path.V)
	if err != nil {
		l.badRule(place(f, path.Pos), path.V, err)
		return
	}
	tag.pos = place(f, tag.pos)
	l.site.headers.add(p, tag)
}

// byName returns the header of a name, however it is written: the last of several, as
// @netlify/headers-parser reads them.
func byName[V any](all map[string]strict.Value[V], name string) (last strict.Value[V], ok bool) {
	for key, v := range all {
		if strings.EqualFold(key, name) && v.Pos.Line >= last.Pos.Line {
			last, ok = v, true
		}
	}
	return last, ok
}

// A block is a path of a _headers file and what stands below it.
type block struct {
	line    string // that opens it
	pattern pattern
	ours    bool    // the path is understood and of this host
	unset   *header // what takes away headers of earlier blocks
	rules   []header
}

// add reads a header below the path, "Name: value"; a nil block is that before the
// first path.
func (b *block) add(pos diag.Pos, line string) error {
	name, value, ok := strings.Cut(line, ":")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	switch {
	case !ok:
		return errors.New("it is neither a path nor a header; write \"Name: value\"")
	case name == "":
		return errors.New("it has no header name")
	case value == "":
		return errors.New("it has no header value")
	case b == nil:
		return errors.New("no path stands before it")
	case strings.EqualFold(name, robotsTag):
		b.rules = append(b.rules, header{pos: pos, value: value})
	}
	return nil
}

func (h *headers) addBlocks(all []*block) {
	for _, b := range all {
		if !b.ours {
			continue
		}
		if b.unset != nil {
			h.add(b.pattern, *b.unset)
		}
		h.addBlock(b.pattern, b.rules)
	}
}

// netlifyBlocks reads blocks of a path and indented headers.
// https://docs.netlify.com/manage/routing/headers/
func (l *loader) netlifyBlocks(f file) (all []*block) {
	var b *block
	for pos, line := range l.rules(f) {
		var err error
		if line[0] == '/' {
			b = new(block)
			b.pattern, err = netlifyPattern(line)
			b.ours, all = err == nil, append(all, b)
		} else {
			err = b.add(pos, line)
		}
		if err != nil {
			l.badRule(pos, line, err)
		}
	}
	return all
}

// netlifyValues takes a [[headers]] table of netlify.toml.
func (l *loader) netlifyValues(f file, c *netlifyHeaders) {
	if tag, ok := byName(c.Values, robotsTag); ok {
		value := strict.Value[string]{V: strings.Join(tag.V, ", "), Pos: tag.Pos}
		l.robotsTag(f, []keyedHeader{{robotsTag, value}}, c.For, netlifyFor)
	}
}

// netlifyFor compiles the path of such a table.
func netlifyFor(path string) (pattern, error) {
	path = strings.TrimSpace(path)
	if !strings.HasPrefix(path, "/") {
		return pattern{}, errors.New("\"for\" must be a path that begins with a slash")
	}
	return netlifyPattern(path)
}
