package ledger

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/fetch"
	"github.com/sitewalk/sitewalk/internal/files"
)

// ReadOptions are options of Read.
type ReadOptions struct {
	Continue bool          // return an empty ledger and a finding instead of an error (ledger.on_error: continue)
	Timeout  time.Duration // time limit for a whole response; 0 means 30 seconds, which is also the maximum
	MaxBytes int64         // maximum size of the ledger after decompression; 0 means 256 MiB
	Dir      string        // folder to which the file names in findings are relative
	Named    []string      // URLs from the user's configuration; they permit requests to their hosts, see fetch.CheckRequest
	Client   *http.Client  // nil means the default client; Read replaces the redirect policy
}

// errAbsent reports that there is no ledger, for example because this is the first build.
var errAbsent = errors.New("there is no ledger yet")

// Read reads the ledger at location, which is a path or an http or https URL. If the ledger does
// not exist or is corrupt, Read adds a finding and returns an empty ledger.
//
// If the ledger cannot be read for another reason, Read returns an error, because a build without
// the ledger would lose the dates of the pages. With o.Continue, Read adds a finding instead, and
// returns an empty ledger. If ctx ends, Read always returns an error.
func Read(ctx context.Context, location string, o ReadOptions, findings *diag.Report) (*Ledger, error) {
	l, err := readLedger(ctx, location, o)
	pos := diag.Pos{File: fetch.DisplayName(o.Dir, location)}
	switch {
	case err == nil:
		return l, nil
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case errors.Is(err, errAbsent):
		findings.Add(newFirstRunFinding(pos, err))
		return &Ledger{}, nil
	}
	if damage, isDamaged := errors.AsType[damagedError](err); isDamaged {
		pos.Line = damage.line
		findings.Add(diag.Warnf(pos, "ledger-damaged", "restore it, or keep one side of a merge conflict, to keep the pages' dates",
			"the ledger starts anew, because %v", err))
		return &Ledger{}, nil
	}
	if o.Continue {
		findings.Add(diag.Warnf(pos, "ledger-unread", "find out why it cannot be read: the published ledger loses the pages' dates",
			"the ledger cannot be read, so this counts as a first run: %v", err))
		return &Ledger{}, nil
	}
	if !fetch.IsURL(location) {
		return nil, diag.Hintedf("name another file in ledger, or delete this one: then the pages' dates start anew", "ledger %s cannot be read: %w; nothing is written", pos.File, err)
	}
	return nil, fmt.Errorf("ledger %s cannot be read: %w; nothing is written, because the pages' dates would be lost; name a file in ledger.read, or set ledger.on_error to continue", pos.File, err)
}

// newFirstRunFinding returns the finding that the ledger at pos does not exist. For a file it is a
// note, because the first build has no ledger. For a URL it is a warning, because the user may have
// mistyped the URL. err is the error of reading the ledger.
func newFirstRunFinding(pos diag.Pos, err error) diag.Diagnostic {
	if !fetch.IsURL(pos.File) {
		return diag.Notef(pos, "ledger-first-run", "", "%v: pages get dates from it once they change", errAbsent)
	}
	return diag.Warnf(pos, "ledger-first-run", "make sure that the file that is written is published at this address",
		"%v: pages get dates from it once they change", err)
}

// readLedger reads the ledger at location. If the content is compressed with gzip, readLedger
// decompresses it.
func readLedger(ctx context.Context, location string, o ReadOptions) (*Ledger, error) {
	limit := cmp.Or(o.MaxBytes, 256<<20)
	f, err := openLedger(ctx, location, limit, o)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	plain, err := fetch.Unpack(f, limit, errTooLarge)
	if err != nil {
		return nil, err
	}
	var text strings.Builder
	if _, err := io.Copy(&text, plain); err != nil {
		return nil, err
	}
	return parseLedger(text.String())
}

var errTooLarge = errors.New("it is larger than a ledger may be")

// openLedger opens the file or URL at location. If it does not exist, the error wraps errAbsent. If
// a file has more than limit bytes, the error is errTooLarge. openLedger does not limit the size of
// a response.
func openLedger(ctx context.Context, location string, limit int64, o ReadOptions) (io.ReadCloser, error) {
	if !fetch.IsURL(location) {
		return openLedgerFile(location, limit)
	}
	body, err := fetch.Referrer{}.Open(ctx, location, fetch.Options{Timeout: o.Timeout, Named: o.Named, Client: o.Client, Accept: "text/plain"})
	if fetch.IsNotFound(err) {
		return nil, fmt.Errorf("%w: %w", err, errAbsent)
	}
	return body, err
}

func openLedgerFile(name string, limit int64) (io.ReadCloser, error) {
	f, err := files.Open(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, errAbsent
	case err != nil:
		return nil, diag.Cause(err)
	}
	if info, err := f.Stat(); err == nil && info.Size() > limit { // saves reading up to the limit
		f.Close()
		return nil, errTooLarge
	}
	return f, nil
}
