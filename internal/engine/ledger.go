package engine

import (
	"context"
	"io/fs"
	"os"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/ledger"
	"github.com/sitewalk/sitewalk/writer"
)

// A Memory is a ledger as it was read.
type Memory struct {
	*ledger.Ledger
	left fs.FileInfo // the file that is written, as it was then or as we left it; nil: there was none
}

// lockLedger keeps other builds from the ledger until t is closed. If one has written
// it since it was read, what that remembers stays.
func (b *Build) lockLedger(ctx context.Context, t *writer.Transaction) error {
	to := b.Settings.LedgerTo
	if err := t.Lock(ctx, to); err != nil {
		return b.inFolder(err)
	}
	now, err := os.Stat(to)
	if err != nil || b.Memory.left != nil && files.AsLeft(now, b.Memory.left) {
		return nil
	}
	if other, err := ledger.Read(ctx, to, ledger.ReadOptions{}, new(diag.Report)); err == nil {
		joined := *b.Result
		joined.Ledger = joined.Ledger.Join(other)
		b.Memory.Ledger, b.Result = b.Memory.Join(other), &joined
	}
	return nil
}

// leaveLedger notes how the ledger's file was left.
func (b *Build) leaveLedger() { b.Memory.left, _ = os.Stat(b.Settings.LedgerTo) }
