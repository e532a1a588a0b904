//go:build unix

package files

import "syscall"

// noWait makes an open return without waiting for the other end of a FIFO. It also prevents a
// terminal from becoming the controlling terminal.
const noWait = syscall.O_NONBLOCK | syscall.O_NOCTTY
