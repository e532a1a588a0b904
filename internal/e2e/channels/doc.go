// Package channels holds the tests of the ways by which people get sitewalk: the
// archives and packages of a release, npm and its like, Netlify's plugin, the
// GitHub action. Each is made as a release makes it, and used by the real tool.
//
// Its tests have the build tag e2e and refuse to skip: what they need,
// .ci/install installs. They reach nothing but this machine.
package channels
