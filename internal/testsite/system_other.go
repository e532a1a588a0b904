//go:build !linux

package testsite

import "time"

// findMemoryDir returns "": only Linux has a known folder in memory.
func findMemoryDir() string { return "" }

var start = time.Now()

// threadTime returns the elapsed time, because only Linux reports the time of a thread.
func threadTime() time.Duration { return time.Since(start) }
