//go:build !race

package testsite

// raceEnabled reports whether the race detector is on.
const raceEnabled = false
