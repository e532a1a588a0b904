package cli

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// The version, commit and date of a release. The linker sets these variables.
var release, releaseCommit, releaseDate string

// A buildSource describes the source code that a binary was built from. Unknown fields are empty.
type buildSource struct {
	Version string // "1.2.3", without a v
	Commit  string // with "+changes" if files were not committed
	Date    string // date of the commit
}

// readBuildSource returns the source code that this binary was built from. The linker or the go
// command stored this information in the binary.
func readBuildSource() buildSource {
	if release != "" {
		return buildSource{release, releaseCommit, releaseDate}
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return buildSource{}
	}
	return parseBuildInfo(info)
}

// parseBuildInfo extracts the version, the commit and its date from info, which the go command
// stored in the binary.
func parseBuildInfo(info *debug.BuildInfo) (s buildSource) {
	if v := info.Main.Version; v != "(devel)" {
		s.Version = strings.TrimPrefix(v, "v")
	}
	settings := map[string]string{}
	for _, kv := range info.Settings {
		settings[kv.Key] = kv.Value
	}
	s.Commit, s.Date = settings["vcs.revision"], settings["vcs.time"]
	if settings["vcs.modified"] == "true" {
		s.Commit += "+changes"
	}
	return s
}

// version returns the version that --version and reports show.
func version() string { return cmp.Or(readBuildSource().Version, "development build") }

func newVersionCommand(env Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "version",
		Short: "print the version, and what the program was built from",
		Args:  limitArguments(0, 0),
		Long: `Prints the version, the commit and its date, the version of Go, and the system
for which the program was built.`,
		Example: "  sitewalk version",
	}
	cmd.RunE = func(*cobra.Command, []string) error {
		s := readBuildSource()
		text := fmt.Sprintf("sitewalk %s\n", cmp.Or(s.Version, "development build"))
		if s.Commit != "" {
			text += fmt.Sprintf("  commit  %s\n  date    %s\n", s.Commit, s.Date)
		}
		text += fmt.Sprintf("  go      %s %s/%s\n", runtime.Version(), runtime.GOOS, runtime.GOARCH)
		_, err := fmt.Fprint(env.Stdout, text)
		return err
	}
	return cmd
}
