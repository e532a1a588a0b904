// Package mapping says at which URL a host serves a file, and at which file a
// generator writes the page of a content file.
package mapping
