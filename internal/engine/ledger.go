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

// A Memory is a ledger with the state of its file.
type Memory struct {
	*ledger.Ledger
	left fs.FileInfo // the ledger file as it was read or last written; nil if it did not exist
}

// lockLedger locks the ledger file until t is closed. If another build has changed the file
// since it was read, lockLedger merges both ledgers.
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

// leaveLedger records the current state of the ledger file.
func (b *Build) leaveLedger() { b.Memory.left, _ = os.Stat(b.Settings.LedgerTo) }
