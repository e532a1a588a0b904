package submit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"
)

// sentField is the field that says what was sent.
const sentField = "submitted"

const (
	// pause is how long a URL rests between two messages, which the protocol's
	// questions and answers ask for: https://www.indexnow.org/faq.
	pause = 5 * time.Minute
	// memory is for how long it is remembered that a URL was sent: longer than it takes to
	// repeat a run that failed.
	memory = 30 * 24 * time.Hour
)

// A State remembers what was sent to which engine. A batch is noted before it is sent, so
// that a run that is killed in between sends no URL twice: a batch without a known answer
// is assumed to have arrived. It stands in a file of its own, or in the list of changes.
type State struct {
	batches []batch // of several with one URL the newest counts
	fields  []field // what else its file holds, in this order
}

// A batch is what was sent to one engine at one time.
type batch struct {
	Engine string            `json:"engine"`
	At     time.Time         `json:"at"`
	Open   bool              `json:"open,omitempty"` // the answer is not known
	URLs   map[string]string `json:"urls"`           // and as what each was told
}

// A field is one of a JSON object.
type field struct {
	name string
	raw  json.RawMessage
}

// NewState returns a State that knows of nothing, for a file of its own.
func NewState() *State {
	return &State{[]batch{}, []field{{"version", json.RawMessage(stateVersion)}}}
}

const stateVersion = "1"

// ReadState reads a file of its own; nothing is a State that knows of nothing.
func ReadState(src []byte) (*State, error) {
	s := NewState()
	if len(src) == 0 {
		return s, nil
	}
	var file struct {
		Version   json.RawMessage
		Submitted []batch
	}
	if err := readObject(src, &file); err != nil {
		return nil, err
	}
	switch {
	case file.Version != nil && string(file.Version) != stateVersion:
		return nil, fmt.Errorf("it is of version %.20s, and this sitewalk reads %s", file.Version, stateVersion)
	case file.Submitted == nil:
		return nil, errors.New("it does not say what was sent; name a file that sitewalk submit may write")
	}
	s.batches = file.Submitted
	return s, nil
}

// Document returns the file of the state.
func (s *State) Document() []byte {
	sent, _ := json.MarshalIndent(s.batches, "  ", "  ") // times that were read or are of today, and texts: it never fails
	b := []byte{'{'}
	for _, f := range append(slices.Clip(s.fields), field{sentField, sent}) {
		name, _ := json.Marshal(f.name)
		b = fmt.Appendf(b, "\n  %s: ", name)
		b = append(append(b, f.raw...), ',')
	}
	b[len(b)-1] = '\n'
	return append(b, "}\n"...)
}

// fieldsOf returns the fields of a JSON object, which is known to be one, as they
// stand, but for what was sent.
func fieldsOf(src []byte) (fields []field) {
	d := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(src, bom)))
	_, _ = d.Token() // {
	for d.More() {
		name, _ := d.Token()
		f := field{name: name.(string)}
		if _ = d.Decode(&f.raw); f.name != sentField {
			fields = append(fields, f)
		}
	}
	return fields
}

// latest returns the newest batch to an engine that has each URL.
func (s *State) latest(engine string) map[string]*batch {
	latest := map[string]*batch{}
	for i := range s.batches {
		b := &s.batches[i]
		if b.Engine != engine {
			continue
		}
		for url := range b.URLs {
			if other := latest[url]; other == nil || !b.At.Before(other.At) {
				latest[url] = b
			}
		}
	}
	return latest
}

// note remembers that changes are being sent.
func (s *State) note(engine string, changes []Change, now time.Time) {
	urls := make(map[string]string, len(changes))
	for _, c := range changes {
		urls[c.URL] = c.As
	}
	s.batches = append(s.batches, batch{engine, now.UTC().Truncate(time.Second), true, urls})
}

// takeBack drops the batch that was noted last, which did not arrive.
func (s *State) takeBack() { s.batches = s.batches[:len(s.batches)-1] }

// arrived remembers that the batch that was noted last was received. What earlier ones
// said of its URLs counts no more.
func (s *State) arrived(now time.Time) {
	b := &s.batches[len(s.batches)-1]
	b.At, b.Open = now.UTC().Truncate(time.Second), false
	for _, earlier := range s.batches[:len(s.batches)-1] {
		if earlier.Engine == b.Engine {
			maps.DeleteFunc(earlier.URLs, func(url, _ string) bool {
				_, again := b.URLs[url]
				return again
			})
		}
	}
	s.forget(now)
}

// forget drops what is older than anybody repeats, and batches of which nothing counts.
func (s *State) forget(now time.Time) {
	s.batches = slices.DeleteFunc(s.batches, func(b batch) bool { return now.Sub(b.At) > memory || len(b.URLs) == 0 })
}

// requests are those that are to be made now. What was sent already, or has to
// wait, is counted.
func (s *Submission) requests() (all []request) {
	s.Earlier, s.Open, s.Recent, s.wait = 0, 0, 0, 0
	if s.Skipped != "" {
		return nil
	}
	for _, engine := range s.engines {
		latest := s.state.latest(engine)
		for i := range s.scopes {
			for part := range slices.Chunk(s.due(latest, s.scopes[i].changes), most) {
				all = append(all, request{engine, &s.scopes[i], part})
			}
		}
	}
	return all
}

// due returns the changes that are to be sent now to the engine that has the latest batches.
func (s *Submission) due(latest map[string]*batch, changes []Change) (due []Change) {
	for _, c := range changes {
		b := latest[c.URL]
		if b == nil {
			due = append(due, c)
			continue
		}
		switch age := time.Since(b.At); {
		case b.URLs[c.URL] == c.As:
			s.Earlier++
			if b.Open {
				s.Open++
			}
		case age >= 0 && age < pause:
			s.Recent++
			s.wait = max(s.wait, pause-age)
		default:
			due = append(due, c)
		}
	}
	return due
}
