package files

import "syscall"

func ctime(stat *syscall.Stat_t) *syscall.Timespec { return &stat.Ctim }
