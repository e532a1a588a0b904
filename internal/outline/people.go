package outline

import (
	"cmp"
	"context"
	_ "embed"
	"html"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

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

// People returns the page for people: HTML with all sections and their first pages.
func (s *Site) People(ctx context.Context) ([]byte, error) {
	topics, err := s.topics(ctx)
	if err != nil {
		return nil, err
	}
	return s.appendPage(nil, topics), nil
}

// A topic is a section as people see it.
type topic struct {
	key, title string
	lang       string // of its home page; "" where that is not known
	pages      int
	links      []sitemap.Entry // the first of them
}

// topics returns the sections of a site, the pages at its root first. A
// section of one page is no section to people, and its page goes to the root's. Of
// sections with one title, as those of languages, each names its language.
func (s *Site) topics(ctx context.Context) ([]*topic, error) {
	byKey := map[string]*topic{}
	_ = split.Each(ctx, s.Entries, func(_ int, e *sitemap.Entry) {
		key := split.Section(s.Base, e.Loc)
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
	err := split.Each(ctx, s.Entries, func(_ int, e *sitemap.Entry) {
		key := split.Section(s.Base, e.Loc)
		t := byKey[key]
		if len(t.links) < each {
			t.links = append(t.links, *e)
		}
		if t.key != "" && e.Loc == s.Base+strings.TrimPrefix(key, "/")+"/" {
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
func (s *Site) appendPage(b []byte, topics []*topic) []byte {
	title := shown(s.Title)
	b = append(b, "<!doctype html>\n"+mark.Comment+"\n<html"...)
	if s.Lang != "" {
		b = append(b, " lang=\""+html.EscapeString(s.Lang)+"\""...)
	}
	b = append(b, ">\n<head>\n<meta charset=\"utf-8\">\n<title>"+title+" – Sitemap</title>\n"...)
	b = append(b, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"robots\" content=\"noindex\">\n<style>\n"...)
	b = append(b, peopleCSS...)
	b = append(b, "</style>\n</head>\n<body>\n<header>\n<h1><a dir=\"auto\" href=\""+html.EscapeString(s.Base)+"\">"+title+"</a></h1>\n</header>\n<main>\n"...)
	first := topics[:min(len(topics), maxTopics)]
	pages := 0
	for _, t := range topics {
		pages += t.pages
	}
	open := pages <= openLinks
	for _, t := range first {
		b = s.appendTopic(b, t, open)
		pages -= t.pages
	}
	if pages > 0 {
		b = s.appendMore(b, pages)
	}
	return append(b, "</main>\n</body>\n</html>\n"...)
}

func (s *Site) appendTopic(b []byte, t *topic, open bool) []byte {
	b = append(b, "<details"...)
	if open {
		b = append(b, " open"...)
	}
	b = append(b, "><summary><h2 dir=\"auto\">"+shown(cmp.Or(t.title, s.Title))+"</h2> <span>"+spaced(t.pages)+"</span></summary>\n<ul>\n"...)
	for i := range t.links {
		b = s.appendLink(b, t, &t.links[i])
	}
	b = append(b, "</ul>\n"...)
	if more := t.pages - len(t.links); more > 0 {
		b = s.appendMore(b, more)
	}
	return append(b, "</details>\n"...)
}

// appendMore says how many more pages there are, and where.
func (s *Site) appendMore(b []byte, pages int) []byte {
	return append(b, "<p>+ "+spaced(pages)+": <a href=\""+html.EscapeString(s.AllURL)+"\">"+html.EscapeString(path.Base(s.All))+"</a></p>\n"...)
}

func (s *Site) appendLink(b []byte, t *topic, e *sitemap.Entry) []byte {
	name := cmp.Or(strings.TrimSpace(e.Title), readable(strings.TrimPrefix(e.Loc, strings.TrimSuffix(s.Base, "/")+t.key)))
	b = append(b, "<li><a dir=\"auto\" href=\""+html.EscapeString(e.Loc)+"\">"+shown(name)+"</a>"...)
	if date := e.LastMod.String(); len(date) >= len("2006-01-02") {
		b = append(b, " <time datetime=\""+date+"\">"+date[:len("2006-01-02")]+"</time>"...)
	}
	return append(b, "</li>\n"...)
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
