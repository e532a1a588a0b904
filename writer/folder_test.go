package writer

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

func TestClearSparesRunsThatGoOn(t *testing.T) {
	ended := exec.Command(os.Args[0], "-test.run=^$")
	if err := ended.Run(); err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	tests := []struct {
		name  string
		pid   int
		when  time.Time
		stays bool
	}{
		{"of a run that goes on", os.Getppid(), now, true},
		{"of a number that was given again", os.Getppid(), now.Add(-2 * time.Hour), false},
		{"of a run that has ended", ended.Process.Pid, now, false},
		{"of our own number", os.Getpid(), now, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			name := filepath.Join(dir, fmt.Sprintf("%s%d-x%s", TempPrefix, tt.pid, tempSuffix))
			put(t, name, "half")
			if err := os.Chtimes(name, tt.when, tt.when); err != nil {
				t.Fatal(err)
			}
			write(t, site(""), Options{Dir: dir})
			if _, err := os.Lstat(name); (err == nil) != tt.stays {
				t.Errorf("stat: %v; stays should be %v", err, tt.stays)
			}
		})
	}
}
