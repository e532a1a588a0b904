package writer

import (
	"cmp"
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/sitewalk/sitewalk/internal/llms"
	"github.com/sitewalk/sitewalk/internal/split"
	"github.com/sitewalk/sitewalk/sitemap"
)

// normal returns o with its defaults in place, or an error that names what
// cannot be.
func (o Options) normal() (*Options, error) {
	o.Name = cmp.Or(o.Name, DefaultName)
	o.Split = cmp.Or(o.Split, "auto")
	o.MaxURLs = cmp.Or(o.MaxURLs, sitemap.MaxURLs)
	o.MaxBytes = cmp.Or(o.MaxBytes, sitemap.DefaultMaxBytes)
	o.maxChildren = cmp.Or(o.maxChildren, sitemap.MaxChildren)
	o.Feed.Items = cmp.Or(o.Feed.Items, 50)
	o.place()
	if len(o.Formats) == 0 {
		o.Formats = []string{"xml"}
	}
	return &o, o.check()
}

// Entry returns the name of the file that search engines are told of, below Dir and
// below Base: the first format's, compressed if nothing else is written.
func (o *Options) Entry() string {
	name := cmp.Or(o.Name, DefaultName)
	if lists := o.lists(); len(lists) > 0 && !slices.Contains(lists, "xml") {
		name = strings.TrimSuffix(name, "xml") + lists[0]
	}
	return o.published(name)
}

// lists returns the formats that search engines read.
func (o *Options) lists() []string {
	return slices.DeleteFunc(slices.Clone(o.Formats), func(name string) bool { return kindOf(name) == outlines })
}

// NamesPages reports whether what is written says what pages are called.
func (o *Options) NamesPages() bool {
	return o.Page != "" || slices.ContainsFunc(o.Formats, func(name string) bool { return kindOf(name) != allPages })
}

// place takes the entry's name apart.
func (o *Options) place() {
	o.sub, o.stem = path.Dir(o.Name), strings.TrimSuffix(path.Base(o.Name), ".xml")
}

func (o *Options) check() error {
	u, err := url.Parse(o.Base)
	switch {
	case err != nil:
		return err
	case u.Host == "" || !strings.HasSuffix(u.Path, "/"):
		return fmt.Errorf("base URL %q is not absolute with a trailing slash; write https://example.com/", o.Base)
	case o.Key != "" && CheckKey(o.Key) != nil:
		return CheckKey(o.Key)
	case o.Key != "" && o.owns(keyFile(o.Key)):
		return fmt.Errorf("key %q would give its file the name of a sitemap; choose another key", o.Key)
	case o.Gzip != "" && !slices.Contains(Compressions, o.Gzip):
		return fmt.Errorf("gzip %q is not one of %s", o.Gzip, strings.Join(Compressions, ", "))
	case !slices.Contains(Splits, o.Split):
		return fmt.Errorf("split %q is not one of %s", o.Split, strings.Join(Splits, ", "))
	}
	for _, check := range []struct {
		what string
		err  error
	}{
		{"name", CheckEntry(o.Name)},
		{"page", checkName(cmp.Or(o.Page, "sitemap.html"), ".html")},
		{"max_urls", URLLimit.Check(o.MaxURLs)},
		{"max_bytes", ByteLimit.Check(o.MaxBytes)},
		{"feed.items", ItemLimit.Check(o.Feed.Items)},
	} {
		if check.err != nil {
			return fmt.Errorf("%s %w", check.what, check.err)
		}
	}
	for _, loc := range o.Index {
		if err := sitemap.CheckLoc(loc); err != nil {
			return fmt.Errorf("index: %w", err)
		}
	}
	for _, name := range o.Formats {
		i := slices.Index(Formats(), name)
		if i < 0 {
			return fmt.Errorf("format %q is not one of %s", name, strings.Join(Formats(), ", "))
		}
		if f := &formats[i]; !slices.Contains(o.formats, f) {
			o.formats = append(o.formats, f)
		}
	}
	return nil
}

// What Options.Gzip and Options.Split may be, other than "".
var (
	Compressions = []string{"also", "only"}
	Splits       = split.Modes
)

// A Limit is what a number may be.
type Limit struct{ Least, Most int }

// The limits of Options.MaxURLs, Options.MaxBytes and Feed.Items.
var (
	URLLimit  = Limit{1, sitemap.MaxURLs}
	ByteLimit = Limit{1, sitemap.MaxBytes}
	ItemLimit = Limit{1, sitemap.MaxURLs}
)

// Check returns an error when a number lies outside.
func (l Limit) Check(n int) error {
	if n < l.Least || n > l.Most {
		return fmt.Errorf("%d is not between %d and %d", n, l.Least, l.Most)
	}
	return nil
}

// CheckEntry returns an error when a name cannot be that of the XML entry, whose
// text twin must not be the site's robots.txt.
func CheckEntry(name string) error {
	for _, taken := range []string{robotsFile, llms.Name} {
		if twin := strings.TrimSuffix(taken, "txt") + "xml"; strings.EqualFold(path.Base(name), twin) {
			return fmt.Errorf("%q would make %s a list of URLs; choose another name", name, taken)
		}
	}
	return checkName(name, ".xml")
}

// CheckPage returns an error when a name cannot be that of the page for people.
func CheckPage(name string) error { return checkName(name, ".html") }

// checkName returns an error when a name cannot be that of a file with an extension
// below the output folder, spelled in the one shortest way.
func checkName(name, ext string) error {
	switch {
	case strings.ContainsFunc(name, unfit):
		return fmt.Errorf("%q is not a file name; write it with slashes", name)
	case strings.HasPrefix(name, "/") || !filepath.IsLocal(filepath.FromSlash(name)):
		return fmt.Errorf("%q lies outside the output folder", name)
	case path.Base(name) == ext:
		return fmt.Errorf("%q has no name before %s", name, ext)
	case path.Ext(name) != ext:
		return fmt.Errorf("%q does not end in %s", name, ext)
	case !local(name):
		return fmt.Errorf("%q is not written in the shortest way, %q", name, path.Clean(name))
	}
	return nil
}

// unfit reports whether a character has no place in the name of a file.
func unfit(r rune) bool { return r < ' ' || r == '\\' || r == 0x7f }

// local reports whether name, slash-separated, is a file below its folder and
// spelled in the one shortest way.
func local(name string) bool {
	return name == path.Clean(name) && name != "." && filepath.IsLocal(filepath.FromSlash(name)) &&
		!strings.ContainsFunc(name, unfit)
}

// file returns the name, below Dir, of a child in a format; the nameless child
// is the entry.
func (o *Options) file(child, format string) string {
	name := o.stem
	if child != "" {
		name += "-" + child
	}
	return path.Join(o.sub, name+"."+format)
}

// owns reports whether name, below Dir, is one that an entry or a child may have.
func (o *Options) owns(name string) bool {
	rest, ok := strings.CutPrefix(path.Base(name), o.stem)
	return ok && rest != "" && (rest[0] == '.' || rest[0] == '-') && path.Dir(name) == o.sub
}

// url returns the URL of a file below Dir.
func (o *Options) url(name string) string { return o.Base + escapePath(name) }

// escapePath returns the path of a file as that of a URL.
func escapePath(name string) string {
	parts := strings.Split(name, "/")
	for i := range parts {
		parts[i] = url.PathEscape(parts[i])
	}
	return strings.Join(parts, "/")
}

// published returns the name under which a file is to be found by crawlers.
func (o *Options) published(name string) string {
	if o.Gzip == "only" {
		return name + ".gz"
	}
	return name
}

// childOf returns what stands between the entry's name and the extension of a
// sitemap beside the entry that is named as a child of it.
func (o *Options) childOf(loc string) (name string, ok bool) {
	rest, ok := strings.CutPrefix(loc, o.url(path.Join(o.sub, o.stem+"-")))
	if !ok {
		return "", false
	}
	rest = strings.TrimSuffix(rest, ".gz")
	if rest, ok = strings.CutSuffix(rest, ".xml"); !ok || rest == "" || strings.ContainsAny(rest, "/%?#") {
		return "", false
	}
	return rest, true
}

// indexName returns the name of the i-th index; the first one is the entry.
func (o *Options) indexName(i int) string {
	if i == 0 {
		return o.Name
	}
	return o.file(split.Further+"-"+strconv.Itoa(i+1), "xml")
}

// title returns what the site is called.
func (o *Options) title() string {
	return cmp.Or(o.Feed.Title, o.Title, sitemap.HostOf(o.Base))
}

// A format is one way to write pages down. Splitting, compressing and replacing
// stay around it.
type format struct {
	name string // of the format, and its extension
	is   sitemap.Format
	kind kind
}

// A kind is what the files of a format hold.
type kind uint8

const (
	allPages    kind = iota // in as many files as they need
	newestPages             // in one file
	outlines                // of the site and its languages, each in a file with a name and a place of its own
)

var formats = []format{
	{"xml", sitemap.FormatURLSet, allPages},
	{"txt", sitemap.FormatText, allPages},
	{"rss", sitemap.FormatRSS, newestPages},
	{"atom", sitemap.FormatAtom, newestPages},
	{"llms", 0, outlines},
}

// kindOf returns the kind of the format of that name.
func kindOf(name string) kind {
	i := slices.IndexFunc(formats, func(f format) bool { return f.name == name })
	if i < 0 {
		return allPages
	}
	return formats[i].kind
}

// Formats returns the names that Options.Formats takes.
func Formats() []string {
	names := make([]string, len(formats))
	for i := range formats {
		names[i] = formats[i].name
	}
	return names
}
