package engine

import (
	"fmt"
	"reflect"
	"testing"
	"time"
)

// TestStep holds what following does, state by state and event by event.
func TestStep(t *testing.T) {
	noon := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	const again = "another program writes over public/sitemap.xml again and again; it is restored every 2s"
	begun := state{phase: idle, begun: true}
	with := func(change func(s *state)) state {
		s := begun
		change(&s)
		return s
	}
	broken := with(func(s *state) { s.broken, s.trouble = true, "line 3" })
	retrying := with(func(s *state) { s.phase, s.trouble, s.tries = unwritten, "disk full", 2 })
	lost := with(func(s *state) { s.phase, s.trouble = unread, "gone" })
	nothing := with(func(s *state) { s.phase = skipped })
	all, some := plan{write: true, all: true}, plan{write: true}
	for name, tt := range map[string]struct {
		from state
		e    event
		to   state
		do   plan
	}{
		"first: settings":       {state{}, loaded{}, state{}, all},
		"first: nothing wanted": {state{}, loaded{skip: "a preview"}, state{phase: skipped}, plan{notes: []string{"nothing written: a preview"}}},
		"first: a build":        {state{}, built{phase: idle}, begun, plan{announce: true}},
		"first: no folder": {
			state{},
			built{phase: unread, trouble: "gone", server: "run hugo"},
			state{phase: unread, trouble: "gone", blamed: true},
			plan{report: true, notes: []string{"run hugo"}},
		},

		"idle: time passes":          {begun, seen{}, begun, plan{}},
		"idle: a foreign file":       {begun, seen{pages: true}, begun, plan{}},
		"idle: a page":               {begun, seen{pages: true, differs: true}, begun, some},
		"idle: events were lost":     {begun, seen{all: true}, begun, all},
		"idle: a commit":             {begun, seen{commits: true}, begun, plan{askGit: true, write: true}},
		"idle: settings differ":      {begun, seen{settings: true, pages: true, differs: true}, begun, plan{load: true}},
		"idle: a build":              {begun, built{phase: idle}, begun, plan{announce: true}},
		"idle: cut short":            {begun, built{phase: unwritten, cut: true, trouble: "wiped"}, with(func(s *state) { s.phase = unwritten }), plan{}},
		"idle: cannot be read":       {begun, built{phase: unread, trouble: "gone", server: "run hugo"}, lost, plan{report: true}},
		"idle: all pages are out":    {begun, built{phase: idle, trouble: "empty"}, with(func(s *state) { s.trouble = "empty" }), plan{report: true}},
		"idle: busy, a file missing": {begun, seen{busy: true, all: true}, with(func(s *state) { s.delays = 1 }), plan{}},
		"delayed: still busy":        {with(func(s *state) { s.delays = 3 }), seen{busy: true}, with(func(s *state) { s.delays = 4 }), plan{}},
		"delayed: busy for long":     {with(func(s *state) { s.delays = 4 }), seen{busy: true, all: true}, begun, all},
		"delayed: quiet":             {with(func(s *state) { s.delays = 1 }), seen{all: true}, begun, all},

		"retrying: time passes":    {retrying, seen{}, retrying, some},
		"retrying: a foreign file": {retrying, seen{pages: true}, retrying, some},
		"retrying: the same again": {retrying, built{phase: unwritten, trouble: "disk full"}, with(func(s *state) { s.phase, s.trouble, s.tries = unwritten, "disk full", 3 }), plan{}},
		"retrying: something else": {retrying, built{phase: unread, trouble: "gone"}, lost, plan{report: true}},
		"retrying: a build":        {retrying, built{phase: idle}, begun, plan{announce: true}},
		"unread: time passes":      {lost, seen{}, lost, all},
		"unread: settings differ":  {lost, seen{settings: true}, lost, plan{load: true}},
		"skipped: a page":          {nothing, seen{pages: true, differs: true, all: true}, nothing, plan{}},
		"skipped: settings differ": {nothing, seen{settings: true}, nothing, plan{load: true}},
		"skipped: other settings":  {nothing, loaded{}, with(func(s *state) { s.phase = unread }), all},
		"loading: broken":          {begun, loaded{trouble: "line 3"}, broken, plan{report: true}},
		"loading: broken, a page":  {begun, loaded{trouble: "line 3", batch: seen{differs: true}}, broken, plan{report: true, write: true}},
		"loading: good, then not":  {begun, loaded{trouble: "line 3", replaced: true}, with(func(s *state) { s.broken, s.trouble, s.phase = true, "line 3", unread }), plan{report: true, write: true, all: true}},
		"broken: time passes":      {broken, seen{}, broken, plan{load: true}},
		"broken: the same again":   {broken, loaded{trouble: "line 3"}, with(func(s *state) { s.broken, s.trouble, s.tries = true, "line 3", 1 }), plan{}},
		"broken: a page was built": {broken, built{phase: idle}, with(func(s *state) { s.broken = true }), plan{announce: true}},
		"broken: good again":       {broken, loaded{}, with(func(s *state) { s.phase, s.trouble = unread, "line 3" }), all},
		"spoiled: a repair":        {begun, seen{at: noon, spoiled: "x"}, begun, plan{write: true, repair: true}},
		"spoiled: it is done":      {begun, built{at: noon, phase: idle, repair: true}, with(func(s *state) { s.repaired = noon }), plan{announce: true}},
		"spoiled: soon after":      {with(func(s *state) { s.repaired = noon }), seen{at: noon.Add(time.Second), spoiled: "x"}, with(func(s *state) { s.repaired, s.repairs = noon, 1 }), plan{write: true, repair: true}},
		"spoiled: long after":      {with(func(s *state) { s.repaired, s.repairs = noon, 4 }), seen{at: noon.Add(time.Minute), spoiled: "x"}, with(func(s *state) { s.repaired = noon }), plan{write: true, repair: true}},
		"spoiled: again and again": {with(func(s *state) { s.repaired, s.repairs = noon, 4 }), seen{at: noon, spoiled: "public/sitemap.xml"}, with(func(s *state) { s.repaired, s.repairs = noon, 5 }), plan{notes: []string{again}, pause: true, write: true, repair: true}},
		"spoiled: and again":       {with(func(s *state) { s.repaired, s.repairs = noon, 5 }), seen{at: noon, spoiled: "x"}, with(func(s *state) { s.repaired, s.repairs = noon, 6 }), plan{pause: true, write: true, repair: true}},
		"spoiled: beside a page":   {begun, seen{at: noon, spoiled: "x", differs: true}, begun, some},
		"content: no server":       {begun, seen{at: noon, content: true, differs: true}, begun, some},
		"content: a server":        {begun, seen{at: noon, content: true, server: "run hugo"}, with(func(s *state) { s.edited = noon }), plan{}},
		"content: it was built":    {with(func(s *state) { s.edited = noon }), seen{at: noon, pages: true, content: true, server: "run hugo"}, begun, plan{}},
		"content: too early":       {with(func(s *state) { s.edited = noon }), seen{at: noon.Add(9 * time.Second), server: "run hugo"}, with(func(s *state) { s.edited = noon }), plan{}},
		"content: nothing built":   {with(func(s *state) { s.edited = noon }), seen{at: noon.Add(unbuiltAfter), server: "run hugo"}, with(func(s *state) { s.edited, s.blamed = noon, true }), plan{notes: []string{"run hugo"}}},
		"content: it is told once": {with(func(s *state) { s.edited, s.blamed = noon, true }), seen{at: noon.Add(time.Hour), server: "run hugo"}, with(func(s *state) { s.edited, s.blamed = noon, true }), plan{}},
	} {
		if to, do := step(tt.from, tt.e); to != tt.to || !reflect.DeepEqual(do, tt.do) {
			t.Errorf("%s:\ngot  %+v %+v\nwant %+v %+v", name, to, do, tt.to, tt.do)
		}
	}
}

// TestPatience says how long is waited in each state.
func TestPatience(t *testing.T) {
	noon := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	const quiet = 100 * time.Millisecond
	for i, tt := range []struct {
		s          state
		next, want time.Duration
	}{
		{state{phase: idle}, time.Hour, clockCheck},
		{state{phase: idle}, time.Second, time.Second},
		{state{phase: idle}, -time.Hour, time.Millisecond},
		{state{phase: idle, edited: noon.Add(-4 * time.Second)}, time.Hour, 6 * time.Second},
		{state{phase: idle, edited: noon.Add(-4 * time.Second), blamed: true}, time.Hour, clockCheck},
		{state{phase: idle, broken: true}, 0, time.Second},
		{state{phase: skipped}, time.Hour, clockCheck},
		{state{phase: unread, tries: 3}, 0, 8 * time.Second},
		{state{phase: unwritten, tries: 1000}, 0, lastRetry},
		{state{phase: unread, tries: 3, delays: 1}, 0, quiet},
	} {
		if got := tt.s.patience(noon, quiet, tt.next); got != tt.want {
			t.Errorf("%d, %s: %v, want %v", i, fmt.Sprintf("%+v", tt.s), got, tt.want)
		}
	}
}
