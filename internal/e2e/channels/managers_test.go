//go:build e2e && linux

package channels

import (
	"crypto/sha1"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// newRegistry starts an npm registry with the packages of the release and returns its URL.
func newRegistry(t *testing.T) string {
	t.Helper()
	packages := map[string][]byte{} // JSON documents by package name
	files := map[string]string{}    // tarballs by URL path
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	for _, name := range []string{
		"sitewalk", "@sitewalk/linux-x64", "@sitewalk/linux-arm64", "@sitewalk/darwin-x64",
		"@sitewalk/darwin-arm64", "@sitewalk/win32-x64", "@sitewalk/win32-arm64",
	} {
		tarball := packNPM(t, name)
		src, err := os.ReadFile(tarball)
		if err != nil {
			t.Fatal(err)
		}
		files["/-/"+filepath.Base(tarball)] = tarball
		var pkg map[string]any
		manifest, err := os.ReadFile(filepath.Join(out, "npm", name, "package.json"))
		if err == nil {
			err = json.Unmarshal(manifest, &pkg)
		}
		if err != nil {
			t.Fatal(err)
		}
		sum := sha512.Sum512(src)
		pkg["dist"] = map[string]any{
			"tarball":   server.URL + "/-/" + filepath.Base(tarball),
			"integrity": "sha512-" + base64.StdEncoding.EncodeToString(sum[:]),
			"shasum":    fmt.Sprintf("%x", sha1.Sum(src)),
		}
		packages[name], _ = json.Marshal(map[string]any{
			"name": name, "dist-tags": map[string]string{"latest": version}, "versions": map[string]any{version: pkg},
			"time": map[string]string{version: date},
		})
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if file := files[r.URL.Path]; file != "" {
			http.ServeFile(w, r, file)
		} else if doc := packages[strings.TrimPrefix(path.Clean(r.URL.Path), "/")]; doc != nil {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write(doc)
		} else {
			http.NotFound(w, r)
		}
	})
	return server.URL
}

// TestPackageManagers installs sitewalk with each package manager from a local registry, and runs it
// as a script of package.json.
func TestPackageManagers(t *testing.T) {
	registry := newRegistry(t)
	pnpm, bun := "@pnpm/exe.linux-x64/pnpm", "@oven/bun-linux-x64/bin/bun"
	yarn := []string{"node", "@yarnpkg/cli-dist/bin/yarn.js"}
	for name, c := range map[string]struct {
		tool    []string
		install []string
		files   map[string]string
	}{
		"npm":                {[]string{"npm"}, []string{"install", "--registry=" + registry}, nil},
		"pnpm":               {[]string{pnpm}, []string{"install", "--registry=" + registry}, nil},
		"bun":                {[]string{bun}, []string{"install", "--registry=" + registry}, nil},
		"yarn, node_modules": {yarn, []string{"install"}, map[string]string{".yarnrc.yml": "nodeLinker: node-modules\n"}},
		"yarn, PnP":          {yarn, []string{"install"}, map[string]string{".yarnrc.yml": "nodeLinker: pnp\n"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSession(t)
			s.env = append(s.env, "YARN_NPM_REGISTRY_SERVER="+registry, "YARN_UNSAFE_HTTP_WHITELIST=127.0.0.1", "YARN_ENABLE_TELEMETRY=0",
				"YARN_ENABLE_IMMUTABLE_INSTALLS=0", "YARN_IGNORE_PATH=1", "YARN_NPM_MINIMAL_AGE_GATE=0", "npm_config_minimum_release_age=0")
			tool := append([]string{}, c.tool...)
			for i := range tool {
				if strings.Contains(tool[i], "/") {
					tool[i] = toolPath(t, tool[i])
				}
			}
			for file, text := range c.files {
				s.write(file, text)
			}
			s.write("package.json", `{"name": "site", "private": true, "devDependencies": {"sitewalk": "`+version+`"},
"scripts": {"map": "sitewalk public -b https://example.com/"}}`)
			s.write("public/index.html", "<title>Home</title>")
			s.run(tool[0], append(tool[1:], c.install...)...)
			s.run(tool[0], append(tool[1:], "run", "map")...)
			checkContains(t, s.read("public/sitemap.xml"), "<loc>https://example.com/</loc>")
		})
	}
	t.Run("npx", func(t *testing.T) {
		s := newSession(t)
		checkContains(t, s.run("npx", "--yes", "--registry="+registry, "sitewalk", "--version"), version)
	})
}
