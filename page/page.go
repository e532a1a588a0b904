// Package page holds what is known of one page and reads it from HTML.
//
// It refuses to decide: whether a page is listed needs the whole site.
package page
