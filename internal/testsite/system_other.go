//go:build !linux

package testsite

import "time"

// findMemoryDir returns "", because a folder in memory is known only for Linux.
func findMemoryDir() string { return "" }

var start = time.Now()

// threadTime returns the elapsed time, because only Linux reports the CPU time of a thread.
func threadTime() time.Duration { return time.Since(start) }
