//go:build unix

package walker

import "syscall"

// openFlags keep an open from waiting for a pipe's other end, and from
// following a link that took a file's place.
const openFlags = syscall.O_NONBLOCK | syscall.O_NOFOLLOW
