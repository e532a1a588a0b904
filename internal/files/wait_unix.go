//go:build unix

package files

import "syscall"

// noWait is a flag for os.OpenFile. It makes the call return without waiting for the other end of a
// FIFO, and keeps a terminal from becoming the controlling terminal of the process.
const noWait = syscall.O_NONBLOCK | syscall.O_NOCTTY
