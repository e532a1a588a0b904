//go:build e2e && linux

package channels

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// withPython gives a machine an empty Python environment, beside whose pip the wheels of the
// release lie in place of PyPI. Sphinx is there already.
func (tr *trial) withPython(s *session) *session {
	venv := filepath.Join(tr.t.TempDir(), "venv")
	s.venv("/usr/bin/python3", venv, "--system-site-packages")
	s.env[0] = "PATH=" + filepath.Join(venv, "bin") + ":" + strings.TrimPrefix(s.env[0], "PATH=")
	s.env = append(s.env, "PIP_NO_INDEX=1", "PIP_DISABLE_PIP_VERSION_CHECK=1", "PIP_FIND_LINKS="+filepath.Join(out, "python"))
	return s
}

// readTheDocs builds the project as Read the Docs does it: a shallow clone, the jobs in their
// order, and each command in a new shell at the root of the repository.
// https://docs.readthedocs.com/platform/stable/build-customization.html
func (tr *trial) readTheDocs(s *session, kind string) (publish string, o outcome) {
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
			tr.t.Fatalf("Read the Docs has no job %s, or this test does not run it", name)
		}
	}
	git := tr.on("home")
	git.do("git", "add", "-A")
	git.do("git", "commit", "-qm", "x", "--allow-empty")
	clone := filepath.Join(tr.t.TempDir(), "checkout")
	git.do("git", "clone", "-q", "--depth", "1", "file://"+tr.project, clone)
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
		if name == "build" && commands == nil { // what Read the Docs does with the key sphinx, where conf.py is
			at = s.in(filepath.Dir(conf))
			commands = []string{`python -m sphinx -T -b html -d _build/doctrees -D language=en . "$READTHEDOCS_OUTPUT/html"`}
		}
		for _, command := range commands {
			did := at.try("sh", "-c", command)
			o.stdout += did.stdout + did.stderr
			if o.code = did.code; o.code != 0 {
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
