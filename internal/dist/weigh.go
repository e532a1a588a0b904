package main

import (
	"cmp"
	"debug/buildinfo"
	"debug/elf"
	"fmt"
	"maps"
	"net/url"
	"os"
	"slices"
	"strings"
)

// weigh prints what the symbols of each binary below -bin weigh, by module. It
// wants programs for Linux that were not stripped.
func (r *release) weigh() error {
	bins, err := r.binaries()
	if err != nil {
		return err
	}
	for _, b := range bins {
		sizes, err := weights(b.file)
		if err != nil {
			return fmt.Errorf("%s: %w; build it for Linux, without -s", b.file, err)
		}
		fmt.Fprintf(os.Stdout, "%s\n", b.file)
		heaviest := func(a, b string) int { return cmp.Or(cmp.Compare(sizes[b], sizes[a]), cmp.Compare(a, b)) }
		for _, name := range slices.SortedFunc(maps.Keys(sizes), heaviest) {
			fmt.Fprintf(os.Stdout, "%7d kB  %s\n", (sizes[name]+500)/1000, name)
		}
	}
	return nil
}

// weights returns the bytes of the symbols in a program's file by module; those of
// the standard library by the first part of their package.
func weights(file string) (map[string]uint64, error) {
	info, err := buildinfo.ReadFile(file)
	if err != nil {
		return nil, err
	}
	f, err := elf.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	symbols, err := f.Symbols()
	if err != nil {
		return nil, err
	}
	sizes := map[string]uint64{}
	for _, s := range symbols {
		if int(s.Section) >= len(f.Sections) || f.Sections[s.Section].Type == elf.SHT_NOBITS {
			continue // it takes no room in the file
		}
		sizes[moduleOf(packageOf(s.Name), info)] += s.Size
	}
	return sizes, nil
}

// packageOf returns the package of a symbol: "type:*net/url.URL" is of net/url.
func packageOf(symbol string) string {
	_, name, ok := strings.Cut(symbol, ":")
	if !ok || strings.HasPrefix(symbol, "go:") {
		name = symbol
	}
	name, _, _ = strings.Cut(strings.TrimLeft(name, ".*[]"), "[")
	name, _, _ = strings.Cut(name, "(")
	slash := strings.LastIndexByte(name, '/')
	dot := strings.IndexByte(name[slash+1:], '.')
	if dot < 0 {
		return ""
	}
	pkg := name[:slash+1+dot]
	if plain, err := url.PathUnescape(pkg); err == nil { // yaml%2ev3
		return plain
	}
	return pkg
}

func moduleOf(pkg string, info *buildinfo.BuildInfo) string {
	for _, m := range append(slices.Clone(info.Deps), &info.Main) {
		if pkg == m.Path || strings.HasPrefix(pkg, m.Path+"/") {
			return m.Path
		}
	}
	first, _, _ := strings.Cut(strings.TrimPrefix(pkg, "vendor/"), "/")
	switch first {
	case "main":
		return info.Main.Path
	case "crypto", "net", "golang.org", "encoding", "mime":
		return "standard library: " + first
	}
	return "standard library: runtime and all else"
}
