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

// An npmRegistry takes packages and serves what it took.
type npmRegistry struct {
	*httptest.Server
	mu     sync.Mutex
	docs   map[string]map[string]any
	order  []string
	broken string // the package that it does not take
}

func newNPMRegistry(t *testing.T) *npmRegistry {
	r := &npmRegistry{docs: map[string]map[string]any{}}
	r.Server = httptest.NewServer(r)
	t.Cleanup(r.Close)
	return r
}

func (r *npmRegistry) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	name := strings.TrimPrefix(q.URL.Path, "/")
	switch {
	case q.Method == http.MethodPut && name == r.broken:
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

// tarball returns the file of a package that was published.
func (r *npmRegistry) tarball(t *testing.T, name string) []byte {
	all, _ := r.docs[name]["_attachments"].(map[string]any)
	for _, one := range all {
		data, err := base64.StdEncoding.DecodeString(one.(map[string]any)["data"].(string))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	t.Fatalf("%s has no file", name)
	return nil
}

// TestPublish publishes the packages of a release as the workflow does, interrupted by a
// registry that refuses one of them.
func TestPublish(t *testing.T) {
	t.Parallel()
	registry := newNPMRegistry(t)
	s := newSession(t)
	s.dir = root
	s.env = append(s.env, "npm_config_registry="+registry.URL, "PUBLISH_PAUSE=0.1",
		"npm_config_//"+strings.TrimPrefix(registry.URL, "http://")+"/:_authToken=x")
	publish := func() outcome { return s.try(".ci/publish", "npm", filepath.Join(out, "npm")) }
	registry.broken = "sitewalk"
	if o := publish(); o.code == 0 || slices.Contains(registry.order, "netlify-plugin-sitewalk") {
		t.Fatalf("a package is refused: exit code %d, %q\n%s", o.code, registry.order, o.stderr)
	}
	registry.broken = ""
	if o := publish(); o.code != 0 || strings.Count(o.stdout, "published already") != 6 {
		t.Fatalf("the second time: exit code %d\n%s%s", o.code, o.stdout, o.stderr)
	}
	if n := len(registry.order); n != 8 || registry.order[6] != "sitewalk" || registry.order[7] != "netlify-plugin-sitewalk" {
		t.Errorf("published were, in this order, %q", registry.order)
	}
	in := newSession(t)
	in.write("sitewalk.tgz", string(registry.tarball(t, "@sitewalk/linux-x64")))
	in.do("tar", "-xzf", "sitewalk.tgz")
	contains(t, in.do(filepath.Join(in.dir, "package/bin/sitewalk"), "version"), "sitewalk "+version)
}

// TestPublishAction publishes the action into its own repository.
func TestPublishAction(t *testing.T) {
	s := newSession(t)
	s.do("git", "init", "-q", "--bare", "-b", "main", "remote")
	s.do("git", "clone", "-q", "remote", "first")
	s.do("git", "-C", "first", "-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "-q", "--allow-empty", "-m", "x")
	s.do("git", "-C", "first", "push", "-q", "origin", "HEAD:main")
	remote, github := filepath.Join(s.dir, "remote"), filepath.Join(out, "github")
	for range 2 {
		s.do(filepath.Join(root, ".ci/publish"), "action", github, remote, version)
	}
	s.do(filepath.Join(root, ".ci/publish"), "action", github, remote, "0.1.1")
	for ref, want := range map[string]string{"v" + version: "sitewalk " + version, "v0": "sitewalk 0.1.1", "main": "sitewalk 0.1.1"} {
		if got := strings.TrimSpace(s.do("git", "-C", remote, "log", "-1", "--format=%s", ref)); got != want {
			t.Errorf("%s is at %q, want %q", ref, got, want)
		}
	}
	files := s.do("git", "-C", remote, "ls-tree", "-r", "v"+version)
	contains(t, files, "\taction.yml\n", "\tLICENSE\n", "\texamples/pages.yml\n")
	for line := range strings.Lines(files) {
		if strings.HasSuffix(line, ".sh\n") && !strings.HasPrefix(line, "100755") {
			t.Errorf("it cannot be run: %s", line)
		}
	}
	contains(t, s.do("git", "-C", remote, "show", "v"+version+":checksums.txt"), "sitewalk_"+version+"_linux_amd64.tar.gz")
}
