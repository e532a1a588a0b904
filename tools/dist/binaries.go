package main

import (
	"debug/buildinfo"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
)

// A platform is an operating system and a processor for which a release has packages.
type platform struct {
	os, cpu string   // names in Node.js, such as "win32" and "x64"; integrations/npm/sitewalk/lib/binary.js compares them
	python  []string // platform tags of the Python wheel
}

// npmName returns the name of the npm package for the platform, such as "@sitewalk/linux-x64".
func (p platform) npmName() string { return "@sitewalk/" + p.os + "-" + p.cpu }

// exe returns the file name of the program on the platform, such as "sitewalk.exe".
func (p platform) exe() string {
	if p.os == "win32" {
		return "sitewalk.exe"
	}
	return "sitewalk"
}

// platforms maps GOOS/GOARCH to the platforms of a release. The Linux binaries use no libc, so
// they run with glibc and with musl. The macOS version is the oldest that Go supports;
// TestWheelTags checks it.
var platforms = map[string]platform{
	"linux/amd64":   {"linux", "x64", []string{"manylinux_2_17_x86_64", "manylinux2014_x86_64", "musllinux_1_1_x86_64"}},
	"linux/arm64":   {"linux", "arm64", []string{"manylinux_2_17_aarch64", "manylinux2014_aarch64", "musllinux_1_1_aarch64"}},
	"darwin/amd64":  {"darwin", "x64", []string{"macosx_12_0_x86_64"}},
	"darwin/arm64":  {"darwin", "arm64", []string{"macosx_12_0_arm64"}},
	"windows/amd64": {"win32", "x64", []string{"win_amd64"}},
	"windows/arm64": {"win32", "arm64", []string{"win_arm64"}},
}

// program is the import path of the main package that is released.
const program = "github.com/sitewalk/sitewalk"

// binaries returns the file of each binary by GOOS/GOARCH. A missing platform is an error.
func (r *release) binaries() (map[string]string, error) {
	if r.bins == nil {
		if err := r.findBinaries(); err != nil {
			return nil, err
		}
	}
	if len(r.bins) < len(platforms) {
		return nil, fmt.Errorf("%s has the binaries of %d of %d platforms", r.bin, len(r.bins), len(platforms))
	}
	return r.bins, nil
}

// findBinaries fills r.bins with the sitewalk binaries below the folder -bin. It identifies a
// binary by its build information, because file names differ.
func (r *release) findBinaries() error {
	switch {
	case r.bin == "":
		return errors.New("-bin is empty; name the folder of the binaries")
	case r.version == "":
		return errors.New("-version is empty; name the version of the binaries")
	}
	r.bins = map[string]string{}
	return filepath.WalkDir(r.bin, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		of := platformOf(name)
		switch other, twice := r.bins[of]; {
		case platforms[of].os == "": // a file of another kind, or a binary for a platform without packages
		case twice:
			return fmt.Errorf("%s and %s are both for %s", other, name, of)
		default:
			r.bins[of] = name
		}
		return nil
	})
}

// platformOf returns GOOS/GOARCH of a sitewalk binary, or "" for any other file.
func platformOf(name string) string {
	info, err := buildinfo.ReadFile(name)
	if err != nil || info.Path != program {
		return ""
	}
	settings := map[string]string{}
	for _, kv := range info.Settings {
		settings[kv.Key] = kv.Value
	}
	return settings["GOOS"] + "/" + settings["GOARCH"]
}
