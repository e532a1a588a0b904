package page

import (
	"bytes"
	"iter"
	"math"
	"strconv"

	"github.com/sitewalk/sitewalk/sitemap"
)

// maxImages is how many images of a page are read: one more than a sitemap may
// name, so that too many are seen to be.
const maxImages = sitemap.MaxImages + 1

// pictures gathers the addresses of a page's images.
type pictures struct {
	list    []picture
	sources map[string]bool
	waits   []byte // the best address of a picture element whose img has not come
}

type picture struct {
	src string
	at  level
}

func (p *pictures) reset() {
	p.list, p.waits = p.list[:0], p.waits[:0]
	clear(p.sources)
}

func (p *pictures) add(src []byte, at level) {
	if p.sources[string(src)] || len(p.list) == maxImages {
		return
	}
	if p.sources == nil {
		p.sources = make(map[string]bool)
	}
	p.sources[string(src)] = true
	p.list = append(p.list, picture{text(src), at})
}

// of returns the images that stand at the level given or above.
func (p *pictures) of(best level) (out []sitemap.Image) {
	for _, pic := range p.list {
		if pic.at >= best {
			out = append(out, sitemap.Image{Loc: pic.src})
		}
	}
	return out
}

func isImageSource(src []byte) bool {
	return len(src) > 0 && src[0] != '#' && !hasFold(src, "data:")
}

// picture takes in an img or source element: an img's src, and where that is a
// data URL or missing the largest of its srcset, or of those of the picture
// element around it. Of a picture that counts, the text that stands for it is
// content.
func (r *Reader) picture(flags uint32) {
	if r.ignoring || r.level < r.best {
		return
	}
	if flags&isImage != 0 && r.o.Body && r.has(attrAlt) {
		if alt := r.attr(attrAlt); len(alt) > 0 {
			r.mark(markAlt)
			r.words(alt)
			r.blank = true
		}
	}
	if !r.o.Images {
		return
	}
	src := largest(r.attr(attrSrcset))
	if flags&isSource != 0 {
		if len(r.pictures.waits) == 0 && r.inPicture {
			r.pictures.waits = append(r.pictures.waits, src...)
		}
		return
	}
	if own := r.attr(attrSrc); isImageSource(own) {
		src = own
	}
	switch {
	case r.isPixel():
	case len(src) > 0:
		r.pictures.add(src, r.level)
	case len(r.pictures.waits) > 0:
		r.pictures.add(r.pictures.waits, r.level)
	}
	r.pictures.waits, r.inPicture = r.pictures.waits[:0], false
}

// endPicture takes in a picture element that had no img.
func (r *Reader) endPicture() {
	if len(r.pictures.waits) > 0 && r.inPicture {
		r.pictures.add(r.pictures.waits, r.level)
	}
	r.pictures.waits, r.inPicture = r.pictures.waits[:0], false
}

// isPixel reports whether the img read last is one that counts visits.
func (r *Reader) isPixel() bool {
	return string(r.attr(attrWidth)) == "1" && string(r.attr(attrHeight)) == "1"
}

// largest returns the address of the largest image in a srcset, or nil.
func largest(srcset []byte) (best []byte) {
	size := math.Inf(-1)
	for src, width := range candidates(srcset) {
		if width > size && isImageSource(src) {
			best, size = src, width
		}
	}
	return best
}

// candidates yields the addresses in a srcset, each with its width or density.
func candidates(srcset []byte) iter.Seq2[[]byte, float64] {
	return func(yield func([]byte, float64) bool) {
		for {
			srcset = bytes.TrimLeft(srcset, "\t\n\f\r ,")
			if len(srcset) == 0 {
				return
			}
			n := bytes.IndexFunc(srcset, isSpaceRune)
			if n < 0 {
				n = len(srcset)
			}
			src := srcset[:n]
			srcset = srcset[n:]
			size := 1.0
			if trimmed := bytes.TrimRight(src, ","); len(trimmed) < len(src) {
				src = trimmed
			} else {
				size, srcset = descriptor(srcset)
			}
			if !yield(src, size) {
				return
			}
		}
	}
}

// descriptor reads "640w" or "2x" up to the comma that ends a candidate.
func descriptor(s []byte) (size float64, rest []byte) {
	n := bytes.IndexByte(s, ',')
	if n < 0 {
		n = len(s)
	}
	d := trim(s[:n])
	if len(d) > 1 {
		if v, err := strconv.ParseFloat(string(d[:len(d)-1]), 64); err == nil {
			return v, s[n:]
		}
	}
	return 1, s[n:]
}
