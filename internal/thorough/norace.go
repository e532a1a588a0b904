//go:build !race

package thorough

// raced says that the race detector is on.
const raced = false
