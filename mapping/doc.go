// Package mapping says at which URL a host serves a file, and which rules a user
// wrote for it.
//
// It refuses to open files, and to know a host's own rules: a Style is all
// that it is told of a host.
//
// Promised to importers before version 1: what a Style and a Rule mean stays; names may change with a minor
// version.
package mapping
