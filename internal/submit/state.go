package submit

import (
	"bytes"
	"cmp"
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
	sent   map[string]map[string]message // by engine and URL
	fields []field                       // what else its file holds, in this order
}

// A field is one of a JSON object.
type field struct {
	name string
	raw  json.RawMessage
}

// A message is the last that an engine was sent of a URL.
type message struct {
	as   string
	at   time.Time
	open bool // the answer is not known
}

// NewState returns a State that knows of nothing, for a file of its own.
func NewState() *State {
	return &State{map[string]map[string]message{}, []field{{"version", json.RawMessage(stateVersion)}}}
}

// A batch is how messages stand in a file: those to one engine at one time.
type batch struct {
	Engine string            `json:"engine"`
	At     time.Time         `json:"at"`
	Open   bool              `json:"open,omitempty"`
	URLs   map[string]string `json:"urls"` // and as what each was told
}

const stateVersion = "1"

// ReadState reads a file of its own; nothing is a State that knows of nothing.
func ReadState(src []byte) (*State, error) {
	s := NewState()
	if len(src) == 0 {
		return s, nil
	}
	var file struct{ Version, Submitted json.RawMessage }
	if err := readObject(src, &file); err != nil {
		return nil, err
	}
	switch {
	case file.Version != nil && string(file.Version) != stateVersion:
		return nil, fmt.Errorf("it is of version %.20s, and this sitewalk reads %s", file.Version, stateVersion)
	case file.Submitted == nil:
		return nil, errors.New("it does not say what was sent; name a file that sitewalk submit may write")
	}
	return s, s.decode(file.Submitted)
}

// Document returns the file of the state.
func (s *State) Document() []byte {
	b := []byte{'{'}
	for _, f := range append(slices.Clip(s.fields), field{sentField, s.encode()}) {
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

func (s *State) decode(raw []byte) error {
	var all []batch
	if err := json.Unmarshal(raw, &all); err != nil {
		return fmt.Errorf("what was sent cannot be read: %w", err)
	}
	for _, b := range all {
		for url, as := range b.URLs {
			if m, ok := s.of(b.Engine)[url]; !ok || b.At.After(m.at) {
				s.of(b.Engine)[url] = message{as, b.At, b.Open}
			}
		}
	}
	return nil
}

// encode returns the messages as batches in a fixed order.
func (s *State) encode() []byte {
	type moment struct {
		engine string
		at     int64
		open   bool
	}
	all := map[moment]*batch{}
	for engine, sent := range s.sent {
		for url, m := range sent {
			key := moment{engine, m.at.UnixNano(), m.open}
			if all[key] == nil {
				all[key] = &batch{engine, m.at, m.open, map[string]string{}}
			}
			all[key].URLs[url] = m.as
		}
	}
	out := slices.SortedFunc(maps.Values(all), func(a, b *batch) int {
		open := func(b *batch) int { return map[bool]int{true: 1}[b.Open] }
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Engine, b.Engine), open(a)-open(b))
	})
	if out == nil {
		out = []*batch{}
	}
	raw, _ := json.MarshalIndent(out, "  ", "  ") // times of this millennium and texts: it never fails
	return raw
}

func (s *State) of(engine string) map[string]message {
	if s.sent[engine] == nil {
		s.sent[engine] = map[string]message{}
	}
	return s.sent[engine]
}

// note remembers that changes are being sent, or were, and returns what takes that
// back where they did not arrive.
func (s *State) note(engine string, changes []Change, open bool, now time.Time) (takeBack func()) {
	sent := s.of(engine)
	now = now.UTC().Truncate(time.Second)
	before := make([]message, len(changes)) // of one that was never sent, the zero message
	for i, c := range changes {
		before[i] = sent[c.URL]
		sent[c.URL] = message{c.As, now, open}
	}
	return func() {
		for i, c := range changes {
			if sent[c.URL] = before[i]; before[i] == (message{}) {
				delete(sent, c.URL)
			}
		}
	}
}

// forget drops what is older than anybody repeats.
func (s *State) forget(now time.Time) {
	for _, sent := range s.sent {
		maps.DeleteFunc(sent, func(_ string, m message) bool { return now.Sub(m.at) > memory })
	}
}

// requests are those that are to be made now. What was sent already, or has to
// wait, is counted.
func (s *Submission) requests() (all []request) {
	s.Earlier, s.Open, s.Recent, s.wait = 0, 0, 0, 0
	for _, engine := range s.engines {
		for i := range s.scopes {
			for part := range slices.Chunk(s.due(engine, s.scopes[i].changes), most) {
				all = append(all, request{engine, &s.scopes[i], part})
			}
		}
	}
	return all
}

// due returns the changes that are to be sent to an engine now.
func (s *Submission) due(engine string, changes []Change) (due []Change) {
	for _, c := range changes {
		m, ok := s.state.of(engine)[c.URL]
		age := time.Since(m.at)
		switch {
		case ok && m.as == c.As:
			s.Earlier++
			if m.open {
				s.Open++
			}
		case ok && age >= 0 && age < pause:
			s.Recent++
			s.wait = max(s.wait, pause-age)
		default:
			due = append(due, c)
		}
	}
	return due
}
