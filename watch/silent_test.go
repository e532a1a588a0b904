package watch

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// TestWindow says which changes are news to a silent look, whatever the clock does.
func TestWindow(t *testing.T) {
	noon := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		name     string
		now      time.Time
		changed  time.Time
		news     bool
		toldLeft bool
	}{
		{"before the last look", noon.Add(10 * time.Second), noon.Add(-time.Second), false, true},
		{"since the last look", noon.Add(10 * time.Second), noon.Add(time.Second), true, true},
		{"in the future", noon.Add(10 * time.Second), noon.Add(time.Hour), false, true},
		{"after the clock was set back", noon.Add(-time.Hour), noon.Add(-time.Hour - time.Second), true, false},
		{"before the clock was set back", noon.Add(-time.Hour), noon.Add(-time.Second), false, false},
		{"after the clock was set forward", noon.Add(time.Hour), noon.Add(time.Hour - time.Second), true, true},
		{"after a sleep", noon.Add(8 * time.Hour), noon.Add(time.Second), true, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			var s silent
			s.begin(noon)
			s.tell(Batch{Paths: map[string][]string{"site": {"a.html"}}}, noon)
			from, to := s.window(test.now, 10*time.Second)
			if got := !test.changed.Before(from) && !test.changed.After(to); got != test.news {
				t.Errorf("news: %v, want %v", got, test.news)
			}
			if got := len(s.told) > 0; got != test.toldLeft {
				t.Errorf("told: %v, want %v", got, test.toldLeft)
			}
		})
	}
}

// TestSilentWrites changes files in ways that make no event, and looks for them.
func TestSilentWrites(t *testing.T) {
	t.Parallel()
	b := newBed(t, Options{Quiet: 3 * granularity}, "d/linked.html", "plain.html")
	outside := filepath.Join(b.dir, "outside.html")
	b.must(os.WriteFile(outside, nil, 0o644))
	b.must(os.Link(b.at("d/linked.html"), filepath.Join(b.dir, "other.html")))
	n := b.w.backend.(*notifier)
	look := func() []string {
		b.still()
		n.silent.next = time.Time{}
		n.lookForSilent(t.Context(), time.Now())
		return n.take(t.Context()).Paths[b.tree]
	}
	look() // what was made for this test
	b.write("plain.html", "told of by an event")
	for !slices.Contains(b.next().Paths[b.tree], "plain.html") { // a busy machine may be late
	}
	b.must(os.WriteFile(filepath.Join(b.dir, "other.html"), []byte("x"), 0o644))
	if got := look(); !slices.Equal(got, []string{"d/linked.html"}) {
		t.Errorf("a look finds %q, want the page that was written through another name", got)
	}
	if got := look(); len(got) > 0 {
		t.Errorf("a second look finds %q", got)
	}
}

// TestSilentPause holds what the manual says of the time that passes between two looks,
// on a machine however busy.
func TestSilentPause(t *testing.T) {
	for _, tt := range []struct {
		files, folders int
		want           time.Duration
	}{
		{0, 0, 10 * time.Second},
		{20_000, 1000, 10 * time.Second},
		{100_000, 1000, 32400 * time.Millisecond},
		{100_000, 100_000, 270 * time.Second},
	} {
		if got := silentPause(tt.files, tt.folders); got != tt.want {
			t.Errorf("%d files in %d folders: %v, want %v", tt.files, tt.folders, got, tt.want)
		}
	}
	b := newBed(t, Options{Quiet: 3 * granularity}, "d/a.html", "b.html")
	n := b.w.backend.(*notifier)
	now := time.Now().Add(-time.Hour) // as if the look took an hour
	n.silent.next = now
	n.lookForSilent(t.Context(), now)
	if got := n.silent.next.Sub(now); got != silentEvery {
		t.Errorf("after a slow look it waits for %v", got)
	}
}
