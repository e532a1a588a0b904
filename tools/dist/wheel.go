package main

import (
	"archive/zip"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// writeWheels writes a Python wheel for each platform. pip copies the program into its folder of
// commands; the wheel contains no Python code.
// See https://packaging.python.org/en/latest/specifications/binary-distribution-format/
func (r *release) writeWheels() error {
	bins, err := r.binaries()
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
	for of, p := range platforms {
		content, err := p.buildWheel(version, bins[of])
		if err != nil {
			return err
		}
		file := "sitewalk-" + version + "-py3-none-" + strings.Join(p.python, ".") + ".whl"
		if err := writeFile(filepath.Join(r.out, "python", file), content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// zipDate is the modification time of all files in a wheel, so that wheels are reproducible. It
// is the earliest date that a zip archive supports.
var zipDate = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// buildWheel returns the content of the wheel for platform p. program is the path of the
// program's binary. The last file of the wheel, RECORD, lists all files with their hashes, and
// itself without a hash.
func (p platform) buildWheel(version, program string) ([]byte, error) {
	var files [3][]byte
	for i, name := range []string{program, "integrations/python/README.md", "LICENSE"} {
		src, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		files[i] = src
	}
	var out, record bytes.Buffer
	z := zip.NewWriter(&out)
	var failed error
	add := func(name string, content []byte, mode os.FileMode) {
		h := &zip.FileHeader{Name: "sitewalk-" + version + name, Method: zip.Deflate, Modified: zipDate}
		h.SetMode(mode)
		f, err := z.CreateHeader(h)
		if err == nil {
			_, err = f.Write(content)
		}
		failed = cmp.Or(failed, err)
		sum := sha256.Sum256(content)
		fmt.Fprintf(&record, "%s,sha256=%s,%d\n", h.Name, base64.RawURLEncoding.EncodeToString(sum[:]), len(content))
	}
	add(".data/scripts/"+p.exe(), files[0], 0o755)
	add(".dist-info/METADATA", wheelMetadata(version, files[1]), 0o644)
	add(".dist-info/WHEEL", wheelTags(p.python), 0o644)
	add(".dist-info/licenses/LICENSE", files[2], 0o644)
	fmt.Fprintf(&record, "sitewalk-%s.dist-info/RECORD,,\n", version)
	add(".dist-info/RECORD", record.Bytes(), 0o644)
	err := cmp.Or(failed, z.Close())
	return out.Bytes(), err
}

// wheelMetadata returns the METADATA file of a wheel, which PyPI displays. It ends with the
// README.
func wheelMetadata(version string, readme []byte) []byte {
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

// wheelTags returns the WHEEL file of a wheel. Its tags tell pip on which platforms it may
// install the wheel.
func wheelTags(tags []string) []byte {
	text := "Wheel-Version: 1.0\nGenerator: sitewalk\nRoot-Is-Purelib: false\n"
	for _, tag := range tags {
		text += "Tag: py3-none-" + tag + "\n"
	}
	return []byte(text)
}

// pep440 matches the version numbers that PyPI accepts unchanged, such as 1.2.3 and 1.2.3rc1.
var pep440 = regexp.MustCompile(`^\d+\.\d+\.\d+((a|b|rc)\d+)?$`)

// pythonVersion converts a version to the form that PyPI requires: "1.2.3-rc.1" becomes
// "1.2.3rc1".
func pythonVersion(version string) (string, error) {
	v := strings.NewReplacer("-alpha.", "a", "-beta.", "b", "-rc.", "rc").Replace(version)
	if !pep440.MatchString(v) {
		return "", fmt.Errorf("version %q is not one of Python's; write 1.2.3 or 1.2.3-rc.1", version)
	}
	return v, nil
}
