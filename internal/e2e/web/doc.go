// Package web is a web on this machine alone: sites, and the engines of IndexNow,
// for programs that are pointed at it as their proxy.
package web
