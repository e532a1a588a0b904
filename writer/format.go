package writer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/sitemap"
)

// A format is one way to write pages down. Splitting, compressing and replacing
// stay around it.
type format struct {
	name     string // of the format, and its extension
	feed     bool   // the newest pages in one file; otherwise all pages in as many as they need
	extended bool   // says all that the protocol's extensions can say
	open     func(b []byte, h *head) []byte
	entry    func(b []byte, e *sitemap.Entry) []byte
	close    func(b []byte) []byte
}

// A head is what may stand before the first entry.
type head struct {
	sitemap.Opening
	sitemap.Channel
}

var formats = []format{
	{
		name: "xml", extended: true,
		open:  func(b []byte, h *head) []byte { return sitemap.AppendOpen(b, h.Opening) },
		entry: func(b []byte, e *sitemap.Entry) []byte { return sitemap.AppendURL(b, &e.URL) },
		close: sitemap.AppendClose,
	},
	{
		name:  "txt",
		open:  func(b []byte, _ *head) []byte { return b },
		entry: text,
		close: func(b []byte) []byte { return b },
	},
	{
		name: "rss", feed: true,
		open:  func(b []byte, h *head) []byte { return sitemap.AppendRSSOpen(b, &h.Channel) },
		entry: sitemap.AppendRSSItem,
		close: sitemap.AppendRSSClose,
	},
	{
		name: "atom", feed: true,
		open:  func(b []byte, h *head) []byte { return sitemap.AppendAtomOpen(b, &h.Channel) },
		entry: sitemap.AppendAtomEntry,
		close: sitemap.AppendAtomClose,
	},
}

func text(b []byte, e *sitemap.Entry) []byte { return sitemap.AppendText(b, e.Loc) }

// Formats returns the names that Options.Formats takes.
func Formats() []string {
	names := make([]string, len(formats))
	for i := range formats {
		names[i] = formats[i].name
	}
	return names
}

// formatsOf returns the formats of those names, each once and in their order.
func formatsOf(names []string) ([]*format, error) {
	var out []*format
	for _, name := range names {
		i := slices.IndexFunc(formats, func(f format) bool { return f.name == name })
		if i < 0 {
			return nil, fmt.Errorf("format %q is none of %s", name, strings.Join(Formats(), ", "))
		}
		if f := &formats[i]; !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	return out, nil
}
