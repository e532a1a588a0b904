package submit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/sitewalk/sitewalk/internal/audit"
	"github.com/sitewalk/sitewalk/internal/report"
)

// The kinds of changes that search engines are told of.
const (
	Added   = "added"
	Changed = "changed"
	Removed = "removed"
)

// kinds says as what a class of diff is submitted. Hidden pages are not submitted: they are
// still served, and if they were hidden by mistake, a search engine should not see that soon.
// A date alone is no change.
var kinds = map[string]string{
	audit.Added: Added, audit.Changed: Changed,
	audit.Lost: Removed, audit.Gone: Removed, audit.Moved: Removed, audit.BadlyMoved: Removed,
}

// A Change is one URL that search engines are to be told of.
type Change struct {
	URL  string
	Kind string // Added, Changed, Removed
	Date string // that the new list gives it; "" is none
	As   string // tells this change of the URL from any other one
}

// A List is what one diff found.
type List struct {
	Base    string // of the site
	Changes []Change
	Hidden  int // that are not told
	URLs    int // of the new list
	State   *State
}

// ReadList reads the list of changes that "diff --report json=FILE" wrote, with
// what of it was sent.
func ReadList(src []byte) (*List, error) {
	l := &List{State: NewState()}
	var head struct {
		Version int
		Command string
		Error   string
		Base    string `json:"base_url"`
		Changes *struct {
			Is   int
			List []diffChange
		}
		Submitted []batch
	}
	if err := readObject(src, &head); err != nil {
		return nil, err
	}
	if head.Submitted != nil {
		l.State.batches = head.Submitted
	}
	switch {
	case head.Command != "diff":
		return nil, errors.New("it is not a list of changes; write one with: sitewalk diff OLD --report json=changes.json")
	case head.Version != report.Version:
		return nil, fmt.Errorf("it is of version %d, and this sitewalk reads %d", head.Version, report.Version)
	case head.Error != "":
		return nil, fmt.Errorf("the diff that wrote it failed: %s", head.Error)
	case head.Changes == nil:
		return nil, errors.New("it has no changes")
	}
	l.Base, l.URLs, l.State.fields = head.Base, head.Changes.Is, fieldsOf(src)
	for _, c := range head.Changes.List {
		l.take(c)
	}
	return l, nil
}

// A diffChange is what diff found of one URL; see report.Change.
type diffChange struct {
	Class, URL, Is, Content string
	Served                  bool
}

// take adds what is to be told of what was found. A page that is now listed at another of its
// addresses is added there; the old one serves what it did, so that it is neither removed nor changed.
func (l *List) take(c diffChange) {
	kind := kinds[c.Class]
	switch {
	case c.Class == audit.Hidden:
		l.Hidden++
	case c.Class == audit.Moved && c.Served:
	case kind != "" && c.URL != "":
		as := strings.Join(strings.Fields(kind+" "+c.Is+" "+c.Content), " ")
		l.Changes = append(l.Changes, Change{URL: c.URL, Kind: kind, Date: c.Is, As: as})
	}
}

var bom = []byte("\ufeff")

// readObject decodes a JSON object.
func readObject(src []byte, v any) error {
	src = bytes.TrimPrefix(src, bom)
	err := json.Unmarshal(src, v)
	if syntax := (*json.SyntaxError)(nil); !errors.As(err, &syntax) && bytes.TrimSpace(src)[0] != '{' {
		return errors.New("it is no JSON object")
	}
	return atLine(src, err)
}

// atLine names the line of a mistake in a document.
func atLine(src []byte, err error) error {
	var syntax *json.SyntaxError
	var typed *json.UnmarshalTypeError
	at := int64(-1)
	switch {
	case errors.As(err, &syntax):
		at = syntax.Offset
	case errors.As(err, &typed):
		at = typed.Offset
	}
	if at < 0 || at > int64(len(src)) {
		return err
	}
	return fmt.Errorf("line %d: %w", 1+bytes.Count(src[:at], []byte("\n")), err)
}
