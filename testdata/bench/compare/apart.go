package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// apart is the name under which compare starts itself to run one program. The system
// says of a program that it took as much memory as the one that started it had taken
// by then, if that is more: so each is started by one that has just begun, which
// takes a few MiB.
const apart = "sitewalk-compare-apart"

// mostApart is more than a program that has just begun takes, in MiB, and less than
// any that is measured.
const mostApart = 16

// A usage is what a run took, as the one that started it saw it.
type usage struct {
	Seconds, CPU, MiB float64
	FromDisk          bool // it has read from a disk
	Failed            string
}

// runApart runs a program and tells what it took on the file behind standard error.
func runApart(args []string) error {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	start := time.Now()
	err := cmd.Run()
	u := usage{Seconds: time.Since(start).Seconds()}
	if err != nil {
		u.Failed = err.Error()
	}
	if state := cmd.ProcessState; state != nil {
		u.CPU = (state.UserTime() + state.SystemTime()).Seconds()
		used := state.SysUsage().(*syscall.Rusage)
		u.MiB, u.FromDisk = float64(used.Maxrss)/1024, used.Inblock > 0
	}
	return json.NewEncoder(os.NewFile(3, "usage")).Encode(u)
}

// measure runs a side once.
func measure(s side) (sample, error) {
	self, err := os.Executable()
	if err != nil {
		return sample{}, err
	}
	from, to, err := os.Pipe()
	if err != nil {
		return sample{}, err
	}
	defer from.Close()
	cmd := &exec.Cmd{Path: self, Args: append([]string{apart}, s.args...), Dir: s.dir, ExtraFiles: []*os.File{to}}
	out, err := cmd.CombinedOutput()
	to.Close()
	var u usage
	if err == nil {
		err = json.NewDecoder(from).Decode(&u)
	}
	if err == nil && u.Failed != "" {
		err = errors.New(u.Failed)
	}
	if err != nil {
		return sample{}, fmt.Errorf("%s: %w: %.200s", s.args[0], err, out)
	}
	all := sample{u.Seconds, u.CPU, u.MiB, u.FromDisk}
	if s.self {
		all.mib = 0
		_, err = fmt.Sscan(string(out), &all.seconds, &all.cpu)
	}
	return all, err
}

// checkMemory makes sure that a small program is measured as one, however much compare
// itself has taken.
func checkMemory() error {
	grown := []byte(strings.Repeat("x", 4*mostApart<<20))
	s, err := measure(side{args: []string{"true"}})
	if err == nil && s.mib > mostApart {
		err = fmt.Errorf("of %.0f MiB that the program true is said to take, compare took %d", s.mib, len(grown)>>20)
	}
	return err
}
