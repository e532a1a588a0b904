package diag

import (
	"cmp"
	"maps"
	"slices"
	"sync"
)

// Kept is how many findings of one code a Report keeps unless told otherwise.
const Kept = 10

// A Report gathers findings from several goroutines. Of each code it keeps the
// first few in the order of Compare, no matter in which order they are added, and
// counts the rest, so that a hundred thousand equal findings cost nothing. The
// zero Report keeps Kept of each.
type Report struct {
	// Keep is how many findings of one code are kept; 0 means Kept, a negative
	// number means all.
	Keep int
	// Levels change the severities of what is added from now on.
	Levels Levels

	mu    sync.Mutex
	kinds map[string]*Kind
}

// KeepsPlaces reports whether a finding about many places lists all of them: in a report for
// programs, which keeps more findings of a code than people read.
func (r *Report) KeepsPlaces() bool { return r.Keep < 0 || r.Keep > Kept }

// A Kind is the findings of one code.
type Kind struct {
	Code     string   `json:"code"`
	Severity Severity `json:"severity"` // the highest seen
	Count    int      `json:"count"`    // all that were reported, kept or not
	List     List     `json:"findings"` // those kept, in the order of Compare

	raw    bool           // List is not sorted and may hold a finding twice
	counts [Error + 1]int // of each severity
	causes map[string]int // how many findings have each cause
}

// Alike returns how many findings have the cause, kept or not.
func (k *Kind) Alike(cause string) int { return k.causes[cause] }

// cause counts n more findings of a cause.
func (k *Kind) cause(of string, n int) {
	if of != "" {
		k.causes[of] += n
	}
}

// Of returns how many findings of at least the severity there are.
func (k *Kind) Of(least Severity) int {
	n := 0
	for _, of := range k.counts[least:] {
		n += of
	}
	return n
}

// number counts n more findings of a severity.
func (k *Kind) number(s Severity, n int) {
	k.Count += n
	k.counts[s] += n
	if n > 0 {
		k.Severity = max(k.Severity, s)
	}
}

// sort sorts a List to which findings were appended as they came. To insert each in its
// place would take time that grows with the square of their number.
func (k *Kind) sort() {
	if !k.raw {
		return
	}
	k.raw = false
	for _, d := range k.List {
		k.number(d.Severity, -1)
		k.cause(d.Cause, -1)
	}
	k.List = k.List.Sorted()
	for _, d := range k.List {
		k.number(d.Severity, 1)
		k.cause(d.Cause, 1)
	}
}

// Add records findings.
func (r *Report) Add(ds ...Diagnostic) {
	if len(ds) == 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, d := range ds {
		r.add(d)
	}
}

func (r *Report) add(d Diagnostic) {
	stays := true
	if d.Severity, stays = r.Levels.of(d.Code, d.Severity); !stays {
		return
	}
	k := r.kinds[d.Code]
	if k == nil {
		if r.kinds == nil {
			r.kinds = map[string]*Kind{}
		}
		k = &Kind{Code: d.Code, causes: map[string]int{}}
		r.kinds[d.Code] = k
	}
	if keep := cmp.Or(r.Keep, Kept); keep < 0 {
		k.List, k.raw = append(k.List, d), true
	} else {
		i, dup := slices.BinarySearchFunc(k.List, d, Compare)
		if dup {
			return
		}
		k.List = slices.Insert(k.List, i, d)
		k.List = k.List[:min(keep, len(k.List))]
	}
	k.number(d.Severity, 1)
	k.cause(d.Cause, 1)
}

// Counted counts a finding whose place comes behind those of all that are kept of its
// code, and reports whether it did. If it did not, the finding has to be added.
func (r *Report) Counted(code, cause string, s Severity, at Pos) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	k := r.kinds[code]
	if k == nil || len(k.List) == 0 || len(k.List) != cmp.Or(r.Keep, Kept) {
		return false
	}
	last := k.List[len(k.List)-1].Pos
	if cmp.Or(cmp.Compare(at.File, last.File), cmp.Compare(at.Line, last.Line), cmp.Compare(at.Col, last.Col)) <= 0 {
		return false
	}
	s, _ = r.Levels.of(code, s)
	k.number(s, 1)
	k.cause(cause, 1)
	return true
}

// Each calls do with each finding that is kept, by code and then in the order of
// Compare. It may set what Compare does not look at, and must not block.
func (r *Report) Each(do func(*Diagnostic)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, code := range slices.Sorted(maps.Keys(r.kinds)) {
		k := r.kinds[code]
		k.sort()
		for i := range k.List {
			do(&k.List[i])
		}
	}
}

// Merge adds what another report kept and counted.
func (r *Report) Merge(o *Report) {
	for _, k := range o.Kinds() {
		r.Add(k.List...)
		r.mu.Lock()
		if own := r.kinds[k.Code]; own != nil {
			for _, d := range k.List {
				k.counts[d.Severity]--
				own.cause(d.Cause, -1)
			}
			for cause, n := range k.causes {
				own.cause(cause, n)
			}
			for i, n := range k.counts {
				s, _ := r.Levels.of(k.Code, Severity(i))
				own.number(s, n)
			}
		}
		r.mu.Unlock()
	}
}

// Kinds returns what was reported, sorted by code.
func (r *Report) Kinds() []Kind {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := make([]Kind, 0, len(r.kinds))
	for _, k := range r.kinds {
		k.sort()
		kind := *k
		kind.causes = maps.Clone(k.causes)
		out = append(out, kind)
	}
	slices.SortFunc(out, func(a, b Kind) int { return cmp.Compare(a.Code, b.Code) })
	return out
}
