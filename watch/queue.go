package watch

import (
	"cmp"
	"sync"

	"github.com/fsnotify/fsnotify"
)

// A queue receives events and collects them by name. A goroutine receives the events, because
// on Windows adding a watch blocks until earlier events are received.
type queue struct {
	max  int
	wake chan struct{} // has a token if events are waiting
	done chan struct{}

	mu     sync.Mutex
	events map[string]fsnotify.Op
	err    error // the last error
}

// maxEvents is the default maximum number of names in a queue.
const maxEvents = 1 << 16

func newQueue(w *fsnotify.Watcher, max int) *queue {
	q := &queue{max: cmp.Or(max, maxEvents), wake: make(chan struct{}, 1), done: make(chan struct{})}
	go q.run(w)
	return q
}

// run receives events until the fsnotify.Watcher is closed.
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

// put adds an event. If the queue has too many names, put drops all events and records an
// overflow error.
func (q *queue) put(e fsnotify.Event) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.err != nil {
		return
	}
	if q.events == nil {
		q.events = map[string]fsnotify.Op{}
	}
	if q.events[e.Name] |= e.Op; len(q.events) > q.max {
		q.events, q.err = nil, fsnotify.ErrEventOverflow
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

// take returns the events since the last call. An error means that events were lost.
func (q *queue) take() (map[string]fsnotify.Op, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	events, err := q.events, q.err
	q.events, q.err = nil, nil
	return events, err
}
