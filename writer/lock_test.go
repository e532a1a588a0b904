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

// beginTransaction drafts a site in dir and leaves the transaction open.
func beginTransaction(t *testing.T, dir string) *Transaction {
	t.Helper()
	tx := new(Transaction)
	if _, err := tx.Draft(t.Context(), site(""), Options{Dir: dir, Base: base}); err != nil {
		t.Fatal(err)
	}
	return tx
}

func TestWriteWaitsForLock(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		first := beginTransaction(t, dir)
		time.AfterFunc(time.Second, first.Close)
		start := time.Now()
		mustWrite(t, site(""), Options{Dir: dir})
		if d := time.Since(start); d < time.Second || d > 2*time.Second {
			t.Errorf("Write waits for %s, want 1s to 2s", d)
		}
	})
}

func TestWriteWaitsAtMostOneMinute(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		first := beginTransaction(t, dir)
		defer first.Close()
		_, err := Write(t.Context(), site("a"), Options{Dir: dir, Base: base})
		if pe, ok := errors.AsType[*fs.PathError](err); !ok || !strings.Contains(err.Error(), "locked for a minute") || pe.Path != dir {
			t.Errorf("got error %v, want one about the lock of %s", err, dir)
		}
		if _, err := Write(t.Context(), site("a"), Options{Dir: dir, Base: base, DryRun: true}); err != nil {
			t.Errorf("dry run: %v", err)
		}
		if err := first.Commit(); err != nil {
			t.Errorf("first transaction: %v", err)
		}
	})
}

func TestWriteStopsWaitingWithContext(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		first := beginTransaction(t, dir)
		defer first.Close()
		stop := errors.New("stop")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second, func() { cancel(stop) })
		if _, err := Write(ctx, site("a"), Options{Dir: dir, Base: base}); !errors.Is(err, stop) {
			t.Errorf("got error %v, want the cause of the context", err)
		}
	})
}
