package walker

import (
	"runtime"
	"sync"
)

// threads counts the walks that are under way, because the number of threads
// that may run Go code belongs to the process.
var threads struct {
	sync.Mutex
	walks, before int
}

// processors is how many threads run Go code when no walk is under way: as many as
// there are processors, or as the system or the user allows.
func processors() int {
	threads.Lock()
	defer threads.Unlock()
	if threads.walks > 0 {
		return threads.before
	}
	return runtime.GOMAXPROCS(0)
}

// moreThreads lets n system calls wait at once until the returned function is
// called. A goroutine in a system call keeps its share of GOMAXPROCS until the
// runtime's monitor takes it away, which takes longer than most reads. The monitor
// does so only when no share is free, and taking one away and asking for it back costs
// more than most reads, too: so there are a few more shares than calls.
func moreThreads(n int) (restore func()) {
	threads.Lock()
	defer threads.Unlock()
	if threads.walks == 0 {
		threads.before = runtime.GOMAXPROCS(0)
	}
	threads.walks++
	if n += threads.before; n > runtime.GOMAXPROCS(0) {
		runtime.GOMAXPROCS(n)
	}
	return fewerThreads
}

func fewerThreads() {
	threads.Lock()
	defer threads.Unlock()
	threads.walks--
	if threads.walks == 0 && runtime.GOMAXPROCS(0) != threads.before {
		runtime.GOMAXPROCS(threads.before)
	}
}
