//go:build race

package testsite

const raceEnabled = true
