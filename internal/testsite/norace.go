//go:build !race

package testsite

// raced reports whether the race detector is on.
const raced = false
