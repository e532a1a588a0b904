package page

import (
	"bytes"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
)

// anchor takes in the start tag of a link.
func (r *Reader) anchor() {
	r.endAnchor()
	if !r.has(attrHref) {
		return
	}
	r.fragment = r.tag.val[attrHref].lo < r.tag.val[attrHref].hi && r.buf[r.tag.val[attrHref].lo] == '#'
	if r.o.EditLinks {
		r.editLink()
	}
	r.linkTarget(attrHref)
}

// endAnchor takes in the end of a link.
func (r *Reader) endAnchor() {
	r.fragment = false
	r.edits.end()
}

// linkTarget makes the address that the attribute holds part of the content:
// search engines count a changed link as a change of the page. What a rebuild
// changes is left out: the scheme, the site's own host, query and fragment, and
// addresses of files that belong to the design or whose name holds a hash.
func (r *Reader) linkTarget(a attr) {
	if !r.o.Body || r.ignoring || r.level < r.best || !r.has(a) {
		return
	}
	ref := stablePart(r.attr(a), r.ownHost)
	if len(ref) == 0 {
		return
	}
	r.mark(markLink)
	r.mark(ref...)
	r.mark(markLinkEnd)
}

// stablePart returns the part of an address that says where it leads.
func stablePart(ref []byte, ownHost string) []byte {
	for i, c := range ref {
		if c == '?' || c == '#' {
			ref = ref[:i]
			break
		}
	}
	if len(ref) == 0 || ref[0] == '/' && !bytes.HasPrefix(ref, doubleSlash) {
		return unlessDesign(ref)
	}
	for _, scheme := range []string{"https:", "http:", "javascript:", "data:"} {
		if !hasFold(ref, scheme) {
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
		if ref = rest; ownHost != "" && fold(rest[:host], ownHost) {
			ref = rest[host:]
		}
	}
	return unlessDesign(ref)
}

var doubleSlash = []byte("//")

// commitSegment matches the hash of a commit in the address of a repository's file.
var commitSegment = regexp.MustCompile(`/[0-9a-f]{7,40}(/|$)`)

// unlessDesign returns the address without the hash of a commit, or nothing for a file of the
// design or a form to edit the page.
func unlessDesign(ref []byte) []byte {
	if isAsset(ref) || isEditForm(ref) {
		return nil
	}
	return commitSegment.ReplaceAll(ref, []byte("/*$1"))
}

// isAsset reports whether an address is that of an image, a style or a script.
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

// An edit says how sure it is that a link leads to the page's source.
type edit uint8

const (
	notEdit    edit = iota
	sourceView      // a file in a repository, which the text may also be about
	sourceLink      // one whose link says edit or source
	editForm        // a form to edit the file
)

// edits gathers the links that may lead to the page's source.
type edits struct {
	links     [editForm + 1][]string
	href      []byte // of the link whose text is being listened to
	text      []byte
	listening bool
}

// maxEdits bounds what a page can make a Reader remember.
const maxEdits = 64

func (e *edits) reset() {
	e.listening, e.text = false, e.text[:0]
	for i := range e.links {
		e.links[i] = e.links[i][:0]
	}
}

// best returns the links of the surest kind that there is.
func (e *edits) best() []string {
	for _, links := range slices.Backward(e.links[:]) {
		if len(links) > 0 {
			return slices.Clone(links)
		}
	}
	return nil
}

func (e *edits) add(kind edit, href []byte) {
	if len(e.links[kind]) < maxEdits &&
		!slices.ContainsFunc(e.links[kind], func(s string) bool { return s == string(href) }) {
		e.links[kind] = append(e.links[kind], text(href))
	}
}

// listen takes in a link's text.
func (e *edits) listen(b []byte) {
	e.text = append(e.text, b[:min(len(b), 128-min(len(e.text), 128))]...)
}

// end files the link whose text has been listened to.
func (e *edits) end() {
	if !e.listening {
		return
	}
	e.listening = false
	if saysEdit(e.text) {
		e.add(sourceLink, e.href)
	} else {
		e.add(sourceView, e.href)
	}
	e.text = e.text[:0]
}

// editLink takes in a link that may lead to the page's source.
func (r *Reader) editLink() {
	href := r.attr(attrHref)
	kind := editRank(href)
	if kind == notEdit {
		return
	}
	r.edits.href = append(r.edits.href[:0], href...)
	switch {
	case kind == editForm, hasWord(r.attr(attrRel), "edit"):
		r.edits.add(editForm, r.edits.href)
	case saysEdit(r.attr(attrTitle)), saysEdit(r.attr(attrClass)):
		r.edits.add(sourceLink, r.edits.href)
	default:
		r.edits.listening = true
	}
}

// editRank tells by an address whether it is a repository's form to edit a
// file or its view of one, as GitHub, GitLab, Gitea and Forgejo (Codeberg) and
// Bitbucket write them.
func editRank(href []byte) edit {
	if isEditForm(href) {
		return editForm
	}
	for _, s := range []string{"/blob/", "/tree/", "/src/", "/raw/", "/blame/"} {
		if bytes.Contains(href, []byte(s)) {
			return sourceView
		}
	}
	return notEdit
}

func isEditForm(href []byte) bool {
	if !bytes.Contains(href, []byte("edit")) {
		return bytes.Contains(href, []byte("/-/ide/"))
	}
	return bytes.Contains(href, []byte("/edit/")) || bytes.Contains(href, []byte("/_edit/")) ||
		bytes.Contains(href, []byte("mode=edit"))
}

// saysEdit reports whether a link is named as one to a page's source.
func saysEdit(b []byte) bool {
	b = bytes.ToLower(b)
	for _, s := range []string{"edit", "source", "improve", "suggest"} {
		if bytes.Contains(b, []byte(s)) {
			return true
		}
	}
	return false
}

// ForgePaths returns the paths that a link to a repository may name there, the longest
// first: what follows /edit/, /blob/ or /tree/ and a branch, whose name may have slashes.
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
