// Package mapping says at which URL a host serves a file, at which file a
// generator writes the page of a content file, and which rules a user wrote
// for them.
//
// It refuses to open files, and to know a host's own rules: a Style is all
// that it is told of a host.
package mapping
