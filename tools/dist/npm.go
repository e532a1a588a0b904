package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
)

// writeNpmPackages writes the npm packages: a package for each platform, the package "sitewalk"
// that selects the package of the platform, and the Netlify plugin. All packages have the version
// of the release. The plugin depends on exactly this version of "sitewalk", and "sitewalk" depends
// on exactly this version of each platform's package.
func (r *release) writeNpmPackages() error {
	bins, err := r.binaries()
	if err != nil {
		return err
	}
	versions := map[string]string{}
	for of, p := range platforms {
		name := p.npmName()
		versions[name] = r.version
		change := map[string]any{"name": name, "os": []string{p.os}, "cpu": []string{p.cpu}}
		if err := r.writeNpmPackage("integrations/npm/platform", name, change); err != nil {
			return err
		}
		if err := copyTo(filepath.Join(r.out, "npm", name, "bin", p.exe()), bins[of], 0o755); err != nil {
			return err
		}
	}
	if err := r.writeNpmPackage("integrations/npm/sitewalk", "sitewalk", map[string]any{"optionalDependencies": versions}); err != nil {
		return err
	}
	needs := map[string]any{"dependencies": map[string]string{"sitewalk": r.version}}
	return r.writeNpmPackage("integrations/netlify", "netlify-plugin-sitewalk", needs)
}

// writeNpmPackage copies the package in the folder from, sets its version, and sets the keys of
// change in package.json.
func (r *release) writeNpmPackage(from, name string, change map[string]any) error {
	to := filepath.Join(r.out, "npm", name)
	if err := copyWithLicense(to, from); err != nil {
		return err
	}
	file := filepath.Join(to, "package.json")
	src, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var pkg map[string]any
	if err := json.Unmarshal(src, &pkg); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	pkg["version"] = r.version
	maps.Copy(pkg, change)
	out, err := json.MarshalIndent(pkg, "", "  ")
	if err != nil {
		return err
	}
	return writeFile(file, append(out, '\n'), 0o644)
}
