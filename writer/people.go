package writer

// people drafts the page for people.
func (r *writing) people(m *measures, shards []shard) error { return nil }
