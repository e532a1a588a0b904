package page

import (
	"bytes"
	"iter"
	"math"
	"strconv"

	"github.com/sitewalk/sitewalk/sitemap"
)

// maxImages is the maximum number of images that are read from a page. It is one more than a
// sitemap allows, so that a page with too many images can be reported.
const maxImages = sitemap.MaxImages + 1

// pictures collects the images of a page. An image with several occurrences is collected once.
type pictures struct {
	list    []picture
	indexes map[string]int // index in list of each address
}

type picture struct {
	src   string
	level level // highest level of the elements that contain the image
}

func (p *pictures) reset() {
	p.list = p.list[:0]
	clear(p.indexes)
}

func (p *pictures) addPicture(src []byte, lev level) {
	if i, ok := p.indexes[string(src)]; ok {
		p.list[i].level = max(p.list[i].level, lev)
		return
	}
	if len(src) == 0 || len(p.list) == maxImages {
		return
	}
	if p.indexes == nil {
		p.indexes = make(map[string]int)
	}
	p.indexes[string(src)] = len(p.list)
	p.list = append(p.list, picture{toValidUTF8(src), lev})
}

// atLeastLevel returns the collected images whose level is at least lowest.
func (p *pictures) atLeastLevel(lowest level) (out []sitemap.Image) {
	for _, pic := range p.list {
		if pic.level >= lowest {
			out = append(out, sitemap.Image{Loc: pic.src})
		}
	}
	return out
}

func isImageSource(src []byte) bool {
	return len(src) > 0 && src[0] != '#' && !hasPrefixFold(src, "data:")
}

// readImage handles an img tag. It adds the alternative text of the image to the content. With
// Options.Images, it also collects the image: its src, or else the largest image in its srcset. It
// does not collect tracking pixels. readImage does nothing outside of the content.
func (r *Reader) readImage() {
	if !r.isInContent() {
		return
	}
	if alt := r.attrValue("alt"); len(alt) > 0 {
		r.addRawBytes(markAlt)
		r.addWords(alt)
		r.pendingSpace = true
	}
	if !r.o.Images {
		return
	}
	src := largestInSrcset(r.attrValue("srcset"))
	if own := r.attrValue("src"); isImageSource(own) {
		src = own
	}
	if !r.isTrackingPixel() {
		r.pictures.addPicture(src, r.innermostElement().level)
	}
}

// isTrackingPixel reports whether the attributes width and height of the last img tag are both 1.
func (r *Reader) isTrackingPixel() bool {
	return string(r.attrValue("width")) == "1" && string(r.attrValue("height")) == "1"
}

// largestInSrcset returns the address of the image with the largest width or density in a srcset
// attribute. It returns nil if there is no image.
func largestInSrcset(srcset []byte) (address []byte) {
	size := math.Inf(-1)
	for src, width := range srcsetCandidates(srcset) {
		if width > size && isImageSource(src) {
			address, size = src, width
		}
	}
	return address
}

// srcsetCandidates yields the address of each image in a srcset attribute, and its width or
// density. For "a.png 640w, b.png 2x, c.png" these are 640, 2 and 1.
func srcsetCandidates(srcset []byte) iter.Seq2[[]byte, float64] {
	return func(yield func([]byte, float64) bool) {
		for {
			srcset = bytes.TrimLeft(srcset, whiteSpace+",")
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
				size, srcset = parseSizeDescriptor(srcset)
			}
			if !yield(src, size) {
				return
			}
		}
	}
}

// parseSizeDescriptor parses a descriptor such as "640w" or "2x" at the beginning of s. rest begins
// with the comma after the descriptor, if there is one. size is 1 if there is no valid descriptor.
func parseSizeDescriptor(s []byte) (size float64, rest []byte) {
	n := bytes.IndexByte(s, ',')
	if n < 0 {
		n = len(s)
	}
	d := trimSpace(s[:n])
	if len(d) > 1 {
		if v, err := strconv.ParseFloat(string(d[:len(d)-1]), 64); err == nil {
			return v, s[n:]
		}
	}
	return 1, s[n:]
}
