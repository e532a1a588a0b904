package diag

import (
	"cmp"
	"maps"
	"slices"
	"sync"
)

// DefaultKept is the number of findings that a Report keeps for each code if MaxKept is 0.
const DefaultKept = 10

// A Report collects findings. It is safe for concurrent use. For each code, it keeps the first
// findings in the order of Compare, whatever the order in which they were added. It only counts the
// other findings of the code, so many findings need little memory. The zero Report keeps
// DefaultKept findings of each code.
type Report struct {
	// MaxKept is the maximum number of findings to keep for each code. 0 means DefaultKept. A
	// negative number means no limit.
	MaxKept int
	// Levels are the severities that the user configured. They apply to findings that are added
	// later.
	Levels Levels

	mu    sync.Mutex
	kinds map[string]*Kind
}

// KeepsPlaces reports whether findings should list further positions in Places. It is true if
// the report keeps more than DefaultKept findings of each code, as reports for programs do.
func (r *Report) KeepsPlaces() bool { return r.MaxKept < 0 || r.MaxKept > DefaultKept }

// A Kind groups the findings that have the same code.
type Kind struct {
	Code     string   `json:"code"`
	Severity Severity `json:"severity"` // the highest severity of the findings
	Count    int      `json:"count"`    // number of added findings, including those not in List; set by Report.Kinds
	List     List     `json:"findings"` // the kept findings, in the order of Compare

	isUnsorted        bool           // List may be unsorted and may contain duplicates
	droppedBySeverity [Error + 1]int // number of added findings that are not in List, by severity
	droppedByCause    map[string]int // number of added findings that are not in List, by Diagnostic.Cause
}

// CountWithCause returns the number of added findings with the given Diagnostic.Cause. It returns 0
// if cause is "".
func (k *Kind) CountWithCause(cause string) int {
	if cause == "" {
		return 0
	}
	n := k.droppedByCause[cause]
	for i := range k.List {
		if k.List[i].Cause == cause {
			n++
		}
	}
	return n
}

// CountAtLeast returns the number of findings whose severity is minSeverity or higher.
func (k *Kind) CountAtLeast(minSeverity Severity) int {
	n := 0
	for _, dropped := range k.droppedBySeverity[minSeverity:] {
		n += dropped
	}
	for i := range k.List {
		if k.List[i].Severity >= minSeverity {
			n++
		}
	}
	return n
}

// sortIfNeeded sorts List if findings were appended, and removes duplicates. Sorting once avoids
// the quadratic time of inserting each finding in order.
func (k *Kind) sortIfNeeded() {
	if k.isUnsorted {
		k.List, k.isUnsorted = k.List.Sorted(), false
	}
}

// Add adds findings to the report. It drops duplicates of kept findings, and findings whose code is
// set to "off" in r.Levels.
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
	if d.Severity, stays = r.Levels.configuredSeverity(d.Code, d.Severity); !stays {
		return
	}
	k := r.kinds[d.Code]
	if k == nil {
		if r.kinds == nil {
			r.kinds = map[string]*Kind{}
		}
		k = &Kind{Code: d.Code, droppedByCause: map[string]int{}}
		r.kinds[d.Code] = k
	}
	k.Severity = max(k.Severity, d.Severity)
	keep := cmp.Or(r.MaxKept, DefaultKept)
	if keep < 0 {
		k.List, k.isUnsorted = append(k.List, d), true
		return
	}
	i, isDuplicate := slices.BinarySearchFunc(k.List, d, Compare)
	if isDuplicate {
		return
	}
	k.List = slices.Insert(k.List, i, d)
	if len(k.List) > keep {
		last := k.List[keep]
		k.droppedBySeverity[last.Severity]++
		k.droppedByCause[last.Cause]++
		k.List = k.List[:keep]
	}
}

// Each calls visit for each kept finding, ordered by code and then by Compare. The function visit
// may change only fields that Compare ignores. It must not call methods of the Report.
func (r *Report) Each(visit func(*Diagnostic)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, code := range slices.Sorted(maps.Keys(r.kinds)) {
		k := r.kinds[code]
		k.sortIfNeeded()
		for i := range k.List {
			visit(&k.List[i])
		}
	}
}

// Merge adds the findings and the counts of the report o to r, with the severities in r.Levels.
func (r *Report) Merge(o *Report) {
	for _, k := range o.Kinds() {
		r.Add(k.List...)
		r.mu.Lock()
		if own := r.kinds[k.Code]; own != nil {
			for i, n := range k.droppedBySeverity {
				s, _ := r.Levels.configuredSeverity(k.Code, Severity(i))
				own.droppedBySeverity[s] += n
				if n > 0 {
					own.Severity = max(own.Severity, s)
				}
			}
			for cause, n := range k.droppedByCause {
				own.droppedByCause[cause] += n
			}
		}
		r.mu.Unlock()
	}
}

// Kinds returns the findings grouped by code, sorted by code. If more findings are added to r
// later, the counts of a returned Kind do not change, but its List may change.
func (r *Report) Kinds() []Kind {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := make([]Kind, 0, len(r.kinds))
	for _, code := range slices.Sorted(maps.Keys(r.kinds)) {
		r.kinds[code].sortIfNeeded()
		k := *r.kinds[code]
		k.droppedByCause = maps.Clone(k.droppedByCause)
		k.Count = k.CountAtLeast(Note)
		out = append(out, k)
	}
	return out
}

// LevelNames lists the levels that a user can set for a code, in ascending order. The level "off"
// drops all findings of the code; the other levels are severities.
var LevelNames = []string{"off", "note", "warning", "error"}

// Levels maps a code such as "duplicate-url" to the name of its configured level, such as "off".
type Levels map[string]string

// configuredSeverity returns the severity that the user configured for the code, or s if the user
// configured none. s is the severity that the finding has by default. keep is false if the
// configured level is "off" or is not in LevelNames.
func (l Levels) configuredSeverity(code string, s Severity) (configured Severity, keep bool) {
	level, set := l[code]
	if !set {
		return s, true
	}
	i := slices.Index(LevelNames, level)
	return Severity(max(i-1, 0)), i > 0
}

// Apply returns a copy of the findings with their configured severities. It drops findings whose
// code is set to "off".
func (l Levels) Apply(ds List) (out List) {
	for _, d := range ds {
		s, stays := l.configuredSeverity(d.Code, d.Severity)
		if d.Severity = s; stays {
			out = append(out, d)
		}
	}
	return out
}
