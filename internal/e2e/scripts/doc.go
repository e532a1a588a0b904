// Package scripts holds the tests of the program as a whole that need nothing but Go and
// git: the scripts of testdata/script, the example of each finding in
// testdata/diagnostics, and the manual against what the program really does.
package scripts
