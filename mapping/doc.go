// Package mapping computes the URL of a file and matches the rules that a user wrote for URLs and
// files. A Style describes how a host forms URLs. The package does not open files.
//
// Promised to importers before version 1: the meaning of a Style and a Rule stays. Names may
// change with a minor version.
package mapping
