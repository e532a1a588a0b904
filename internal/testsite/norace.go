//go:build !race

package testsite

// raceEnabled reports whether the race detector is enabled.
const raceEnabled = false
