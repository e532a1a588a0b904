package page

import (
	"bytes"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
)

// startAnchor handles the start tag of an a element.
func (r *Reader) startAnchor() {
	r.endAnchor()
	if !r.hasAttr(attrHref) {
		return
	}
	href := r.attr(attrHref)
	r.inFragment = len(href) > 0 && href[0] == '#'
	if r.o.EditLinks && editKindOf(href) != notEditLink {
		r.edits.open, r.edits.href = r.lastTag(), r.tag.val[attrHref]
	}
	r.addTarget(attrHref)
}

// endAnchor ends the open a element, if there is one.
func (r *Reader) endAnchor() {
	r.inFragment = false
	if e := &r.edits; e.open != (span{}) {
		end := max(r.tag.start, e.open.hi) // without an end tag, the link ends with the page
		href := toValidUTF8(trim(appendText(nil, r.bytes(e.href), true)))
		e.add(href, slices.Concat(r.buf[e.open.lo:e.href.lo], r.buf[e.href.hi:end]))
		e.open = span{}
	}
}

// addTarget adds the address in an attribute of the last tag to the content, because a changed link
// is a change of the page. It leaves out what may change with each build: the scheme, the site's
// own host, query and fragment, and the addresses of images, styles and scripts.
func (r *Reader) addTarget(a attr) {
	if !r.o.Body || !r.isContent() || !r.hasAttr(a) {
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

// stablePart returns the part of ref that identifies the target, without scheme, query, fragment
// and the host ownHost. It returns nil for targets that are not content.
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

// commitSegment matches a commit hash in the path of a link to a file in a repository.
var commitSegment = regexp.MustCompile(`/[0-9a-f]{7,40}(/|$)`)

// contentTarget returns ref with "*" instead of commit hashes. It returns nil for an image, style
// or script, and for a form to edit the page.
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

// An editLinkKind orders links by the probability that they lead to the source file of the page.
type editLinkKind uint8

const (
	notEditLink editLinkKind = iota
	sourceView               // the link shows a file in a repository
	sourceLink               // the link shows a file, and its text or an attribute has a word such as "edit" or "source"
	editForm                 // the link opens a form to edit a file
)

// An editLinks collects the links of a page that may lead to its source file.
type editLinks struct {
	links [editForm + 1][]string // addresses by editLinkKind
	open  span                   // start tag of the open a element; empty if none is open
	href  span                   // address in this start tag
}

// maxEdits is the maximum number of links of each kind read from a page.
const maxEdits = 64

func (e *editLinks) reset() { *e = editLinks{} }

// best returns the links of the most probable kind, or nil.
func (e *editLinks) best() []string {
	for _, links := range slices.Backward(e.links[:]) {
		if len(links) > 0 {
			return links
		}
	}
	return nil
}

// add adds a link with the address href. source is the HTML of the a element without its address.
func (e *editLinks) add(href string, source []byte) {
	kind := editKindOf([]byte(href))
	if kind == sourceView && editWords.Match(source) {
		kind = sourceLink
	}
	if len(e.links[kind]) < maxEdits && !slices.Contains(e.links[kind], href) {
		e.links[kind] = append(e.links[kind], href)
	}
}

// editWords matches the text or an attribute of a link to the source file of a page.
var editWords = regexp.MustCompile(`(?i)edit|source|improve|suggest`)

// editKindOf returns whether href opens an edit form, shows a file, or does neither. It knows the
// addresses of GitHub, GitLab, Gitea, Forgejo (Codeberg) and Bitbucket.
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

// ForgePaths returns the file paths that a link to a repository may mean, the longest first. The
// path follows a word such as "edit" or "blob" and the name of a branch. Because the name may
// contain slashes, several paths are possible.
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
