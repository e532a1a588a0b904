package site

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/sitewalk/sitewalk/internal/facts"
)

// An index finds what a map finds: of one name the last.
func TestIndex(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		all := make([]Page, r.IntN(300))
		want := map[string]*Page{}
		for i := range all {
			all[i].Said = &facts.Page{File: fmt.Sprint(r.IntN(200))}
			if all[i].File() != "7" {
				want[all[i].File()] = &all[i]
			}
		}
		x := newIndex(all, func(r *Page) (string, bool) { return r.Said.File, r.Said.File != "7" })
		for i := range 210 {
			if name := fmt.Sprint(i); x.find(name) != want[name] {
				t.Fatalf("of %d names %s is found at %p, want %p", len(all), name, x.find(name), want[name])
			}
		}
	}
}
