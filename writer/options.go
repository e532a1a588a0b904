package writer

import (
	"cmp"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/llms"
	"github.com/sitewalk/sitewalk/sitemap"
)

// The allowed values of Options.Gzip and Options.Split. The empty string is allowed, too.
var (
	GzipModes = []string{"also", "only"}
	Splits    = []string{"auto", "section", "none"}
)

// gzipSuffixes maps each value of Options.Gzip to the suffixes of the files to write: "" for the
// plain file, and ".gz" for the compressed file.
var gzipSuffixes = map[string][]string{"": {""}, "also": {"", ".gz"}, "only": {".gz"}}

// EntryFile returns the name of the file at which search engines start, relative to Dir, such as
// "sitemap.xml". If Formats lacks "xml", the file has the extension of the first format other than
// "llms", as in "sitemap.txt". If only compressed files are written, ".gz" is appended.
func (o *Options) EntryFile() string {
	name := cmp.Or(o.Name, DefaultName)
	isList := func(format string) bool { return formats[format].kind != outlines }
	if i := slices.IndexFunc(o.Formats, isList); i >= 0 && !slices.Contains(o.Formats, "xml") {
		name = strings.TrimSuffix(name, "xml") + o.Formats[i]
	}
	return o.mainVariant(name)
}

// mainVariant returns the name under which search engines find the file called name: with ".gz" if
// only compressed files are written.
func (o *Options) mainVariant(name string) string {
	if o.Gzip == "only" {
		return name + ".gz"
	}
	return name
}

// ListFiles returns the names, relative to Dir, of the files that list all pages of a small site,
// such as "sitemap.xml" and "sitemap.txt". The first is always the XML file, even if XML is not
// requested. The names are without ".gz".
func (o *Options) ListFiles() []string {
	n := newNames(o.Base, cmp.Or(o.Name, DefaultName))
	names := []string{n.childFile("", "xml")}
	for _, format := range o.Formats {
		if format != "xml" && formats[format].kind == allPages {
			names = append(names, n.childFile("", format))
		}
	}
	return names
}

// NeedsTitles reports whether a requested file contains the titles of pages.
func (o *Options) NeedsTitles() bool {
	return o.Page != "" || slices.ContainsFunc(o.Formats, func(name string) bool { return formats[name].kind != allPages })
}

// A Limit is a range of permitted values, from Min to Max inclusive.
type Limit struct{ Min, Max int }

// The limits of Options.MaxURLs, Options.MaxBytes and Feed.Items.
var (
	URLLimit  = Limit{1, sitemap.MaxURLs}
	ByteLimit = Limit{1, sitemap.MaxBytes}
	ItemLimit = Limit{1, sitemap.MaxURLs}
)

// Check returns an error if n is less than Min or greater than Max.
func (l Limit) Check(n int) error {
	if n < l.Min || n > l.Max {
		return fmt.Errorf("%d is not between %d and %d", n, l.Min, l.Max)
	}
	return nil
}

// CheckEntry returns an error if name is not a valid name for the XML entry file. It also rejects
// robots.xml and llms.xml, because the text sitemap beside them would replace robots.txt or
// llms.txt.
func CheckEntry(name string) error {
	for _, taken := range []string{robotsFile, llms.Name} {
		if twin := strings.TrimSuffix(taken, "txt") + "xml"; strings.EqualFold(path.Base(name), twin) {
			return fmt.Errorf("%q would make %s a list of URLs; choose another name", name, taken)
		}
	}
	return checkName(name, ".xml")
}

// CheckPage returns an error if name is not a valid name for the page for people.
func CheckPage(name string) error { return checkName(name, ".html") }

// checkName returns an error unless name is a clean, slash-separated path in the output folder with
// the extension ext, such as ".xml".
func checkName(name, ext string) error {
	switch {
	case strings.ContainsFunc(name, isUnsafeInFileName):
		return fmt.Errorf("%q is not a file name; write it with slashes", name)
	case strings.HasPrefix(name, "/") || !filepath.IsLocal(filepath.FromSlash(name)):
		return fmt.Errorf("%q lies outside the output folder", name)
	case path.Base(name) == ext:
		return fmt.Errorf("%q has no name before %s", name, ext)
	case path.Ext(name) != ext:
		return fmt.Errorf("%q does not end in %s", name, ext)
	case !isLocal(name):
		return fmt.Errorf("%q is not written in the shortest way, %q", name, path.Clean(name))
	}
	return nil
}

// minKey and maxKey are the minimum and maximum length of an IndexNow key. keyChars contains the
// permitted characters. See https://www.indexnow.org/documentation.
const (
	minKey, maxKey = 8, 128
	keyChars       = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-"
)

// CheckKey returns an error if key is not a valid IndexNow key: 8 to 128 ASCII letters, digits and
// hyphens.
func CheckKey(key string) error {
	if strings.Trim(key, keyChars) != "" || len(key) < minKey || len(key) > maxKey {
		return fmt.Errorf("%q is no key for IndexNow; it has %d to %d letters a to z, digits and hyphens", key, minKey, maxKey)
	}
	return nil
}

// keyFileName returns the name of the file for the IndexNow key. Search engines request this file
// to check that key belongs to the site.
func keyFileName(key string) string { return key + ".txt" }

// Formats lists the allowed elements of Options.Formats.
var Formats = []string{"xml", "txt", "rss", "atom", "llms"}

// formats describes each element of Formats. The name of the format is also the extension of its
// files, except for "llms".
var formats = map[string]struct {
	kind  kind
	is    sitemap.Format
	lines bool // each line is a URL, so the files cannot contain the mark
}{
	"xml":  {allPages, sitemap.FormatURLSet, false},
	"txt":  {allPages, sitemap.FormatText, true},
	"rss":  {newestPages, sitemap.FormatRSS, false},
	"atom": {newestPages, sitemap.FormatAtom, false},
	"llms": {kind: outlines},
}

// hasOneURLPerLine reports whether name has the extension of a format with one URL per line and
// nothing else, such as "sitemap.txt".
func hasOneURLPerLine(name string) bool {
	return formats[strings.TrimPrefix(path.Ext(name), ".")].lines
}

// A kind tells which pages the files of a format list, and in how many files.
type kind uint8

const (
	allPages    kind = iota // all pages, in as many files as necessary
	newestPages             // the newest pages, in one file
	outlines                // the structure of the site, in one llms.txt for the site and one for each language
)
