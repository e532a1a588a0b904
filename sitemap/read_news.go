package sitemap

import "strings"

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
	case "access":
		return r.readString(&n.Access)
	case "genres":
		return r.readList(&n.Genres)
	case "keywords":
		return r.readList(&n.Keywords)
	case "stock_tickers":
		return r.readList(&n.StockTickers)
	}
	return r.skipUnknown(true)
}

// readList reads a list with commas between.
func (r *Reader) readList(to *[]string) error {
	text, err := r.text()
	if err != nil {
		return err
	}
	for s := range strings.SplitSeq(string(text), ",") {
		if s = strings.TrimSpace(s); s != "" {
			*to = append(*to, s)
		}
	}
	return nil
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
