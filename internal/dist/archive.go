package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A member is a file of an archive.
type member struct {
	name    string
	content []byte
	mode    os.FileMode
}

// archives packs each binary with its manual, completions and licence, and
// writes the checksums of all archives.
func (r *release) archives() error {
	bins, err := r.binaries()
	if err != nil {
		return err
	}
	extra, err := r.companions()
	if err != nil {
		return err
	}
	var sums strings.Builder
	for _, b := range bins {
		program, err := os.ReadFile(b.file)
		if err != nil {
			return err
		}
		name, packed, err := r.pack(b, append(slices.Clone(extra), member{b.exe(), program, 0o755}))
		if err != nil {
			return err
		}
		if err := create(filepath.Join(r.out, name), packed, 0o644); err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(packed), name)
	}
	return create(filepath.Join(r.out, checksums), []byte(sums.String()), 0o644)
}

// checksums is the file that names the SHA-256 of each archive, as sha256sum
// writes and reads it.
const checksums = "checksums.txt"

// companions are what every archive holds beside the program.
func (r *release) companions() (ms []member, err error) {
	for _, name := range []string{"LICENSE", "README.md", "CHANGELOG.md"} {
		src, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("run this in the root of the repository: %w", err)
		}
		ms = append(ms, member{name, src, 0o644})
	}
	in := func(folder string) func(string, []byte) error {
		return func(name string, text []byte) error {
			ms = append(ms, member{folder + name, text, 0o644})
			return nil
		}
	}
	if err = r.pages(in("man/")); err == nil {
		err = eachScript(in("completions/"))
	}
	return ms, err
}

// pack returns the archive for a platform, zip for Windows and tar.gz for all
// others. Its bytes depend on nothing but its members and the release.
func (r *release) pack(b binary, ms []member) (name string, archive []byte, err error) {
	slices.SortFunc(ms, func(a, b member) int { return cmp.Compare(a.name, b.name) })
	name = fmt.Sprintf("sitewalk_%s_%s_%s", r.version, b.os, b.arch)
	var out bytes.Buffer
	if b.os == "windows" {
		err = writeZip(&out, ms, r.mtime())
		return name + ".zip", out.Bytes(), err
	}
	err = writeTar(&out, ms, r.mtime())
	return name + ".tar.gz", out.Bytes(), err
}

// mtime is the time of every file: of the release, or the earliest that a zip can
// tell.
func (r *release) mtime() time.Time {
	if r.date.IsZero() {
		return time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	return r.date.UTC()
}

func writeTar(out *bytes.Buffer, ms []member, mtime time.Time) error {
	z, err := gzip.NewWriterLevel(out, gzip.BestCompression)
	if err != nil {
		return err
	}
	w := tar.NewWriter(z)
	for _, m := range ms {
		h := &tar.Header{Name: m.name, Size: int64(len(m.content)), Mode: int64(m.mode), ModTime: mtime, Format: tar.FormatUSTAR}
		if err := w.WriteHeader(h); err != nil {
			return err
		}
		if _, err := w.Write(m.content); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return z.Close()
}

func writeZip(out *bytes.Buffer, ms []member, mtime time.Time) error {
	w := zip.NewWriter(out)
	for _, m := range ms {
		h := &zip.FileHeader{Name: m.name, Method: zip.Deflate, Modified: mtime}
		h.SetMode(m.mode)
		f, err := w.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := f.Write(m.content); err != nil {
			return err
		}
	}
	return w.Close()
}
