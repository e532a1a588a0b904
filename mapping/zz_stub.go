package mapping

import (
	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/sitemap"
	"iter"
)

type Base struct{ s string }

func ParseBase(s string) (Base, error)                               { return Base{s}, nil }
func (b Base) String() string                                        { return b.s }
func (b Base) Loc(p string) (string, error)                          { return b.s + p[1:], nil }
func (b Base) Resolve(ref, pageLoc, baseHref string) (string, error) { return ref, nil }
func (b Base) Path(loc string) (string, bool)                        { return loc[len(b.s)-1:], true }
func (b Base) SameHost(loc string) bool                              { return true }
func (b Base) OwnScheme(loc string) string                           { return loc }
func LocalHost(loc string) bool                                      { return false }
func HostOf(loc string) string                                       { return "" }
func Spelling(p string) string                                       { return p }

type Style struct{}

func (s Style) URLPath(file string) string { return "/" + file }

type Rule struct {
	Match   string
	Set     sitemap.URL
	Exclude bool
	Pos     diag.Pos
}
type Rules struct{ r []Rule }

func (r *Rules) Len() int                                      { return 0 }
func (r *Rules) At(i int) *Rule                                { return &r.r[i] }
func (r *Rules) Matching(file, p string) iter.Seq2[int, *Rule] { return nil }
