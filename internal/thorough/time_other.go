//go:build !linux

package thorough

import "time"

var began = time.Now()

// threadTime returns what stands for how long the thread has run: the time of the clock.
func threadTime() time.Duration { return time.Since(began) }
