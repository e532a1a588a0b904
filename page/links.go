package page

import (
	"bytes"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
)

// startLink reads the start tag of a link.
func (r *Reader) startLink() {
	r.endLink()
	if !r.has(attrHref) {
		return
	}
	href := r.attr(attrHref)
	r.inFragment = len(href) > 0 && href[0] == '#'
	if r.o.EditLinks && editKindOf(href) != notEditLink {
		r.edits.open, r.edits.href = r.lastTag(), r.tag.val[attrHref]
	}
	r.addTarget(attrHref)
}

// endLink reads the end of a link.
func (r *Reader) endLink() {
	r.inFragment = false
	if e := &r.edits; e.open != (span{}) {
		end := max(r.tag.start, e.open.hi) // a link without an end ends with the page
		href := text(trim(appendText(nil, r.bytes(e.href), true)))
		e.add(href, slices.Concat(r.buf[e.open.lo:e.href.lo], r.buf[e.href.hi:end]))
		e.open = span{}
	}
}

// addTarget adds the address in an attribute to the content, because a changed link changes the
// page. It drops the parts that may change between builds: the scheme, the site's own host, query
// and fragment, and files of the theme.
func (r *Reader) addTarget(a attr) {
	if !r.o.Body || !r.isContent() || !r.has(a) {
		return
	}
	ref := stablePart(r.attr(a), r.ownHost)
	if len(ref) == 0 {
		return
	}
	r.addMark(markLink)
	r.addMark(ref...)
	r.addMark(markLinkEnd)
}

// stablePart returns the part of ref that identifies its target. It drops query and fragment.
func stablePart(ref []byte, ownHost string) []byte {
	for i, c := range ref {
		if c == '?' || c == '#' {
			ref = ref[:i]
			break
		}
	}
	if len(ref) == 0 || ref[0] == '/' && !bytes.HasPrefix(ref, doubleSlash) {
		return contentTarget(ref)
	}
	for _, scheme := range []string{"https:", "http:", "javascript:", "data:"} {
		if !hasPrefixFold(ref, scheme) {
			continue
		}
		if scheme[0] != 'h' {
			return nil
		}
		ref = ref[len(scheme):]
	}
	if rest, ok := bytes.CutPrefix(ref, doubleSlash); ok {
		host := len(rest)
		if i := bytes.IndexByte(rest, '/'); i >= 0 {
			host = i
		}
		if ref = rest; ownHost != "" && equalFold(rest[:host], ownHost) {
			ref = rest[host:]
		}
	}
	return contentTarget(ref)
}

var doubleSlash = []byte("//")

// commitSegment matches the hash of a commit in the address of a repository's file.
var commitSegment = regexp.MustCompile(`/[0-9a-f]{7,40}(/|$)`)

// contentTarget returns ref without commit hashes. It returns nil for a file of the theme and for a
// form to edit the page.
func contentTarget(ref []byte) []byte {
	if isAsset(ref) || isEditForm(ref) {
		return nil
	}
	return commitSegment.ReplaceAll(ref, []byte("/*$1"))
}

// isAsset reports whether ref is the address of an image, a style or a script.
func isAsset(ref []byte) bool {
	dot := bytes.LastIndexByte(ref, '.')
	if dot < 0 || len(ref)-dot > 6 {
		return false
	}
	switch string(ref[dot+1:]) {
	case "avif", "css", "gif", "ico", "jpeg", "jpg", "js", "mjs", "png", "svg", "webp", "woff2":
		return true
	}
	return false
}

// An editLinkKind ranks links by the probability that they lead to the page's source.
type editLinkKind uint8

const (
	notEditLink editLinkKind = iota
	sourceView               // a file in a repository
	sourceLink               // a file, in a link with a word such as edit or source
	editForm                 // a form to edit a file
)

// edits collects the links that may lead to the page's source.
type edits struct {
	links [editForm + 1][]string
	open  span // the start tag of an open link
	href  span // its address
}

// maxEdits is the maximum number of links read from a page.
const maxEdits = 64

func (e *edits) reset() { *e = edits{} }

// best returns the links of the best kind.
func (e *edits) best() []string {
	for _, links := range slices.Backward(e.links[:]) {
		if len(links) > 0 {
			return links
		}
	}
	return nil
}

// add adds a link. source is the element of the link without the address.
func (e *edits) add(href string, source []byte) {
	kind := editKindOf([]byte(href))
	if kind == sourceView && editWords.Match(source) {
		kind = sourceLink
	}
	if len(e.links[kind]) < maxEdits && !slices.Contains(e.links[kind], href) {
		e.links[kind] = append(e.links[kind], href)
	}
}

// editWords matches the text or an attribute of a link to a page's source.
var editWords = regexp.MustCompile(`(?i)edit|source|improve|suggest`)

// editKindOf returns whether an address is an edit form or a file view on GitHub, GitLab, Gitea,
// Forgejo (Codeberg) or Bitbucket.
func editKindOf(href []byte) editLinkKind {
	if isEditForm(href) {
		return editForm
	}
	for _, s := range []string{"/blob/", "/tree/", "/src/", "/raw/", "/blame/"} {
		if bytes.Contains(href, []byte(s)) {
			return sourceView
		}
	}
	return notEditLink
}

func isEditForm(href []byte) bool {
	if !bytes.Contains(href, []byte("edit")) {
		return bytes.Contains(href, []byte("/-/ide/"))
	}
	return bytes.Contains(href, []byte("/edit/")) || bytes.Contains(href, []byte("/_edit/")) ||
		bytes.Contains(href, []byte("mode=edit"))
}

// ForgePaths returns the file paths that a link to a repository may name, longest first. The path
// follows /edit/, /blob/ or /tree/ and a branch, whose name may contain slashes.
func ForgePaths(link string) (names []string) {
	u, err := url.Parse(link)
	if err != nil {
		return nil
	}
	parts := strings.Split(strings.Trim(path.Clean("/"+u.Path), "/"), "/")
	verb := slices.IndexFunc(parts, func(s string) bool { return slices.Contains([]string{"edit", "_edit", "blob", "tree", "src"}, s) })
	if verb < 0 {
		return nil
	}
	for i := verb + 1; i < len(parts); i++ {
		names = append(names, strings.Join(parts[i:], "/"))
	}
	return names
}
