package writer

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/robots"
	"github.com/sitewalk/sitewalk/sitemap"
)

// sumMark begins a line of the journal that names a sitemap of the generator that
// is to go, and the sum of what it holds: when this run is killed, the sitemap
// that proved it is replaced already.
const sumMark = "- "

// findForeign finds the sitemaps that another tool has left and that ours makes
// stale. It must run before the entry takes its place: what is replaced is the
// proof that they are the generator's own.
func (r *job) findForeign(context.Context) error {
	names := slices.DeleteFunc(append([]string{r.Name + ".gz"}, r.Leftovers...), func(name string) bool {
		return !r.regular(name) || !local(name) || name == r.Name || r.planned[name] || r.Protect != nil && r.Protect(name) || r.past.ours(name)
	})
	if len(names) == 0 {
		return nil
	}
	slices.Sort(names)
	elsewhere, children := r.elsewhere(), r.oldChildren()
	for _, name := range slices.Compact(names) {
		twin, free := name == r.Name+".gz", !elsewhere(name)
		switch {
		case free && (twin && r.twin(name) || children[name] && r.onlyOurs(name) || r.wasToGo(name)):
			r.theirs = append(r.theirs, name)
		case twin:
			r.stays(name, ", or let --gzip also write ours in its place",
				"another tool wrote it; a server with gzip_static answers with it in place of %s", path.Base(r.Name))
		case free:
			r.stays(name, "", "another tool wrote it, and %s does not name it", r.Name)
		}
	}
	return nil
}

// regular reports whether a regular file has that name.
func (r *job) regular(name string) bool {
	info, err := r.dir.stat(name)
	return err == nil && info != nil && info.Mode().IsRegular()
}

// wasToGo reports whether a run that was killed had proof, and the file is
// still what it was.
func (r *job) wasToGo(name string) bool {
	sum := r.past.sums[name]
	return sum != "" && sum == r.past.sum(name)
}

// elsewhere reports of a file whether anything else names it. A robots.txt that
// cannot be read may name all.
func (r *job) elsewhere() func(name string) bool {
	lines, err := r.sitemapLines()
	return func(name string) bool {
		loc := r.url(name)
		return err != nil || slices.Contains(r.Index, loc) || r.Names != nil && r.Names(name) ||
			slices.ContainsFunc(lines, func(l robots.SitemapLine) bool { return l.Value == loc })
	}
}

// stays reports a sitemap of another tool that is not removed.
func (r *job) stays(name, hint, format string, args ...any) {
	r.Diags.Warnf(diag.Pos{File: name}, "stale-sitemap", "remove it before the site is published"+hint+"; for the next build, "+cmp.Or(r.TurnOff, otherTool), format, args...)
}

const otherTool = "turn the other tool's sitemap off"

// oldChildren returns the files that the index of another tool names, of which the
// entry takes the place. Below a path nothing says what the robots.txt of the
// host names, so there is no proof.
func (r *job) oldChildren() map[string]bool {
	children := map[string]bool{}
	u, err := url.Parse(r.Base)
	if err != nil || u.Path != "/" || !r.planned[r.Name] || r.past.ours(r.Name) {
		return children
	}
	r.items(r.Name, func(item *sitemap.Item) bool {
		escaped, below := strings.CutPrefix(item.Loc, r.Base)
		if name, bad := url.PathUnescape(escaped); item.Sitemap && below && bad == nil && local(name) {
			children[name] = true
		}
		return item.Sitemap
	})
	return children
}

// items is eachItem of a file, which may be missing.
func (r *job) items(name string, each func(*sitemap.Item) bool) sitemap.Format {
	f, err := r.past.open(name)
	if f == nil || err != nil {
		return 0
	}
	defer f.Close()
	return eachItem(f, each)
}

// twin reports whether a compressed file holds, byte for byte, the sitemap of
// another tool that the entry replaces.
func (r *job) twin(name string) bool {
	if !r.planned[r.Name] || !r.regular(r.Name) || r.past.ours(r.Name) {
		return false
	}
	plain := r.past.sum(r.Name)
	return plain != "" && plain == r.past.sum(name)
}

// onlyOurs reports whether a file is a url set, to its end, of this site alone.
func (r *job) onlyOurs(name string) bool {
	return r.items(name, func(item *sitemap.Item) bool {
		return !item.Sitemap && strings.HasPrefix(item.Loc, r.Base)
	}) == sitemap.FormatURLSet
}

// sum returns what tells the content of a file, decompressed, from any other; ""
// when it cannot be read or is empty.
func (p *earlier) sum(name string) string {
	f, err := p.open(name)
	if f == nil || err != nil {
		return ""
	}
	defer f.Close()
	h := sha256.New()
	// More than a sitemap may have is no twin of one, and may be a bomb.
	if n, err := io.CopyN(h, f, sitemap.MaxBytes+1); err != io.EOF || n == 0 {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil))
}
