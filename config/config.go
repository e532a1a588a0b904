// Package config reads sitemap.yaml and joins it with flags, environment and
// what is detected.
//
// It refuses to pass on a value that it has not checked: what the user typed
// (File, Flags) and what the program needs (Settings) are different types, and
// the way from one to the other is the only validation.
package config

import "github.com/sitewalk/sitewalk/internal/diag"

// A File is what a sitemap.yaml says, as the user typed it.
type File struct {
	Name string
}

// Load reads a sitemap.yaml called name. Every mistake is a finding at its
// line and column.
func Load(name string, src []byte) (*File, diag.List) { return &File{Name: name}, nil }

// An Origin says who decided a setting.
type Origin struct {
	Key, Value string
	By         string   // "flag", "environment", "file", "detected", "default"
	Pos        diag.Pos // where it stands, if in a file
}
