package watch

import (
	"cmp"
	"sync"

	"github.com/fsnotify/fsnotify"
)

// A queue takes events off the system's hands before they are asked for. On
// Windows, adding a watch waits until the events before it are taken.
type queue struct {
	limit int
	wake  chan struct{} // has a token while there is something to take
	done  chan struct{}

	mu     sync.Mutex
	events []fsnotify.Event
	err    error // the last trouble
}

// manyEvents is a few seconds of a generator's work; more than that says no
// more than "look at everything".
const manyEvents = 1 << 16

func newQueue(w *fsnotify.Watcher, limit uint) *queue {
	q := &queue{limit: int(cmp.Or(limit, manyEvents)), wake: make(chan struct{}, 1), done: make(chan struct{})}
	go q.run(w)
	return q
}

// run ends when the watch is closed.
func (q *queue) run(w *fsnotify.Watcher) {
	defer close(q.done)
	for {
		select {
		case e, ok := <-w.Events:
			if !ok {
				return
			}
			q.put(e)
		case err, ok := <-w.Errors:
			if !ok {
				return
			}
			q.fail(err)
		}
	}
}

func (q *queue) put(e fsnotify.Event) {
	q.mu.Lock()
	defer q.mu.Unlock()
	last := len(q.events) - 1
	switch {
	case q.err != nil || last >= 0 && q.events[last] == e:
		return
	case len(q.events) == q.limit:
		q.events, q.err = nil, fsnotify.ErrEventOverflow
	default:
		q.events = append(q.events, e)
	}
	q.signal()
}

func (q *queue) fail(err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.events, q.err = nil, err
	q.signal()
}

func (q *queue) signal() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// take returns what has come since the last call. An error stands for events
// that are not known.
func (q *queue) take() ([]fsnotify.Event, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	events, err := q.events, q.err
	q.events, q.err = nil, nil
	return events, err
}
