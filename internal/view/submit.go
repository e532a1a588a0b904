package view

import (
	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/console"
	"github.com/sitewalk/sitewalk/internal/submit"
	"github.com/sitewalk/sitewalk/internal/terminal"
)

// Submission says what was sent, and what was not.
func Submission(p *terminal.Printer, s *submit.Submission, dry bool) {
	if s.Skipped != "" {
		if !s.TellsGoogle {
			p.Say("nothing is sent: %s", s.Skipped)
			return
		}
		p.Say("nothing is sent by IndexNow: %s", s.Skipped)
	}
	for i := range s.Hosts {
		h := &s.Hosts[i]
		p.Say("%s: %s to submit: %s added, %s changed, %s removed", h.Name, diag.Count(h.URLs(), "URL"), diag.Number(h.Added), diag.Number(h.Changed), diag.Number(h.Removed))
	}
	Answers(p, s)
	for _, ping := range s.Pings {
		if ping.Status/100 == 2 {
			p.Say("%s: %d", ping.URL, ping.Status)
		}
	}
	Google(p, s.Google)
	for _, line := range s.Rest() {
		p.Say("%s", line)
	}
	if dry {
		p.Say("nothing was sent: this is a dry run")
	}
}

// Answers says what the engines received.
func Answers(p *terminal.Printer, s *submit.Submission) {
	for i := range s.Answers {
		if a := &s.Answers[i]; a.OK() {
			p.Say("%s: %s of %s: %d, %s", a.Short(), diag.Count(a.URLs, "URL"), a.Host, a.Status, a.Meaning)
		}
	}
}

// Google says what Search Console was told, and what it says.
func Google(p *terminal.Printer, all []console.Sitemap) {
	for i := range all {
		s := &all[i]
		if s.Told {
			p.Say("Search Console: %s submitted to %s", s.URL, s.Property)
		}
		if text := s.String(); text != "" {
			p.Say("Search Console: %s", text)
		}
	}
}

// A submitDetails is what only submit says in JSON; docs/json.md describes it.
type submitDetails struct {
	DryRun bool `json:"dry_run"`
	submit.Outcome
}

// SubmissionDetails are what a report says of a submission alone, as docs/json.md describes it.
func SubmissionDetails(s *submit.Submission, dryRun bool) any {
	return submitDetails{dryRun, s.Outcome}
}
