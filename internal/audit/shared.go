package audit

import (
	"strings"

	"github.com/sitewalk/sitewalk/diag"
)

// maxPlaces is the maximum number of pages that a sharedFinding names: the page of its position,
// and the other pages in its message.
const maxPlaces = 3

// A sharedFinding is a finding about one problem on several pages, such as links to one dead URL.
// addTo sets the position of its Diagnostic, and adds the text about other pages.
type sharedFinding struct {
	diag.Diagnostic
	lastFile string     // file of the last page with the problem
	pages    int        // number of pages with the problem
	places   []diag.Pos // positions to report, in the order of pages
}

// addPlace records that the problem is at pos. All calls for one page must come one after another.
// Unless keepAll is true, addPlace stores only one position in each of the first maxPlaces pages.
func (s *sharedFinding) addPlace(pos diag.Pos, keepAll bool) {
	isNewPage := s.pages == 0 || s.lastFile != pos.File
	if isNewPage {
		s.pages, s.lastFile = s.pages+1, pos.File
	}
	if keepAll || isNewPage && len(s.places) < maxPlaces {
		s.places = append(s.places, pos)
	}
}

// addTo adds s to findings as one finding, at the first of its positions. The message names up to
// maxPlaces-1 other pages.
func (s *sharedFinding) addTo(findings *diag.Report) {
	d := s.Diagnostic
	d.Pos, d.Anywhere = s.places[0], true
	d.Message += s.formatOtherPages()
	if findings.KeepsPlaces() {
		d.Places = s.places[1:]
	}
	findings.Add(d)
}

// formatOtherPages returns text about the pages with the problem, except the first page: "; also on
// a.html:1:2, b.html:3:4 and 5 more pages". It returns "" if there are no other pages.
func (s *sharedFinding) formatOtherPages() string {
	var names []string
	last := s.places[0].File
	for _, p := range s.places {
		if p.File != last && len(names)+1 < maxPlaces {
			names, last = append(names, p.String()), p.File
		}
	}
	if len(names) == 0 {
		return ""
	}
	text := "; also on " + strings.Join(names, ", ")
	if more := s.pages - len(names) - 1; more > 0 {
		text += " and " + diag.Count(more, "more page")
	}
	return text
}

// addShared adds one finding for each problem that several pages share. Each finding in ds is about
// one page. Findings with the same code and the same subject are about one problem.
func addShared(findings *diag.Report, ds []diag.Diagnostic) {
	type problem struct{ code, subject string }
	var order []*sharedFinding
	byProblem := map[problem]*sharedFinding{}
	for _, d := range ds {
		p := problem{d.Code, d.Subject}
		s := byProblem[p]
		if s == nil {
			s = &sharedFinding{Diagnostic: d}
			byProblem[p], order = s, append(order, s)
		}
		s.addPlace(d.Pos, findings.KeepsPlaces())
	}
	for _, s := range order {
		s.addTo(findings)
	}
}
