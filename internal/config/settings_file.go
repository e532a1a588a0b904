package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/strict"
	"gopkg.in/yaml.v3"
)

// settingsNames lists the possible names of the settings file. sitewalk reads the first usable
// file; see findSettingsFile.
var settingsNames = []string{"sitewalk.yaml", "sitemap.yaml"}

// misnamedSettings lists names that users give to the settings file by mistake. If a folder has no
// usable settings file, sitewalk adds a note about a file with such a name.
var misnamedSettings = []string{"sitewalk.yml", "sitewalk.toml", ".sitewalk.yaml", ".sitewalk.yml", "sitemap.yml", "sitemap.toml"}

// findSettingsFile returns the path of the settings file in dir, or "" if no file is usable. The
// notes name files that look like settings files but are not used. Such a file belongs to another
// user or another tool, is outside of the project, or has a wrong name.
func (r *resolver) findSettingsFile(dir string) (path string, notes diag.List) {
	note := func(path, format string, args ...any) {
		notes.Notef(diag.Pos{File: r.displayName(path)}, "settings-file", "call the settings file sitewalk.yaml", format, args...)
	}
	for _, name := range settingsNames {
		path := filepath.Join(dir, name)
		r.recordLookup(path)
		_, err := os.Lstat(path)
		switch {
		case err != nil:
		case !isOwnedByUser(path, r.input.Dir, os.Getuid()):
			name := r.displayName(path)
			notes.Notef(diag.Pos{File: name}, "settings-file", "if you trust it, name it: -c "+name, "it belongs to another user; it is not used")
		case !files.IsInProject(dir, path):
			note(path, "%v; it is not used", files.ErrOutside)
		case name == "sitemap.yaml" && isForeignSettingsFile(path):
			note(path, "it has no key of sitewalk and belongs to another tool; it is not used")
		default:
			return path, notes
		}
	}
	for _, name := range misnamedSettings {
		path := filepath.Join(dir, name)
		if files.IsRegular(path) {
			note(path, "sitewalk does not read a file of this name")
		}
	}
	return "", notes
}

// hasSettingsFile reports whether dir has a usable settings file.
func (r *resolver) hasSettingsFile(dir string) bool {
	path, _ := r.findSettingsFile(dir)
	return path != ""
}

// isForeignSettingsFile reports whether the file at path belongs to another tool: it is a YAML
// list, or a YAML map without a key of sitewalk, not even a misspelled one. It returns false for an
// empty, invalid or unreadable file.
func isForeignSettingsFile(path string) bool {
	src, err := files.Read(path, maxFile)
	if err != nil {
		return false
	}
	top, _ := strict.ReadYAML(path, src)
	switch {
	case top == nil:
		return false
	case top.Kind == yaml.SequenceNode:
		return true
	case top.Kind != yaml.MappingNode || len(top.Content) == 0:
		return false
	}
	known := slices.DeleteFunc(Keys(), func(key string) bool { return strings.Contains(key, ".") })
	for i := 0; i < len(top.Content); i += 2 {
		if key := top.Content[i].Value; slices.Contains(known, key) || len(key) > 4 && strict.NearestWord(key, known) != "" {
			return false
		}
	}
	return true
}

// HasFile reports whether dir contains a file or folder called name.
func HasFile(dir, name string) bool {
	_, err := os.Lstat(filepath.Join(dir, name))
	return err == nil
}
