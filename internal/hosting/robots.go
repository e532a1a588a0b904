package hosting

import (
	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/internal/robots"
)

// Disallowed returns the line of robots.txt that forbids all agents a URL path
// below the base.
func (s *Site) Disallowed(urlPath string) (Verdict, bool) {
	if s == nil || s.robots == nil {
		return Verdict{}, false
	}
	loc, err := s.origin.Loc(urlPath)
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
// the file of a site below a path says nothing.
func (l *loader) robotsTxt() {
	f, ok := l.open(l.Publish, l.PublishName, "robots.txt", robots.Max)
	if !ok {
		return
	}
	if l.Base.Prefix() != "/" {
		l.diags.Notef(f.pos(0), "robots-below-root", "put its rules into the robots.txt at the root of the host",
			"crawlers read robots.txt at the root of a host only, not below %s; it is not obeyed", l.Base)
		return
	}
	rules, mistakes := robots.Parse(f.src)
	l.site.robots, l.site.robotsFile = rules, f.name
	for _, m := range mistakes {
		l.diags.Warnf(f.pos(m.Number), "bad-robots-line", "correct the line, or remove it", "%q is ignored: %s", clip(m.Text), m.Why).Subject = m.Text
	}
}
