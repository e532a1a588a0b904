// Package scripts holds the tests of the program as a whole that need nothing but Go and
// git: the scripts of testdata/script, the example of each finding in
// testdata/diagnostics, and what the manual says beside what the program really does.
package scripts
