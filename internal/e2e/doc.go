// Package e2e contains the end-to-end tests with real sites. Real generators build the sites, and
// independent programs check the result.
//
// The tests have the build tag e2e. A test fails if a tool is missing that .ci/install installs. A
// test that needs a right, such as the right to mount a disk, is skipped where the system does not
// grant it.
package e2e
