// Dist creates the release files that goreleaser does not create: man pages, completion scripts,
// packages for npm and Python, the GitHub action and the Homebrew formula. Run it in the root of
// the repository with "go run -C tools ./dist -help". Relative paths on its command line start at
// the root. Dist does not publish anything.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

func main() {
	if err := runAtRoot(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "dist: error:", err)
		os.Exit(2)
	}
}

// runAtRoot changes to the root of the repository and runs the commands. "go run -C tools" starts
// Dist in the folder tools, one level below the root.
func runAtRoot(args []string) error {
	if err := os.Chdir(".."); err != nil {
		return err
	}
	return run(args)
}

// A release contains the command-line settings.
type release struct {
	version string            // version to release, without "v": "1.2.3"
	date    time.Time         // date of the released commit; zero if not set
	bin     string            // folder of the binaries; subfolders are searched too
	out     string            // folder to write into
	bins    map[string]string // file of each binary by GOOS/GOARCH; nil before findBinaries
}

// A command creates one kind of release file, such as the man pages.
type command struct {
	name, help string
	run        func(*release) error
}

var commands = []command{
	{"man", "man pages", (*release).writeManPages},
	{"completions", "completion scripts", (*release).writeCompletions},
	{"npm", "the packages for npm", (*release).writeNpmPackages},
	{"wheels", "the packages for Python", (*release).writeWheels},
	{"action", "the GitHub action, with the checksums of checksums.txt", (*release).writeAction},
	{"formula", "the Homebrew formula, from checksums.txt", (*release).writeFormula},
}

func run(args []string) error {
	r := &release{}
	date := ""
	f := flag.NewFlagSet("dist", flag.ContinueOnError)
	f.StringVar(&r.version, "version", "", "the `version` that is released, without a v")
	f.StringVar(&date, "date", "", "the `time` of its commit, as in 2006-01-02T15:04:05Z")
	f.StringVar(&r.bin, "bin", "", "the `folder` that holds its binaries")
	f.StringVar(&r.out, "out", "", "the `folder` to write into")
	f.Usage = func() { printUsage(f) }
	if err := f.Parse(args); errors.Is(err, flag.ErrHelp) {
		return nil
	} else if err != nil {
		return err
	}
	if err := r.checkFlags(date); err != nil {
		return err
	}
	return r.runCommands(f.Args())
}

func printUsage(f *flag.FlagSet) {
	w := f.Output()
	fmt.Fprint(w, "usage: dist [flags] COMMAND...\n")
	for _, c := range commands {
		fmt.Fprintf(w, "  %-12s %s\n", c.name, c.help)
	}
	f.PrintDefaults()
}

func (r *release) checkFlags(date string) (err error) {
	if strings.HasPrefix(r.version, "v") {
		return fmt.Errorf("-version %q; write it without the v", r.version)
	}
	if date != "" {
		r.date, err = time.Parse(time.RFC3339, date)
	}
	return err
}

// runCommands runs the commands with the given names, in the order of names.
func (r *release) runCommands(names []string) error {
	if len(names) == 0 {
		return errors.New("no command given; -help lists the commands")
	}
	for _, name := range names {
		i := slices.IndexFunc(commands, func(c command) bool { return c.name == name })
		switch {
		case i < 0:
			return fmt.Errorf("unknown command %q; -help lists the commands", name)
		case r.out == "":
			return errors.New("-out is empty; name the folder to write into")
		}
		if err := commands[i].run(r); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// writeFile writes content to the file name and creates missing parent folders.
func writeFile(name string, content []byte, mode os.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(name, content, mode); err != nil {
		return err
	}
	return os.Chmod(name, mode) // WriteFile keeps the mode of an existing file
}

// copyTo copies the file at the path from to the path name, and creates missing parent folders.
func copyTo(name, from string, mode os.FileMode) error {
	content, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return writeFile(name, content, mode)
}

// copyWithLicense replaces the folder to with a copy of the folder from, and adds the license.
func copyWithLicense(to, from string) error {
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		return err
	}
	return copyTo(filepath.Join(to, "LICENSE"), "LICENSE", 0o644)
}
