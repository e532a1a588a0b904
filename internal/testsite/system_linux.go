package testsite

import (
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// findMemoryDir returns a folder in memory from which programs can be started, with enough space
// for the largest test. It returns "" if there is no such folder, as in many containers.
func findMemoryDir() string {
	const dir, writable, noexec, room = "/dev/shm", 0x2, 0x8, 1 << 30
	var fs syscall.Statfs_t
	if syscall.Access(dir, writable) != nil || syscall.Statfs(dir, &fs) != nil ||
		fs.Flags&noexec != 0 || fs.Bavail*uint64(fs.Bsize) < room {
		return ""
	}
	return dir
}

// threadTime returns the CPU time that the current thread has used.
func threadTime() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		panic(err)
	}
	return time.Duration(t.Nano())
}
