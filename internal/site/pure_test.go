package site

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/ledger"
	"github.com/sitewalk/sitewalk/internal/testsite"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// dump returns all values that can be reached from v as text. It leaves out functions, the options,
// and cached values.
func dump(v any) string {
	var b strings.Builder
	dumpValue(&b, reflect.ValueOf(v), map[uintptr]bool{})
	return b.String()
}

func dumpValue(b *strings.Builder, v reflect.Value, seen map[uintptr]bool) {
	if v.IsValid() && (v.Type() == reflect.TypeFor[Options]() || v.Type() == reflect.TypeFor[facts.Options]() || v.Type().Name() == "bodyCache") {
		return
	}
	switch v.Kind() {
	case reflect.Func:
	case reflect.Pointer:
		if v.IsNil() || seen[v.Pointer()] {
			fmt.Fprintf(b, "*%v ", v.IsNil())
			return
		}
		seen[v.Pointer()] = true
		dumpValue(b, v.Elem(), seen)
	case reflect.Struct:
		for i := range v.NumField() {
			b.WriteString(v.Type().Field(i).Name + "{")
			dumpValue(b, v.Field(i), seen)
			b.WriteString("}")
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			dumpValue(b, v.Index(i), seen)
			b.WriteString(",")
		}
	case reflect.Map:
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		for _, k := range keys {
			fmt.Fprintf(b, "%v:", k)
			dumpValue(b, v.MapIndex(k), seen)
		}
	default:
		fmt.Fprintf(b, "%v ", v)
	}
}

// all returns everything that a result contains and that its methods return, as text.
func all(t *testing.T, r *Result) string {
	t.Helper()
	out := fmt.Sprintf("%+v\n", resultValueOf(r))
	for p := range r.Pages() {
		out += fmt.Sprintf("%v %v %v %+v %+v", p.Loc, r.World.ExplainURL(p), p.Exclusion, r.FurtherExclusions(p), r.DateClaims(p))
		for _, field := range EntryFields {
			out += fmt.Sprintf("%+v\n", r.World.FieldClaims(p, &field))
		}
	}
	return out
}

// TestListPagesModifiesNothing checks that ListPages does not change the facts and the World, and
// that an earlier result does not change when files change and ListPages runs again at another
// time.
func TestListPagesModifiesNothing(t *testing.T) {
	for seed := range uint64(testsite.Repeat(8, 64)) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			e := &editor{seed: seed, rnd: rand.New(rand.NewPCG(seed, 2)), pages: fstest.MapFS{}, content: fstest.MapFS{}}
			e.edit(30)
			e.remember(t)
			w := known(t, e.options(t, true))
			before := dump(w)
			r := ListPages(w, noon)
			if after := dump(w); after != before {
				t.Fatalf("a fold writes to its world: it was\n%s\nand is\n%s", before, after)
			}
			said, held := all(t, r), dump(r)
			for round := range 2 {
				next := w.again(t, e.edit(3))
				ListPages(next, noon.AddDate(round, 0, 0))
				if now := dump(w); now != before {
					t.Fatalf("a site that is learned again changes the world before: it was\n%s\nand is\n%s", before, now)
				}
				w, before = next, dump(next)
			}
			if now := dump(r); now != held {
				t.Errorf("an old result was\n%s\nand is\n%s", held, now)
			}
			if now := all(t, r); now != said {
				t.Errorf("an old result said\n%s\nand says\n%s", said, now)
			}
		})
	}
}

// TestListPagesInParallel calls ListPages for several times, and the methods of each result, in
// parallel.
func TestListPagesInParallel(t *testing.T) {
	o := Options{
		Options: facts.Options{
			Remember: true,
			Page:     page.Options{ContentHash: true, Alternates: true},
		},
		LastMod: []string{"html", "ledger"},
		Ledger:  &ledger.Ledger{},
	}
	w, _ := build(t, o, manyPages(3*files.MinParallel), nil)
	results := make([]*Result, testsite.Repeat(2, 4))
	at := func(i int) time.Time { return noon.AddDate(0, 0, 40*i) }
	var folding sync.WaitGroup
	for i := range results {
		folding.Go(func() {
			results[i] = ListPages(w, at(i))
			results[i].DateClaims(results[i].Page("s1/p00001.html"))
		})
	}
	folding.Wait()
	for i, r := range results {
		folding.Go(func() {
			if got, want := resultValueOf(r), resultValueOf(ListPages(w, at(i))); !reflect.DeepEqual(got, want) {
				t.Errorf("at %v, among others\n%+v\nalone\n%+v", at(i), got, want)
			}
		})
	}
	folding.Wait()
}

// TestResultMethodsInParallel calls the methods of a result in parallel. The result does not
// change.
func TestResultMethodsInParallel(t *testing.T) {
	e := &editor{seed: 7, rnd: rand.New(rand.NewPCG(7, 3)), pages: fstest.MapFS{}, content: fstest.MapFS{}}
	e.edit(30)
	e.remember(t)
	r := ListPages(known(t, e.options(t, true)), noon)
	held := dump(r)
	var asking sync.WaitGroup
	for i := range 4 {
		asking.Go(func() {
			soon := sitemap.DateOf(noon.Add(time.Duration(10-i)*time.Minute), sitemap.Second)
			if !r.IsFuture(soon) || r.IsFuture(sitemap.DayOf(noon)) {
				t.Errorf("at %v the future is %v: %v, %v: %v", noon, soon, r.IsFuture(soon), sitemap.DayOf(noon), r.IsFuture(sitemap.DayOf(noon)))
			}
			for p := range r.FilePages() {
				r.DateClaims(p)
				r.FurtherExclusions(p)
				r.AlternateFindings(p)
			}
			for range r.Pages() {
				r.NameOf(0)
			}
		})
	}
	asking.Wait()
	if now := dump(r); now != held {
		t.Errorf("a result was\n%s\nand is, after it was asked,\n%s", held, now)
	}
}
