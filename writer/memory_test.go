package writer

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sitewalk/sitewalk/internal/thorough"
	"github.com/sitewalk/sitewalk/sitemap"
)

// counted are entries that count how often they are asked for.
type counted struct {
	Slice
	asked []bool
}

func (c counted) Entry(i int, e *sitemap.Entry) {
	c.asked[i] = true
	c.Slice.Entry(i, e)
}

// since compares entries by their values.
func since(now, before Slice) []int32 {
	same := make([]int32, len(now))
	for i := range now {
		j, ok := slices.BinarySearchFunc(before, now[i].Loc, func(e sitemap.Entry, loc string) int { return strings.Compare(e.Loc, loc) })
		same[i] = -1
		if ok && now[i].LastMod == before[j].LastMod && slices.Equal(now[i].Alternates, before[j].Alternates) {
			same[i] = int32(j)
		}
	}
	return same
}

// TestMemory edits a site at random and writes it with what is remembered of the
// run before. The folder holds what a run without a memory makes of it, whatever
// became of the files meanwhile, and says the same; and where nothing changed nobody
// asks for a page again.
func TestMemory(t *testing.T) {
	var idle atomic.Int32
	t.Cleanup(func() {
		if idle.Load() == 0 {
			t.Error("what did not change was looked at each time")
		}
	})
	for seed := range uint64(thorough.Or(4, 60)) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 11))
			o, dir := anyOptions(r), thorough.Memory(t)
			o.Base, o.Memory = base, new(Memory)
			if r.IntN(2) == 0 {
				o.MaxBytes = 2000 // what a page with alternates hardly fits into
			}
			var written Slice
			for step := range 15 {
				now := editEntries(r, written)
				damage(t, r, dir)
				o.Memory.Since(since(now, written))
				o.Ready = nil
				failed := step > 0 && r.IntN(6) == 0
				if failed {
					o.Ready = func() error { return errors.New("not now") }
				}
				fresh := o
				fresh.Dir, fresh.Memory, fresh.Ready = thorough.Memory(t), nil, nil
				if err := os.CopyFS(fresh.Dir, os.DirFS(dir)); err != nil {
					t.Fatal(err)
				}
				o.Dir = dir
				c := counted{now, make([]bool, len(now))}
				got, err := Write(context.Background(), c, o)
				if failed {
					continue
				}
				if written = now; err != nil {
					t.Fatal(err)
				}
				if !slices.Contains(c.asked, true) {
					idle.Add(1)
				}
				want := write(t, now, fresh)
				if !maps.Equal(tree(t, dir), tree(t, fresh.Dir)) || got.URLs != want.URLs || got.Left != want.Left || len(got.Diags) != len(want.Diags) {
					t.Fatalf("step %d of %+v: with memory %+v, without %+v", step, o, got, want)
				}
			}
		})
	}
}

// editEntries changes a few entries, or none.
func editEntries(r *rand.Rand, pages Slice) Slice {
	if pages == nil {
		pages = anySite(r)
	}
	pages = slices.Clone(pages)
	for range r.IntN(3) {
		i := r.IntN(len(pages))
		switch e := &pages[i]; r.IntN(4) {
		case 0:
			e.LastMod = sitemap.DayOf(time.Date(2024, 1, 1+r.IntN(300), 0, 0, 0, 0, time.UTC))
		case 1:
			e.Alternates = nil
			for lang := range r.IntN(52) {
				e.Alternates = append(e.Alternates, sitemap.Alternate{Lang: fmt.Sprintf("a%c-%c%c", 'a'+lang%26, 'A'+lang/26, 'A'), Href: e.Loc})
			}
		case 2:
			if len(pages) > 10 {
				pages = slices.Delete(pages, i, i+1)
			}
		default:
			more := dated(fmt.Sprintf("blog/new-%d/", r.IntN(1000)))[0]
			if at, ok := slices.BinarySearchFunc(pages, more.Loc, func(e sitemap.Entry, loc string) int { return strings.Compare(e.Loc, loc) }); !ok {
				pages = slices.Insert(pages, at, more)
			}
		}
	}
	return pages
}

// damage writes over one of the files now and then, or deletes it.
func damage(t *testing.T, r *rand.Rand, dir string) {
	names := slices.DeleteFunc(namesIn(tree(t, dir)), func(name string) bool { return filepath.Ext(name) != ".xml" })
	if len(names) == 0 || r.IntN(2) > 0 {
		return
	}
	name := filepath.Join(dir, names[r.IntN(len(names))])
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	if r.IntN(2) == 0 { // other bytes, as many as there were
		put(t, name, strings.Replace(string(text), "</url>", "</lru>", 1))
		if err := os.Chtimes(name, time.Time{}, time.Now().Add(time.Duration(1+r.IntN(1000))*time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
}
