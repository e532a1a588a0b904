package walker

import (
	"sync"
	"sync/atomic"
)

// pool is where busy workers leave tasks for idle ones.
type pool struct {
	idle atomic.Int32 // workers that have nothing to do and will find nothing here

	mu      sync.Mutex
	wake    sync.Cond
	tasks   []task
	workers int
	busy    int // workers that have a task; none has when the walk begins
}

// give leaves tasks for idle workers.
func (s *pool) give(tasks ...task) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tasks = append(s.tasks, tasks...)
	s.count()
	for range min(len(tasks), s.workers-s.busy) {
		s.wake.Signal()
	}
}

// first waits for a worker's first task, again for the next one. They report
// false when no worker is busy, as then nothing is left to do.
func (s *pool) first() (task, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.take()
}

func (s *pool) again() (task, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.busy--
	return s.take()
}

func (s *pool) take() (task, bool) {
	s.count()
	for len(s.tasks) == 0 {
		if s.busy == 0 {
			s.wake.Broadcast()
			return task{}, false
		}
		s.wake.Wait()
	}
	t := s.tasks[len(s.tasks)-1]
	s.tasks = s.tasks[:len(s.tasks)-1]
	s.busy++
	s.count()
	return t, true
}

func (s *pool) count() { s.idle.Store(int32(max(0, s.workers-s.busy-len(s.tasks)))) }
