//go:build !unix

package walker

// openFlags are additional flags for os.OpenFile. This system needs none.
const openFlags = 0
