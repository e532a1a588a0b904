package submit

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/console"
)

// A pending sitemap is one that Search Console is asked of.
type pending struct {
	scope
	changed bool // what it lists, or that is not known
}

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

// TellsGoogle reports whether there is a sitemap of which Search Console is told, or would
// be.
func (s *Submission) TellsGoogle() bool { return len(s.pending) > 0 }

// planGoogle decides of which sitemaps Search Console is told: nil is no list of changes.
func (s *Submission) planGoogle(l *List) {
	if !s.Settings.Google || s.hidden {
		return
	}
	for _, to := range scopesOf(s.Settings) {
		changed := l == nil || slices.ContainsFunc(s.scopes, func(other scope) bool { return other.base == to.base })
		s.pending = append(s.pending, pending{to, changed})
	}
}

func (s *Submission) console() *console.Console {
	return console.New(console.Options{
		Getenv: s.o.Input.Getenv, Dir: s.o.Input.Dir, Property: s.Settings.Property, Tell: true,
		Client: s.o.Client, Say: s.o.Say,
	})
}

// tellGoogle tells Search Console of the sitemaps once they are live, but for those that
// were waited for already, and reads what it says of them.
func (s *Submission) tellGoogle(ctx context.Context, live []scope) error {
	c, until := s.console(), time.Now().Add(s.o.Wait)
	for i := range s.pending {
		p := &s.pending[i]
		if !slices.ContainsFunc(live, func(to scope) bool { return to.base == p.base }) {
			if err := s.await(ctx, &p.scope, until); err != nil {
				return err
			}
		}
		said, err := c.Run(ctx, p.sitemap, p.changed, s.Findings)
		if err != nil {
			return err
		}
		s.Google = append(s.Google, said)
	}
	return nil
}

// showGoogle prints the requests that would tell Search Console.
func (s *Submission) showGoogle() error {
	c := s.console()
	for i := range s.pending {
		if _, err := fmt.Fprintf(s.o.Print, "%s\n\n", c.Plan(s.pending[i].sitemap)); err != nil {
			return err
		}
	}
	return nil
}
