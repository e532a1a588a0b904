package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// wheels makes a wheel for each platform, as
// https://packaging.python.org/en/latest/specifications/binary-distribution-format/
// describes it. pip puts the program into the folder of commands; nothing in it is Python.
func (r *release) wheels() error {
	bins, err := r.released()
	if err != nil {
		return err
	}
	version, err := pythonVersion(r.version)
	if err != nil {
		return err
	}
	if err := os.RemoveAll(filepath.Join(r.out, "python")); err != nil {
		return err
	}
	for _, b := range bins {
		w := &wheel{name: "sitewalk-" + version, tags: platforms[b.platform()].python}
		if err := w.fill(version, b); err != nil {
			return err
		}
		content, err := w.zip()
		if err != nil {
			return err
		}
		file := w.name + "-py3-none-" + strings.Join(w.tags, ".") + ".whl"
		if err := create(filepath.Join(r.out, "python", file), content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// A wheel is the package for one platform.
type wheel struct {
	name    string   // "sitewalk-1.2.3"
	tags    []string // the platforms, as Python names them
	members []member
}

type member struct {
	name    string
	content []byte
	mode    os.FileMode
}

func (w *wheel) add(name string, content []byte, mode os.FileMode) {
	w.members = append(w.members, member{w.name + name, content, mode})
}

// fill adds the members. The last one lists all others.
func (w *wheel) fill(version string, b binary) error {
	var files [3][]byte
	for i, name := range []string{b.file, "integrations/python/README.md", "LICENSE"} {
		src, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		files[i] = src
	}
	w.add(".data/scripts/"+b.exe(), files[0], 0o755)
	w.add(".dist-info/METADATA", metadata(version, files[1]), 0o644)
	w.add(".dist-info/WHEEL", w.tagged(), 0o644)
	w.add(".dist-info/licenses/LICENSE", files[2], 0o644)
	w.add(".dist-info/RECORD", w.record(), 0o644)
	return nil
}

// metadata is what PyPI shows of the package.
func metadata(version string, readme []byte) []byte {
	return fmt.Appendf(nil, `Metadata-Version: 2.4
Name: sitewalk
Version: %s
Summary: Writes the sitemap of a built site that a crawler can trust
Keywords: sitemap,seo,static-site,sphinx,mkdocs,llms.txt
License-Expression: MIT
License-File: LICENSE
Project-URL: Homepage, https://sitewalk.github.io/sitewalk/
Project-URL: Source, https://github.com/sitewalk/sitewalk
Project-URL: Changes, https://github.com/sitewalk/sitewalk/blob/main/CHANGELOG.md
Classifier: Environment :: Console
Classifier: Topic :: Documentation
Classifier: Topic :: Internet :: WWW/HTTP :: Site Management
Requires-Python: >=3.7
Description-Content-Type: text/markdown

%s`, version, readme)
}

// tagged says on which platforms pip may install the wheel.
func (w *wheel) tagged() []byte {
	text := "Wheel-Version: 1.0\nGenerator: sitewalk\nRoot-Is-Purelib: false\n"
	for _, tag := range w.tags {
		text += "Tag: py3-none-" + tag + "\n"
	}
	return []byte(text)
}

// record lists the members with their hashes, and itself without one.
func (w *wheel) record() []byte {
	var text strings.Builder
	for _, m := range w.members {
		sum := sha256.Sum256(m.content)
		fmt.Fprintf(&text, "%s,sha256=%s,%d\n", m.name, base64.RawURLEncoding.EncodeToString(sum[:]), len(m.content))
	}
	fmt.Fprintf(&text, "%s.dist-info/RECORD,,\n", w.name)
	return []byte(text.String())
}

// zipDate is the first day that a zip can name: the same bytes come out on every day.
var zipDate = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

func (w *wheel) zip() ([]byte, error) {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, m := range w.members {
		h := &zip.FileHeader{Name: m.name, Method: zip.Deflate, Modified: zipDate}
		h.SetMode(m.mode)
		f, err := z.CreateHeader(h)
		if err != nil {
			return nil, err
		}
		if _, err := f.Write(m.content); err != nil {
			return nil, err
		}
	}
	err := z.Close()
	return out.Bytes(), err
}

// pep440 are the versions of which Python and this project think alike.
var pep440 = regexp.MustCompile(`^\d+\.\d+\.\d+((a|b|rc)\d+)?$`)

// pythonVersion writes a version as PyPI demands: 1.2.3-rc.1 is 1.2.3rc1.
func pythonVersion(version string) (string, error) {
	v := strings.NewReplacer("-alpha.", "a", "-beta.", "b", "-rc.", "rc").Replace(version)
	if !pep440.MatchString(v) {
		return "", fmt.Errorf("version %q is not one of Python's; write 1.2.3 or 1.2.3-rc.1", version)
	}
	return v, nil
}
