//go:build !unix

package walker

const openFlags = 0

// openLimit returns how many files this process may have open.
func openLimit() int { return 8192 }
