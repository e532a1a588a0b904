package site

import (
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/thorough"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
	"github.com/sitewalk/sitewalk/walker"
)

// TestGroupsAreKept edits pages in groups of translations at random, a few at a
// time. What each fold takes from the one before is what a fresh one finds out,
// and where a page was edited that says of its translations what it said, its group
// is the same in memory.
func TestGroupsAreKept(t *testing.T) {
	kept := 0
	for seed := range thorough.Or(40, 1000) {
		r := rand.New(rand.NewPCG(2, uint64(seed)))
		fsys := fstest.MapFS{}
		for file, text := range multilingual(r) {
			fsys[file] = &fstest.MapFile{Data: []byte(text)}
		}
		w, _ := build(t, Options{Options: facts.Options{Remember: true, Page: page.Options{Alternates: true}}}, map[string]string{}, nil)
		w.o.Pages.Files = walker.FS(fsys)
		w = known(t, w.o)
		res := Fold(w, noon)
		for round := range 8 {
			c := replaceSome(r, fsys)
			w = w.again(t, c)
			before := res
			res = before.Again(w, noon)
			fresh := Fold(known(t, w.o), noon)
			if got, want := tell(res), tell(fresh); !reflect.DeepEqual(got, want) {
				t.Fatalf("seed %d, round %d: %v changed: incremental\n%+v\nfresh\n%+v", seed, round, c.Pages, got, want)
			}
			checkSince(t, res.List, before.List)
			for i, j := range res.List.Since(before.List) {
				if g := res.List.records[i].group; j >= 0 && g != nil && g.whole && g == before.List.records[j].group {
					kept++
				}
			}
		}
	}
	if kept < 100 {
		t.Errorf("%d groups were kept", kept)
	}
}

// replaceSome puts others in the place of some pages, deletes some, and lets some
// come.
func replaceSome(r *rand.Rand, fsys fstest.MapFS) (c facts.Change) {
	others := multilingual(r)
	names := slices.Sorted(maps.Keys(fsys))
	for range 1 + r.IntN(3) {
		file := names[r.IntN(len(names))]
		switch text, ok := others[file]; {
		case r.IntN(2) == 0 && fsys[file] != nil: // another text, the same head
			fsys[file] = &fstest.MapFile{Data: append(slices.Clone(fsys[file].Data), "<p>more"...)}
		case ok && r.IntN(3) > 0:
			fsys[file] = &fstest.MapFile{Data: []byte(text)}
		default:
			delete(fsys, file)
		}
		c.Pages = append(c.Pages, file)
	}
	for _, file := range slices.Sorted(maps.Keys(others)) {
		if fsys[file] == nil {
			fsys[file] = &fstest.MapFile{Data: []byte(others[file])}
			c.Pages = append(c.Pages, file)
			break
		}
	}
	return c
}

// checkSince holds what is said to be the same entry against the entries.
func checkSince(t *testing.T, now, before List) {
	t.Helper()
	last := int32(-1)
	for i, j := range now.Since(before) {
		var a, b sitemap.Entry
		if j < 0 {
			continue
		}
		now.Entry(i, &a)
		before.Entry(int(j), &b)
		if !reflect.DeepEqual(a, b) || j <= last {
			t.Fatalf("entry %d is\n%+v\nand was, as %d,\n%+v", i, a, j, b)
		}
		last = j
	}
}
