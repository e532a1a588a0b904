package main

import (
	"cmp"
	"debug/buildinfo"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
)

// A binary is the program for one system and processor.
type binary struct {
	os, arch string // as Go names them
	file     string
}

// A platform is a system and processor for which there are packages.
type platform struct {
	os, cpu string   // as Node names them; integrations/npm/sitewalk/lib/binary.js chooses by them
	python  []string // the tags of its wheel
}

// npm is the name of the package that holds the program for the platform.
func (p platform) npm() string { return "@sitewalk/" + p.os + "-" + p.cpu }

// platforms are those of a release. A program without libc runs beside glibc and musl alike;
// which macOS it asks for is up to Go, and TestWheelTags compares.
var platforms = map[string]platform{
	"linux/amd64":   {"linux", "x64", []string{"manylinux_2_17_x86_64", "manylinux2014_x86_64", "musllinux_1_1_x86_64"}},
	"linux/arm64":   {"linux", "arm64", []string{"manylinux_2_17_aarch64", "manylinux2014_aarch64", "musllinux_1_1_aarch64"}},
	"darwin/amd64":  {"darwin", "x64", []string{"macosx_12_0_x86_64"}},
	"darwin/arm64":  {"darwin", "arm64", []string{"macosx_12_0_arm64"}},
	"windows/amd64": {"win32", "x64", []string{"win_amd64"}},
	"windows/arm64": {"win32", "arm64", []string{"win_arm64"}},
}

// program is the main package whose binaries are released.
const program = "github.com/sitewalk/sitewalk"

func (b binary) platform() string { return b.os + "/" + b.arch }

// exe is the name under which a system runs the program.
func (b binary) exe() string {
	if b.os == "windows" {
		return "sitewalk.exe"
	}
	return "sitewalk"
}

// binaries finds the programs below the folder -bin, by what the linker wrote
// into them and not by their names.
func (r *release) binaries() ([]binary, error) {
	if r.bins != nil {
		return r.bins, nil
	}
	if r.bin == "" {
		return nil, errors.New("-bin is empty; name the folder of the binaries")
	}
	if r.version == "" {
		return nil, errors.New("-version is empty; name the version of the binaries")
	}
	var bins []binary
	err := filepath.WalkDir(r.bin, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		if b, ok := readBinary(name); ok {
			bins = append(bins, b)
		}
		return nil
	})
	if err == nil && len(bins) == 0 {
		err = fmt.Errorf("%s holds no binary of sitewalk", r.bin)
	}
	slices.SortFunc(bins, func(a, b binary) int { return cmp.Compare(a.platform(), b.platform()) })
	for i := 1; i < len(bins) && err == nil; i++ {
		if bins[i].platform() == bins[i-1].platform() {
			err = fmt.Errorf("%s and %s are both for %s", bins[i-1].file, bins[i].file, bins[i].platform())
		}
	}
	if err == nil {
		r.bins = bins
	}
	return bins, err
}

// released returns the binaries of all platforms.
func (r *release) released() ([]binary, error) {
	bins, err := r.binaries()
	bins = slices.DeleteFunc(slices.Clone(bins), func(b binary) bool { return platforms[b.platform()].os == "" })
	if err == nil && len(bins) < len(platforms) {
		err = fmt.Errorf("%s has the binaries of %d of %d platforms", r.bin, len(bins), len(platforms))
	}
	return bins, err
}

func readBinary(name string) (binary, bool) {
	info, err := buildinfo.ReadFile(name)
	if err != nil || info.Path != program {
		return binary{}, false
	}
	b := binary{file: name}
	for _, kv := range info.Settings {
		switch kv.Key {
		case "GOOS":
			b.os = kv.Value
		case "GOARCH":
			b.arch = kv.Value
		}
	}
	return b, true
}
