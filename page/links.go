package page

import (
	"bytes"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
)

// startAnchor handles the start tag of an a element. It ends the previous a element if this element
// is still open. It adds the target of the new link to the content, and records a possible edit
// link for endAnchor.
func (r *Reader) startAnchor() {
	r.endAnchor()
	if !r.hasAttr("href") {
		return
	}
	href := r.attrValue("href")
	r.inFragmentLink = len(href) > 0 && href[0] == '#'
	if r.o.EditLinks && editLinkKindOf(href) != notEditLink {
		r.edits.open = r.lastTagSpan()
		r.edits.href, _ = r.findAttr("href")
	}
	r.addLinkTarget("href")
}

// endAnchor ends the open a element, if there is one. If the element may be an edit link, endAnchor
// collects the link.
func (r *Reader) endAnchor() {
	r.inFragmentLink = false
	if e := &r.edits; e.open != (span{}) {
		end := max(r.tag.start, e.open.hi) // without </a>, the link ends at the last tag of the page
		href := toValidUTF8(trimSpace(appendText(nil, r.bytes(e.href), true)))
		e.addLink(href, slices.Concat(r.buf[e.open.lo:e.href.lo], r.buf[e.href.hi:end]))
		e.open = span{}
	}
}

// addLinkTarget adds the link target in the attribute attr of the last tag to the content, if
// Options.ContentHash is set. The fingerprint therefore changes if the target changes.
// addLinkTarget adds only the part of the target that is the same in every build; see
// stableLinkTarget.
func (r *Reader) addLinkTarget(attr string) {
	if !r.o.ContentHash || !r.isInContent() || !r.hasAttr(attr) {
		return
	}
	ref := stableLinkTarget(r.attrValue(attr), r.ownHost)
	if len(ref) == 0 {
		return
	}
	r.addRawBytes(markLink)
	r.addRawBytes(ref...)
	r.addRawBytes(markLinkEnd)
}

// stableLinkTarget returns the part of ref that is the same in every build. It removes the scheme
// http or https, the query, the fragment, and the host if the host is ownHost. It replaces commit
// hashes by "*". It returns nil for a target that is not content: a script, an image, a style, a
// font, or a form to edit the page.
func stableLinkTarget(ref []byte, ownHost string) []byte {
	ref = trimOrigin(ref, ownHost)
	if isAssetAddress(ref) || isEditForm(ref) {
		return nil
	}
	if !commitSegment.Match(ref) {
		return ref // ReplaceAll would copy it
	}
	return commitSegment.ReplaceAll(ref, []byte("/*$1"))
}

// trimOrigin returns ref without query and fragment, without the scheme http or https and the
// slashes before the host, and without the host if the host is ownHost. For example,
// https://b.org/x?y becomes b.org/x, or /x if ownHost is b.org. Other schemes, such as mailto,
// stay. trimOrigin returns nil for a javascript or data URL.
func trimOrigin(ref []byte, ownHost string) []byte {
	if i := bytes.IndexAny(ref, "?#"); i >= 0 {
		ref = ref[:i]
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
		host, _, _ := bytes.Cut(rest, []byte("/"))
		if ref = rest; ownHost != "" && equalFold(host, ownHost) {
			ref = rest[len(host):]
		}
	}
	return ref
}

var doubleSlash = []byte("//")

// commitSegment matches a commit hash in the path of a link to a file in a repository.
var commitSegment = regexp.MustCompile(`/[0-9a-f]{7,40}(/|$)`)

// isAssetAddress reports whether ref is the address of an image, a style, a font or a script, by
// its extension.
func isAssetAddress(ref []byte) bool {
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
// The highest kind is the most probable.
type editLinkKind uint8

const (
	notEditLink editLinkKind = iota
	sourceView               // the link shows a file in a repository
	sourceLink               // the link shows a file, and its text or an attribute has a word such as "edit" or "source"
	editForm                 // the link opens a form to edit a file
)

// An editLinks collects links of a page that may lead to its source file.
type editLinks struct {
	links [editForm + 1][]string // addresses by editLinkKind
	open  span                   // start tag of the open a element; empty if no a element is open
	href  span                   // address in this start tag
}

// maxEditLinks is the maximum number of links of each editLinkKind that are collected from a page.
const maxEditLinks = 64

func (e *editLinks) reset() { *e = editLinks{} }

// bestLinks returns the collected links of the most probable kind, or nil if there are no links.
func (e *editLinks) bestLinks() []string {
	for _, links := range slices.Backward(e.links[:]) {
		if len(links) > 0 {
			return links
		}
	}
	return nil
}

// addLink collects a link with the address href, unless it is already collected or there are
// maxEditLinks of its kind. source is the HTML of the a element without the address. If source
// contains a word such as "edit", a sourceView becomes a sourceLink.
func (e *editLinks) addLink(href string, source []byte) {
	kind := editLinkKindOf([]byte(href))
	if kind == sourceView && editWords.Match(source) {
		kind = sourceLink
	}
	if len(e.links[kind]) < maxEditLinks && !slices.Contains(e.links[kind], href) {
		e.links[kind] = append(e.links[kind], href)
	}
}

// editWords matches words in the text or the attributes of a link that leads to the source file of
// a page.
var editWords = regexp.MustCompile(`(?i)edit|source|improve|suggest`)

// editLinkKindOf returns editForm if href opens a form to edit a file, sourceView if it shows a
// file, and otherwise notEditLink. It knows the URLs of GitHub, GitLab, Gitea, Forgejo (Codeberg)
// and Bitbucket.
func editLinkKindOf(href []byte) editLinkKind {
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

// RepositoryPaths returns the file paths that a link to a repository may name, the longest first.
// For ".../edit/main/docs/a.md", these are "main/docs/a.md", "docs/a.md" and "a.md", because the
// name of the branch may contain slashes. The result is nil if link is not a valid URL, or if its
// path has no folder called edit, _edit, blob, tree or src.
func RepositoryPaths(link string) (names []string) {
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
