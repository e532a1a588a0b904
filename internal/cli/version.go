package cli

import (
	"cmp"
	"fmt"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// What a release is made from, set by its linker.
var release, releaseCommit, releaseDate string

// A source says what a binary was built from; what is not known is empty.
type source struct {
	Version string // "1.2.3", without a v
	Commit  string // with "+changes" when files were not committed
	Date    string // of the commit, not of the build
	Sum     string // the checksum of the module that "go install" downloaded
}

// builtFrom returns what the linker or, without it, the go command recorded.
func builtFrom() source {
	if release != "" {
		return source{Version: release, Commit: releaseCommit, Date: releaseDate}
	}
	info, _ := debug.ReadBuildInfo()
	return fromGo(info)
}

// pseudo finds the date and the commit that a version without a tag is made
// of: https://go.dev/ref/mod#pseudo-versions.
var pseudo = regexp.MustCompile(`[.-](\d{14})-([0-9a-f]{12})(\+.*)?$`)

// fromGo returns what the go command wrote into a binary: the commit of a
// checkout, or the checksum of a module that it downloaded.
func fromGo(info *debug.BuildInfo) source {
	if info == nil {
		return source{}
	}
	s := source{Sum: info.Main.Sum}
	if v := info.Main.Version; v != "(devel)" {
		s.Version = strings.TrimPrefix(v, "v")
	}
	if m := pseudo.FindStringSubmatch(s.Version); m != nil {
		s.Commit = m[2]
		if t, err := time.Parse("20060102150405", m[1]); err == nil {
			s.Date = t.Format(time.RFC3339)
		}
	}
	suffix := ""
	for _, kv := range info.Settings {
		switch kv.Key {
		case "vcs.revision":
			s.Commit = kv.Value
		case "vcs.time":
			s.Date = kv.Value
		case "vcs.modified":
			if kv.Value == "true" {
				suffix = "+changes"
			}
		}
	}
	if s.Commit != "" {
		s.Commit += suffix
	}
	return s
}

// version names this binary in a word or two.
func version() string { return cmp.Or(builtFrom().Version, "development build") }

var versionCommand = command{
	use:     "version",
	short:   "print the version, and what the program was built from",
	prepare: prepareVersion,
	long: `Prints the version, the commit and its date, the version of Go, and the system
for which the program was built. After "go install" of a release it prints the
checksum of the module in place of the commit.`,
	example: "  sitewalk version",
}

func prepareVersion(env Env, _ *Printer, cmd *cobra.Command) {
	cmd.RunE = func(*cobra.Command, []string) error {
		_, err := fmt.Fprint(env.Stdout, builtFrom())
		return err
	}
}

func (s source) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "sitewalk %s\n", cmp.Or(s.Version, "development build"))
	line := func(label, value string) {
		if value != "" {
			fmt.Fprintf(&b, "  %-8s%s\n", label, value)
		}
	}
	line("commit", s.Commit)
	line("date", s.Date)
	line("module", s.Sum)
	line("go", fmt.Sprintf("%s %s/%s", runtime.Version(), runtime.GOOS, runtime.GOARCH))
	return b.String()
}
