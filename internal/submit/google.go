package submit

import (
	"context"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/console"
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

func (s *Submission) console() *console.Console {
	return console.New(console.Options{
		Getenv: s.o.Input.Getenv, Dir: s.o.Input.Dir, Property: s.Settings.Property, Tell: true,
		Client: s.o.Client, Say: s.o.Say,
	})
}

// tellGoogle tells Search Console of the sitemaps once they are live, and reads what it says
// of them.
func (s *Submission) tellGoogle(ctx context.Context) error {
	if !s.TellsGoogle {
		return nil
	}
	c, until := s.console(), time.Now().Add(s.o.Wait)
	for i := range s.scopes {
		to := &s.scopes[i]
		if err := s.await(ctx, to, until); err != nil {
			return err
		}
		said, err := c.Run(ctx, to.sitemap, to.changed, s.Findings)
		if err != nil {
			return err
		}
		s.Google = append(s.Google, said)
	}
	return nil
}
