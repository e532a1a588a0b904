package walker

import (
	"sync"
	"sync/atomic"
)

// shared is where busy workers leave tasks for idle ones.
type shared struct {
	idle atomic.Int32 // workers that wait and have not been given anything yet

	mu      sync.Mutex
	wake    sync.Cond
	tasks   []task
	waiting int
	workers int
	over    bool
}

func newShared(workers int) *shared {
	s := &shared{workers: workers}
	s.wake.L = &s.mu
	return s
}

// give leaves tasks for idle workers.
func (s *shared) give(tasks ...task) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tasks = append(s.tasks, tasks...)
	s.count()
	for range min(len(tasks), s.waiting) {
		s.wake.Signal()
	}
}

// take waits for a task. It reports false when all workers wait, as then there
// is nothing left to do.
func (s *shared) take() (task, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting++
	for len(s.tasks) == 0 {
		if s.over = s.over || s.waiting == s.workers; s.over {
			s.wake.Broadcast()
			return task{}, false
		}
		s.count()
		s.wake.Wait()
	}
	t := s.tasks[len(s.tasks)-1]
	s.tasks = s.tasks[:len(s.tasks)-1]
	s.waiting--
	s.count()
	return t, true
}

func (s *shared) count() { s.idle.Store(int32(max(0, s.waiting-len(s.tasks)))) }
