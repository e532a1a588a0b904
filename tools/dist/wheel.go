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

// wheels makes a wheel for each platform, as
// https://packaging.python.org/en/latest/specifications/binary-distribution-format/
// describes it. pip puts the program into the folder of commands; nothing in it is Python.
func (r *release) wheels() error {
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
		content, err := p.wheel(version, bins[of])
		if err != nil {
			return err
		}
		file := "sitewalk-" + version + "-py3-none-" + strings.Join(p.python, ".") + ".whl"
		if err := create(filepath.Join(r.out, "python", file), content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// zipDate is the first day that a zip can name: the same bytes come out on every day.
var zipDate = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// wheel is the package with a program for the platform. Its last member lists all of
// them with their hashes, and itself without one.
func (p platform) wheel(version, program string) ([]byte, error) {
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
	add(".dist-info/METADATA", metadata(version, files[1]), 0o644)
	add(".dist-info/WHEEL", tagged(p.python), 0o644)
	add(".dist-info/licenses/LICENSE", files[2], 0o644)
	fmt.Fprintf(&record, "sitewalk-%s.dist-info/RECORD,,\n", version)
	add(".dist-info/RECORD", record.Bytes(), 0o644)
	err := cmp.Or(failed, z.Close())
	return out.Bytes(), err
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
func tagged(tags []string) []byte {
	text := "Wheel-Version: 1.0\nGenerator: sitewalk\nRoot-Is-Purelib: false\n"
	for _, tag := range tags {
		text += "Tag: py3-none-" + tag + "\n"
	}
	return []byte(text)
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
