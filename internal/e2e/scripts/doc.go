// Package scripts contains the end-to-end tests that need only Go and git. They run the scripts in
// testdata/script and the example of each finding in testdata/diagnostics, and compare the manual
// with the program.
package scripts
