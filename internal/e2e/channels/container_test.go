//go:build e2e && linux

package channels

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestContainer builds the minimal container image from its Dockerfile and the files of a release,
// and runs it on a site. It does not build the image based on Alpine, which would need the network.
func TestContainer(t *testing.T) {
	t.Parallel()
	s, context, store := newSession(t), newSession(t), t.TempDir()
	for to, from := range map[string]string{
		"Dockerfile":                filepath.Join(root, "integrations/container/Dockerfile"),
		"linux/amd64/sitewalk":      self,
		"build/ca-certificates.crt": "/etc/ssl/certs/ca-certificates.crt",
	} {
		src, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		context.write(to, string(src))
	}
	context.run("chmod", "+x", "linux/amd64/sitewalk")
	buildah := func(args ...string) string {
		t.Helper()
		return strings.TrimSpace(s.run("buildah", append([]string{"--storage-driver", "vfs", "--root", store + "/images", "--runroot", store + "/run"}, args...)...))
	}
	buildah("bud", "--isolation", "chroot", "--build-arg", "TARGETPLATFORM=linux/amd64", "-t", "sitewalk", context.dir)
	container := buildah("from", "localhost/sitewalk")

	s.write("sitemap.yaml", "base_url: https://example.com/\npages: {dir: public}\n")
	s.write("public/index.html", "<title>Home</title>")
	buildah("run", "--isolation", "chroot", "-v", s.dir+":/site", container, "/usr/bin/sitewalk")
	checkContains(t, s.read("public/sitemap.xml"), "<loc>https://example.com/</loc>")
	checkContains(t, buildah("run", "--isolation", "chroot", container, "/usr/bin/sitewalk", "version"), "sitewalk "+version)
	checkContains(t, buildah("inspect", "--type", "image", "localhost/sitewalk"), `"/usr/bin/sitewalk"`, `"WorkingDir": "/site"`)
	buildah("rm", container)
}
