//go:build !unix

package files

// noWait is nothing where no folder holds FIFOs.
const noWait = 0
