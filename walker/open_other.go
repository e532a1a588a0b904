//go:build !unix

package walker

const openFlags = 0
