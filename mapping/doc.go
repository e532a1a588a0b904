// Package mapping computes the URL of a file, and finds the user's rules for a page. A Style
// describes how a host forms the URLs of files. The package does not open files.
//
// Promised to importers before version 1: the meaning of a Style and a Rule does not change. Names
// may change with a minor version.
package mapping
