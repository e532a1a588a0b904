//go:build !unix

package files

// noWait is 0 on systems without FIFOs in folders.
const noWait = 0
