package git

import (
	"os/exec"
	"unsafe"

	"golang.org/x/sys/windows"
)

// start starts a program in a job, all of which ends when the program's context
// does, or this process. The function that it returns ends what is left in the job
// when the program has ended. A process that the program starts before it is in
// the job, which takes a moment, is not in it either.
func start(cmd *exec.Cmd) (end func(), err error) {
	job, err := newJob()
	if err != nil {
		return nil, err
	}
	cmd.Cancel = func() error {
		_ = windows.TerminateJobObject(job, 1)
		return cmd.Process.Kill()
	}
	if err := cmd.Start(); err != nil {
		_ = windows.CloseHandle(job)
		return nil, err
	}
	// Where jobs cannot lie within each other the program alone is ended.
	_ = cmd.Process.WithHandle(func(process uintptr) {
		_ = windows.AssignProcessToJobObject(job, windows.Handle(process))
	})
	return func() { _ = windows.CloseHandle(job) }, nil
}

func newJob() (windows.Handle, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, err
	}
	var info windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	info.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | windows.JOB_OBJECT_LIMIT_PROCESS_MEMORY
	info.ProcessMemoryLimit = maxMemory
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	if err != nil {
		_ = windows.CloseHandle(job)
	}
	return job, err
}
