//go:build e2e && linux

package channels

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// An npmRegistry is a fake npm registry for publishing.
type npmRegistry struct {
	*httptest.Server
	mu      sync.Mutex
	docs    map[string]map[string]any // published documents by package name
	order   []string                  // published packages in order
	refused string                    // package that the registry refuses
}

func newNPMRegistry(t *testing.T) *npmRegistry {
	r := &npmRegistry{docs: map[string]map[string]any{}}
	r.Server = httptest.NewServer(r)
	t.Cleanup(r.Close)
	return r
}

// ServeHTTP implements http.Handler.
func (r *npmRegistry) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	name := strings.TrimPrefix(q.URL.Path, "/")
	switch {
	case q.Method == http.MethodPut && name == r.refused:
		http.Error(w, "not now", http.StatusBadRequest)
	case q.Method == http.MethodPut:
		var doc map[string]any
		if err := json.NewDecoder(q.Body).Decode(&doc); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		r.docs[name], r.order = doc, append(r.order, name)
		_, _ = w.Write([]byte("{}"))
	case r.docs[name] != nil:
		_ = json.NewEncoder(w).Encode(r.docs[name])
	default:
		http.NotFound(w, q)
	}
}

// tarball returns the tarball of a published package.
func (r *npmRegistry) tarball(t *testing.T, name string) []byte {
	all, _ := r.docs[name]["_attachments"].(map[string]any)
	for _, attachment := range all {
		data, err := base64.StdEncoding.DecodeString(attachment.(map[string]any)["data"].(string))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	t.Fatalf("the package %s has no tarball", name)
	return nil
}

// TestPublishNPM publishes the npm packages as the release workflow does. The registry first refuses a
// package. It checks that a second run publishes only the missing packages, in the right order.
func TestPublishNPM(t *testing.T) {
	t.Parallel()
	registry := newNPMRegistry(t)
	s := newSession(t)
	s.dir = root
	s.env = append(s.env, "npm_config_registry="+registry.URL, "PUBLISH_PAUSE=0.1",
		"npm_config_//"+strings.TrimPrefix(registry.URL, "http://")+"/:_authToken=x")
	publish := func() outcome { return s.tryRun(".ci/publish", "npm", filepath.Join(out, "npm")) }
	registry.refused = "sitewalk"
	if o := publish(); o.code == 0 || slices.Contains(registry.order, "netlify-plugin-sitewalk") {
		t.Fatalf("with a refused package: exit code %d, published %q\n%s", o.code, registry.order, o.stderr)
	}
	registry.refused = ""
	if o := publish(); o.code != 0 || strings.Count(o.stdout, "published already") != 6 {
		t.Fatalf("second run: exit code %d, want 0 and 6 packages published already\n%s%s", o.code, o.stdout, o.stderr)
	}
	if n := len(registry.order); n != 8 || registry.order[6] != "sitewalk" || registry.order[7] != "netlify-plugin-sitewalk" {
		t.Errorf("published %q, want 8 packages that end with sitewalk and netlify-plugin-sitewalk", registry.order)
	}
	unpacked := newSession(t)
	unpacked.write("sitewalk.tgz", string(registry.tarball(t, "@sitewalk/linux-x64")))
	unpacked.run("tar", "-xzf", "sitewalk.tgz")
	checkContains(t, unpacked.run(filepath.Join(unpacked.dir, "package/bin/sitewalk"), "version"), "sitewalk "+version)
}

// TestPublishAction publishes the action of two releases to a git repository. It checks the tags, the
// branch and the files.
func TestPublishAction(t *testing.T) {
	s := newSession(t)
	s.run("git", "init", "-q", "--bare", "-b", "main", "remote")
	s.run("git", "clone", "-q", "remote", "first")
	s.run("git", "-C", "first", "-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "-q", "--allow-empty", "-m", "x")
	s.run("git", "-C", "first", "push", "-q", "origin", "HEAD:main")
	remote, github := filepath.Join(s.dir, "remote"), filepath.Join(out, "github")
	for range 2 {
		s.run(filepath.Join(root, ".ci/publish"), "action", github, remote, version)
	}
	s.run(filepath.Join(root, ".ci/publish"), "action", github, remote, "0.1.1")
	for ref, want := range map[string]string{"v" + version: "sitewalk " + version, "v0": "sitewalk 0.1.1", "main": "sitewalk 0.1.1"} {
		if got := strings.TrimSpace(s.run("git", "-C", remote, "log", "-1", "--format=%s", ref)); got != want {
			t.Errorf("the commit of %s is %q, want %q", ref, got, want)
		}
	}
	files := s.run("git", "-C", remote, "ls-tree", "-r", "v"+version)
	checkContains(t, files, "\taction.yml\n", "\tLICENSE\n", "\texamples/pages.yml\n")
	for line := range strings.Lines(files) {
		if strings.HasSuffix(line, ".sh\n") && !strings.HasPrefix(line, "100755") {
			t.Errorf("a script is not executable: %s", line)
		}
	}
	checkContains(t, s.run("git", "-C", remote, "show", "v"+version+":checksums.txt"), "sitewalk_"+version+"_linux_amd64.tar.gz")
}
