package sitemap

// Extensions is the set of the protocol's extensions that a URL or a file uses.
type Extensions uint8

// The extensions.
const (
	Hreflang Extensions = 1 << iota
	ImageExt
	VideoExt
	NewsExt
)

var namespaces = []struct {
	ext          Extensions
	prefix, name string
}{
	{Hreflang, "xhtml", NamespaceXHTML},
	{ImageExt, "image", NamespaceImage},
	{VideoExt, "video", NamespaceVideo},
	{NewsExt, "news", NamespaceNews},
}

// Extensions returns the extensions that u uses.
func (u *URL) Extensions() Extensions {
	var e Extensions
	if len(u.Alternates) > 0 {
		e |= Hreflang
	}
	if len(u.Images) > 0 {
		e |= ImageExt
	}
	if len(u.Videos) > 0 {
		e |= VideoExt
	}
	if u.News != nil {
		e |= NewsExt
	}
	return e
}

func (e Extensions) appendNamespaces(b []byte) []byte {
	for _, n := range namespaces {
		if e&n.ext != 0 {
			b = appendAttr(b, "xmlns:"+n.prefix, n.name)
		}
	}
	return b
}
