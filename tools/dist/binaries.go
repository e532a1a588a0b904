package main

import (
	"debug/buildinfo"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
)

// A platform is a system and processor for which there are packages.
type platform struct {
	os, cpu string   // as Node names them; integrations/npm/sitewalk/lib/binary.js chooses by them
	python  []string // the tags of its wheel
}

// npm returns the name of the npm package for the platform.
func (p platform) npm() string { return "@sitewalk/" + p.os + "-" + p.cpu }

// exe returns the file name of the program.
func (p platform) exe() string {
	if p.os == "win32" {
		return "sitewalk.exe"
	}
	return "sitewalk"
}

// platforms lists the platforms of a release by GOOS/GOARCH. A program without libc runs
// beside glibc and musl. Go decides the oldest macOS; TestWheelTags compares.
var platforms = map[string]platform{
	"linux/amd64":   {"linux", "x64", []string{"manylinux_2_17_x86_64", "manylinux2014_x86_64", "musllinux_1_1_x86_64"}},
	"linux/arm64":   {"linux", "arm64", []string{"manylinux_2_17_aarch64", "manylinux2014_aarch64", "musllinux_1_1_aarch64"}},
	"darwin/amd64":  {"darwin", "x64", []string{"macosx_12_0_x86_64"}},
	"darwin/arm64":  {"darwin", "arm64", []string{"macosx_12_0_arm64"}},
	"windows/amd64": {"win32", "x64", []string{"win_amd64"}},
	"windows/arm64": {"win32", "arm64", []string{"win_arm64"}},
}

// program is the import path of the released main package.
const program = "github.com/sitewalk/sitewalk"

// binaries returns the files of the programs by platform.
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

// findBinaries finds the programs below the folder -bin. It identifies them by their build
// information, not by their names.
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
		case platforms[of].os == "": // of another platform, or another file
		case twice:
			return fmt.Errorf("%s and %s are both for %s", other, name, of)
		default:
			r.bins[of] = name
		}
		return nil
	})
}

// platformOf returns the platform of a sitewalk binary, or "" for any other file.
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
