package page

import (
	"bytes"
	"iter"
	"math"
	"strconv"

	"github.com/sitewalk/sitewalk/sitemap"
)

// maxImages is the maximum number of images read from a page. It is one more than a sitemap may
// have, so that a page with too many images is noticed.
const maxImages = sitemap.MaxImages + 1

// pictures collects the addresses of a page's images.
type pictures struct {
	list    []picture
	sources map[string]bool
}

type picture struct {
	src string
	at  level
}

func (p *pictures) reset() {
	p.list = p.list[:0]
	clear(p.sources)
}

func (p *pictures) add(src []byte, at level) {
	if len(src) == 0 || p.sources[string(src)] || len(p.list) == maxImages {
		return
	}
	if p.sources == nil {
		p.sources = make(map[string]bool)
	}
	p.sources[string(src)] = true
	p.list = append(p.list, picture{text(src), at})
}

// atLevel returns the images at a level or above.
func (p *pictures) atLevel(best level) (out []sitemap.Image) {
	for _, pic := range p.list {
		if pic.at >= best {
			out = append(out, sitemap.Image{Loc: pic.src})
		}
	}
	return out
}

func isImageSource(src []byte) bool {
	return len(src) > 0 && src[0] != '#' && !hasPrefixFold(src, "data:")
}

// readImage reads an img element: its src, else the largest image of its srcset. The alternative
// text is content.
func (r *Reader) readImage() {
	if !r.isContent() {
		return
	}
	if alt := r.attr(attrAlt); len(alt) > 0 {
		r.addMark(markAlt)
		r.addWords(alt)
		r.isBlank = true
	}
	if !r.o.Images {
		return
	}
	src := largestImage(r.attr(attrSrcset))
	if own := r.attr(attrSrc); isImageSource(own) {
		src = own
	}
	if !r.isPixel() {
		r.pictures.add(src, r.region().level)
	}
}

// isPixel reports whether the last img is a tracking pixel.
func (r *Reader) isPixel() bool {
	return string(r.attr(attrWidth)) == "1" && string(r.attr(attrHeight)) == "1"
}

// largestImage returns the address of the largest image in a srcset, or nil.
func largestImage(srcset []byte) (best []byte) {
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
				size, srcset = parseDescriptor(srcset)
			}
			if !yield(src, size) {
				return
			}
		}
	}
}

// parseDescriptor parses "640w" or "2x" up to the comma that ends a candidate.
func parseDescriptor(s []byte) (size float64, rest []byte) {
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
