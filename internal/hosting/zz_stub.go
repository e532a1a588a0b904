// Package hosting is stubbed.
package hosting

import "github.com/sitewalk/sitewalk/internal/diag"

type Site struct{}
type Verdict struct {
	Pos      diag.Pos
	To, Text string
}

func (s *Site) Name() string                                           { return "" }
func (s *Site) Known() bool                                            { return false }
func (s *Site) Redirect(p string, e func(string) bool) (Verdict, bool) { return Verdict{}, false }
func (s *Site) NoIndex(p string) (Verdict, bool)                       { return Verdict{}, false }
func (s *Site) Disallowed(p string) (Verdict, bool)                    { return Verdict{}, false }
func (s *Site) Serves(p string, e func(string) bool) (string, bool)    { return "", false }
