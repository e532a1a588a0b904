package audit

import (
	"bytes"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"
)

// An oracle is an independent link checker. It parses each page with golang.org/x/net/html,
// resolves URLs with net/url, and looks for files like a plain file server. It shares no code with
// sitewalk.
type oracle struct {
	dir     string
	base    *url.URL
	ids     map[string]map[string]bool // id and name attributes of elements, by path of the page
	pages   []string                   // URL paths of the pages
	links   []oracleLink
	invalid []string // references that net/url cannot parse
}

// An oracleLink is a link from the page at one URL path to another URL path.
type oracleLink struct {
	from, to, fragment string
	isFollowable       bool // the user can follow the link, so its fragment is checked
}

// newOracle returns an oracle that has read all pages in dir. base is the URL of the site.
func newOracle(t *testing.T, dir, base string) *oracle {
	t.Helper()
	o := &oracle{dir: dir, ids: map[string]map[string]bool{}}
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	o.dir = dir
	if o.base, err = url.Parse(base); err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !isPage(d.Name()) {
			return err
		}
		return o.readPage(name)
	})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// isPage reports whether a file name ends in .html or .htm.
func isPage(name string) bool { return slices.Contains([]string{".html", ".htm"}, filepath.Ext(name)) }

// readPage reads the page in the file name, and adds its names and links.
func (o *oracle) readPage(name string) error {
	src, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	in, err := charset.NewReader(bytes.NewReader(src), "text/html")
	if !bytes.Contains(src, []byte("charset")) {
		in, err = bytes.NewReader(src), nil
	}
	if err != nil {
		return err
	}
	doc, err := html.ParseWithOptions(in, html.ParseOptionEnableScripting(false))
	if err != nil {
		return err
	}
	rel, err := filepath.Rel(o.dir, name)
	if err != nil {
		return err
	}
	at := o.base.Path + filepath.ToSlash(rel)
	if path, ok := strings.CutSuffix(at, "/index.html"); ok {
		at = path + "/"
	}
	p := &oraclePage{o: o, at: at, ids: map[string]bool{}}
	p.base = o.base.ResolveReference(&url.URL{Path: at})
	o.pages = append(o.pages, at)
	o.ids[at] = p.ids
	p.visitNode(doc)
	return nil
}

// An oraclePage is the state of reading one page.
type oraclePage struct {
	o       *oracle
	at      string
	base    *url.URL
	hasBase bool
	ids     map[string]bool
}

func (p *oraclePage) visitNode(n *html.Node) {
	if n.Type == html.ElementNode {
		p.visitElement(n)
	}
	if n.Type == html.ElementNode && n.Data == "template" {
		return
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		p.visitNode(c)
	}
}

func (p *oraclePage) visitElement(n *html.Node) {
	val := map[string]string{}
	for _, a := range n.Attr {
		if a.Namespace == "" {
			val[a.Key] = a.Val
		}
	}
	if id, ok := val["id"]; ok {
		p.ids[id] = true
	}
	switch n.Data {
	case "a":
		if name, ok := val["name"]; ok {
			p.ids[name] = true
		}
		p.addLink(val["href"], true)
	case "area":
		p.addLink(val["href"], true)
	case "link":
		rel := strings.Fields(strings.ToLower(val["rel"]))
		_, translated := val["hreflang"]
		for _, hint := range []string{"preconnect", "dns-prefetch", "canonical", "pingback"} {
			if slices.Contains(rel, hint) {
				return
			}
		}
		if _, ok := val["rel"]; ok && !(translated && slices.Contains(rel, "alternate")) {
			p.addLink(val["href"], false)
		}
	case "img", "source":
		p.addLink(val["src"], false)
		for _, c := range oracleSrcset(val["srcset"]) {
			p.addLink(c, false)
		}
	case "script", "iframe", "video", "audio", "track", "embed", "input":
		p.addLink(val["src"], false)
		p.addLink(val["poster"], false)
	case "object":
		p.addLink(val["data"], false)
	case "form":
		if m := strings.ToLower(val["method"]); m != "post" && m != "dialog" {
			p.addLink(val["action"], true)
		}
	case "meta":
		if _, to, ok := strings.Cut(strings.ToLower(val["content"]), "url="); ok && strings.EqualFold(val["http-equiv"], "refresh") {
			p.addLink(strings.Trim(val["content"][len(val["content"])-len(to):], `'"`), false)
		}
	case "base":
		href, ok := val["href"]
		if u, err := url.Parse(strings.TrimSpace(href)); ok && !p.hasBase && err == nil {
			p.hasBase, p.base = true, p.base.ResolveReference(u)
		}
	}
}

// oracleSrcset returns the URLs in a srcset attribute.
// See https://html.spec.whatwg.org/multipage/images.html#parse-a-srcset-attribute.
func oracleSrcset(s string) (out []string) {
	for {
		s = strings.TrimLeft(s, " \t\r\n\f,")
		if s == "" {
			return out
		}
		end := strings.IndexAny(s+" ", " \t\r\n\f")
		c := s[:end]
		s = s[end:]
		bare := strings.TrimRight(c, ",")
		out = append(out, bare)
		if bare == c {
			_, s, _ = strings.Cut(s, ",")
		}
	}
}

// addLink adds a link to ref. isFollowable is true if the user can follow it.
func (p *oraclePage) addLink(ref string, isFollowable bool) {
	ref = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(strings.Trim(ref, " \t\r\n\f"))
	if ref == "" {
		return
	}
	u, err := url.Parse(ref)
	if err != nil {
		p.o.invalid = append(p.o.invalid, p.at+": "+ref)
		return
	}
	to := p.base.ResolveReference(u)
	o := p.o
	port := map[string]string{"http": ":80", "https": ":443"}[to.Scheme]
	if port == "" || !strings.EqualFold(strings.TrimSuffix(to.Host, port), o.base.Host) || !strings.HasPrefix(to.Path, o.base.Path) {
		return
	}
	_, fragment, _ := strings.Cut(ref, "#")
	o.links = append(o.links, oracleLink{p.at, to.Path, fragment, isFollowable})
}

// servedPath returns the URL path at which a plain file server serves path, for example with a
// slash added. It returns false if the server has no such file.
func (o *oracle) servedPath(path string) (string, bool) {
	file := filepath.Join(o.dir, filepath.FromSlash(strings.TrimPrefix(path, o.base.Path)))
	info, err := os.Stat(file)
	if real, _ := filepath.EvalSymlinks(file); err == nil && !strings.HasPrefix(real, o.dir) {
		err = fs.ErrNotExist // the target of a symbolic link outside of the site is not deployed
	}
	switch {
	case err != nil:
		return "", false
	case info.IsDir():
		index, err := os.Stat(filepath.Join(file, "index.html"))
		return strings.TrimSuffix(path, "/") + "/", err == nil && index.Mode().IsRegular()
	case strings.HasSuffix(path, "/"):
		return "", false
	}
	if folder, ok := strings.CutSuffix(path, "/index.html"); ok {
		path = folder + "/"
	}
	return path, info.Mode().IsRegular()
}

// findProblems returns the paths of broken links, the missing fragments as "path#fragment", and the
// paths of pages without a link from another page.
func (o *oracle) findProblems() (dead, fragments, orphans []string) {
	linked := map[string]bool{o.base.Path: true}
	for _, l := range o.links {
		end, ok := o.servedPath(l.to)
		if !ok {
			dead = append(dead, l.to)
			continue
		}
		linked[end] = linked[end] || end != l.from
		ids, isPage := o.ids[end]
		decoded, err := url.PathUnescape(l.fragment)
		f := l.fragment
		switch {
		case !isPage || !l.isFollowable || f == "" || f[0] == '/' || f[0] == '!' || strings.EqualFold(f, "top") || strings.Contains(f, ":~:"), strings.HasPrefix(f, "q="), strings.HasPrefix(f, "q%3D"):
		case !ids[f] && (err != nil || !ids[decoded]):
			if l.to == l.from {
				l.to = "" // sitewalk reports links within a page by the fragment alone
			}
			fragments = append(fragments, l.to+"#"+f)
		}
	}
	for _, p := range o.pages {
		if !linked[p] {
			orphans = append(orphans, p)
		}
	}
	for _, list := range []*[]string{&dead, &fragments, &orphans} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return dead, fragments, orphans
}
