package writer

// style drafts the stylesheet of the XML.
func (r *writing) style() error { return nil }
