package writer

import (
	"cmp"
	"context"
	_ "embed"
	"html"
	"math"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/mark"
	"github.com/sitewalk/sitewalk/internal/split"
	"github.com/sitewalk/sitewalk/sitemap"
)

// The page for people stays light: it has so many sections at most, and so many
// links, of each section as many as every other can have too; and its sections
// are open as long as they are quickly read.
const (
	maxTopics = 1000
	maxLinks  = 5000
	openLinks = 200
)

//go:embed people.css
var peopleCSS string

// people drafts the page for people, or reports that its name is taken.
func (r *job) people(ctx context.Context) error {
	if info, _ := r.dir.stat(r.Page); r.dir.check(r.Page) != nil || info != nil && !r.past.ours(r.Page) {
		r.Diags.Errorf(diag.Pos{File: r.Page}, "output-taken", "give output.page another name, or remove that file",
			"the page for people would overwrite a file that sitewalk did not write, and is not written")
		return nil
	}
	topics, err := topicsOf(ctx, r.entries, r.Base)
	if err != nil {
		return err
	}
	return r.putPlain(r.dir, r.Page, r.appendPage(nil, topics), 0)
}

// A topic is a section as people see it.
type topic struct {
	key, title string
	lang       string // of its home page; "" where that is not known
	pages      int
	links      []sitemap.Entry // the first of them
}

// topicsOf returns the sections of a site, the pages at its root first. A
// section of one page is no section to people, and its page goes to the root's. Of
// sections with one title, as those of languages, each names its language.
func topicsOf(ctx context.Context, entries Entries, base string) ([]*topic, error) {
	byKey := map[string]*topic{}
	_ = split.Each(ctx, entries, func(_ int, e *sitemap.Entry) {
		key := split.Section(base, e.Loc)
		t := byKey[key]
		if t == nil {
			t = &topic{key: strings.Clone(key)}
			byKey[t.key] = t
		}
		t.pages++
	})
	topics := joinSingles(byKey)
	counts := make([]int, len(topics))
	for i, t := range topics {
		counts[i] = t.pages
	}
	each := share(counts, maxLinks)
	err := split.Each(ctx, entries, func(_ int, e *sitemap.Entry) {
		key := split.Section(base, e.Loc)
		t := byKey[key]
		if len(t.links) < each {
			t.links = append(t.links, *e)
		}
		if t.key != "" && e.Loc == base+strings.TrimPrefix(key, "/")+"/" {
			t.title, t.lang = e.Title, langOf(e)
		}
	})
	if err != nil {
		return nil, err
	}
	titles := map[string]int{}
	for _, t := range topics {
		t.title = cmp.Or(strings.TrimSpace(t.title), titleOf(t.key))
		titles[t.title]++
	}
	for _, t := range topics {
		if titles[t.title] > 1 && t.key != "" {
			t.title += " (" + cmp.Or(t.lang, titleOf(t.key)) + ")"
		}
	}
	return topics, nil
}

// langOf returns the language of a page of which translations are known.
func langOf(e *sitemap.Entry) string {
	i := slices.IndexFunc(e.Alternates, func(a sitemap.Alternate) bool { return a.Href == e.Loc && a.Lang != "x-default" })
	if i < 0 {
		return ""
	}
	return e.Alternates[i].Lang
}

// joinSingles makes sections of one page one with the root, and returns what
// there is then, sorted by key.
func joinSingles(byKey map[string]*topic) (topics []*topic) {
	root := cmp.Or(byKey[""], &topic{})
	for key, t := range byKey {
		switch {
		case key == "":
		case t.pages == 1:
			byKey[key] = root
			root.pages++
		default:
			topics = append(topics, t)
		}
	}
	if root.pages > 0 {
		topics = append(topics, root)
	}
	slices.SortFunc(topics, func(a, b *topic) int { return strings.Compare(a.key, b.key) })
	return topics
}

// share returns how many links each of the sections with these counts may have at most
// for all of them to be within limit, but at least one. It sorts counts.
func share(counts []int, limit int) int {
	slices.Sort(counts)
	for i, n := range counts {
		if rest := len(counts) - i; n*rest > limit {
			return max(1, limit/rest)
		}
		limit -= n
	}
	return math.MaxInt
}

// titleOf returns what people call a section; "" for the root, which is called as
// the site is.
func titleOf(key string) string { return readable(strings.TrimLeft(key, "/")) }

// readable returns a part of a URL without its escapes.
func readable(s string) string {
	if u, err := url.PathUnescape(s); err == nil {
		return u
	}
	return s
}

// shown returns a text of the site as HTML, without characters that would turn the
// order of what stands around them, and without control characters.
func shown(s string) string {
	return html.EscapeString(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069' {
			return -1
		}
		return r
	}, s))
}

// appendPage appends the page: plain HTML without a script, and without a word of
// ours, which would be foreign to most sites.
func (r *job) appendPage(b []byte, topics []*topic) []byte {
	title := shown(r.title())
	b = append(b, "<!doctype html>\n"+mark.Comment+"\n<html"...)
	if r.Lang != "" {
		b = append(b, " lang=\""+html.EscapeString(r.Lang)+"\""...)
	}
	b = append(b, ">\n<head>\n<meta charset=\"utf-8\">\n<title>"+title+" – Sitemap</title>\n"...)
	b = append(b, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"robots\" content=\"noindex\">\n<style>\n"...)
	b = append(b, peopleCSS...)
	b = append(b, "</style>\n</head>\n<body>\n<header>\n<h1><a dir=\"auto\" href=\""+html.EscapeString(r.Base)+"\">"+title+"</a></h1>\n</header>\n<main>\n"...)
	first := topics[:min(len(topics), maxTopics)]
	pages := 0
	for _, t := range topics {
		pages += t.pages
	}
	open := pages <= openLinks
	for _, t := range first {
		b = r.appendTopic(b, t, open)
		pages -= t.pages
	}
	if pages > 0 {
		b = r.appendMore(b, pages)
	}
	return append(b, "</main>\n</body>\n</html>\n"...)
}

func (r *job) appendTopic(b []byte, t *topic, open bool) []byte {
	b = append(b, "<details"...)
	if open {
		b = append(b, " open"...)
	}
	b = append(b, "><summary><h2 dir=\"auto\">"+shown(cmp.Or(t.title, r.title()))+"</h2> <span>"+spaced(t.pages)+"</span></summary>\n<ul>\n"...)
	for i := range t.links {
		b = r.appendLink(b, t, &t.links[i])
	}
	b = append(b, "</ul>\n"...)
	if more := t.pages - len(t.links); more > 0 {
		b = r.appendMore(b, more)
	}
	return append(b, "</details>\n"...)
}

// appendMore says how many more pages there are, and where.
func (r *job) appendMore(b []byte, pages int) []byte {
	file := r.published(r.entrance())
	return append(b, "<p>+ "+spaced(pages)+": <a href=\""+html.EscapeString(r.url(file))+"\">"+html.EscapeString(path.Base(file))+"</a></p>\n"...)
}

func (r *job) appendLink(b []byte, t *topic, e *sitemap.Entry) []byte {
	name := cmp.Or(strings.TrimSpace(e.Title), readable(strings.TrimPrefix(e.Loc, strings.TrimSuffix(r.Base, "/")+t.key)))
	b = append(b, "<li><a dir=\"auto\" href=\""+html.EscapeString(e.Loc)+"\">"+shown(name)+"</a>"...)
	if date := e.LastMod.String(); len(date) >= len("2006-01-02") {
		b = append(b, " <time datetime=\""+date+"\">"+date[:len("2006-01-02")]+"</time>"...)
	}
	return append(b, "</li>\n"...)
}

// entrance returns the file that crawlers start at.
func (r *job) entrance() string {
	if len(r.whole) > 0 && !r.has("xml") {
		return r.file("", r.whole[0].name)
	}
	return r.Name
}

// spaced returns n with a narrow space between thousands, as all languages read
// it.
func spaced(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "\u202f" + s[i:]
	}
	return s
}
