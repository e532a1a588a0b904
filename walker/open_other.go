//go:build !unix

package walker

// openFlags are additional flags for os.OpenFile. No flags are needed on this operating system.
const openFlags = 0
