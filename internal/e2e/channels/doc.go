// Package channels tests each way to install and run sitewalk: release archives, system packages,
// npm and other package managers, Netlify's plugin and the GitHub action. The tests make each
// package as a release does, and install it with the real tool.
//
// The tests have the build tag e2e. They fail if a tool is missing that .ci/install installs. They
// use only servers on this machine.
package channels
