package mapping

// Hugo is what a Hugo configuration says of addresses.
type Hugo struct{}
