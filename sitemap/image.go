package sitemap

import "slices"

// An Image is one image:image of a page. The extension's other elements have
// had no effect in engines since August 2022.
type Image struct {
	Loc string `key:"loc"` // absolute, percent-encoded
}

type images struct{}

var imageNotation = notation{
	name: "image", prefix: "image", space: NamespaceImage, root: "image",
	once:     []string{"loc", "caption", "geo_location", "title", "license"},
	obsolete: []string{"caption", "geo_location", "title", "license"}, // since August 2022
}

func (images) notation() *notation { return &imageNotation }

func (images) values(u *URL) []string {
	return words(u.Images, func(m Image) string { return m.Loc })
}

func (images) addresses(u *URL, edit func(*string)) {
	u.Images = slices.Clone(u.Images)
	for i := range u.Images {
		edit(&u.Images[i].Loc)
	}
}

func (images) appendTo(b []byte, u *URL) []byte {
	for i := range u.Images {
		b = u.Images[i].appendTo(b)
	}
	return b
}

func (images) read(r *Reader) error {
	if string(r.xml.local) != "image" {
		return r.skipUnknown(true)
	}
	r.item.Images = append(r.item.Images, Image{})
	return r.children((*Reader).readImageField)
}

func (r *Reader) readImageField() error {
	if string(r.xml.local) != "loc" {
		return r.skipUnknown(true)
	}
	return r.readString(&r.item.Images[len(r.item.Images)-1].Loc)
}

func (m *Image) appendTo(b []byte) []byte {
	b = append(b, "<image:image>"...)
	b = appendElement(b, "image:loc", m.Loc)
	return append(b, "</image:image>"...)
}

// check drops what is no image, an image that is there already, and those
// beyond the limit of the extension.
func (images) check(c *checker, u *URL) {
	seen := make(map[string]bool, len(u.Images))
	u.Images = keepValid(c, u.Images, func(m *Image) bool {
		again := seen[m.Loc]
		seen[m.Loc] = true
		return !again && c.image(m)
	})
	u.Images = truncate(c, "too-many-images", "images of one page", u.Images, MaxImages)
}

func (c *checker) image(m *Image) bool {
	if err := CheckLoc(m.Loc); err != nil {
		c.drop("bad-image", "name the image by an absolute URL", "image: %v", err)
		return false
	}
	return true
}
