package live

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/lock"
)

// maxState is how large a state may be: a million answers fit in.
const maxState = 1 << 30

// A stateLine is one line of the state: an address and its answer.
type stateLine struct {
	URL string `json:"url"`
	*Seen
}

// lock keeps other processes from the state. It returns nil where there is none.
func (v *Visit) lock(ctx context.Context) (*lock.Lock, error) {
	if v.o.State == "" {
		return nil, nil
	}
	held, err := lock.Path(ctx, v.o.State, 0)
	if errors.Is(err, lock.ErrHeld) {
		return nil, diag.Hintedf("wait for it, or name another file", "--state: %s is used by another check, which is still running", v.o.State)
	}
	return held, err
}

// heading is the first line of the state of a plan: another plan does not go on with it.
func (r *run) heading() string {
	h := sha256.New()
	e := json.NewEncoder(h)
	_ = e.Encode(r.o.Page.Body) // texts and numbers: it never fails
	for i := range r.plan {
		_ = e.Encode([]any{r.plan[i].URL, r.plan[i].Kind, r.plan[i].Want})
	}
	return "sitewalk live 1 " + hex.EncodeToString(h.Sum(nil)[:16])
}

// recall takes in the answers that an interrupted run of the same plan remembered.
func (r *run) recall(ctx context.Context) error {
	r.done = make([]bool, len(r.plan))
	if r.o.State == "" {
		return nil
	}
	src, err := files.Read(r.o.State, maxState)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("--state: %s: %w", r.o.State, diag.Cause(err))
	}
	head := r.heading()
	first, rest, _ := bytes.Cut(src, []byte("\n"))
	if string(first) != head {
		if len(src) > 0 && !bytes.HasPrefix(src, []byte("sitewalk live ")) {
			return diag.Hintedf("name a file that does not exist yet", "--state: %s is not a state of sitewalk", r.o.State)
		}
		if err := r.remove(); err != nil {
			return err
		}
		return r.save(ctx, head)
	}
	at := make(map[string]int, len(r.plan))
	for i := range r.plan {
		at[r.plan[i].URL] = i
	}
	for text := range bytes.Lines(rest) {
		line := stateLine{Seen: new(Seen)}
		if json.Unmarshal(text, &line) != nil {
			continue // torn when the run was killed
		}
		if i, ok := at[line.URL]; ok && !r.done[i] {
			r.take(i, line.Seen)
			r.Resumed++
		}
	}
	return nil
}

// remember adds an answer to the state. The next run asks again where there was none, or
// a refusal.
func (r *run) remember(ctx context.Context, q *Request, s *Seen) error {
	if r.o.State == "" || refusal(s) != nil {
		return nil
	}
	line, err := json.Marshal(stateLine{q.URL, s})
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.save(context.WithoutCancel(ctx), "\n"+string(line)) // behind one that may be torn
}

func (r *run) save(ctx context.Context, text string) error {
	if err := files.Append(ctx, r.o.State, []byte(text)); err != nil {
		return fmt.Errorf("--state: %s: %w", r.o.State, diag.Cause(err))
	}
	return nil
}

// forget removes the state, when all has been asked for.
func (r *run) forget() error {
	if r.o.State == "" || r.Left() > 0 {
		return nil
	}
	return r.remove()
}

func (r *run) remove() error {
	if err := os.Remove(r.o.State); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("--state: %s: %w", r.o.State, diag.Cause(err))
	}
	return nil
}
