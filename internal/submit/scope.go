package submit

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/sitemap"
	"github.com/sitewalk/sitewalk/writer"
)

// A scope is what one key file speaks for: a site, or one of its folders that
// another host serves.
type scope struct {
	base    string // the address, with its slash at the end
	host    string
	sitemap string // its address
	file    string // the sitemap as it was built; "" is not known
	changes []Change
	changed bool // what the sitemap lists, or that is not known
	live    bool // the sitemap is live
}

// scopesOf returns those of a site, the deepest first.
func scopesOf(s *config.Settings) (all []scope) {
	outputs := append([]writer.Options{s.Writer}, s.Parts...)
	for i, part := range s.Site.Parts() {
		w, base := &outputs[i], part.Base.String()
		to := scope{base: base, host: sitemap.HostOf(base), sitemap: s.SitemapURL(w)}
		if w.Dir != "" {
			to.file = filepath.Join(w.Dir, filepath.FromSlash(w.Entry()))
		}
		all = append(all, to)
	}
	slices.SortStableFunc(all, func(a, b scope) int { return cmp.Compare(len(b.base), len(a.base)) })
	return all
}

// share gives each scope the changes of its URLs, sorted, and counts the others.
func (s *Submission) share(changes []Change) {
	slices.SortFunc(changes, func(a, b Change) int { return strings.Compare(a.URL, b.URL) })
	changes = slices.CompactFunc(changes, func(a, b Change) bool { return a.URL == b.URL })
	for _, c := range changes {
		i := slices.IndexFunc(s.scopes, func(to scope) bool { return strings.HasPrefix(c.URL, to.base) })
		if i < 0 || sitemap.CheckLoc(c.URL) != nil {
			s.Outside, s.example = s.Outside+1, cmp.Or(s.example, c.URL)
			continue
		}
		s.scopes[i].changes = append(s.scopes[i].changes, c)
	}
	slices.SortFunc(s.scopes, func(a, b scope) int { return strings.Compare(a.base, b.base) })
	for i := range s.scopes {
		to := &s.scopes[i]
		if to.changed = len(to.changes) > 0; to.changed {
			s.Hosts = append(s.Hosts, Host{to.host, to.count(Added), to.count(Changed), to.count(Removed)})
		}
	}
}

func (to *scope) count(kind string) (n int) {
	for _, c := range to.changes {
		if c.Kind == kind {
			n++
		}
	}
	return n
}

// keyURL is where the file of a key is served.
func (to *scope) keyURL(key string) string { return to.base + key + ".txt" }

// A request tells one engine of some changes of a scope.
type request struct {
	engine string
	to     *scope
	part   []Change
}

// body is that of the request. A key at the root of its host needs not be named.
func (r *request) body(key string) []byte {
	p := parcel{Host: r.to.host, Key: key}
	if u, err := url.Parse(r.to.base); err == nil && u.Path != "/" {
		p.Location = r.to.keyURL(key)
	}
	for _, c := range r.part {
		p.URLs = append(p.URLs, c.URL)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(p) // texts: it never fails
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
