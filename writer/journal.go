package writer

import (
	"bufio"
	"path"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/commit"
)

// journal names the file that says, while files take their places and others
// are removed, which: texts carry no mark, and children that no index names yet
// or any more would never be found again. A run that is killed leaves it to the
// next one.
const journal = commit.TempPrefix + "journal"

// readJournal reads the journal of a killed run.
func (r *job) readJournal(n *names) error {
	name := path.Join(n.sub, journal)
	f, err := r.dir.Open(name)
	if f == nil || err != nil {
		return err
	}
	defer f.Close()
	r.past.journals = append(r.past.journals, name)
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		line := lines.Text()
		if key, ok := strings.CutSuffix(line, keyFile("")); ok {
			r.hadKey(key)
		}
		if name := path.Join(n.sub, line); n.owns(name) {
			r.past.noted[name] = true
			r.mayHave(place{r.dir, name}, gone)
		}
	}
	return nil
}

// writeJournal notes what the commit changes; one file needs no note. What a killed run
// has noted stays in the journal, as nothing else may name that yet.
func (r *job) writeJournal() error {
	var lines []string
	for name := range r.past.noted {
		lines = append(lines, path.Base(name))
	}
	for _, f := range r.Files {
		key, isText := strings.CutSuffix(path.Base(f.Name), keyFile(""))
		if f.State != Unchanged && (r.owns(f.Name) || isText && (key == r.Key || r.past.keys[key])) {
			lines = append(lines, path.Base(f.Name))
		}
	}
	slices.Sort(lines)
	lines = slices.Compact(lines)
	if len(lines) > 1 {
		name := path.Join(r.sub, journal)
		if _, _, err := r.dir.Draft(notes, name, []byte(strings.Join(lines, "\n")+"\n")); err != nil {
			return err
		}
		r.past.journals = append(r.past.journals, name)
	}
	for _, name := range r.past.journals {
		r.dir.Remove(notesGone, name)
	}
	return nil
}
