// Dist makes what goreleaser does not: man pages, completions, packages for npm and
// Python, and the files that the GitHub action and Homebrew read.
//
// It refuses to go to the network, and to publish anything.
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
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "dist: error:", err)
		os.Exit(2)
	}
}

// A release is what the commands make things of.
type release struct {
	version string            // "1.2.3"
	date    time.Time         // of its commit; the zero time is not printed
	bin     string            // the folder of the binaries, however it is arranged
	out     string            // the folder to write into
	bins    map[string]string // the binaries by platform; nil before they were looked for
}

// A maker is a command.
type maker struct {
	name, help string
	make       func(*release) error
}

var makers = []maker{
	{"man", "man pages", (*release).man},
	{"completions", "completion scripts", (*release).completions},
	{"npm", "the packages for npm", (*release).npm},
	{"wheels", "the packages for Python", (*release).wheels},
	{"action", "the GitHub action, with the checksums of checksums.txt", (*release).action},
	{"formula", "what Homebrew reads, from checksums.txt", (*release).formula},
}

func run(args []string) error {
	r := &release{}
	date := ""
	f := flag.NewFlagSet("dist", flag.ContinueOnError)
	f.StringVar(&r.version, "version", "", "the `version` that is released, without a v")
	f.StringVar(&date, "date", "", "the `time` of its commit, as in 2006-01-02T15:04:05Z")
	f.StringVar(&r.bin, "bin", "", "the `folder` that holds its binaries")
	f.StringVar(&r.out, "out", "", "the `folder` to write into")
	f.Usage = func() { usage(f) }
	if err := f.Parse(args); errors.Is(err, flag.ErrHelp) {
		return nil
	} else if err != nil {
		return err
	}
	if err := r.check(date); err != nil {
		return err
	}
	return r.each(f.Args())
}

func usage(f *flag.FlagSet) {
	w := f.Output()
	fmt.Fprint(w, "dist [flags] WHAT... makes, of a release:\n")
	for _, m := range makers {
		fmt.Fprintf(w, "  %-12s %s\n", m.name, m.help)
	}
	f.PrintDefaults()
}

func (r *release) check(date string) (err error) {
	if strings.HasPrefix(r.version, "v") {
		return fmt.Errorf("-version %q; write it without the v", r.version)
	}
	if date != "" {
		r.date, err = time.Parse(time.RFC3339, date)
	}
	return err
}

// each makes what the words name, in their order.
func (r *release) each(words []string) error {
	if len(words) == 0 {
		return errors.New("name what is to be made; -help lists it")
	}
	for _, word := range words {
		i := slices.IndexFunc(makers, func(m maker) bool { return m.name == word })
		switch {
		case i < 0:
			return fmt.Errorf("nothing is called %q; -help lists what can be made", word)
		case r.out == "":
			return errors.New("-out is empty; name the folder to write into")
		}
		if err := makers[i].make(r); err != nil {
			return fmt.Errorf("%s: %w", word, err)
		}
	}
	return nil
}

// create makes a file and its folders.
func create(name string, content []byte, mode os.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(name, content, mode); err != nil {
		return err
	}
	return os.Chmod(name, mode) // of a file that was there
}

// copyTo makes a file that holds what another one does.
func copyTo(name, from string, mode os.FileMode) error {
	content, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return create(name, content, mode)
}

// layOut replaces a folder with what another one holds, and the license.
func layOut(to, from string) error {
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		return err
	}
	return copyTo(filepath.Join(to, "LICENSE"), "LICENSE", 0o644)
}
