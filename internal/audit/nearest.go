package audit

import (
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/sitewalk/sitewalk/internal/explain"
	"github.com/sitewalk/sitewalk/internal/strict"
)

// nearest finds the address that was probably meant by one that leads nowhere.
type nearest struct {
	*judge
	answers *explain.Answers
	byName  map[string]string // listed URLs by their last name; "" where several have it
	tries   int
	folder  string   // asked for last
	names   []string // in it
	work    int      // of comparing names
}

const (
	maxTries    = 1000 // addresses that are looked for
	maxSiblings = 5000 // that an address is compared with
	maxWork     = 1e9  // characters of one name that are compared with each of another
)

// to returns the address of a listed page, or of a file of the site, or "".
func (n *nearest) to(key string) string {
	if n.tries++; n.tries > maxTries || n.work > maxWork {
		return ""
	}
	key, _, _ = strings.Cut(key, "#")
	if near := n.answers.Respelled(key); near != "" {
		return near
	}
	folder, name := split(key)
	if n.names == nil || n.folder != folder {
		n.folder, n.names = folder, n.siblings(folder)
	}
	for _, other := range n.names {
		n.work += 100 + len(name)*min(len(name), len(other))
	}
	if near := closest(name, n.names); near != "" {
		return folder + near
	}
	return n.named(name)
}

// split cuts an address before its last name, of which a slash at the end is part.
func split(key string) (folder, name string) {
	i := strings.LastIndexByte(strings.TrimSuffix(key, "/"), '/') + 1
	return key[:i], key[i:]
}

// siblings are the names of pages and files in a folder of the site.
func (n *nearest) siblings(folder string) (names []string) {
	l := n.res.List
	for i, _ := l.Find(folder); i < len(l) && strings.HasPrefix(l[i].Entry.Loc, folder) && len(names) < maxSiblings; i++ {
		if name := l[i].Entry.Loc[len(folder):]; name != "" && strings.IndexByte(strings.TrimSuffix(name, "/"), '/') < 0 {
			names = append(names, name)
		}
	}
	at := owner(n.bases, []byte(folder))
	if at < 0 || n.o.Pages.Dir == "" {
		return names
	}
	below, ok := n.bases[at].Path(folder)
	if !ok {
		return names
	}
	if at > 0 {
		below = path.Join(n.o.Sites[at-1].Dir, below)
	}
	entries, _ := os.ReadDir(filepath.Join(n.o.Pages.Dir, filepath.FromSlash(below)))
	for _, e := range entries[:min(len(entries), maxSiblings)] {
		if e.Type().IsRegular() && !strings.HasSuffix(e.Name(), ".html") && !strings.HasPrefix(e.Name(), ".") {
			names = append(names, e.Name())
		}
	}
	return names
}

// named returns the one listed page whose last name is so, wherever it is.
func (n *nearest) named(name string) string {
	if n.byName == nil {
		n.byName = map[string]string{}
		for _, r := range n.res.List {
			loc := r.Entry.Loc
			_, last := split(loc)
			last = bare(last)
			if _, taken := n.byName[last]; taken {
				loc = ""
			}
			n.byName[last] = loc
		}
	}
	if name = bare(name); len(name) < 3 || name == "index" {
		return ""
	}
	return n.byName[name]
}

func bare(name string) string {
	return strings.ToLower(strings.TrimSuffix(strings.TrimSuffix(name, "/"), ".html"))
}

// closest returns the name that differs from another in the fewest characters, if
// it is few of them, and no other is as close.
func closest(name string, names []string) (best string) {
	least, twice := 1+max(1, len(bare(name))/4), false
	for _, other := range names {
		d := strict.EditDistance(bare(name), bare(other), least)
		switch {
		case other == name || d > least || d == least && best == "":
		case d < least:
			best, least, twice = other, d, false
		case other != best:
			twice = true
		}
	}
	if twice {
		return ""
	}
	return best
}
