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
