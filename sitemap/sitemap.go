// Package sitemap is the sitemaps.org protocol: its types, its limits and its
// bytes, in and out.
//
// It refuses to touch files and to know where a fact came from.
//
// Promised to importers before version 1: names and meanings stay; types gain fields as the protocol does.
package sitemap
