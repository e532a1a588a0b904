package cli

import (
	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/submit"
)

// printSubmission says what was sent, and what was not.
func printSubmission(p *Printer, s *submit.Submission, dry bool) {
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
	printAnswers(p, s)
	printGoogle(p, s.Google)
	for _, line := range s.Rest() {
		p.Say("%s", line)
	}
	if dry {
		p.Say("nothing was sent: this is a dry run")
	}
}

// printAnswers says what the engines received.
func printAnswers(p *Printer, s *submit.Submission) {
	for i := range s.Answers {
		if a := &s.Answers[i]; a.OK() {
			p.Say("%s: %s of %s: %d, %s", a.EngineHost(), diag.Count(a.URLs, "URL"), a.Host, a.Status, a.Meaning)
		}
	}
}

// printGoogle says what Search Console was told, and what it says.
func printGoogle(p *Printer, all []submit.GoogleSitemap) {
	for i := range all {
		s := &all[i]
		if s.Submitted {
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

// newSubmissionDetails are what a report says of a submission alone, as docs/json.md describes it.
func newSubmissionDetails(s *submit.Submission, dryRun bool) any {
	return submitDetails{dryRun, s.Outcome}
}
