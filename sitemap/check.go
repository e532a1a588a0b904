package sitemap

// Check drops from u what may not be written, and reports each such thing with
// a code, a message and a hint.
func (u *URL) Check(report func(code, message, hint string)) {}
