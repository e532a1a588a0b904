package sitemap

// An Image is one image:image of a page. The extension's other elements have
// had no effect in engines since August 2022.
type Image struct {
	Loc string // absolute, percent-encoded
}

func (m *Image) appendTo(b []byte) []byte {
	b = append(b, "<image:image>"...)
	b = appendElement(b, "image:loc", m.Loc)
	return append(b, "</image:image>"...)
}

// images drops what is no image, an image that is there already, and those
// beyond the limit of the extension.
func (c *checker) images(u *URL) {
	if len(u.Images) == 0 {
		return
	}
	seen := make(map[string]bool, len(u.Images))
	u.Images = checked(c, u.Images, func(m *Image) bool {
		again := seen[m.Loc]
		seen[m.Loc] = true
		return !again && c.image(m)
	})
	u.Images = limited(c, "too-many-images", "images of one page", u.Images, MaxImages)
}

func (c *checker) image(m *Image) bool {
	if err := CheckLoc(m.Loc); err != nil {
		c.drop("bad-image", "name the image by an absolute URL", "image: %v", err)
		return false
	}
	return true
}
