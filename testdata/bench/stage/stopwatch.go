package main

import (
	"fmt"
	"syscall"
	"time"
)

// clock prints how many seconds the work takes, and how many of processor time
// on all threads, unless it fails: without the program's start and what it prepares.
func clock(work func() error) error {
	start, before := time.Now(), processor()
	if err := work(); err != nil {
		return err
	}
	_, err := fmt.Println(time.Since(start).Seconds(), (processor() - before).Seconds())
	return err
}

// processor is the processor time of all threads so far.
func processor() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
