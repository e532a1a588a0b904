//go:build !linux

package testsite

import "time"

// memoryFolder returns "": only Linux has a known folder in memory.
func memoryFolder() string { return "" }

var start = time.Now()

// threadTime returns the elapsed time, because only Linux reports the time of a thread.
func threadTime() time.Duration { return time.Since(start) }
