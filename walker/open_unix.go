//go:build unix

package walker

import "syscall"

// openFlags are additional flags for os.OpenFile. With these flags, the call does not wait for the
// other end of a named pipe, and fails if a symbolic link has replaced the file.
const openFlags = syscall.O_NONBLOCK | syscall.O_NOFOLLOW
