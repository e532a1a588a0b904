package submit

import (
	"context"
	"time"

	"github.com/sitewalk/sitewalk/diag"
)

// unlisted finds the settings for Search Console alone, where no list says what changed.
// Where these do not ask for it, nothing is left to do.
func (s *Submission) unlisted(ctx context.Context) error {
	before := s.Findings
	s.Findings = &diag.Report{Keep: before.Keep}
	err := s.resolve(ctx, "")
	_, asked := s.o.Input.Flags["google"]
	if !asked && (err != nil || !s.Settings.Google) {
		s.Settings, s.Findings = nil, before
		return nil
	}
	return err
}

func (s *Submission) console() *console {
	return &console{scope: submitScope, GoogleOptions: GoogleOptions{
		Getenv: s.o.Input.Getenv, Dir: s.o.Input.Dir, Property: s.Settings.Property, Client: s.o.Client, Say: s.o.Say,
	}}
}

// submitToGoogle submits the sitemaps to Search Console once they are live, and reads what
// Google knows of them.
func (s *Submission) submitToGoogle(ctx context.Context) error {
	if !s.TellsGoogle {
		return nil
	}
	c, until := s.console(), time.Now().Add(s.o.Wait)
	for i := range s.scopes {
		to := &s.scopes[i]
		if err := s.await(ctx, to, until); err != nil {
			return err
		}
		known, err := c.run(ctx, to.sitemap, to.changed, s.Findings)
		if err != nil {
			return err
		}
		s.Google = append(s.Google, known)
	}
	return nil
}
