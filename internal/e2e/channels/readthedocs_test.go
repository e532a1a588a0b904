//go:build e2e && linux

package channels

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// withPython adds a virtual environment with the packages of the system, including Sphinx. Its pip
// installs the wheels of the release instead of packages from PyPI.
func (tr *trial) withPython(s *session) *session {
	venv := filepath.Join(tr.t.TempDir(), "venv")
	s.createVenv("/usr/bin/python3", venv, "--system-site-packages")
	s.env[0] = "PATH=" + filepath.Join(venv, "bin") + ":" + strings.TrimPrefix(s.env[0], "PATH=")
	s.env = append(s.env, "PIP_NO_INDEX=1", "PIP_DISABLE_PIP_VERSION_CHECK=1", "PIP_FIND_LINKS="+filepath.Join(out, "python"))
	return s
}

// buildOnReadTheDocs builds the project as Read the Docs does: it makes a shallow clone, runs the jobs
// in order, and runs each command in a new shell at the root of the repository. It returns the publish
// directory relative to the project. kind is the type of the version, "branch" or "external".
// https://docs.readthedocs.com/platform/stable/build-customization.html
func (tr *trial) buildOnReadTheDocs(s *session, kind string) (publish string, o outcome) {
	var config struct {
		Build  struct{ Jobs map[string][]string }
		Sphinx struct{ Configuration string }
	}
	if err := yaml.Unmarshal([]byte(tr.files[".readthedocs.yaml"]), &config); err != nil {
		tr.t.Fatal(err)
	}
	order := []string{"post_checkout", "pre_create_environment", "post_create_environment", "pre_install", "post_install", "pre_build", "build", "post_build"}
	for name := range config.Build.Jobs {
		if !slices.Contains(order, name) {
			tr.t.Fatalf("the test does not support the job %s", name)
		}
	}
	git := tr.newMachine("home")
	git.run("git", "add", "-A")
	git.run("git", "commit", "-qm", "x", "--allow-empty")
	clone := filepath.Join(tr.t.TempDir(), "checkout")
	git.run("git", "clone", "-q", "--depth", "1", "file://"+tr.project, clone)
	conf := filepath.Join(clone, config.Sphinx.Configuration)
	if _, err := os.Stat(conf); err != nil {
		tr.t.Fatal(err)
	}
	address := map[string]string{"branch": "https://docs.example.internal/en/latest/", "external": "https://lake--7.org.readthedocs.build/en/7/"}[kind]
	s = tr.withPython(s.in(clone))
	s.env = append(s.env, "READTHEDOCS=True", "READTHEDOCS_VERSION_TYPE="+kind, "READTHEDOCS_LANGUAGE=en", "READTHEDOCS_PROJECT=lake",
		"READTHEDOCS_REPOSITORY_PATH="+clone, "READTHEDOCS_OUTPUT="+clone+"/_readthedocs/", "READTHEDOCS_CANONICAL_URL="+address, "NO_COLOR=1")
	for _, name := range order {
		commands, at := config.Build.Jobs[name], s
		if name == "build" && commands == nil { // the default for the key sphinx, in the folder of conf.py
			at = s.in(filepath.Dir(conf))
			commands = []string{`python -m sphinx -T -b html -d _build/doctrees -D language=en . "$READTHEDOCS_OUTPUT/html"`}
		}
		for _, command := range commands {
			result := at.tryRun("sh", "-c", command)
			o.stdout += result.stdout + result.stderr
			if o.code = result.code; o.code != 0 {
				return "", o
			}
		}
	}
	built := s.in(filepath.Join(clone, "_readthedocs/html"))
	o.stdout += built.read("sitemap.xml")
	publish, err := filepath.Rel(tr.project, built.dir)
	if err != nil {
		tr.t.Fatal(err)
	}
	return publish, o
}
