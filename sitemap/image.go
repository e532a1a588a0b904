package sitemap

// An Image is one image:image of a page. Only Loc has an effect in engines
// since August 2022; the schema still accepts the rest.
type Image struct {
	Loc         string // absolute, percent-encoded
	Caption     string
	GeoLocation string
	Title       string
	License     string // absolute, percent-encoded
}

func (m *Image) appendTo(b []byte) []byte {
	b = append(b, "<image:image>"...)
	b = appendElement(b, "image:loc", m.Loc)
	b = appendElement(b, "image:caption", m.Caption)
	b = appendElement(b, "image:geo_location", m.GeoLocation)
	b = appendElement(b, "image:title", m.Title)
	b = appendElement(b, "image:license", m.License)
	return append(b, "</image:image>"...)
}
