package list

import (
	"bytes"
	"context"
	"io"
	"net/url"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/fetch"
)

// The children of a live index are asked for while others are read: so many at
// once, and so many bytes of each before it is its turn.
const (
	atOnce   = 4
	maxAhead = 16 << 20
)

// A childRef is a child that an index names.
type childRef struct {
	pos diag.Pos
	loc string
}

// An ahead is an answer that was asked for before it is its turn.
type ahead struct {
	done chan struct{}
	body *fetch.Reply
	head bytes.Buffer // what was read of the body
	err  error        // there is no body
}

// children reads the sitemaps that a live index names, in their order.
func (r *reader) children(s source, all []childRef) error {
	ctx, cancel := context.WithCancel(r.ctx)
	outer := r.ahead
	r.ahead = map[string]*ahead{}
	defer func() {
		cancel()
		for _, a := range r.ahead {
			if <-a.done; a.body != nil {
				_ = a.body.Close()
			}
		}
		r.ahead = outer
	}()
	next := 0
	for _, c := range all {
		for ; next < len(all) && len(r.ahead) < atOnce; next++ {
			r.ask(ctx, s, all[next].loc)
		}
		if err := r.child(s, c.pos, c.loc); err != nil {
			return err
		}
	}
	return nil
}

// ask begins to ask for a child that is going to be read.
func (r *reader) ask(ctx context.Context, s source, loc string) {
	u, err := url.Parse(loc)
	if err != nil || fetch.May(s.at.URL, u, r.o.Named) != nil || r.visits[loc] || r.ahead[loc] != nil || s.depth >= maxDepth {
		return
	}
	a := &ahead{done: make(chan struct{})}
	r.ahead[loc] = a
	go func() {
		defer close(a.done)
		if a.body, a.err = r.fetch(ctx, s.at, loc); a.err == nil {
			_, _ = io.CopyN(&a.head, a.body, maxAhead) // the body says again why it ends
		}
	}()
}

func (r *reader) fetch(ctx context.Context, by fetch.Place, loc string) (*fetch.Reply, error) {
	return by.Open(ctx, loc, fetch.Options{
		Timeout: r.o.Timeout, Client: r.o.Client, Named: r.o.Named, Accept: "application/xml, text/xml, text/plain, application/json",
	})
}

// open returns the answer for a URL, which may have been asked for already.
func (r *reader) open(by fetch.Place, loc string) (body io.ReadCloser, at fetch.Place, err error) {
	a := r.ahead[loc]
	if a == nil {
		b, err := r.fetch(r.ctx, by, loc)
		if err != nil {
			return nil, at, err
		}
		return b, b.At, nil
	}
	delete(r.ahead, loc)
	if <-a.done; a.body == nil {
		return nil, at, a.err
	}
	return struct {
		io.Reader
		io.Closer
	}{io.MultiReader(&a.head, a.body), a.body}, a.body.At, nil
}
