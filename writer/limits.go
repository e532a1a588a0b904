package writer

import (
	"github.com/sitewalk/sitewalk/sitemap"
)

// largeSection is how many URLs a section has at least to get a file of its
// own, where half a file is not less.
const largeSection = 1000

// A limits is what one file may hold.
type limits struct {
	urls, bytes, children int
	overhead              [1 << 8]int // bytes of opening and closing, by the extensions that the file uses
}

// newLimits returns the limits of files in the format f.
func newLimits(f *format, o *Options) *limits {
	l := &limits{urls: o.MaxURLs, bytes: o.MaxBytes, children: o.maxChildren}
	var b []byte
	for x := range l.overhead {
		h := head{Opening: o.opening(sitemap.Extensions(x))}
		b = f.close(f.open(b[:0], &h))
		l.overhead[x] = len(b)
	}
	return l
}

// A weight is what a set of pages takes up in one file.
type weight struct {
	urls, news int
	bytes      int64 // without the file's opening and closing
	uses       sitemap.Extensions
}

func (w *weight) add(v weight) {
	w.urls += v.urls
	w.news += v.news
	w.bytes += v.bytes
	w.uses |= v.uses
}

// fits reports whether pages of that weight may stand in one file.
func (l *limits) fits(w weight) bool {
	return w.urls <= l.urls && w.news <= sitemap.MaxNews &&
		w.bytes+int64(l.overhead[w.uses]) <= int64(l.bytes)
}

// large reports whether a section of that weight has files of its own: from
// 1,000 URLs or half a file on. It asks nothing of other sections, so that what
// happens in one moves no page of another.
func (l *limits) large(w weight) bool {
	return w.urls >= min(largeSection, max(1, l.urls/2)) ||
		w.bytes >= int64(l.bytes/2) || w.news >= sitemap.MaxNews/2
}
