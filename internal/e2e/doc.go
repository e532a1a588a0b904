// Package e2e holds the end-to-end suite: real sites, built by real generators,
// with real histories, read back by independent programs.
//
// Its tests have the build tag e2e and refuse to skip: what they need,
// .ci/install installs. Those that need a right of the machine's, as to mount a
// disk, say that they skip where it is not given.
package e2e
