package llms

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// rootSection is the heading of the pages that are in no folder, and of those that are
// alone in theirs.
const rootSection = "Pages"

// A heading is a section of an llms.txt on its way to the file.
type heading struct {
	key, name string
	rank      int
	limited   bool // by a rule
	pages     []*llmsPage
}

// file returns what the llms.txt of a scope says, and how many pages it lists.
func (s *scope) file(l *LLMS) (file *File, links int) {
	name := s.clean(l)
	file = &File{Title: name, Summary: s.home.Summary}
	if s.Dir == "" {
		file.Summary = cmp.Or(l.Summary, file.Summary)
	}
	s.dropNotes(file.Summary)
	headings := s.headings()
	total := len(s.pages)
	for _, h := range headings {
		links += len(h.pages)
		file.Sections = append(file.Sections, h.section(s.Base))
	}
	s.addLanguages(file, l)
	if links < total && l.All != "" {
		addOptional(file, Link{Text: l.All, URL: l.AllURL, Note: "all " + strconv.Itoa(l.Entries.Len()) + " pages"})
	}
	return file, links
}

// headings divides the pages into sections, in the order of the file.
func (s *scope) headings() []*heading {
	byKey := map[string]*heading{}
	for i := range s.pages {
		p := &s.pages[i]
		h := byKey[p.key]
		if h == nil {
			h = &heading{key: p.key, name: cmp.Or(p.place.Section, humanized(p.key))}
			byKey[p.key] = h
		}
		if rank := p.place.Rank; p.place.Section != "" && (h.rank == 0 || rank < h.rank) {
			h.rank = rank
		}
		h.pages = append(h.pages, p)
	}
	all := sortedHeadings(joinAlone(byKey))
	counts := make([]int, len(all))
	for i, h := range all {
		h.nameFolder(s.Base)
		h.arrange(s.Base)
		counts[i] = len(h.pages)
	}
	most := share(counts, maxListed)
	names := map[string]int{}
	for _, h := range all {
		names[h.name]++
		if !h.limited && len(h.pages) > most {
			h.keepFirst(most)
		}
	}
	for _, h := range all {
		if names[h.name] > 1 && strings.HasPrefix(h.key, "/") {
			h.name += " (" + titleOf(h.key) + ")"
		}
	}
	return all
}

// joinAlone makes sections of one page, that no rule names, one with the root's.
func joinAlone(byKey map[string]*heading) (all []*heading) {
	root := byKey[""]
	if root == nil {
		root = &heading{}
	}
	for _, h := range byKey {
		switch {
		case h.key == "":
		case len(h.pages) == 1 && h.key[0] == '/':
			root.pages = append(root.pages, h.pages[0])
		default:
			all = append(all, h)
		}
	}
	if root.name = rootSection; len(root.pages) > 0 {
		all = append(all, root)
	}
	return all
}

// sortedHeadings puts those first that rules name, in their order, and the one that may
// be skipped last; the others by address.
func sortedHeadings(all []*heading) []*heading {
	last := func(h *heading) int {
		switch {
		case h.key == Optional:
			return 2
		case h.rank == 0:
			return 1
		}
		return 0
	}
	slices.SortFunc(all, func(a, b *heading) int {
		return cmp.Or(cmp.Compare(last(a), last(b)), cmp.Compare(a.rank, b.rank), cmp.Compare(a.key, b.key))
	})
	return all
}

// arrange sorts the pages of a section, the home page of the site or of the section
// first, and leaves out those beyond the limits of rules.
func (h *heading) arrange(base string) {
	h.limited = slices.ContainsFunc(h.pages, func(p *llmsPage) bool { return p.place.Limit > 0 })
	home := base + strings.TrimPrefix(h.key, "/")
	slices.SortFunc(h.pages, func(a, b *llmsPage) int {
		c := cmp.Compare(b.priority, a.priority)
		if h.limited {
			c = cmp.Or(c, b.date.Compare(a.date))
		}
		return cmp.Or(c, compareHome(a.loc, b.loc, home), cmp.Compare(a.loc, b.loc))
	})
	seen := map[int]int{}
	h.pages = slices.DeleteFunc(h.pages, func(p *llmsPage) bool {
		if p.place.Limit == 0 {
			return false
		}
		seen[p.place.By]++
		return seen[p.place.By] > p.place.Limit
	})
}

// nameFolder names the section of a folder as its home page is called, and cuts the name
// that the titles of its pages share.
func (h *heading) nameFolder(base string) {
	if h.key == "" || h.key[0] != '/' {
		return
	}
	i := slices.IndexFunc(h.pages, func(p *llmsPage) bool { return isHome(p.loc, base+strings.TrimPrefix(h.key, "/")) })
	if i < 0 {
		return
	}
	home := h.pages[i]
	if shared := cutShared(h.pages, home, ""); shared != "" {
		home.title = shared
	}
	h.name = cmp.Or(home.title, h.name)
}

// keepFirst leaves out all pages but so many: those of a high priority stay, and of
// these the ones near the top of the site.
func (h *heading) keepFirst(most int) {
	depth := func(p *llmsPage) int { return strings.Count(strings.TrimSuffix(p.loc, "/"), "/") }
	all := slices.Clone(h.pages)
	slices.SortStableFunc(all, func(a, b *llmsPage) int {
		return cmp.Or(cmp.Compare(b.priority, a.priority), cmp.Compare(depth(a), depth(b)))
	})
	stays := map[*llmsPage]bool{}
	for _, p := range all[:most] {
		stays[p] = true
	}
	h.pages = slices.DeleteFunc(h.pages, func(p *llmsPage) bool { return !stays[p] })
}

// compareHome puts the page of a folder before all others.
func compareHome(a, b, folder string) int {
	switch x, y := isHome(a, folder), isHome(b, folder); {
	case x == y:
		return 0
	case x:
		return -1
	}
	return 1
}

// section returns the section as it is written. Of pages with one title, each names its
// file.
func (h *heading) section(base string) Section {
	s := Section{Name: h.name, Links: make([]Link, len(h.pages))}
	times := map[string]int{}
	for _, p := range h.pages {
		times[p.title]++
	}
	for i, p := range h.pages {
		s.Links[i] = Link{Text: p.title, URL: p.loc, Note: p.note}
		if times[p.title] > 1 && !isHome(p.loc, base) {
			s.Links[i].Text += " (" + readable(strings.Trim(strings.TrimPrefix(p.loc, base), "/")) + ")"
		}
	}
	return s
}

// addLanguages names the files of the site's languages.
func (s *scope) addLanguages(file *File, l *LLMS) {
	if len(s.subs) == 0 {
		return
	}
	section := Section{Name: "Languages"}
	for _, sub := range s.subs {
		section.Links = append(section.Links, Link{Text: sub.clean(l), URL: sub.Base + Name, Note: sub.Code})
	}
	at := len(file.Sections)
	if at > 0 && file.Sections[at-1].Name == Optional {
		at--
	}
	file.Sections = slices.Insert(file.Sections, at, section)
}

func addOptional(file *File, l Link) {
	n := len(file.Sections)
	if n == 0 || file.Sections[n-1].Name != Optional {
		file.Sections = append(file.Sections, Section{Name: Optional})
		n++
	}
	file.Sections[n-1].Links = append(file.Sections[n-1].Links, l)
}

// dropNotes leaves out descriptions that say nothing of their page, as layouts write the
// same one into many, and shortens long ones.
func (s *scope) dropNotes(summary string) {
	times := map[string]int{}
	for i := range s.pages {
		times[s.pages[i].note]++
	}
	for i := range s.pages {
		p := &s.pages[i]
		if p.note == summary || p.note == p.title || times[p.note] > 2 {
			p.note = ""
		}
		p.note = shortened(p.note)
	}
}

// shortened returns a text, or the first words of a long one.
func shortened(s string) string {
	if utf8.RuneCountInString(s) <= maxNote {
		return s
	}
	s = string([]rune(s)[:maxNote])
	if i := strings.LastIndexByte(s, ' '); i > len(s)/2 {
		s = s[:i]
	}
	return strings.TrimRightFunc(s, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",;:.–—-", r) }) + "…"
}

// humanized returns the name of a folder as a heading.
func humanized(key string) string {
	name := strings.NewReplacer("-", " ", "_", " ").Replace(titleOf(strings.TrimLeft(key, ":")))
	r, n := utf8.DecodeRuneInString(name)
	return string(unicode.ToUpper(r)) + name[n:]
}
