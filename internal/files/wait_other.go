//go:build !unix

package files

// noWait is 0, because this system has no FIFOs in its file system.
const noWait = 0
