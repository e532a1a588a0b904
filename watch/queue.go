package watch

import (
	"cmp"
	"sync"

	"github.com/fsnotify/fsnotify"
)

// A queue receives events and collects them by name. On Windows, adding a watch
// blocks until the earlier events are received, so a goroutine receives them.
type queue struct {
	max  int
	wake chan struct{} // has a token if there are events
	done chan struct{}

	mu     sync.Mutex
	events map[string]fsnotify.Op
	err    error // the last one
}

// maxEvents is the default number of names with events that a queue keeps.
const maxEvents = 1 << 16

func newQueue(w *fsnotify.Watcher, max int) *queue {
	q := &queue{max: cmp.Or(max, maxEvents), wake: make(chan struct{}, 1), done: make(chan struct{})}
	go q.run(w)
	return q
}

// run receives events until the watch is closed.
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

// put adds an event. Too many events are an overflow, as of the system's own queue.
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

// take returns the events since the last call. After an error, events are lost.
func (q *queue) take() (map[string]fsnotify.Op, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	events, err := q.events, q.err
	q.events, q.err = nil, nil
	return events, err
}
