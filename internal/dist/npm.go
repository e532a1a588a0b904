package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// nodePlatforms are Node's names of the systems and processors that get a
// package; integrations/npm/sitewalk/lib/binary.js chooses among them.
var nodePlatforms = map[string]struct{ os, cpu string }{
	"linux/amd64":   {"linux", "x64"},
	"linux/arm64":   {"linux", "arm64"},
	"darwin/amd64":  {"darwin", "x64"},
	"darwin/arm64":  {"darwin", "arm64"},
	"windows/amd64": {"win32", "x64"},
	"windows/arm64": {"win32", "arm64"},
}

// npm lays out the packages: one for each platform, the one that chooses, and
// Netlify's plugin. All have the version of the release and ask for exactly that
// version of each other.
func (r *release) npm() error {
	bins, err := r.binaries()
	if err != nil {
		return err
	}
	versions := map[string]string{}
	for _, b := range bins {
		node, ok := nodePlatforms[b.platform()]
		if !ok {
			continue
		}
		name := fmt.Sprintf("@sitewalk/%s-%s", node.os, node.cpu)
		versions[name] = r.version
		change := map[string]any{"name": name, "os": []string{node.os}, "cpu": []string{node.cpu}}
		if err := r.npmPackage("integrations/npm/platform", name, change); err != nil {
			return err
		}
		if err := copyTo(filepath.Join(r.out, "npm", name, "bin", b.exe()), b.file, 0o755); err != nil {
			return err
		}
	}
	if len(versions) < len(nodePlatforms) {
		return fmt.Errorf("%s has the binaries of %d of %d platforms", r.bin, len(versions), len(nodePlatforms))
	}
	if err := r.npmPackage("integrations/npm/sitewalk", "sitewalk", map[string]any{"optionalDependencies": versions}); err != nil {
		return err
	}
	needs := map[string]any{"dependencies": map[string]string{"sitewalk": r.version}}
	return r.npmPackage("integrations/netlify", "netlify-plugin-sitewalk", needs)
}

// npmPackage copies a package and changes its package.json.
func (r *release) npmPackage(from, name string, change map[string]any) error {
	to := filepath.Join(r.out, "npm", name)
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		return err
	}
	if err := copyTo(filepath.Join(to, "LICENSE"), "LICENSE", 0o644); err != nil {
		return err
	}
	return r.npmVersion(filepath.Join(to, "package.json"), change)
}

func (r *release) npmVersion(file string, change map[string]any) error {
	src, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var pkg map[string]any
	if err := json.Unmarshal(src, &pkg); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	pkg["version"] = r.version
	for key, value := range change {
		pkg[key] = value
	}
	out, err := json.MarshalIndent(pkg, "", "  ")
	if err != nil {
		return err
	}
	return create(file, append(out, '\n'), 0o644)
}
