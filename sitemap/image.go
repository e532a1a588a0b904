package sitemap

// An Image is an image on a page, written as image:image. Its only field is the URL, because Google
// has ignored all other elements of image:image since August 2022.
type Image struct {
	Loc string `key:"loc"` // absolute, percent-encoded URL of the image
}

var imageElements = []element[Image]{
	{name: "image:loc", field: func(m *Image) any { return &m.Loc }},
}

// dropInvalidImages removes and reports images with an invalid URL, and the images after the first
// MaxImages. It removes duplicates without a report.
func (c *checker) dropInvalidImages(u *URL) {
	locs := make(map[string]bool, len(u.Images))
	u.Images = filterValid(c, u.Images, func(m *Image) bool {
		if locs[m.Loc] {
			return false
		}
		locs[m.Loc] = true
		err := CheckLoc(m.Loc)
		if err != nil {
			c.reportEdit("bad-image", "name the image by an absolute URL", "image: %v", err)
		}
		return err == nil
	})
	u.Images = truncate(c, "too-many-images", "images of one page", u.Images, MaxImages)
}
