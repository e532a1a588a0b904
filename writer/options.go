package writer

import (
	"cmp"
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"

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
	if len(o.Formats) == 0 {
		o.Formats = []string{"xml"}
	}
	return &o, o.check()
}

func (o *Options) check() error {
	u, err := url.Parse(o.Base)
	switch {
	case err != nil:
		return err
	case u.Host == "" || !strings.HasSuffix(u.Path, "/"):
		return fmt.Errorf("base URL %q is not absolute with a trailing slash; write https://example.com/", o.Base)
	case o.checkName() != nil:
		return o.checkName()
	case o.Page != "" && (!local(o.Page) || path.Ext(o.Page) != ".html"):
		return fmt.Errorf("page %q is not the name of an .html file in the output folder; write sitemap.html", o.Page)
	case o.Key != "" && CheckKey(o.Key) != nil:
		return CheckKey(o.Key)
	case o.Key != "" && o.owns(keyFile(o.Key)):
		return fmt.Errorf("key %q would give its file the name of a sitemap; choose another key", o.Key)
	case !slices.Contains([]string{"", "also", "only"}, o.Gzip):
		return fmt.Errorf("gzip %q is neither also nor only", o.Gzip)
	case !slices.Contains([]string{"auto", "section", "none"}, o.Split):
		return fmt.Errorf("split %q is none of auto, section, none", o.Split)
	case o.MaxURLs < 1 || o.MaxURLs > sitemap.MaxURLs:
		return fmt.Errorf("max_urls %d is not between 1 and %d", o.MaxURLs, sitemap.MaxURLs)
	case o.MaxBytes < 1 || o.MaxBytes > sitemap.MaxBytes:
		return fmt.Errorf("max_bytes %d is not between 1 and %d", o.MaxBytes, sitemap.MaxBytes)
	case o.Feed.Items < 0:
		return fmt.Errorf("feed items %d is negative", o.Feed.Items)
	}
	for _, loc := range o.Index {
		if err := sitemap.CheckLoc(loc); err != nil {
			return fmt.Errorf("index: %w", err)
		}
	}
	_, err = formatsOf(o.Formats)
	return err
}

// checkName returns an error when the entry's name cannot be.
func (o *Options) checkName() error {
	if !local(o.Name) || !strings.HasSuffix(o.Name, ".xml") || o.stem() == "" || o.stem() == "robots" {
		return fmt.Errorf("output name %q is not the name of an .xml file in the output folder; write sitemap.xml", o.Name)
	}
	return nil
}

// local reports whether name, slash-separated, is a file below its folder and
// spelled in the one shortest way.
func local(name string) bool {
	return name == path.Clean(name) && name != "." && filepath.IsLocal(filepath.FromSlash(name)) &&
		!strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == '\\' || r == 0x7f })
}

// sub returns the folder of the entry and its children, below Dir.
func (o *Options) sub() string { return path.Dir(o.Name) }

// stem returns the entry's name without folder and extension.
func (o *Options) stem() string { return strings.TrimSuffix(path.Base(o.Name), ".xml") }

// file returns the name, below Dir, of a child in a format; the nameless child
// is the entry.
func (o *Options) file(child, format string) string {
	name := o.stem()
	if child != "" {
		name += "-" + child
	}
	return path.Join(o.sub(), name+"."+format)
}

// owns reports whether name, below Dir, is one that an entry or a child may have.
func (o *Options) owns(name string) bool {
	rest, ok := strings.CutPrefix(path.Base(name), o.stem())
	return ok && rest != "" && (rest[0] == '.' || rest[0] == '-') && path.Dir(name) == o.sub()
}

// url returns the URL of a file below Dir.
func (o *Options) url(name string) string {
	parts := strings.Split(name, "/")
	for i := range parts {
		parts[i] = url.PathEscape(parts[i])
	}
	return o.Base + strings.Join(parts, "/")
}

// published returns the name under which a file is to be found by crawlers.
func (o *Options) published(name string) string {
	if o.Gzip == "only" {
		return name + ".gz"
	}
	return name
}

// opening says what stands before the first entry of every XML file.
func (o *Options) opening(uses sitemap.Extensions) sitemap.Opening {
	head := sitemap.Opening{Page: o.Page, Key: o.Key, Extensions: uses}
	if o.Stylesheet {
		head.Stylesheet = url.PathEscape(o.stem() + ".css")
	}
	return head
}

// childOf returns what stands between the entry's name and the extension of a
// sitemap beside the entry that is named as a child of it.
func (o *Options) childOf(loc string) (name string, ok bool) {
	rest, ok := strings.CutPrefix(loc, o.url(path.Join(o.sub(), o.stem()+"-")))
	if !ok {
		return "", false
	}
	rest = strings.TrimSuffix(rest, ".gz")
	if rest, ok = strings.CutSuffix(rest, ".xml"); !ok || rest == "" || strings.ContainsAny(rest, "/%?#") {
		return "", false
	}
	return rest, true
}
