//go:build unix

package walker

import (
	"math"
	"syscall"
)

// openFlags keep an open from waiting for a pipe's other end, and from
// following a link that took a file's place.
const openFlags = syscall.O_NONBLOCK | syscall.O_NOFOLLOW

// openLimit returns how many files this process may have open, which package
// os has already raised to what the system allows.
func openLimit() int {
	var r syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &r); err != nil {
		return 256
	}
	return int(min(uint64(r.Cur), math.MaxInt32))
}
