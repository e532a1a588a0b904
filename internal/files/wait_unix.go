//go:build unix

package files

import "syscall"

// noWait keeps an open from waiting for the other end of a FIFO, and from making a
// terminal the one that controls the process.
const noWait = syscall.O_NONBLOCK | syscall.O_NOCTTY
