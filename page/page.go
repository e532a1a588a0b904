// Package page holds what is known of one page and reads it from HTML.
//
// It refuses to decide: whether a page is listed needs the whole site.
//
// Promised to importers before version 1: ParseRobots and the Reader stay; Facts gains fields, and names of
// fields may change with a minor version.
package page
