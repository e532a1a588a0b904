package writer

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// begin begins a transaction in dir that stays open.
func begin(t *testing.T, dir string) *Transaction {
	t.Helper()
	tx := new(Transaction)
	if _, err := tx.Draft(t.Context(), site(""), Options{Dir: dir, Base: base}); err != nil {
		t.Fatal(err)
	}
	return tx
}

func TestWriteWaits(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		first := begin(t, dir)
		time.AfterFunc(time.Second, first.Close)
		start := time.Now()
		write(t, site(""), Options{Dir: dir})
		if d := time.Since(start); d < time.Second || d > 2*time.Second {
			t.Errorf("it waited for %s", d)
		}
	})
}

func TestWriteWaitsForAMinute(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		first := begin(t, dir)
		defer first.Close()
		_, err := Write(t.Context(), site("a"), Options{Dir: dir, Base: base})
		if pe, ok := errors.AsType[*fs.PathError](err); !ok || !strings.Contains(err.Error(), "locked for a minute") || pe.Path != dir {
			t.Errorf("error %v", err)
		}
		if _, err := Write(t.Context(), site("a"), Options{Dir: dir, Base: base, DryRun: true}); err != nil {
			t.Errorf("a dry run: %v", err)
		}
		if err := first.Commit(); err != nil {
			t.Errorf("the first one: %v", err)
		}
	})
}

func TestWaitingIsInterrupted(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		first := begin(t, dir)
		defer first.Close()
		stop := errors.New("stop")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second, func() { cancel(stop) })
		if _, err := Write(ctx, site("a"), Options{Dir: dir, Base: base}); !errors.Is(err, stop) {
			t.Errorf("error %v", err)
		}
	})
}
