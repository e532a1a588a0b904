package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/template"
)

// checksums is the name of the file with the SHA-256 of each release archive. The file has the
// format of sha256sum.
const checksums = "checksums.txt"

// readChecksums returns the checksum of each release archive by GOOS/GOARCH. It ignores other
// files. It returns an error if the archive of a platform is missing.
func (r *release) readChecksums() (map[string]sum, error) {
	if r.version == "" {
		return nil, fmt.Errorf("-version is empty; name the version of the archives")
	}
	file := filepath.Join(r.out, checksums)
	src, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	pattern := regexp.MustCompile(`^([0-9a-f]{64})  (sitewalk_` + regexp.QuoteMeta(r.version) + `_([a-z]+)_([a-z0-9]+)\.(?:tar\.gz|zip))$`)
	sums := map[string]sum{}
	for line := range strings.Lines(string(src)) {
		if m := pattern.FindStringSubmatch(strings.TrimRight(line, "\r\n")); m != nil {
			sums[m[3]+"/"+m[4]] = sum{SHA256: m[1], Archive: m[2]}
		}
	}
	for _, platform := range slices.Sorted(maps.Keys(platforms)) {
		if _, ok := sums[platform]; !ok {
			return nil, fmt.Errorf("%s names no archive of version %s for %s", file, r.version, platform)
		}
	}
	return sums, nil
}

// A sum is the checksum of a release archive in hexadecimal, and the archive's file name.
type sum struct{ SHA256, Archive string }

// writeAction writes the repository of the GitHub action, including the checksums of the
// archives. The action takes the version from the archive names.
func (r *release) writeAction() error {
	sums, err := r.readChecksums()
	if err != nil {
		return err
	}
	var out strings.Builder
	for _, platform := range slices.Sorted(maps.Keys(platforms)) {
		fmt.Fprintf(&out, "%s  %s\n", sums[platform].SHA256, sums[platform].Archive)
	}
	to := filepath.Join(r.out, "github")
	if err := copyWithLicense(to, "integrations/github"); err != nil {
		return err
	}
	return writeFile(filepath.Join(to, checksums), []byte(out.String()), 0o644)
}

// writeFormula writes the Homebrew formula.
func (r *release) writeFormula() error {
	sums, err := r.readChecksums()
	if err != nil {
		return err
	}
	t, err := template.ParseFiles("integrations/homebrew/sitewalk.rb.tmpl")
	if err != nil {
		return err
	}
	var out bytes.Buffer
	if err := t.Execute(&out, map[string]any{"Version": r.version, "Sums": sums}); err != nil {
		return err
	}
	return writeFile(filepath.Join(r.out, "homebrew", "sitewalk.rb"), out.Bytes(), 0o644)
}
