//go:build unix

package walker

import "syscall"

// openFlags keep an open from waiting for the other end of a named pipe. They also make the
// open fail if a symbolic link has replaced the file.
const openFlags = syscall.O_NONBLOCK | syscall.O_NOFOLLOW
