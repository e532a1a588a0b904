package writer

import (
	"strconv"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/sitemap"
)

// furtherName returns the name of the i-th index beside the entry, from 1.
func (o *Options) furtherName(i int) string {
	return o.file(further+"-"+strconv.Itoa(i+1), "xml")
}

// index drafts the indexes over shards and the sitemaps of others, the entry
// last; none when the entry is a url set.
func (r *job) index(shards []shard) error {
	if len(shards) == 1 && shards[0].name == "" {
		return nil
	}
	docs, counts := r.indexes(shards)
	for i := len(docs) - 1; i >= 0; i-- {
		name := r.Name
		if i > 0 {
			name = r.furtherName(i)
		}
		if err := r.claim(name, i == 0); err != nil {
			return err
		}
		if err := r.put(name, docs[i], counts[i]); err != nil {
			return err
		}
	}
	r.further = len(docs) - 1
	return nil
}

// indexes returns as many indexes as the limits ask for, and how many sitemaps
// each names.
func (r *job) indexes(shards []shard) (docs [][]byte, counts []int) {
	x := indexer{open: sitemap.AppendIndexOpen(nil, r.opening(0)), limits: newLimits(&formats[0], r.Options)}
	for i := range shards {
		x.add(r.url(r.published(r.file(shards[i].name, "xml"))), shards[i].lastmod)
	}
	for _, loc := range r.Index {
		if loc == r.url(r.published(r.Name)) {
			r.Diags.Errorf(diag.Pos{}, "bad-index-url", "take it out of output.index", "%q is the index itself", loc)
			continue
		}
		x.add(loc, sitemap.Date{})
	}
	x.end()
	return x.docs, x.counts
}

// An indexer fills one index after another.
type indexer struct {
	*limits
	open   []byte
	docs   [][]byte
	counts []int
	buf    []byte // of the entry at hand
}

func (x *indexer) add(loc string, lastmod sitemap.Date) {
	x.buf = sitemap.AppendIndexEntry(x.buf[:0], loc, lastmod)
	last := len(x.docs) - 1
	if last < 0 || x.counts[last] == x.children || len(x.docs[last])+len(x.buf)+len(sitemap.AppendIndexClose(nil)) > x.bytes {
		x.end()
		x.docs, x.counts = append(x.docs, x.open[:len(x.open):len(x.open)]), append(x.counts, 0)
		last++
	}
	x.docs[last] = append(x.docs[last], x.buf...)
	x.counts[last]++
}

// end closes the index at hand.
func (x *indexer) end() {
	if last := len(x.docs) - 1; last >= 0 {
		x.docs[last] = sitemap.AppendIndexClose(x.docs[last])
	}
}
