package diag

import (
	"cmp"
	"maps"
	"slices"
	"sync"
)

// DefaultKept is the default of Report.MaxKept.
const DefaultKept = 10

// A Report collects findings from several goroutines. It keeps the first findings of each code in
// the order of Compare, regardless of the order of the calls, and counts the rest. So many equal
// findings need little memory. The zero Report keeps DefaultKept findings of each code.
type Report struct {
	// MaxKept is the number of findings to keep for each code. 0 means DefaultKept, and a negative
	// number means all.
	MaxKept int
	// Levels set the severities of the findings that are added from now on.
	Levels Levels

	mu    sync.Mutex
	kinds map[string]*Kind
}

// KeepsPlaces reports whether a finding about many places lists all of them: in a report for
// programs, which keeps more findings of a code than people read.
func (r *Report) KeepsPlaces() bool { return r.MaxKept < 0 || r.MaxKept > DefaultKept }

// A Kind contains the findings of one code.
type Kind struct {
	Code     string   `json:"code"`
	Severity Severity `json:"severity"` // the highest seen
	Count    int      `json:"count"`    // all that were reported, kept or not
	List     List     `json:"findings"` // those kept, in the order of Compare

	isUnsorted bool           // List is not sorted and may hold a finding twice
	counts     [Error + 1]int // of each severity
	causes     map[string]int // how many findings have each cause
}

// CountCause returns the number of reported findings with the cause.
func (k *Kind) CountCause(cause string) int { return k.causes[cause] }

// addCause counts n more findings with a cause.
func (k *Kind) addCause(of string, n int) {
	if of != "" {
		k.causes[of] += n
	}
}

// CountAtLeast returns the number of findings with at least the given severity.
func (k *Kind) CountAtLeast(least Severity) int {
	n := 0
	for _, of := range k.counts[least:] {
		n += of
	}
	return n
}

// addSeverity counts n more findings with a severity.
func (k *Kind) addSeverity(s Severity, n int) {
	k.Count += n
	k.counts[s] += n
	if n > 0 {
		k.Severity = max(k.Severity, s)
	}
}

// sort sorts List after findings were appended. Inserting each finding at its place would take
// quadratic time.
func (k *Kind) sort() {
	if !k.isUnsorted {
		return
	}
	k.isUnsorted = false
	for _, d := range k.List {
		k.addSeverity(d.Severity, -1)
		k.addCause(d.Cause, -1)
	}
	k.List = k.List.Sorted()
	for _, d := range k.List {
		k.addSeverity(d.Severity, 1)
		k.addCause(d.Cause, 1)
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
	if d.Severity, stays = r.Levels.levelOf(d.Code, d.Severity); !stays {
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
	if keep := cmp.Or(r.MaxKept, DefaultKept); keep < 0 {
		k.List, k.isUnsorted = append(k.List, d), true
	} else {
		i, dup := slices.BinarySearchFunc(k.List, d, Compare)
		if dup {
			return
		}
		k.List = slices.Insert(k.List, i, d)
		k.List = k.List[:min(keep, len(k.List))]
	}
	k.addSeverity(d.Severity, 1)
	k.addCause(d.Cause, 1)
}

// CountOnly counts a finding that comes after all kept findings of its code, and reports whether
// it did. If it returns false, the caller has to add the finding.
func (r *Report) CountOnly(code, cause string, s Severity, at Pos) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	k := r.kinds[code]
	if k == nil || len(k.List) == 0 || len(k.List) != cmp.Or(r.MaxKept, DefaultKept) {
		return false
	}
	last := k.List[len(k.List)-1].Pos
	if cmp.Or(cmp.Compare(at.File, last.File), cmp.Compare(at.Line, last.Line), cmp.Compare(at.Col, last.Col)) <= 0 {
		return false
	}
	s, _ = r.Levels.levelOf(code, s)
	k.addSeverity(s, 1)
	k.addCause(cause, 1)
	return true
}

// Each calls do for each kept finding, by code and then in the order of Compare. do may change
// fields that Compare does not read, and must not call methods of the Report.
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

// Merge adds the findings and counts of another report.
func (r *Report) Merge(o *Report) {
	for _, k := range o.Kinds() {
		r.Add(k.List...)
		r.mu.Lock()
		if own := r.kinds[k.Code]; own != nil {
			for _, d := range k.List {
				k.counts[d.Severity]--
				own.addCause(d.Cause, -1)
			}
			for cause, n := range k.causes {
				own.addCause(cause, n)
			}
			for i, n := range k.counts {
				s, _ := r.Levels.levelOf(k.Code, Severity(i))
				own.addSeverity(s, n)
			}
		}
		r.mu.Unlock()
	}
}

// Kinds returns the reported kinds, sorted by code.
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
