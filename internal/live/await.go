package live

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/fetch"
	"github.com/sitewalk/sitewalk/internal/list"
	"github.com/sitewalk/sitewalk/sitemap"
)

// between is the least time between two looks at a sitemap that is waited for.
const between = 10 * time.Second

// A Listing is the URLs of sitemaps, with their dates.
type Listing map[string]string

// Add adds an entry of a sitemap. Of several dates of a URL the latest counts.
func (l Listing) Add(e sitemap.Entry) { l[e.Loc] = max(l[e.Loc], e.LastMod.String()) }

// Differs names a URL by which a live listing differs from the one that was built; nil: by
// none.
func (l Listing) Differs(built Listing) error {
	for _, loc := range slices.Sorted(maps.Keys(built)) {
		if date, ok := l[loc]; !ok {
			return fmt.Errorf("the live sitemap does not list %s yet", loc)
		} else if date != built[loc] {
			return fmt.Errorf("the live sitemap gives %s another date: %q, built %q", loc, date, built[loc])
		}
	}
	for _, loc := range slices.Sorted(maps.Keys(l)) {
		if _, ok := built[loc]; !ok {
			return fmt.Errorf("the live sitemap still lists %s", loc)
		}
	}
	return nil
}

// A Deploy is what is to be live.
type Deploy struct {
	Sitemaps []string            // their addresses
	Differs  func(Listing) error // how the live sitemaps differ from those of the deploy; nil: they do not
	Until    time.Time           // there is no further look after it
	Say      func(differs error) // called once if there is something to wait for
}

// Await looks at sitemaps until they are those of a deploy. The error says how they differ
// at the last look. Each pause is at least as long as the look before it.
func (v *Visit) Await(ctx context.Context, d Deploy) error {
	for again := false; ; again = true {
		start := time.Now()
		differs := v.look(ctx, d)
		if differs == nil {
			return nil
		}
		pause := min(max(between, time.Since(start)), time.Until(d.Until))
		if pause <= 0 || ctx.Err() != nil {
			return differs
		}
		if !again {
			d.Say(differs)
		}
		if err := fetch.Sleep(ctx, pause); err != nil {
			return err
		}
	}
}

// look asks for the sitemaps once, and says how they differ. It finds nothing else.
func (v *Visit) look(ctx context.Context, d Deploy) error {
	quiet := &Visit{o: v.o, pace: v.pace}
	quiet.o.Findings = &diag.Report{Keep: -1}
	listing, read := Listing{}, map[string]bool{}
	to := Reader{
		Budget: list.NewBudget(),
		Judge:  func(f list.File) { read[f.Name] = true },
		Each:   func(e sitemap.Entry, _ diag.Pos, _ fetch.Place) { listing.Add(e) },
	}
	for _, loc := range d.Sitemaps {
		if err := quiet.Sitemap(ctx, loc, to); err != nil {
			return err
		}
	}
	for _, k := range quiet.o.Findings.Kinds() {
		for _, f := range k.List {
			if !read[fetch.WithoutPassword(f.Subject)] {
				message, _, _ := strings.Cut(f.Message, consoleSays)
				return errors.New(message)
			}
		}
	}
	return d.Differs(listing)
}
