package sitemap

func (r *Reader) readNews() error {
	if string(r.xml.local) != "news" {
		return r.skipUnknown(true)
	}
	if r.item.News != nil {
		r.problem(r.xml.tokenLine, "duplicate-element", "keep one", "an entry has more than one news:news")
		return r.skip()
	}
	r.item.News = new(News)
	return r.children((*Reader).readNewsField)
}

func (r *Reader) readNewsField() error {
	n := r.item.News
	if r.xml.space != NamespaceNews {
		return r.skipUnknown(true)
	}
	switch string(r.xml.local) {
	case "publication":
		return r.children((*Reader).readNewsField)
	case "name":
		return r.readString(&n.Publication)
	case "language":
		return r.readString(&n.Language)
	case "publication_date":
		return r.readDate(&n.PublicationDate)
	case "title":
		return r.readString(&n.Title)
	}
	return r.skipUnknown(true)
}

// readDate reads the text of an element as a date.
func (r *Reader) readDate(to *Date) error {
	name, line := string(r.xml.local), r.xml.tokenLine
	text, err := r.text()
	if err == nil {
		*to = r.date(line, name, text)
	}
	return err
}
